// A ledger: a huge deposit goes in and out again, and takes the small ones with it.
#include <stdio.h>

struct account { double balance; };

__attribute__((noinline)) void deposit(struct account *a, double amount) {
    a->balance += amount; //~ precision-loss: 52..53 bits lost @store
}

int main(void) {
    volatile double huge = 1e18, coin = 0.25;
    struct account a = {0};
    deposit(&a, huge);
    for (int i = 0; i < 8; i++) deposit(&a, coin);
    deposit(&a, -huge);
    printf("%g\n", a.balance);
}
