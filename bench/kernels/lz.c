// A compressor and its inverse, of the Lempel-Ziv kind: a program without floats but for its last line.
// bench: group=light types=none size=1000000x20 quick=400000x8
//
// A token is a literal run length, the literals, then a two-byte distance and a match length.
#include "kernel.h"

enum { HASH_BITS = 15, WINDOW = 65535, SHORTEST = 4, LONGEST = 255 };

static uint32_t hash(const unsigned char *at)
{
    uint32_t word;
    memcpy(&word, at, 4);
    return word * 2654435761u >> (32 - HASH_BITS);
}

static unsigned char *put_token(unsigned char *out, const unsigned char *literals, size_t run, size_t distance, size_t length)
{
    *out++ = (unsigned char)run;
    memcpy(out, literals, run);
    out += run;
    *out++ = (unsigned char)(distance & 255);
    *out++ = (unsigned char)(distance >> 8);
    *out++ = (unsigned char)length;
    return out;
}

HOT size_t compress(const unsigned char *in, size_t count, unsigned char *out, uint32_t *latest)
{
    const unsigned char *start = out;
    size_t literal = 0, at = 0;
    memset(latest, 0xff, sizeof(uint32_t) << HASH_BITS);
    while (at + SHORTEST <= count) {
        uint32_t slot = hash(in + at), candidate = latest[slot];
        size_t length = 0;
        latest[slot] = (uint32_t)at;
        if (candidate != UINT32_MAX && at - candidate <= WINDOW)
            while (length < LONGEST && at + length < count && in[candidate + length] == in[at + length])
                length++;
        if (length >= SHORTEST) {
            out = put_token(out, in + literal, at - literal, at - candidate, length);
            literal = at += length;
        } else if (++at - literal == 255) {
            out = put_token(out, in + literal, 255, 0, 0);
            literal = at;
        }
    }
    while (literal < count) {
        size_t run = count - literal < 255 ? count - literal : 255;
        out = put_token(out, in + literal, run, 0, 0);
        literal += run;
    }
    return out - start;
}

HOT size_t expand(const unsigned char *in, size_t count, unsigned char *out)
{
    const unsigned char *start = out, *end = in + count;
    while (in < end) {
        size_t run = *in++;
        memcpy(out, in, run);
        out += run;
        in += run;
        size_t distance = in[0] | (size_t)in[1] << 8, length = in[2];
        in += 3;
        for (size_t i = 0; i < length; i++, out++)
            *out = *(out - distance);
    }
    return out - start;
}

// Words of a small vocabulary in random order: compresses like text.
static void write_text(unsigned char *text, size_t count)
{
    for (size_t at = 0; at < count;) {
        uint32_t word = noise_word() >> 22, length = 3 + word % 7;
        for (uint32_t i = 0; i < length && at < count; i++, word = word * 37 + 11)
            text[at++] = (unsigned char)('a' + word % 26);
        if (at < count)
            text[at++] = ' ';
    }
}

static void kernel(struct problem p)
{
    size_t n = p.n, room = 2 * n + 1024;
    unsigned char *text = allocate(n, 1), *packed = allocate(room, 1), *back = allocate(n + 256, 1);
    uint32_t *latest = allocate((size_t)1 << HASH_BITS, sizeof(uint32_t));
    for (int rep = 0; rep < p.reps; rep++) {
        write_text(text, n);
        size_t size = compress(text, n, packed, latest);
        if (expand(packed, size, back) != n || memcmp(text, back, n) != 0) {
            fprintf(stderr, "what was unpacked is not what was packed\n");
            exit(1);
        }
        digest_word(size);
        for (size_t i = 0; i < size; i++)
            digest_word(packed[i]);
    }
    free(text);
    free(packed);
    free(back);
    free(latest);
}
