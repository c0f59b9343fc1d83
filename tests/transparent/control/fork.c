// Fork, pipes and wait: both processes compute on.
#include <math.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    volatile double x = 0.1;
    double a[8], back[8];
    int ends[2], status;
    for (int i = 0; i < 8; i++) a[i] = exp(x * i);
    if (pipe(ends)) return 9;
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 8; i++) a[i] = sqrt(a[i]) / 3;
        if (write(ends[1], a, sizeof a) != sizeof a) _exit(8);
        _exit((int)(a[7] * 10));
    }
    if (read(ends[0], back, sizeof back) != sizeof back) return 7;
    waitpid(child, &status, 0);
    for (int i = 0; i < 8; i++) printf("%a %a\n", a[i], back[i]);
    printf("%d\n", WEXITSTATUS(status));
}
