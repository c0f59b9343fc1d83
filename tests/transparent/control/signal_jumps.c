// nonius: flags=-pthread
// A timer's handler jumps out of whatever runs, again and again, while another thread computes; and
// one that adds to the atomic sum that it interrupted.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/time.h>

static sigjmp_buf back;
static volatile sig_atomic_t jumps;
static _Atomic double sum;
static volatile double part = 0.5;

static void jump(int n) {
    (void)n;
    siglongjmp(back, 1);
}

static void add(int n) { sum += 0 * n; }

static void *compute(void *result) {
    double x = 0.3;
    for (int i = 0; i < 300000; i++) x = 3.9 * x * (1 - x);
    *(double *)result = x;
    return NULL;
}

static void every(int microseconds, void (*handler)(int)) {
    struct itimerval timer = {{0, microseconds}, {0, microseconds}};
    signal(SIGALRM, handler);
    setitimer(ITIMER_REAL, &timer, NULL);
}

int main(void) {
    double result;
    pthread_t thread;
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarms, NULL);
    pthread_create(&thread, NULL, compute, &result);
    pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);

    if (sigsetjmp(back, 1)) jumps++;
    else every(500, jump);
    while (jumps < 20)
        for (int i = 1; i < 1000; i++) part = part / i + 0.25;
    every(200, add);
    for (int i = 0; i < 200000; i++) sum += 0.5;
    every(0, SIG_IGN);

    pthread_join(thread, NULL);
    printf("%a %a\n", result, (double)sum);
}
