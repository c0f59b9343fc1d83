// Errors wait in global, static, thread-local and heap variables, and in an array of arrays.
#include <stdio.h>
#include <stdlib.h>

double global;
static double table[3][5];
static _Thread_local double local;

__attribute__((noinline)) static double *counter(void) {
    static double inside;
    return &inside;
}

__attribute__((noinline)) static void fill(double sum, double *heap) {
    global = local = *counter() = table[2][3] = *heap = sum;
}

int main(void) {
    volatile double big = 1e17, small = 3;
    double *heap = malloc(sizeof *heap);
    fill(big + small, heap);
    printf("%g\n", global - big);      //~ precision-loss: 52..53 bits lost
    printf("%g\n", local - big);       //~ precision-loss: 52..53 bits lost
    printf("%g\n", *counter() - big);  //~ precision-loss: 52..53 bits lost
    printf("%g\n", table[2][3] - big); //~ precision-loss: 52..53 bits lost
    printf("%g\n", *heap - big);       //~ precision-loss: 52..53 bits lost
    printf("%g\n", table[2][2]);
    free(heap);
}
