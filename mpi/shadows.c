/* Residues of memory that a datatype describes: taken into a packet, put back from one, or forgotten. */
#include "nonius_mpi.h"

static void *room_for(size_t bytes) {
    void *room = malloc(bytes ? bytes : 1);
    if (!room) abort();
    return room;
}

static char *element(const struct range *range, size_t index) {
    return range->at + (MPI_Aint)index * range->layout->extent;
}

/* Calls `f` for each run of one kind, in the order of the type map, until it returns 0. */
typedef int (*visit)(char *at, size_t count, enum kind kind, void *with);

static void each_run(const struct range *range, visit f, void *with) {
    const struct layout *layout = range->layout;
    if (!layout || layout->is_unknown) return;
    size_t left = range->limit;
    if (layout->is_dense) {
        size_t count = layout->blocks[0].count * range->count, most = left / width_of(layout->blocks[0].kind);
        f(range->at, count < most ? count : most, layout->blocks[0].kind, with);
        return;
    }
    for (size_t i = 0; i < range->count; i++)
        for (size_t b = 0; b < layout->count && left > 0; b++) {
            const struct block *block = &layout->blocks[b];
            size_t most = left / width_of(block->kind), count = block->count < most ? block->count : most;
            if (!f(element(range, i) + block->at, count, block->kind, with)) return;
            left = count < block->count ? 0 : left - count * width_of(block->kind);
        }
}

static int is_float(enum kind kind) { return kind != KIND_OTHER && kind != KIND_BYTES; }

static int note_any(char *at, size_t count, enum kind kind, void *any) {
    if (kind != KIND_OTHER && __nonius_exchange_any(at, count * width_of(kind))) *(int *)any = 1;
    return !*(int *)any;
}

static int clear_run(char *at, size_t count, enum kind kind, void *unused) {
    (void)unused;
    if (kind != KIND_OTHER) __nonius_clear(at, count * width_of(kind));
    return 1;
}

static void forget_range(const struct range *range) {
    if (!range->layout) return;
    each_run(range, clear_run, NULL);
    size_t left = range->limit, size = range->layout->size;
    for (size_t i = 0; range->layout->is_unknown && i < range->count && left > 0; i++, left -= size < left ? size : left)
        __nonius_clear(element(range, i) + range->layout->low, (uint64_t)range->layout->span);
}

/* How many floats there are; what could not be taken apart counts as one for each eight bytes. */
static uint64_t floats_in(const struct range *range) {
    if (!range->layout) return 0;
    const struct layout *layout = range->layout;
    size_t count = layout->size && range->limit / layout->size < range->count ? range->limit / layout->size : range->count;
    return count * (layout->is_unknown ? layout->size / 8 : layout->floats);
}

/* Forgets, and counts for what function. */
static void restart(const char *name, const struct range *range) {
    forget_range(range);
    uint64_t floats = floats_in(range);
    if (floats) __nonius_exchange_lost(name, floats);
}

/* Values that a packet is recognized by: the first, the last, and some between. */
struct marking {
    uint64_t seen, total;
    uint32_t mark;
};

enum { SAMPLES = 8 };

static void mark_bytes(struct marking *marking, const char *at, size_t width, size_t count) {
    uint64_t step = marking->total / SAMPLES + 1;
    for (uint64_t n = 0; n < marking->total; n += n + step < marking->total || n + 1 >= marking->total
                                                     ? step
                                                     : marking->total - 1 - n) {
        if (n < marking->seen || n >= marking->seen + count) continue;
        const unsigned char *value = (const unsigned char *)at + (n - marking->seen) * width;
        for (size_t b = 0; b < (width > 10 ? 10 : width); b++) marking->mark = (marking->mark ^ value[b]) * 16777619u;
    }
    marking->seen += count;
}

struct taking {
    enum mode mode;
    char *to;
    uint64_t carried;
    struct marking marking;
};

static int take_run(char *at, size_t count, enum kind kind, void *with) {
    struct taking *taking = with;
    if (taking->mode == MODE_FLOATS && is_float(kind)) {
        taking->carried += __nonius_exchange_take(at, (uint32_t)kind, count, taking->to);
        taking->to += count * width_of(kind);
        mark_bytes(&taking->marking, at, width_of(kind), count);
    } else if (taking->mode == MODE_BYTES && kind == KIND_BYTES) {
        __nonius_exchange_take_bytes(at, count, taking->to);
        taking->to += 2 * count;
        taking->carried += count;
        mark_bytes(&taking->marking, at, 1, count);
    }
    return 1;
}

/* Most messages: no residues. One for all, as nobody writes to it. */
static struct header no_residues = {MODE_NONE, 0, 0};

static struct packet empty_packet(void) { return (struct packet){&no_residues, sizeof no_residues}; }

static void free_packet(struct packet *packet) {
    if (packet->header != &no_residues) free(packet->header);
    *packet = empty_packet();
}

/* Bytes travel as one run, so that both sides mean the same by it. */
static enum mode mode_of(const struct layout *layout) {
    return layout->is_unknown ? MODE_NONE : layout->floats ? MODE_FLOATS
           : layout->bytes && layout->is_dense             ? MODE_BYTES
                                                           : MODE_NONE;
}

