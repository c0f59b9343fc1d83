/* Terms over integers of any size and rationals: what holds, and what fails by the least there is. */
#include <limits.h>

volatile int zero = 0;
volatile double tenth = 0.1;

int main(void) {
    int x = 3 + zero, y = -2 + zero;
    long long big = LLONG_MAX - zero;
    unsigned long long most = ULLONG_MAX - zero;
    double d = tenth;
    float f = (float)tenth;
    /*@ assert x + y == 1; */
    /*@ assert x + y == 2; */ //~ failed
    /*@ assert x / 2 == 1 && y / 2 == -1 && -7 / 2 == -3 && x % 2 == 1 && -7 % 2 == -1; */
    // C would overflow; mathematics does not.
    /*@ assert big + 1 > big; */
    /*@ assert big * big * big == 784637716923335095224261902710254454442933591094742482943; */
    /*@ assert big * big * big == 784637716923335095224261902710254454442933591094742482942; */ //~ failed
    /*@ assert most * most > 340282366920938463426481119284349108224; */
    /*@ assert most + 1 == 18446744073709551616 && -1 < most; */
    /*@ assert x / (y + 79228162514264337593543950335) == 0; */
    /*@ assert x / (y + 792281625142643375935439503351234567890123456789) == 0; */
    // The double next to a tenth is no tenth.
    /*@ assert d != 0.1; */
    /*@ assert d == 0.1; */ //~ failed
    /*@ assert d - 0.1 == 0x1p-54 / 10; */
    /*@ assert d == 3602879701896397 / 36028797018963968.0; */
    /*@ assert f > d && f - d < 1.5e-9 && f - d > 1.4e-9; */
    /*@ assert \abs(y) == 2 && \min(x, y) == -2 && \max(x, d) == 3; */
    /*@ assert d + d + d != 3 * 0.1 && 3 * d < 0.31; */
    /*@ assert \let s = d + f; \let t = s * s; t > 0.04 && t < 0.05; */
    /*@ assert (x > 5 ==> y > 0) && (x > 2 <==> y < 0) && !(x == 4) && (x == 3 ? y < 0 : y > 0); */
    /*@ assert x > 2 ==> y > 0; */ //~ failed
    //@ assert 0 <= x < 4;
    //@ assert 0 <= x < 3; //~ failed
    /*@ check x == 3; */
    /*@ assert x / (y + 2) == 1; */ //~ unknown
    /*@ assert named: d < 1; assert x == 3; */
    return 0;
}
