// A fee that starts at 0.8: an error of an ulp in the amount changes the result from 0 to 100.
#include <stdio.h>

__attribute__((noinline)) double fee(double amount) {
    if (amount >= 0.8) //~ branch-flip @branch
        return 100;
    return 0;
}

int main(void) {
    volatile double coin = 0.1;
    double amount = 0;
    for (int i = 0; i < 8; i++) amount += coin;
    printf("%g\n", fee(amount));
    printf("%g\n", fee(0.25));
}
