/* Persistent requests, and messages that a probe has matched. */
#include "nonius_mpi.h"

#define SEND_INIT(name)                                                                                              \
    WRAP int MPI_##name(const void *at, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,                \
                        MPI_Request *request) {                                                                      \
        int result = PMPI_##name(at, count, type, to, tag, comm, request);                                           \
        if (result == MPI_SUCCESS && is_on() && to != MPI_PROC_NULL)                                                 \
            open_account((struct account){.handle = (uintptr_t)*request, .is_persistent = 1, .at = at, .count = count, \
                                          .to = to, .tag = tag, .type = type, .comm = comm});                        \
        return result;                                                                                               \
    }
SEND_INIT(Send_init)
SEND_INIT(Ssend_init)
SEND_INIT(Rsend_init)
SEND_INIT(Bsend_init)

WRAP int MPI_Recv_init(void *at, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
    int result = PMPI_Recv_init(at, count, type, from, tag, comm, request);
    if (result == MPI_SUCCESS && is_on() && from != MPI_PROC_NULL) {
        struct receive *receive = new_receive("MPI_Recv_init", at, count, type, from, tag);
        open_account((struct account){.handle = (uintptr_t)*request, .is_persistent = 1, .receive = receive,
                                      .line = line_of(comm), .source = from, .tag = tag});
    }
    return result;
}

static void start_account(MPI_Request request) {
    struct account *account = account_of((uintptr_t)request, 0);
    if (!account || !account->is_persistent) return;
    account->is_active = 1;
    struct receive *receive = account->receive;
    if (!receive) {
        send_companion(account->at, account->count, account->type, account->to, account->tag, account->comm);
        return;
    }
    receive->state = POSTED;
    receive->source = account->source;
    receive->tag = account->tag;
    receive->is_here = 0;
    receive->request = request;
    if (account->line) join_line(receive, account->line);
}

WRAP int MPI_Start(MPI_Request *request) {
    start_account(*request);
    return PMPI_Start(request);
}

WRAP int MPI_Startall(int count, MPI_Request *requests) {
    for (int i = 0; i < count; i++) start_account(requests[i]);
    return PMPI_Startall(count, requests);
}

/* A probe that matches takes the message's place in the order; the range is known when it is received. */
static void matched(MPI_Message message, const MPI_Status *status, MPI_Comm comm) {
    if (!is_on() || message == MPI_MESSAGE_NULL || message == MPI_MESSAGE_NO_PROC) return;
    struct receive *receive =
        post("MPI_Mrecv", NULL, 0, MPI_DATATYPE_NULL, status->MPI_SOURCE, status->MPI_TAG, comm);
    if (!receive) return;
    receive->state = KNOWN;
    open_account((struct account){.handle = (uintptr_t)message, .is_message = 1, .receive = receive});
}

WRAP int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
    MPI_Status own;
    int result = PMPI_Mprobe(from, tag, comm, message, &own);
    if (status != MPI_STATUS_IGNORE) *status = own;
    if (result == MPI_SUCCESS) matched(*message, &own, comm);
    return result;
}

WRAP int MPI_Improbe(int from, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status) {
    MPI_Status own;
    int result = PMPI_Improbe(from, tag, comm, flag, message, &own);
    if (*flag && status != MPI_STATUS_IGNORE) *status = own;
    if (result == MPI_SUCCESS && *flag) matched(*message, &own, comm);
    return result;
}

/* The receive that a message was matched for, with the memory it goes to. */
static struct receive *receive_of(MPI_Message message, void *at, int count, MPI_Datatype type) {
    struct account *account = account_of((uintptr_t)message, 1);
    if (!account) return NULL;
    struct receive *receive = account->receive;
    close_account(account);
    receive->range = range_of(at, count, type);
    return receive;
}

WRAP int MPI_Mrecv(void *at, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status) {
    struct receive *receive = receive_of(*message, at, count, type);
    if (!receive) return PMPI_Mrecv(at, count, type, message, status);
    MPI_Status own;
    int result = PMPI_Mrecv(at, count, type, message, &own);
    return received(receive, result, &own, status);
}

WRAP int MPI_Imrecv(void *at, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request) {
    struct receive *receive = receive_of(*message, at, count, type);
    int result = PMPI_Imrecv(at, count, type, message, request);
    if (receive && result == MPI_SUCCESS) await(receive, *request);
    else if (receive) drop_receive(receive);
    return result;
}

/* When all ranks are here, nothing is received any more. */
WRAP int MPI_Finalize(void) {
    struct line *line = line_of(MPI_COMM_WORLD);
    if (line) {
        MPI_Request request;
        int is_done = 0;
        PMPI_Ibarrier(line->comm, &request);
        while (!is_done) {
            reap();
            PMPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
        }
    }
    version = 0;
    unannounce();
    return PMPI_Finalize();
}
