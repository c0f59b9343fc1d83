// What every kernel shares: the type under test, its arguments, its inputs and its checksum.
//
// A kernel defines `kernel(problem)`, does its work `reps` times on a problem of size `n`, and hands
// what it computed to `digest`. main prints the digest: a sum in %a, which Nonius sees as output, and
// a hash of every bit of every result, by which runs are compared.
#ifndef KERNEL_H
#define KERNEL_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef __cplusplus
#include <tgmath.h>
#endif

#ifndef REAL
#define REAL double
#endif

// Hot loops stay functions of their own, so that a profile names them.
#define HOT static __attribute__((noinline))

struct problem {
    int n;
    int reps;
    int threads;
};

static uint32_t noise_state;
static uint64_t digest_bits = 0xcbf29ce484222325u;
static double digest_sum;

static inline uint32_t noise_word(void)
{
    noise_state = noise_state * 1664525u + 1013904223u;
    return noise_state;
}

// Uniform in [0, 1), with all the bits that the type has. Seeded from the command line, so nothing folds.
static inline REAL noise(void)
{
    REAL high = (REAL)(noise_word() >> 8) * (REAL)0x1p-24;
    return sizeof(REAL) == sizeof(float) ? high : high + (REAL)(noise_word() >> 8) * (REAL)0x1p-48;
}

static inline void fill(REAL *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = noise();
}

static inline void *allocate(size_t count, size_t size)
{
    void *memory = malloc(count * size);
    if (!memory) {
        fprintf(stderr, "out of memory: %zu values of %zu bytes\n", count, size);
        exit(3);
    }
    return memory;
}

static inline REAL *reals(size_t count)
{
    return (REAL *)allocate(count, sizeof(REAL));
}

static inline void digest_word(uint64_t word)
{
    digest_bits = (digest_bits ^ word) * 0x100000001b3u;
}

// The hash takes all values. The sum takes 256 of them, by magnitude, so that it is well-conditioned
// and costs nothing beside the kernel.
static inline void digest(const REAL *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t word = 0;
        memcpy(&word, &values[i], sizeof(REAL));
        digest_word(word);
    }
    size_t step = count / 256 + 1;
    for (size_t i = 0; i < count; i += step)
        digest_sum += values[i] < 0 ? -(double)values[i] : (double)values[i];
}

static void kernel(struct problem problem);

static inline int positive(const char *text)
{
    int value = atoi(text);
    if (value <= 0) {
        fprintf(stderr, "'%s' is not a positive number\n", text);
        exit(2);
    }
    return value;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: %s N REPS [THREADS]\n", argv[0]);
        return 2;
    }
    struct problem problem = {positive(argv[1]), positive(argv[2]), argc > 3 ? positive(argv[3]) : 1};
    noise_state = (uint32_t)problem.n * 2654435761u;
    kernel(problem);
    printf("%a %016llx\n", digest_sum, (unsigned long long)digest_bits);
    return 0;
}

#endif
