// nonius: flags=-pthread
// Threads that work on parts of one array, and on their own stacks.
#include <math.h>
#include <pthread.h>
#include <stdio.h>

static double a[4][500];

static void *work(void *argument) {
    double *row = argument;
    for (int i = 0; i < 500; i++) row[i] = sqrt(i + 1) / 3;
    double sum = 0;
    for (int i = 0; i < 500; i++) sum += row[i];
    row[0] = sum;
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work, a[i]);
    double total = 0;
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL), total += a[i][0];
    printf("%.12g\n", total);
}
