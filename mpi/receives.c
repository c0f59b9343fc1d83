/* Messages that arrive. When a receive of the program's is through, its status says from whom and with which tag; the
 * companion comes from the same rank with the same tag. Which of several? MPI hands messages of one sender and tag to
 * receives in the order of their posting, and companions arrive in the order of the messages: so the one whose turn it is
 * among the receives posted on this communicator that ended with this sender and tag. Receives may be completed in
 * another order: then companions of earlier ones are kept for them. If it cannot be known yet where an earlier one (of any
 * source or tag) belongs, shadows restart, and the companion is dropped when its turn comes. */
#include "nonius_mpi.h"

enum state { POSTED, KNOWN, DROPPED };

struct receive {
    struct receive *previous, *next; /* on its line */
    struct line *line;               /* null if on none */
    struct range range;
    const char *name;
    enum state state;
    MPI_Request request; /* MPI_REQUEST_NULL if there is none */
    int source, tag;     /* as posted; from whom and with which once known */
    int is_here;         /* its companion was fetched */
    struct packet packet;
};

static pthread_mutex_t line_lock = PTHREAD_MUTEX_INITIALIZER;

static void join_line(struct receive *receive, struct line *line) {
    pthread_mutex_lock(&line_lock);
    receive->line = line;
    receive->next = NULL;
    receive->previous = line->last;
    if (line->last) line->last->next = receive;
    else line->first = receive;
    line->last = receive;
    pthread_mutex_unlock(&line_lock);
}

static void leave_line(struct receive *receive) {
    struct line *line = receive->line;
    if (!line) return;
    if (receive->previous) receive->previous->next = receive->next;
    else line->first = receive->next;
    if (receive->next) receive->next->previous = receive->previous;
    else line->last = receive->previous;
    receive->line = NULL;
}

static void free_receive(struct receive *receive) {
    leave_line(receive);
    done_with(&receive->range);
    free_packet(&receive->packet);
    free(receive);
}

static void forget_receives(struct line *line) {
    pthread_mutex_lock(&line_lock);
    while (line->first) {
        struct receive *receive = line->first;
        leave_line(receive);
        if (receive->state == DROPPED) free_receive(receive);
    }
    pthread_mutex_unlock(&line_lock);
}

static struct receive *new_receive(const char *name, void *at, int count, MPI_Datatype type, int source, int tag) {
    struct receive *receive = room_for(sizeof *receive);
    *receive = (struct receive){.name = name, .state = POSTED, .request = MPI_REQUEST_NULL, .source = source, .tag = tag};
    receive->range = range_of(at, count, type);
    receive->packet = empty_packet();
    return receive;
}

/* A receive is about to be posted; null if nothing is carried there. */
static struct receive *post(const char *name, void *at, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm) {
    if (!is_on() || source == MPI_PROC_NULL) return NULL;
    struct line *line = line_of(comm);
    struct receive *receive = new_receive(name, at, count, type, source, tag);
    if (line) join_line(receive, line);
    return receive;
}

