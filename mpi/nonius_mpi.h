/* Shadows across MPI: what the parts of the carrier share. The carrier stands between a program and its MPI library
 * (PMPI), is compiled against that library's mpi.h, and linked into what Nonius links with MPI. The program's own calls
 * go through as they came; residues follow on communicators of the carrier's own. See docs/decisions/mpi.md. */
#ifndef NONIUS_MPI_H
#define NONIUS_MPI_H

#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The runtime; crates/runtime/src/exchange.rs says what each does. */
uint32_t __nonius_exchange_start(void);
uint32_t __nonius_exchange_any(const void *at, uint64_t bytes);
uint64_t __nonius_exchange_take(const void *at, uint32_t width, uint64_t count, void *out);
void __nonius_exchange_put(void *at, uint32_t width, uint64_t count, const void *residues);
void __nonius_exchange_take_bytes(const void *at, uint64_t bytes, void *out);
void __nonius_exchange_put_bytes(void *at, uint64_t bytes, const void *from);
void __nonius_exchange_say(const char *text);
void __nonius_exchange_lost(const char *name, uint64_t floats);
uint32_t __nonius_exchange_planes(const void *at, uint64_t bytes, void **planes);
void __nonius_clear(void *to, uint64_t bytes);

/* A program may bring tools of its own that stand at the same place: theirs win. */
#define WRAP __attribute__((weak, visibility("default")))

/* What lies in memory, as far as shadows are concerned. */
enum kind { KIND_OTHER = 1, KIND_BYTES = 2, KIND_FLOAT = 4, KIND_DOUBLE = 8, KIND_X87 = 16 };

/* `count` things of one kind, side by side, from `at` on; of other kinds and bytes, `count` bytes. */
struct block {
    MPI_Aint at;
    size_t count;
    enum kind kind;
};

/* An element of a datatype, in the order of its type map. */
struct layout {
    struct block *blocks;
    size_t count;
    size_t room;
    MPI_Aint extent, low, span; /* of an element: to the next, where its first byte is, and to its last */
    size_t floats;        /* floats in one element */
    size_t bytes;         /* bytes of unknown layout in one element */
    size_t size;          /* bytes of data in one element */
    size_t residue_bytes; /* what the residues of an element take */
    int is_dense;         /* one block, as long as the extent */
    int is_unknown;       /* could not be taken apart */
    unsigned users;
};

/* What goes ahead of residues. */
enum mode { MODE_NONE = 0, MODE_FLOATS = 1, MODE_BYTES = 2 };

struct header {
    uint32_t mode;
    uint32_t mark;   /* of some of the values, so that nothing is ever given to values that it is not of */
    uint64_t amount; /* floats, or bytes */
};

/* A message to be: its header, and residues behind it. */
struct packet {
    struct header *header;
    size_t bytes;
};

/* Memory that a call reads or writes. Datatypes may be freed while a call is under way, layouts are not. */
struct range {
    char *at;
    size_t count;
    struct layout *layout; /* null if there is nothing */
    size_t limit;          /* bytes of data that count: a message may be shorter than the room for it */
};

struct receive;

/* A communicator of the program's: the carrier's own for it, and the receives under way, in the order of their posting. */
struct line {
    MPI_Comm comm;
    struct receive *first, *last;
    int is_between_groups;
    uint32_t collectives; /* calls so far whose packets have tags of their own */
};

/* Packets of collectives have tags of their own, the highest that there are, one call after the other. A program's own
 * messages with such tags have no companions, and restart. */
enum { COLLECTIVE_TAGS = 4096 };
static int highest_tag = 32767;

static int is_reserved(int tag) { return tag > highest_tag - COLLECTIVE_TAGS; }

struct pending;
struct window;
static void end_pending(struct pending *pending, int is_good);

/* Null if shadows restart on this communicator. */
static struct line *line_of(MPI_Comm comm);
/* Whether anything is carried at all. */
static int is_on(void);
static void adopt(MPI_Comm comm);

#endif
