// Ends in the way that its first argument names, after a computation that loses digits and a line on stdout that is
// still buffered where stdout is no terminal.
#define _GNU_SOURCE
#include <assert.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

volatile double x = 1e15;
volatile int zero;
int *volatile nowhere;
extern char **environ;
static sigjmp_buf back;
static char *self;

static double lose(double by) { return sqrt(x + by) - sqrt(x); }
static double lose_more(double by) { return sqrt(x + by) - sqrt(x); }
static void say(const char *text) {
    char line[80];
    int n = snprintf(line, sizeof line, "prog: %s\n", text);
    if (write(2, line, n) < 0) x = 1e15;
}
static void to_exit(int number) { (void)number; exit(21); }
static void to__exit(int number) { (void)number; _exit(22); }
static void to_come_back(int number) { (void)number; say("handled"); }
static void to_jump(int number) { siglongjmp(back, number); }
static void at_end(void) { say("at end"); }
static void at_end_exit(void) { say("exits again"); exit(23); }
static void *exits(void *unused) { exit(24); return unused; }
static void *aborts(void *unused) { abort(); return unused; }
static void *ends_later(void *unused) { usleep(20000); printf("prog: %g\n", lose_more(3)); return unused; }
static void *waits(void *unused) { for (;;) pause(); return unused; }
static void *computes(void *unused) {
    volatile double sum = 0;
    for (double i = 1;; i++) { sum += lose(i); if (write(-1, "", 0) == 0) break; }
    return unused;
}
static void *prints_on(void *stream) {
    for (double i = 1;; i++) fprintf(stream, "%g\n", lose(i));
    return 0;
}
// Of the asynchronous type, threads are cancelled wherever they are.
static double _Atomic shared;
static volatile int cleanups;
static void cleans(void *sum) { cleanups += *(double *)sum == *(double *)sum; }
static void asynchronous(void) {
    int before;
    if (pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before) || before != PTHREAD_CANCEL_DEFERRED) _exit(90);
    if (pthread_setcanceltype(7, &before) != EINVAL) _exit(91);
    if (pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before) || before != PTHREAD_CANCEL_ASYNCHRONOUS) _exit(92);
}
static void *adds(void *unused) { // findings, functions of libm, an atomic sum, no cancellation point
    volatile double sum = 0;
    pthread_cleanup_push(cleans, (void *)&sum);
    asynchronous();
    for (double i = 1;; i++) { sum += lose(i) + sin(i) * pow(i, 0.5); shared = shared + 0.1; }
    pthread_cleanup_pop(0);
    return unused;
}
static void *adds_quietly(void *unused) {
    volatile double sum = 0;
    asynchronous();
    for (double i = 1;; i++) sum += 1 / i;
    return unused;
}
static int compares(const void *a, const void *b) {
    double d = *(const double *)a - *(const double *)b;
    return (lose(fabs(d)) > 0) * ((d > 0) - (d < 0));
}
static void *sorts(void *unused) {
    double numbers[64]; // more, and the C library may hold the lock of its heap
    asynchronous();
    for (;;) {
        for (int i = 0; i < 64; i++) numbers[i] = sin(i);
        qsort(numbers, 64, sizeof *numbers, compares);
    }
    return unused;
}
static void *waits_asynchronously(void *unused) { asynchronous(); for (;;) pause(); return unused; }
static volatile int is_disabled;
static void *disables(void *unused) { // cancelled where it enables again, not before
    int before;
    volatile double sum = 0;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    asynchronous();
    is_disabled = 1;
    for (double i = 1; i < 3000; i++) sum += lose(i);
    for (struct timespec t = { 0, 20000000 }; nanosleep(&t, &t);) {}
    is_disabled = 0;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before);
    _exit(93);
    return unused;
}
static void *cancels_itself(void *unused) { asynchronous(); pthread_cancel(pthread_self()); _exit(94); return unused; }
static void *changes_its_mind(void *unused) { // deferred again: cancelled at the next cancellation point
    volatile double sum = 0;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
    asynchronous();
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, 0);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
    for (double i = 1; i < 3000; i++) sum += lose(i);
    cleanups += 100;
    for (;;) pause();
    return unused;
}
static void on(int number, void (*handler)(int), int flags) {
    struct sigaction action = { .sa_handler = handler, .sa_flags = flags };
    sigaction(number, &action, 0);
}
static void tell(int status) {
    printf("prog: child %d %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}
static void wait_for(pid_t pid) { int status; if (waitpid(pid, &status, 0) == pid) tell(status); }
static int cancels(void *(*work)(void *), void *with) {
    pthread_t thread;
    void *result;
    for (int i = 0; i < 20; i++) {
        pthread_create(&thread, 0, work, with);
        usleep(1000 + 137 * i);
        pthread_cancel(thread);
        pthread_join(thread, &result);
        if (result != PTHREAD_CANCELED) return 3;
    }
    return 0;
}

int main(int count, char **words) {
    const char *way = count > 1 ? words[1] : "";
    self = "/proc/self/exe";
#define IS(name) (!strcmp(way, name))
    if (IS("child")) { printf("prog: started\n"); return 9; }
    pthread_t thread;
    pid_t pid;
    int status;
    atexit(at_end);
    printf("prog: lost %g\n", lose(1));
    if (IS("return")) return 11;
    if (IS("exit")) exit(12);
    if (IS("_exit")) _exit(13);
    if (IS("_Exit")) _Exit(14);
    if (IS("quick_exit")) { at_quick_exit(at_end); quick_exit(15); }
    if (IS("abort")) abort();
    if (IS("assert")) assert(zero);
    if (IS("err")) { errno = ENOENT; err(16, "prog: gone"); }
    if (IS("null")) *nowhere = 1;
    if (IS("divide")) return 7 / zero;
    if (IS("raise-abrt")) raise(SIGABRT);
    if (IS("raise-segv")) raise(SIGSEGV);
    if (IS("raise-term")) raise(SIGTERM);
    if (IS("raise-int")) { signal(SIGINT, SIG_DFL); raise(SIGINT); } // background jobs have it ignored
    if (IS("raise-fpe")) raise(SIGFPE);
    if (IS("kill-self")) { kill(getpid(), SIGKILL); pause(); }
    if (IS("raise-handled")) { on(SIGUSR1, to_come_back, 0); raise(SIGUSR1); printf("prog: %g\n", lose_more(2)); return 17; }
    if (IS("exit-in-handler")) { on(SIGUSR1, to_exit, 0); raise(SIGUSR1); }
    if (IS("_exit-in-handler")) { on(SIGUSR1, to__exit, 0); raise(SIGUSR1); }
    if (IS("alarm-exit") || IS("alarm-default")) {
        if (IS("alarm-exit")) on(SIGALRM, to_exit, 0);
        ualarm(20000, 0);
        for (volatile double sum = 0, i = 1;; i++) sum += lose(i);
    }
    if (IS("abort-jump")) { on(SIGABRT, to_jump, 0); if (!sigsetjmp(back, 1)) abort(); printf("prog: %g\n", lose_more(2)); return 18; }
    if (IS("jump-altstack")) {
        size_t bytes = 1 << 16;
        stack_t stack = { .ss_sp = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), .ss_size = bytes };
        sigaltstack(&stack, 0);
        on(SIGSEGV, to_jump, SA_ONSTACK);
        if (!sigsetjmp(back, 1)) *nowhere = 1;
        printf("prog: %g\n", lose_more(2));
        return 19;
    }
    if (IS("exit-at-end")) { atexit(at_end_exit); exit(1); }
    if (IS("exit-in-thread")) { pthread_create(&thread, 0, exits, 0); pthread_join(thread, 0); }
    if (IS("abort-in-thread")) { pthread_create(&thread, 0, aborts, 0); pthread_join(thread, 0); }
    if (IS("main-ends")) { pthread_create(&thread, 0, ends_later, 0); pthread_exit(0); }
    if (IS("exit-while-others-wait")) { pthread_create(&thread, 0, waits, 0); return 20; }
    if (IS("exec")) { execl("/bin/sh", "sh", "-c", "echo prog: sh; exit 5", (char *)0); }
    if (IS("execv")) { char *v[] = { self, "child", 0 }; execv(self, v); }
    if (IS("exec-fails")) { execl("/no/such", "such", (char *)0); say("still here"); return 6; }
    if (IS("system")) { fflush(stdout); return WEXITSTATUS(system("echo prog: sh; exit 5")); }
    if (IS("spawn")) {
        char *v[] = { self, "child", 0 };
        fflush(stdout);
        if (posix_spawn(&pid, self, 0, 0, v, environ)) return 99;
        wait_for(pid);
        return 8;
    }
    if (IS("vfork-exec")) {
        fflush(stdout);
        if (!(pid = vfork())) { execl(self, self, "child", (char *)0); _exit(98); }
        wait_for(pid);
        return 7;
    }
    if (IS("vfork-_exit")) { if (!(pid = vfork())) _exit(4); wait_for(pid); return 7; }
    if (IS("fork-exit")) { if (!(pid = fork())) { printf("prog: %g\n", lose_more(4)); exit(4); } wait_for(pid); return 7; }
    if (IS("fork-abort")) { if (!(pid = fork())) { printf("prog: %g\n", lose_more(4)); abort(); } wait_for(pid); return 7; }
    if (IS("fork-_exit")) { if (!(pid = fork())) { printf("prog: %g\n", lose_more(4)); _exit(4); } wait_for(pid); return 7; }
    if (IS("fork-exec")) {
        fflush(stdout);
        if (!(pid = fork())) { execl(self, self, "child", (char *)0); _exit(98); }
        wait_for(pid);
        return 7;
    }
    if (IS("close-1")) { close(1); return 31; }
    if (IS("close-2")) { close(2); return 32; }
    if (IS("data-on-1")) { close(1); if (open("data", O_WRONLY | O_CREAT | O_TRUNC, 0644) != 1) return 99; return 33; }
    if (IS("data-on-2")) {
        close(2);
        if (open("data", O_RDWR | O_CREAT | O_TRUNC, 0644) != 2) return 99;
        say("data");
        return 34;
    }
    if (IS("data-on-2-abort")) { dup2(open("data", O_RDWR | O_CREAT | O_TRUNC, 0644), 2); say("data"); abort(); }
    if (IS("open-data")) { // with a descriptor closed from the start, this takes its place
        int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0644);
        if (write(fd, "prog: data\n", 11) != 11) return 99;
        return 35;
    }
    if (IS("reopen-stderr")) { if (!freopen("data", "w", stderr)) return 99; fprintf(stderr, "prog: log\n"); return 36; }
    if (IS("two-streams")) { // flushed at the end in the C library's own order
        FILE *other = fdopen(dup(1), "w");
        fprintf(other, "prog: other\n");
        return 37;
    }
    if (IS("cancel")) { status = cancels(computes, 0); printf("prog: cancelled %d\n", status); return 38; }
    if (IS("cancel-add")) { status = cancels(adds, 0); printf("prog: cancelled %d, cleaned %d\n", status, cleanups); return 40; }
    if (IS("cancel-quiet")) { status = cancels(adds_quietly, 0); printf("prog: cancelled %d\n", status); return 41; }
    if (IS("cancel-sort")) { status = cancels(sorts, 0); printf("prog: cancelled %d\n", status); return 42; }
    if (IS("cancel-wait")) { status = cancels(waits_asynchronously, 0); printf("prog: cancelled %d\n", status); return 43; }
    if (IS("cancel-disabled")) { status = cancels(disables, 0); printf("prog: cancelled %d %d\n", status, is_disabled); return 44; }
    if (IS("cancel-self")) { status = cancels(cancels_itself, 0); printf("prog: cancelled %d\n", status); return 45; }
    if (IS("cancel-deferred")) { status = cancels(changes_its_mind, 0); printf("prog: cancelled %d %d\n", status, cleanups); return 46; }
    if (IS("fork-cancel")) {
        if ((pid = fork()) == 0) { status = cancels(adds, 0); printf("prog: child cancelled %d %d\n", status, cleanups); fflush(0); _exit(47); }
        wait_for(pid);
        return 48;
    }
    if (IS("cancel-print")) { status = cancels(prints_on, fopen("/dev/null", "w")); printf("prog: cancelled %d\n", status); return 39; }
    return 99;
}
