// Signal handlers that compute, on an alternate stack and from a timer.
#define _GNU_SOURCE
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static volatile sig_atomic_t ticks;
static volatile double state = 0.3;

static void on_user(int n) { state = 3.9 * state * (1 - state) + n * 0; }
static void on_timer(int n) {
    volatile double local = 0.1 * n;
    for (int i = 0; i < 20; i++) local = sqrt(local + i);
    ticks++;
}

int main(void) {
    stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_handler = on_user, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR1, &action, NULL);
    signal(SIGALRM, on_timer);
    struct itimerval timer = {{0, 500}, {0, 500}}, off = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &timer, NULL);
    double sum = 0;
    for (int i = 0; i < 2000; i++) {
        if (i % 100 == 0) raise(SIGUSR1);
        for (int j = 1; j < 200; j++) sum += state / (i + j);
    }
    setitimer(ITIMER_REAL, &off, NULL);
    printf("%a %a\n", sum, state);
}