/* The residues of a range; a header alone if there are none. */
static struct packet pack(const struct range *range) {
    const struct layout *layout = range->layout;
    struct taking taking = {layout ? mode_of(layout) : MODE_NONE, NULL, 0, {0, 0, 0}};
    if (taking.mode == MODE_NONE) return empty_packet();
    uint64_t amount = range->count * (taking.mode == MODE_FLOATS ? layout->floats : layout->bytes);
    uint64_t bytes = taking.mode == MODE_FLOATS ? range->count * layout->residue_bytes : 2 * amount;
    int any = 0;
    if (bytes < INT_MAX - sizeof(struct header)) each_run(range, note_any, &any);
    if (!any) return empty_packet();
    struct packet packet = {room_for(sizeof(struct header) + bytes), sizeof(struct header) + bytes};
    taking.to = (char *)(packet.header + 1);
    taking.marking = (struct marking){0, amount, 2166136261u};
    each_run(range, take_run, &taking);
    *packet.header = (struct header){taking.mode, taking.marking.mark, amount};
    if (taking.carried == 0) free_packet(&packet); /* they were of values that are gone */
    return packet;
}

struct putting {
    enum mode mode;
    int is_marking;
    const char *from;
    uint64_t left;
    struct marking marking;
};

static int put_run(char *at, size_t count, enum kind kind, void *with) {
    struct putting *putting = with;
    int fits = putting->mode == MODE_FLOATS ? is_float(kind) : kind == KIND_BYTES;
    size_t n = fits ? (count < putting->left ? count : putting->left) : 0;
    if (putting->is_marking) {
        mark_bytes(&putting->marking, at, width_of(kind), n);
    } else if (n && putting->mode == MODE_FLOATS) {
        __nonius_exchange_put(at, (uint32_t)kind, n, putting->from);
        putting->from += n * width_of(kind);
    } else if (n) {
        __nonius_exchange_put_bytes(at, n, putting->from);
    }
    putting->left -= n;
    if (!putting->is_marking && n < count) clear_run(at + n * width_of(kind), count - n, kind, NULL);
    return 1;
}

/* Bytes with both planes that are received as something else: what was packed. */
struct crossing {
    const char *residues, *copies;
    int is_marking;
    uint64_t left;
    struct marking marking;
};

static int cross_run(char *at, size_t count, enum kind kind, void *with) {
    struct crossing *crossing = with;
    size_t bytes = count * width_of(kind), n = bytes < crossing->left ? bytes : crossing->left;
    if (crossing->is_marking) {
        mark_bytes(&crossing->marking, at, 1, n);
    } else {
        char *planes = room_for(2 * n);
        memcpy(planes, crossing->residues, n);
        memcpy(planes + n, crossing->copies, n);
        __nonius_exchange_put_bytes(at, n, planes);
        free(planes);
        crossing->residues += n;
        crossing->copies += n;
    }
    crossing->left -= n;
    return crossing->left > 0;
}

/* Whether a packet of bytes was for these values; then they have its planes. */
static int cross(const struct range *range, const struct header *header, size_t bytes) {
    const char *planes = (const char *)(header + 1);
    uint64_t amount = header->amount;
    struct crossing crossing = {planes, planes + amount, 1, amount, {0, amount, 2166136261u}};
    if (range->layout->is_unknown || bytes - sizeof *header != 2 * amount) return 0;
    if (amount == 0 || amount > range->count * range->layout->size) return 0;
    each_run(range, cross_run, &crossing);
    if (crossing.left > 0 || crossing.marking.mark != header->mark) return 0;
    forget_range(range);
    crossing.is_marking = 0;
    crossing.left = amount;
    each_run(range, cross_run, &crossing);
    return 1;
}

/* What the residues of the first `amount` floats or bytes of a range take; 0 if there are not so many. */
static uint64_t needed(const struct range *range, const struct header *header) {
    const struct layout *layout = range->layout;
    if (header->mode == MODE_BYTES) return header->amount <= range->count * layout->bytes ? 2 * header->amount : 0;
    if (layout->floats == 0 || header->amount > range->count * layout->floats) return 0;
    uint64_t whole = header->amount / layout->floats, rest = header->amount % layout->floats;
    uint64_t bytes = whole * layout->residue_bytes;
    for (size_t b = 0; b < layout->count && rest > 0; b++) {
        const struct block *block = &layout->blocks[b];
        size_t n = is_float(block->kind) ? (block->count < rest ? block->count : rest) : 0;
        bytes += n * width_of(block->kind);
        rest -= n;
    }
    return bytes;
}

/* Gives memory that was received its residues. Whatever does not fit the values that are there restarts. */
static void unpack(const char *name, const struct range *range, const struct header *header, size_t bytes) {
    if (!range->layout) return;
    if (bytes < sizeof *header || header->mode == MODE_NONE) {
        forget_range(range);
        return;
    }
    if (header->mode == MODE_BYTES && mode_of(range->layout) != MODE_BYTES && cross(range, header, bytes)) return;
    struct marking marking = {0, header->amount, 2166136261u};
    struct putting putting = {header->mode, 1, (const char *)(header + 1), header->amount, marking};
    int fits = mode_of(range->layout) == (enum mode)header->mode && needed(range, header) == bytes - sizeof *header;
    if (fits) {
        each_run(range, put_run, &putting);
        fits = putting.marking.mark == header->mark;
    }
    if (!fits) {
        restart(name, range);
        return;
    }
    putting.is_marking = 0;
    putting.left = header->amount;
    each_run(range, put_run, &putting);
}
