/* Messages that leave. Each of the program's messages, of whatever datatype, has a companion, sent with it to the same
 * rank with the same tag: residues behind a header, or the header alone. It is never waited for, since the program's own
 * message need not be: what is under way is looked at from time to time. */
#include "nonius_mpi.h"

#include <time.h>

struct sent {
    MPI_Request request;
    struct packet packet;
    struct sent *next;
};

static struct sent *under_way;
static pthread_mutex_t under_way_lock = PTHREAD_MUTEX_INITIALIZER;

/* Frees what has arrived. Returns whether something has not. */
static int reap(void) {
    if (!__atomic_load_n(&under_way, __ATOMIC_RELAXED)) return 0;
    pthread_mutex_lock(&under_way_lock);
    for (struct sent **at = &under_way; *at;) {
        struct sent *sent = *at;
        int is_done = 0;
        PMPI_Test(&sent->request, &is_done, MPI_STATUS_IGNORE);
        if (!is_done) {
            at = &sent->next;
            continue;
        }
        *at = sent->next;
        free_packet(&sent->packet);
        free(sent);
    }
    int is_left = under_way != NULL;
    pthread_mutex_unlock(&under_way_lock);
    return is_left;
}

static void send_packet(struct line *line, struct packet packet, int to, int tag) {
    MPI_Request request;
    int is_done = 0;
    PMPI_Isend(packet.header, (int)packet.bytes, MPI_BYTE, to, tag, line->comm, &request);
    PMPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    if (is_done) {
        free_packet(&packet);
        return;
    }
    struct sent *sent = room_for(sizeof *sent);
    pthread_mutex_lock(&under_way_lock);
    *sent = (struct sent){request, packet, under_way};
    under_way = sent;
    pthread_mutex_unlock(&under_way_lock);
}

/* Sends the companion of a message that is about to be sent. */
static void send_companion(const void *at, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    struct line *line = to == MPI_PROC_NULL ? NULL : line_of(comm);
    if (!line || tag < 0 || is_reserved(tag)) return;
    reap();
    struct range range = range_of(at, count, type);
    send_packet(line, pack(&range), to, tag);
    done_with(&range);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A long companion moves on only while this rank is in MPI. After a message that took its time, its companion may take
 * as long: the receiver would else wait for this rank's next call. No longer, as it may not be received yet. */
static void help_along(double since) {
    if (!reap()) return;
    double until = now() + (now() - since) + 50e-6;
    while (reap() && now() < until) {
    }
}

/* From here on the program's message leaves first: looking for residues takes as long as the message itself, which the
 * other rank fetches meanwhile. */
enum { LARGE = 1 << 16 };

static int is_large(int count, MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return count > 0 && (long long)count * size >= LARGE;
}

#define SEND(name, begun)                                                                                           \
    WRAP int MPI_##name(const void *at, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {             \
        if (!is_on()) return PMPI_##name(at, count, type, to, tag, comm);                                           \
        double since = now();                                                                                       \
        MPI_Request request;                                                                                        \
        int result, is_first = is_large(count, type);                                                               \
        if (is_first) result = PMPI_##begun(at, count, type, to, tag, comm, &request);                              \
        send_companion(at, count, type, to, tag, comm);                                                             \
        if (!is_first) result = PMPI_##name(at, count, type, to, tag, comm);                                        \
        else if (result == MPI_SUCCESS) result = PMPI_Wait(&request, MPI_STATUS_IGNORE);                            \
        help_along(since);                                                                                          \
        return result;                                                                                              \
    }
SEND(Send, Isend)
SEND(Ssend, Issend)
SEND(Rsend, Irsend)
SEND(Bsend, Ibsend)

#define ISEND(name)                                                                                                 \
    WRAP int MPI_##name(const void *at, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,               \
                        MPI_Request *request) {                                                                     \
        send_companion(at, count, type, to, tag, comm);                                                             \
        return PMPI_##name(at, count, type, to, tag, comm, request);                                                \
    }
ISEND(Isend)
ISEND(Issend)
ISEND(Irsend)
ISEND(Ibsend)
