// Loses digits, says that it is ready, and ends in the way that its first argument names.
#define _GNU_SOURCE
#include <math.h>
#include <nonius.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

volatile double x = 1e15, kept;
int *volatile nowhere;
double lose(double by) { return sqrt(x + by) - sqrt(x); }
double lose_more(double by) { return sqrt(x + by) - sqrt(x); }

// Past every function that the runtime could listen to.
static void killed(void) {
    long status, pid = getpid();
    __asm__ volatile("syscall" : "=a"(status) : "a"(SYS_kill), "D"(pid), "S"(SIGKILL) : "rcx", "r11", "memory");
}
static int deep(volatile int n) {
    volatile char room[1000];
    room[0] = (char)n;
    return deep(n + 1) + room[0];
}
static void *overflows(void *unused) { kept = lose_more(3); deep(0); return unused; }
static void *spins(void *unused) { for (double i = 1;; i++) kept = lose(i); return unused; }
static void handle(int number) { (void)number; _exit(7); }
static int is_default(int number) {
    struct sigaction action;
    return sigaction(number, 0, &action) == 0 && action.sa_handler == SIG_DFL && action.sa_flags == 0;
}

int main(int count, char **words) {
    const char *way = count > 1 ? words[1] : "";
#define IS(name) (!strcmp(way, name))
    pthread_t thread;
    int status;
    if (IS("region")) nonius_region_begin("solve");
    kept = lose(1);
    if (!IS("fork-kill") && !IS("exec-kill") && write(1, ".", 1) < 0) return 99;
    if (IS("null")) *nowhere = 1;
    if (IS("overflow")) return deep(0);
    if (IS("overflow-thread")) { pthread_create(&thread, 0, overflows, 0); pthread_join(thread, 0); }
    if (IS("abort")) abort();
    if (IS("kill-raw") || IS("region")) killed();
    if (IS("kill-after-more")) { raise(SIGURG); kept = lose_more(2); killed(); }
    if (IS("kill-many")) { for (int i = 0; i < 100000; i++) kept = lose(i); killed(); }
    if (IS("fork-kill")) { if (!fork()) { kept = lose_more(2); killed(); } wait(&status); return 0; }
    if (IS("fork-fork-kill")) {
        if (!fork()) {
            if (!fork()) { kept = lose_more(2); killed(); }
            wait(&status);
            _exit(0);
        }
        wait(&status);
        return 0;
    }
    if (IS("exec-kill")) { if (!fork()) execl("/proc/self/exe", "a", "kill-after-more", (char *)0); wait(&status); return 0; }
    if (IS("wait")) for (;;) pause();
    if (IS("wait-a-moment")) { for (int i = 0; i < 20; i++) { usleep(100000); kept = lose(i); } return 0; }
    if (IS("spin-threads")) for (int i = 0; i < 3; i++) pthread_create(&thread, 0, spins, 0);
    if (IS("spin") || IS("spin-threads")) spins(0);
    if (IS("actions")) {
        if (!is_default(SIGTERM) || !is_default(SIGSEGV) || !is_default(SIGINT)) return 1;
        if (signal(SIGUSR1, handle) != SIG_DFL || signal(SIGUSR1, handle) != handle) return 2;
        struct sigaction action = { .sa_handler = handle }, before;
        if (sigaction(SIGTERM, &action, &before) || before.sa_handler != SIG_DFL) return 3;
        kept = lose_more(4);
        kill(getpid(), SIGTERM);
        return 4;
    }
    if (IS("ignores")) { kill(getpid(), SIGTERM); return 8; }
    return 0;
}
