//! Shadows follow what the C library does to memory.

mod common;

use common::{Program, stderr, stdout};

fn passes(source: &str) {
    let output = Program::new(source).run("");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn copies_move_shadows_and_may_overlap() {
    passes(
        r#"
    int main(void) {
        enum { N = 200000 };
        double *a = malloc(N * 8), *b = malloc(N * 8);
        for (int n = 1; n < N; n = n * 3 + 1) {
            for (int i = 0; i < n; i++) { a[i] = i; shadow(&a[i], i % 5 ? i * 1e-17 : 0); b[i] = -1; shadow(&b[i], 7); }
            memcpy(b, a, n * 8); __nonius_copy(b, a, n * 8);
            for (int i = 0; i < n; i++) EXPECT(residue(&b[i]) == (i % 5 ? i * 1e-17 : 0));
            // Overlapping, both ways.
            if (n > 10) {
                memmove(a + 3, a, (n - 3) * 8); __nonius_copy(a + 3, a, (n - 3) * 8);
                for (int i = 3; i < n; i++) EXPECT(residue(&a[i]) == ((i - 3) % 5 ? (i - 3) * 1e-17 : 0));
                memmove(a, a + 3, (n - 3) * 8); __nonius_copy(a, a + 3, (n - 3) * 8);
                for (int i = 0; i < n - 3; i++) EXPECT(residue(&a[i]) == (i % 5 ? i * 1e-17 : 0));
            }
            __nonius_clear(b + 1, (n - 1) * 8);
            for (int i = 1; i < n; i++) EXPECT(residue(&b[i]) == 0);
        }
        // Odd sizes and places.
        char from[64], to[64];
        for (int at = 0; at < 8; at++) for (int n = 0; n < 50; n++) {
            memset(residue_of(from), 1, 64); memset(residue_of(to), 2, 64);
            __nonius_copy(to + at, from + 3, n);
            for (int i = 0; i < 64; i++) EXPECT(((char *)residue_of(to))[i] == (i >= at && i < at + n ? 1 : 2));
            __nonius_clear(to + at, n);
            for (int i = 0; i < 64; i++) EXPECT(((char *)residue_of(to))[i] == (i >= at && i < at + n ? 0 : 2));
        }
        return 0;
    }"#,
    );
}

#[test]
fn copying_bytes_that_are_no_floats_takes_no_shadow_memory() {
    passes(
        r#"
    static long resident(void) { FILE *f = fopen("/proc/self/statm", "r"); long t, r; fscanf(f, "%ld %ld", &t, &r); fclose(f); return r * 4096; }
    int main(void) {
        size_t n = 100 << 20;
        char *a = malloc(n), *b = malloc(n);
        memset(a, 1, n); memset(b, 1, n);
        long before = resident();
        __nonius_copy(b, a, n);
        __nonius_clear(a, n);
        for (int i = 0; i < 20000; i++) __nonius_copy(b + i * 4096L + 100, a + i * 5000L, 3000);
        EXPECT(resident() - before < 4 << 20);
        return 0;
    }"#,
    );
}

#[test]
fn addresses_without_shadows_are_left_alone() {
    passes(
        r#"
    int main(void) {
        double d = 1; shadow(&d, 1);
        __nonius_copy(&d, (void *)0x1000, 8); EXPECT(residue(&d) == 0);
        __nonius_copy((void *)0x1000, &d, 8);
        __nonius_clear((void *)0x1000, 8); __nonius_clear(0, ~0ul); __nonius_copy(&d, &d, ~0ul);
        return 0;
    }"#,
    );
}

#[test]
fn reallocation_keeps_shadows() {
    passes(
        r#"
    void *__nonius_libc_realloc(void *, size_t), *__nonius_libc_reallocarray(void *, size_t, size_t), *__nonius_libc_calloc(size_t, size_t);
    int __nonius_libc_posix_memalign(void **, size_t, size_t);
    void *__nonius_libc_mmap(void *, size_t, int, int, int, off_t), *__nonius_libc_mremap(void *, size_t, size_t, int, ...);
    int __nonius_libc_munmap(void *, size_t);
    int main(void) {
        double *a = __nonius_libc_realloc(0, 80);
        for (int n = 10; n < 3000000; n *= 7) {
            for (int i = 0; i < n; i++) { a[i] = i; shadow(&a[i], i); }
            void *between = malloc(100);
            a = __nonius_libc_reallocarray(a, n * 7, 8);
            for (int i = 0; i < n; i++) EXPECT(a[i] == i && residue(&a[i]) == i);
            free(between);
        }
        errno = 0; EXPECT(__nonius_libc_realloc(a, ~0ul >> 2) == 0 && errno == ENOMEM);
        a = __nonius_libc_realloc(a, 16); EXPECT(residue(&a[1]) == 1);
        free(a);
        double *b = malloc(800); for (int i = 0; i < 100; i++) { b[i] = 0; shadow(&b[i], 1); } free(b);
        b = __nonius_libc_calloc(100, 8); for (int i = 0; i < 100; i++) EXPECT(residue(&b[i]) == 0);
        EXPECT(__nonius_libc_calloc(~0ul / 2, 4) == 0);
        void *p; EXPECT(__nonius_libc_posix_memalign(&p, 3, 8) == EINVAL);
        // Mappings.
        double *m = __nonius_libc_mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (int i = 0; i < 1 << 17; i++) { m[i] = i; shadow(&m[i], i); }
        double *w = __nonius_libc_mremap(m, 1 << 20, 64 << 20, MREMAP_MAYMOVE);
        for (int i = 0; i < 1 << 17; i++) EXPECT(w[i] == i && residue(&w[i]) == i);
        EXPECT(w[1 << 17] == 0 && residue(&w[1 << 17]) == 0);
        EXPECT(__nonius_libc_munmap(w, 64 << 20) == 0);
        w = __nonius_libc_mmap(w, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        *(double *)copy_of(w + 5) = 0; EXPECT(*(double *)residue_of(w + 5) == 0);
        int __nonius_libc_mlockall(int);
        EXPECT(__nonius_libc_mlockall(MCL_CURRENT | MCL_FUTURE) == 0 && __nonius_libc_mlockall(0) == -1 && errno == EINVAL);
        // A wish that cannot have shadows is not granted.
        char *low = __nonius_libc_mmap((void *)0x10000000, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        EXPECT((uintptr_t)low > 0x700000000000);
        return 0;
    }"#,
    );
}

#[test]
fn sorting_takes_shadows_along_and_calls_the_same_comparisons() {
    let source = r#"
    void __nonius_libc_qsort(void *, size_t, size_t, int (*)(const void *, const void *));
    void __nonius_libc_qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
    static unsigned long calls;
    static int by_value(const void *a, const void *b) {
        double x = *(double *)a, y = *(double *)b;
        calls = calls * 31 + (unsigned long)(x * 7 + y * 13);
        return x < y ? -1 : x > y;
    }
    static int by_value_r(const void *a, const void *b, void *c) { ++*(int *)c; return by_value(a, b); }
    struct pair { int key; double value; };
    static int by_key(const void *a, const void *b) { return ((struct pair *)a)->key - ((struct pair *)b)->key; }
    int main(void) {
        enum { N = 1000 };
        static double a[N], plain[N];
        for (int i = 0; i < N; i++) { a[i] = plain[i] = (i * 7919) % 500; shadow(&a[i], a[i] * 1e-17 + (i >= 500) * 1e-19); }
        qsort(plain, N, 8, by_value); unsigned long expected = calls; calls = 0;
        __nonius_libc_qsort(a, N, 8, by_value);
        EXPECT(calls == expected && memcmp(a, plain, sizeof a) == 0);
        // Equal values in the order that they had.
        for (int i = 0; i < N; i++) EXPECT(residue(&a[i]) == a[i] * 1e-17 + (i % 2) * 1e-19);
        int count = 0;
        __nonius_libc_qsort_r(a, N, 8, by_value_r, &count);
        EXPECT(count > 0 && residue(&a[999]) == a[999] * 1e-17 + 1e-19);
        static struct pair s[N];
        for (int i = 0; i < N; i++) { s[i].key = (i * 37) % N; s[i].value = i; shadow(&s[i].value, i + 0.5); }
        __nonius_libc_qsort(s, N, sizeof *s, by_key);
        for (int i = 0; i < N; i++) EXPECT(s[i].key == i && residue(&s[i].value) == s[i].value + 0.5);
        __nonius_libc_qsort(s, 0, sizeof *s, by_key);
        return 0;
    }"#;
    passes(source);
}

#[test]
fn input_has_no_shadows() {
    passes(
        r#"
    #include <sys/socket.h>
    #include <sys/uio.h>
    ssize_t __nonius_libc_read(int, void *, size_t), __nonius_libc_readv(int, const struct iovec *, int), __nonius_libc_pread(int, void *, size_t, off_t);
    ssize_t __nonius_libc_recv(int, void *, size_t, int), __nonius_libc_recvmsg(int, struct msghdr *, int);
    size_t __nonius_libc_fread(void *, size_t, size_t, FILE *);
    char *__nonius_libc_fgets(char *, int, FILE *);
    ssize_t __nonius_libc_getline(char **, size_t *, FILE *);
    int main(void) {
        double d[8] = {0}, in[8] = {0};
        #define MARK() for (int i = 0; i < 8; i++) { d[i] = 0; shadow(&d[i], 1); }
        #define KEPT(n) for (int i = 0; i < 8; i++) EXPECT(residue(&d[i]) == (i >= n));
        FILE *f = tmpfile(); fwrite(in, 8, 8, f); fflush(f); int fd = fileno(f);
        lseek(fd, 0, SEEK_SET);
        MARK() EXPECT(__nonius_libc_read(fd, d, 24) == 24); KEPT(3)
        MARK() EXPECT(__nonius_libc_pread(fd, d, 64, 32) == 32); KEPT(4)
        struct iovec v[2] = {{d, 8}, {d + 1, 32}}; lseek(fd, 48, SEEK_SET);
        MARK() EXPECT(__nonius_libc_readv(fd, v, 2) == 16); KEPT(2)
        MARK() errno = 0; EXPECT(__nonius_libc_read(-1, d, 64) == -1 && errno == EBADF); KEPT(0)
        rewind(f); MARK() EXPECT(__nonius_libc_fread(d, 8, 2, f) == 2); KEPT(2)
        int s[2]; socketpair(AF_UNIX, SOCK_STREAM, 0, s); write(s[1], in, 16);
        MARK() EXPECT(__nonius_libc_recv(s[0], d, 64, 0) == 16); KEPT(2)
        write(s[1], in, 8); struct msghdr m = {.msg_iov = v, .msg_iovlen = 2};
        MARK() EXPECT(__nonius_libc_recvmsg(s[0], &m, 0) == 8); KEPT(1)
        rewind(f); fputs("1234567\n12345\n", f); rewind(f);
        MARK() EXPECT(__nonius_libc_fgets((char *)d, 64, f)); EXPECT(*(double *)residue_of(&d[0]) == 0 && residue(&d[2]) == 1);
        char *line = 0; size_t room = 0; EXPECT(__nonius_libc_getline(&line, &room, f) == 6);
        return 0;
    }"#,
    );
}

#[test]
fn scanned_floats_have_no_shadows() {
    passes(
        r#"
    int main(void) {
        double d = 0, untouched = 0; float f = 0; int i;
        shadow(&d, 1); shadow(&untouched, 1); *(float *)residue_of(&f) = 1;
        void *p[] = {&i, &d, &f};
        __nonius_scanned("%d %lf %f %*lf", 3, p);
        EXPECT(residue(&d) == 0 && *(float *)residue_of(&f) == 0 && residue(&untouched) == 1);
        __nonius_scanned("%lf %lf %lf %lf", 0, p);
        return 0;
    }"#,
    );
}

#[test]
fn variable_arguments_find_their_shadows() {
    passes(
        r#"
    #include <stdarg.h>
    static void leave(char *block, int n, uint64_t place, double v, double e) {
        char *entry = block + 9280 + 24 * n;
        memcpy(entry, &place, 8); memcpy(entry + 8, &v, 8); memcpy(entry + 16, &e, 8); *(uint64_t *)(block + 24) = n + 1;
    }
    static double e_at(double *p) { return residue(p); }
    __attribute__((noinline)) static void f(int n, ...) {
        va_list l; va_start(l, n);
        __nonius_va_start(&l, __nonius_tls);
        struct { unsigned gp, fp; double *overflow; char *regs; } *v = (void *)&l;
        double *first = (double *)(v->regs + v->fp);
        EXPECT(*first == 1 && e_at(first) == 0.5);
        EXPECT(*(first + 2) == 2 && e_at(first + 2) == 0.25);
        EXPECT(v->overflow[0] == 9 && e_at(v->overflow) == 0.125);
        va_end(l);
    }
    int main(void) {
        char *b = __nonius_thread();
        leave(b, 0, 48, 1, 0.5); leave(b, 1, 64, 2, 0.25); leave(b, 2, 1ul << 32, 9, 0.125);
        f(9, 1., 2., 3., 4., 5., 6., 7., 8., 9.);
        return 0;
    }"#,
    );
}

#[test]
fn strings_are_copied_as_they_are() {
    passes(
        r#"
    char *__nonius_libc_strcpy(char *, const char *), *__nonius_libc_strcat(char *, const char *), *__nonius_libc_strncpy(char *, const char *, size_t);
    char *__nonius_libc_stpcpy(char *, const char *), *__nonius_libc_strdup(const char *), *__nonius_libc_strncat(char *, const char *, size_t);
    void *__nonius_libc_mempcpy(void *, const void *, size_t), *__nonius_libc_memccpy(void *, const void *, int, size_t);
    int main(void) {
        char to[64]; memset(residue_of(to), 1, 64);
        EXPECT(__nonius_libc_strcpy(to, "ab") == to && !strcmp(to, "ab"));
        EXPECT(((char *)residue_of(to))[2] == 0 && ((char *)residue_of(to))[3] == 1);
        __nonius_libc_strcat(to, "cd"); EXPECT(!strcmp(to, "abcd") && ((char *)residue_of(to))[4] == 0 && ((char *)residue_of(to))[5] == 1);
        __nonius_libc_strncat(to, "xyz", 1); EXPECT(!strcmp(to, "abcdx") && ((char *)residue_of(to))[6] == 1);
        __nonius_libc_strncpy(to, "q", 10); EXPECT(((char *)residue_of(to))[9] == 0 && ((char *)residue_of(to))[10] == 1);
        EXPECT(__nonius_libc_stpcpy(to, "abc") == to + 3);
        char *d = __nonius_libc_strdup(to); EXPECT(!strcmp(d, "abc"));
        EXPECT(__nonius_libc_mempcpy(to, "12345", 5) == to + 5);
        EXPECT(__nonius_libc_memccpy(to, "12345", '3', 5) == to + 3);
        return 0;
    }"#,
    );
}

#[test]
fn requests_print_and_measure() {
    let source = r#"
    int main(void) {
        __nonius_request_print(table, 0, 1.0, 0.25, "x");
        printf("%g\n", __nonius_request_ulps(table, 0, 1.0, ldexp(1, -50), 0));
        double d[3] = {0.1, 2, 3}; shadow(&d[0], 1e-18); d[1] = 5; shadow(&d[1], 1e-17); d[1] = 6;
        float f[2] = {1, 2}; *(float *)residue_of(&f[1]) = 1e-9; *(float *)copy_of(&f[1]) = 2;
        __nonius_api_dump(d, sizeof d); __nonius_api_dump(f, sizeof f); __nonius_api_dump(0, 8);
        __nonius_api_region_begin("outer"); __nonius_api_region_begin("inner"); check(0, 1, 1);
        __nonius_api_region_end(); __nonius_api_region_end(); __nonius_api_region_end();
        __nonius_api_set_option("threshold=0.9"); check(1, 1, 0.5);
        __nonius_api_set_option("nonsense"); __nonius_api_suppress("nan:function=f # fine"); __nonius_api_suppress("nonsense");
        return 0;
    }"#;
    let output = Program::new(source).run("");
    assert_eq!(stdout(&output), "4\n");
    let text = stderr(&output);
    for part in [
        "x = 1e0 (0x1p+0), ideal 1.25: relative error 2.00e-1",
        "========  double 1e-1 +1e-18",
        "stale",
        "no residue",
        "float 2e0 +1e-9",
        "have no shadow memory",
        "in region 'inner'",
        "error: nonius_set_option: 'nonsense' has no value",
        "nonius_suppress:1: 'nonsense' does not start with a kind",
    ] {
        assert!(text.contains(part), "no '{part}' in\n{text}");
    }
    assert_eq!(text.matches("precision-loss]").count(), 1, "{text}");
}
