// Doubles written to a file and read back by fread, fseek, read and mmap.
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
    double a[600], b[600];
    volatile double in = 0.1;
    for (int i = 0; i < 600; i++) a[i] = in * i / 7;
    FILE *file = tmpfile();
    printf("%zu\n", fwrite(a, sizeof *a, 600, file));
    rewind(file);
    printf("%zu\n", fread(b, sizeof *b, 600, file));
    fseek(file, 80, SEEK_SET);
    printf("%zu %a\n", fread(b, sizeof *b, 3, file), b[1] + b[100]);
    printf("%ld %a\n", (long)pread(fileno(file), b + 5, 160, 1600), b[7] - a[202]);
    double *m = mmap(NULL, sizeof a, PROT_READ | PROT_WRITE, MAP_PRIVATE, fileno(file), 0);
    m[3] += in;
    printf("%a %a\n", m[3], m[599]);
    munmap(m, sizeof a);
    fclose(file);
}
