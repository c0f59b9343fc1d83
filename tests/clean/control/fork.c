// Parent and child go on with their own copies of the shadows.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    volatile double x = 0.1;
    double a[4];
    for (int i = 0; i < 4; i++) a[i] = x / 3 * i;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 4; i++) a[i] *= 3;
        _exit(a[1] > 0.09 && a[1] < 0.11 ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    printf("%.15g %d\n", a[1] + a[2], WEXITSTATUS(status));
}
