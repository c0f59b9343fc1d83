// fread, read and pread put exact values where errors were, bit for bit the same values.
#include <stdio.h>
#include <unistd.h>

static double a[4];

__attribute__((noinline)) static void dirty(double big, double small) {
    for (int i = 0; i < 4; i++) a[i] = big + small;
}

int main(void) {
    volatile double big = 1e17, small = 3;
    double exact[4] = {big, big, big, big};
    FILE *file = tmpfile();
    fwrite(exact, sizeof exact, 1, file);
    fflush(file);
    dirty(big, small);
    rewind(file);
    if (fread(a, sizeof a, 1, file) != 1) return 2;
    printf("%g\n", a[1] - big);
    dirty(big, small);
    if (pread(fileno(file), a, sizeof a, 0) != sizeof a) return 3;
    printf("%g\n", a[1] - big);
    dirty(big, small);
    int ends[2];
    if (pipe(ends) || write(ends[1], exact, sizeof exact) != sizeof exact) return 4;
    if (read(ends[0], a, sizeof a) != sizeof a) return 5;
    printf("%g\n", a[1] - big);
}
