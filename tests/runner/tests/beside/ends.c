#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nonius.h>

__attribute__((noinline)) double lose(double x) { return sqrt(x + 1) - sqrt(x); }
__attribute__((noinline)) double lose_more(double x) { return (1 - cos(x)) / (x * x); }
__attribute__((noinline)) double stable(double x) { return 1 / (sqrt(x + 1) + sqrt(x)); }

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double shared;

static void *in_thread(void *at) {
    for (int i = 1; i < 2000; i++) {
        pthread_mutex_lock(&lock);
        shared += 1.0 / (i + *(int *)at);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

__attribute__((noinline)) double harmonic(long n) {
    double sum = 0;
    for (long i = 1; i <= n; i++)
        sum += 1.0 / i;
    return sum;
}

static void on_signal(int number) { (void)number; }

/* Nobody is told before. */
static void die(void) { syscall(SYS_kill, getpid(), SIGKILL); }

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    signal(SIGUSR1, on_signal);
    printf("%g %g\n", lose(1e14), stable(1e14));
    fflush(stdout);
    if (!strcmp(way, "kill")) {
        printf("%g\n", harmonic(100000));
        die();
    } else if (!strcmp(way, "null")) {
        *(volatile int *)NULL = 1;
    } else if (!strcmp(way, "spin")) {
        for (volatile long n = 1000;;)
            shared += harmonic(n);
    } else if (!strcmp(way, "long")) {
        printf("%g\n", harmonic(3000000));
    } else if (!strcmp(way, "threads")) {
        pthread_t threads[3];
        int numbers[3] = {0, 1, 2};
        for (int i = 0; i < 3; i++) {
            pthread_create(&threads[i], NULL, in_thread, &numbers[i]);
            pthread_join(threads[i], NULL);
        }
        raise(SIGUSR1);
        printf("%g\n", shared);
    } else if (!strcmp(way, "at-once")) {
        pthread_t threads[3];
        int numbers[3] = {0, 1, 2};
        for (int i = 0; i < 3; i++)
            pthread_create(&threads[i], NULL, in_thread, &numbers[i]);
        for (int i = 0; i < 3; i++)
            pthread_join(threads[i], NULL);
    } else if (!strcmp(way, "fork") || !strcmp(way, "fork-kill")) {
        pid_t child = fork();
        if (child == 0) {
            printf("%g\n", lose_more(1e-7) + harmonic(100000));
            fflush(stdout);
            if (way[4])
                die();
            return 0;
        }
        int status = 0;
        pid_t waited = wait(&status);
        printf("%d %d %d\n", waited == child, WIFSIGNALED(status), wait(&status) == -1);
    } else if (!strcmp(way, "exec")) {
        execl("/proc/self/exe", argv[0], "again", (char *)NULL);
    } else if (!strcmp(way, "ask")) {
        double x = lose(1e14);
        int is_wrong = nonius_error_greater(&x, 1e-9);
        nonius_insert_shadow(&x);
        printf("%d %.3e\n", is_wrong, x);
    } else if (!strcmp(way, "round-trips")) {
        double x = lose(1e14);
        int wrong = 0;
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        for (int i = 0; i < 10000; i++)
            wrong += nonius_error_greater(&x, 1e-9);
        clock_gettime(CLOCK_MONOTONIC, &to);
        double ns = (to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec);
        fprintf(stderr, "a round trip takes %.2f us (%d)\n", ns / 1e7, wrong);
    }
    return 0;
}