static struct packet fetch(MPI_Comm comm, int source, int tag) {
    MPI_Message message;
    MPI_Status status;
    int bytes = 0;
    struct packet packet = empty_packet();
    if (PMPI_Mprobe(source, tag, comm, &message, &status) != MPI_SUCCESS) return packet;
    PMPI_Get_count(&status, MPI_BYTE, &bytes);
    if (bytes > (int)sizeof(struct header)) {
        packet = (struct packet){room_for((size_t)bytes), (size_t)bytes};
        PMPI_Mrecv(packet.header, bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    } else {
        struct header header;
        PMPI_Mrecv(&header, (int)sizeof header, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    }
    return packet;
}

/* Whether a receive took a message of this sender and tag: 1, 0, or -1 if that is not known. */
static int took(struct receive *receive, int source, int tag) {
    if (receive->state == POSTED && (receive->source == MPI_ANY_SOURCE || receive->tag == MPI_ANY_TAG)) {
        if (receive->source != MPI_ANY_SOURCE && receive->source != source) return 0;
        if (receive->tag != MPI_ANY_TAG && receive->tag != tag) return 0;
        MPI_Status status;
        int is_done = 0;
        if (receive->request == MPI_REQUEST_NULL) return -1;
        PMPI_Request_get_status(receive->request, &is_done, &status);
        if (!is_done) return -1;
        receive->state = KNOWN;
        receive->source = status.MPI_SOURCE;
        receive->tag = status.MPI_TAG;
    }
    return receive->source == source && receive->tag == tag;
}

/* Fetches the companion of a receive whose sender and tag are known, and those before it. Returns whether it could. */
static int fetch_in_turn(struct receive *receive) {
    struct line *line = receive->line;
    int source = receive->source, tag = receive->tag;
    for (struct receive *before = line->first; before != receive; before = before->next)
        if (!before->is_here && took(before, source, tag) < 0) return 0;
    for (struct receive *before = line->first, *next; before != receive; before = next) {
        next = before->next;
        if (before->is_here || took(before, source, tag) != 1) continue;
        before->packet = fetch(line->comm, source, tag);
        before->is_here = 1;
        if (before->state == DROPPED) free_receive(before);
    }
    receive->packet = fetch(line->comm, source, tag);
    receive->is_here = 1;
    return 1;
}

/* A receive of the program's is through: gives what arrived its residues. `is_kept`: it is persistent. */
static void arrived(struct receive *receive, const MPI_Status *status, int is_good, int is_kept) {
    int is_cancelled = 0, is_dropped = 0;
    PMPI_Test_cancelled(status, &is_cancelled);
    int bytes = MPI_UNDEFINED;
    if (is_good) PMPI_Get_count(status, MPI_BYTE, &bytes);
    receive->range.limit = bytes == MPI_UNDEFINED ? SIZE_MAX : (size_t)bytes;
    pthread_mutex_lock(&line_lock);
    if (is_cancelled) {
        /* nothing arrived */
    } else if (!receive->line) {
        restart(receive->name, &receive->range);
    } else {
        if (receive->state == POSTED) {
            receive->source = status->MPI_SOURCE;
            receive->tag = status->MPI_TAG;
            receive->state = KNOWN;
        }
        int has_companion = !is_reserved(receive->tag);
        if (receive->is_here || (has_companion && fetch_in_turn(receive))) {
            if (is_good) unpack(receive->name, &receive->range, receive->packet.header, receive->packet.bytes);
            else forget_range(&receive->range);
        } else {
            restart(receive->name, &receive->range);
            is_dropped = has_companion;
        }
    }
    if (is_dropped) {
        struct receive *stays = receive;
        if (is_kept) { /* the persistent one is used again: another waits in its place */
            stays = room_for(sizeof *stays);
            *stays = *receive;
            stays->range.layout = NULL;
            if (stays->previous) stays->previous->next = stays;
            else stays->line->first = stays;
            if (stays->next) stays->next->previous = stays;
            else stays->line->last = stays;
            receive->line = NULL;
        }
        stays->state = DROPPED;
    } else if (is_kept) {
        leave_line(receive);
        free_packet(&receive->packet);
    } else {
        free_receive(receive);
    }
    pthread_mutex_unlock(&line_lock);
}

/* Whether a message was taken, although the call failed: it was too long. */
static int was_taken(int result) {
    int class = MPI_SUCCESS;
    if (result != MPI_SUCCESS) PMPI_Error_class(result, &class);
    return class == MPI_SUCCESS || class == MPI_ERR_TRUNCATE;
}

/* The end of a receive that blocks. */
static int received(struct receive *receive, int result, const MPI_Status *status, MPI_Status *theirs) {
    if (theirs != MPI_STATUS_IGNORE) *theirs = *status;
    if (receive && was_taken(result)) {
        arrived(receive, status, result == MPI_SUCCESS, 0);
    } else if (receive) {
        pthread_mutex_lock(&line_lock);
        free_receive(receive);
        pthread_mutex_unlock(&line_lock);
    }
    return result;
}

WRAP int MPI_Recv(void *at, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status) {
    struct receive *receive = post("MPI_Recv", at, count, type, from, tag, comm);
    if (!receive) return PMPI_Recv(at, count, type, from, tag, comm, status);
    MPI_Status own;
    int result = PMPI_Recv(at, count, type, from, tag, comm, &own);
    return received(receive, result, &own, status);
}

WRAP int MPI_Sendrecv(const void *out, int out_count, MPI_Datatype out_type, int to, int out_tag, void *in, int in_count,
                      MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status) {
    send_companion(out, out_count, out_type, to, out_tag, comm);
    struct receive *receive = post("MPI_Sendrecv", in, in_count, in_type, from, in_tag, comm);
    MPI_Status own;
    int result =
        PMPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm, &own);
    return received(receive, result, &own, status);
}

WRAP int MPI_Sendrecv_replace(void *at, int count, MPI_Datatype type, int to, int out_tag, int from, int in_tag,
                              MPI_Comm comm, MPI_Status *status) {
    send_companion(at, count, type, to, out_tag, comm);
    struct receive *receive = post("MPI_Sendrecv_replace", at, count, type, from, in_tag, comm);
    MPI_Status own;
    int result = PMPI_Sendrecv_replace(at, count, type, to, out_tag, from, in_tag, comm, &own);
    return received(receive, result, &own, status);
}
