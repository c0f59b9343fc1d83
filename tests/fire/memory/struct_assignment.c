// Structs are copied as integers or by memcpy; the floats inside keep their errors.
#include <stdio.h>

struct mixed { int tag; float f; double d; char name[5]; };

__attribute__((noinline)) void assign(struct mixed *to, const struct mixed *from) { *to = *from; }

int main(void) {
    volatile double big = 1e17, small = 3;
    volatile float big_f = 1e9f, small_f = 3;
    struct mixed a = {1, big_f + small_f, big + small, "abc"}, b;
    assign(&b, &a);
    printf("%g\n", b.d - big);            //~ precision-loss: 52..53 bits lost
    printf("%g\n", (double)(b.f - big_f)); //~ precision-loss: 23..24 bits lost
    printf("%d %s\n", b.tag, b.name);
}
