/* Messages. Each is a copy, and goes to the receive that was posted first and takes it, or waits for one. */

struct message {
    struct meeting *on;
    int from, to, source, tag, bytes; /* ranks in the world, and the sender's in its communicator */
    char *data;
    struct message *next;
};

enum request_kind { DONE, RECEIVE, SEND_AGAIN, RECEIVE_AGAIN };

struct request {
    enum request_kind kind;
    int is_done, is_active;
    MPI_Comm comm;
    void *at;
    int count, partner, tag, rank;
    MPI_Datatype type;
    MPI_Status status;
    struct request *next; /* receives that wait */
};

static struct message *messages;
static struct request *receives;

static int takes(const struct request *receive, const struct message *message) {
    return receive->rank == message->to && receive->comm->meeting == message->on &&
           (receive->partner == MPI_ANY_SOURCE || receive->partner == message->source) &&
           (receive->tag == MPI_ANY_TAG || receive->tag == message->tag);
}

static MPI_Status status_of(const struct message *message) {
    return (MPI_Status){message->source, message->tag, MPI_SUCCESS, message->bytes};
}

static void deliver(struct request *receive, struct message *message) {
    unpack(message->data, message->bytes, receive->at, receive->count, receive->type);
    receive->status = status_of(message);
    receive->is_done = 1;
    free(message->data);
    free(message);
    pthread_cond_broadcast(&something_moved);
}

static void send_message(const void *at, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    if (to == MPI_PROC_NULL) return;
    struct message *message = malloc(sizeof *message);
    *message = (struct message){comm->meeting, my_rank, comm->members[to], rank_in(comm), tag, bytes_of(count, type),
                                packed(at, count, type), NULL};
    pthread_mutex_lock(&world_lock);
    struct request **receive = &receives;
    while (*receive && !takes(*receive, message)) receive = &(*receive)->next;
    if (*receive) {
        struct request *taker = *receive;
        *receive = taker->next;
        deliver(taker, message);
    } else {
        struct message **last = &messages;
        while (*last) last = &(*last)->next;
        *last = message;
        pthread_cond_broadcast(&something_moved);
    }
    pthread_mutex_unlock(&world_lock);
}

/* The first message that a receive would take; called with the lock. */
static struct message **find_message(const struct request *receive) {
    struct message **message = &messages;
    while (*message && !takes(receive, *message)) message = &(*message)->next;
    return *message ? message : NULL;
}

static void start_receive(struct request *receive) {
    receive->is_done = receive->partner == MPI_PROC_NULL;
    receive->is_active = 1;
    receive->rank = my_rank;
    receive->status = (MPI_Status){MPI_PROC_NULL, MPI_ANY_TAG, MPI_SUCCESS, 0};
    if (receive->is_done) return;
    pthread_mutex_lock(&world_lock);
    struct message **message = find_message(receive);
    if (message) {
        struct message *taken = *message;
        *message = taken->next;
        deliver(receive, taken);
    } else {
        struct request **last = &receives;
        while (*last) last = &(*last)->next;
        receive->next = NULL;
        *last = receive;
    }
    pthread_mutex_unlock(&world_lock);
}

static void wait_until_done(struct request *request) {
    pthread_mutex_lock(&world_lock);
    while (!request->is_done) pthread_cond_wait(&something_moved, &world_lock);
    pthread_mutex_unlock(&world_lock);
}

#define SEND(name)                                                                                                         \
    static int MPI_##name(const void *at, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {                  \
        return send_message(at, count, type, to, tag, comm), MPI_SUCCESS;                                                  \
    }                                                                                                                      \
    static int MPI_I##name(const void *at, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,                   \
                           MPI_Request *request) {                                                                         \
        send_message(at, count, type, to, tag, comm);                                                                      \
        return *request = calloc(1, sizeof **request), (*request)->is_done = (*request)->is_active = 1, MPI_SUCCESS;       \
    }
SEND(send)
SEND(ssend)
SEND(rsend)
SEND(bsend)
#define MPI_Send MPI_send
#define MPI_Ssend MPI_ssend
#define MPI_Rsend MPI_rsend
#define MPI_Bsend MPI_bsend

static int MPI_Buffer_attach(void *at, int bytes) { return MPI_SUCCESS; }
static int MPI_Buffer_detach(void *at, int *bytes) { return MPI_SUCCESS; }

static int MPI_Recv(void *at, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status) {
    struct request receive = {RECEIVE, 0, 1, comm, at, count, from, tag, my_rank, type};
    start_receive(&receive);
    wait_until_done(&receive);
    if (status) *status = receive.status;
    return MPI_SUCCESS;
}

static int MPI_Sendrecv(const void *out, int out_count, MPI_Datatype out_type, int to, int out_tag, void *in, int in_count,
                        MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status) {
    send_message(out, out_count, out_type, to, out_tag, comm);
    return MPI_Recv(in, in_count, in_type, from, in_tag, comm, status);
}

static int MPI_Sendrecv_replace(void *at, int count, MPI_Datatype type, int to, int out_tag, int from, int in_tag,
                                MPI_Comm comm, MPI_Status *status) {
    return MPI_Sendrecv(at, count, type, to, out_tag, at, count, type, from, in_tag, comm, status);
}

/* --- probes ---------------------------------------------------------------------------------------------------------- */

static int improbe(int from, int tag, MPI_Comm comm, int *is_there, MPI_Message *taken, MPI_Status *status, int waits) {
    struct request receive = {.comm = comm, .partner = from, .tag = tag, .rank = my_rank};
    pthread_mutex_lock(&world_lock);
    struct message **message = find_message(&receive);
    while (waits && !message) {
        pthread_cond_wait(&something_moved, &world_lock);
        message = find_message(&receive);
    }
    *is_there = message != NULL;
    if (message && status) *status = status_of(*message);
    if (message && taken) *taken = *message, *message = (*message)->next;
    pthread_mutex_unlock(&world_lock);
    return MPI_SUCCESS;
}

static int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status) {
    int is_there;
    return improbe(from, tag, comm, &is_there, NULL, status, 1);
}

static int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
    int is_there;
    return improbe(from, tag, comm, &is_there, message, status, 1);
}

static int MPI_Improbe(int from, int tag, MPI_Comm comm, int *is_there, MPI_Message *message, MPI_Status *status) {
    return improbe(from, tag, comm, is_there, message, status, 0);
}

static int MPI_Imrecv(void *at, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request) {
    *request = calloc(1, sizeof **request);
    **request = (struct request){.is_active = 1, .at = at, .count = count, .type = type};
    deliver(*request, *message);
    return *message = NULL, MPI_SUCCESS;
}

static int MPI_Mrecv(void *at, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status) {
    struct request receive = {.at = at, .count = count, .type = type};
    deliver(&receive, *message);
    if (status) *status = receive.status;
    return *message = NULL, MPI_SUCCESS;
}

static int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count) {
    return *count = status->bytes / type->size, MPI_SUCCESS;
}
