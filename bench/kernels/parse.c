// Reading decimal numbers from text: mostly bytes and integers, one multiplication for each number.
// bench: group=light size=200000x30 quick=100000x9
#include "kernel.h"

enum { WIDTH = 12 };

static const REAL POWER[] = {1, (REAL)1e1, (REAL)1e2, (REAL)1e3, (REAL)1e4, (REAL)1e5, (REAL)1e6};

static uint32_t random_word(void) { return noise_word() >> 4; }

// Lines such as "-123.4567"; returns the number of bytes.
static size_t write_numbers(int count, char *text)
{
    char *end = text;
    for (int i = 0; i < count; i++) {
        uint32_t digits = random_word() % 10000000u, point = random_word() % 6;
        char reversed[8];
        if (random_word() & 1)
            *end++ = '-';
        for (int k = 0; k < 7; k++, digits /= 10)
            reversed[k] = (char)('0' + digits % 10);
        for (int k = 6; k >= 0; k--) {
            *end++ = reversed[k];
            if ((uint32_t)k == point + 1)
                *end++ = '.';
        }
        *end++ = '\n';
    }
    return end - text;
}

HOT const char *parse(const char *at, const char *end, REAL *out)
{
    int negative = at < end && *at == '-', decimals = 0, seen_point = 0;
    uint32_t digits = 0;
    for (at += negative; at < end && *at != '\n'; at++) {
        if (*at == '.') {
            seen_point = 1;
        } else {
            digits = digits * 10 + (uint32_t)(*at - '0');
            decimals += seen_point;
        }
    }
    REAL value = (REAL)digits / POWER[decimals];
    *out = negative ? -value : value;
    return at + 1;
}

static void kernel(struct problem p)
{
    char *text = (char *)allocate((size_t)p.n * WIDTH, 1);
    REAL *values = reals(p.n);
    for (int rep = 0; rep < p.reps; rep++) {
        const char *at = text, *end = text + write_numbers(p.n, text);
        for (int i = 0; i < p.n; i++)
            at = parse(at, end, &values[i]);
        digest(values, p.n);
    }
    free(text);
    free(values);
}
