// A thread computes while signals come and other threads begin and end, each of which has all events handed on. Prints how
// many additions there were.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int stop, ready;
static volatile double step = 0.1;
static volatile sig_atomic_t signals;
static void handle(int number) { (void)number; signals++; volatile double sum = step; sum += step; }
static void *adds(void *count) {
    double sum = 0;
    long n = 0;
    while (!stop || n < 1000) { sum += step; n++; if (n == 10) ready = 1; }
    *(long *)count = n;
    printf("%g\n", sum);
    return 0;
}
static void *begins(void *unused) { volatile double x = step; x += step; return unused; }

int main(int count, char **words) {
    int rounds = count > 1 ? atoi(words[1]) : 100;
    struct sigaction action = { .sa_handler = handle };
    sigaction(SIGUSR1, &action, 0);
    long additions = 0;
    pthread_t worker, other;
    pthread_create(&worker, 0, adds, &additions);
    while (!ready) usleep(100);
    for (int i = 0; i < rounds; i++) {
        pthread_create(&other, 0, begins, 0);
        for (int k = 0; k < 20; k++) pthread_kill(worker, SIGUSR1);
        pthread_join(other, 0);
        if (i % 10 == 0) {
            pid_t pid = fork();
            if (!pid) { volatile double x = step; x += step; _exit(x > 1); }
            int status = 1;
            waitpid(pid, &status, 0);
            if (status) return 2;
        }
    }
    stop = 1;
    pthread_join(worker, 0);
    printf("additions %ld\n", additions + rounds);
    return signals == 0;
}
