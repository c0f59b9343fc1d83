// Globals, statics, thread-locals, const tables, string and float constants, volatile access.
#include <stdio.h>

double global = 0.1, *pointer = &global;
static const double table[] = {1.0 / 3, 2.0 / 3, 0x1.fffffffffffffp-3, -0.0};
static _Thread_local double local = 2.5;
extern double weak_value __attribute__((weak));
static volatile float port;

__attribute__((noinline)) static double *counter(void) {
    static double n = 0.5;
    n *= 1.01;
    return &n;
}

int main(void) {
    for (int i = 0; i < 4; i++) {
        *pointer += table[i];
        local = local * global - *counter();
        port = (float)local;
        port = port + port;
        printf("%a %a %a %a\n", global, local, *counter(), (double)port);
    }
    printf("%d %a\n", &weak_value == NULL, (double[]){global, local}[1]);
}
