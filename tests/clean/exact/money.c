// Amounts in whole cents, rounded once at the end: the cast has half a cent of room.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double price = 19.99, rate = 0.19;
    double total = 0;
    for (int i = 0; i < 30; i++) total += price;
    long cents = lround(total * 100), tax = (long)floor(total * rate * 100 + 0.5);
    printf("%ld %ld\n", cents, tax);
}
