/* Receives that go on while the program does, and what completes them. Requests are known by their handles; sends that
 * are not persistent need no account. */
#include "nonius_mpi.h"

enum { BUCKETS = 1024 };

/* A receive or a collective under way, a persistent request, or a message that was matched by a probe. */
struct account {
    uintptr_t handle;
    int is_message, is_persistent, is_active;
    struct receive *receive; /* of receives */
    struct pending *pending; /* of collectives, and of one-sided calls */
    struct line *line;       /* of persistent receives: where they are posted */
    /* Persistent sends: */
    const void *at;
    int count, to, tag, source;
    MPI_Datatype type;
    MPI_Comm comm;
    struct account *next;
};

static struct account *accounts[BUCKETS];
static int account_count;
static pthread_mutex_t accounts_lock = PTHREAD_MUTEX_INITIALIZER;

static struct account **bucket_of(uintptr_t handle) {
    return &accounts[(handle ^ handle >> 7 ^ handle >> 17) % BUCKETS];
}

static void open_account(struct account account) {
    struct account *new = room_for(sizeof *new);
    pthread_mutex_lock(&accounts_lock);
    struct account **bucket = bucket_of(account.handle);
    *new = account;
    new->next = *bucket;
    *bucket = new;
    __atomic_add_fetch(&account_count, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&accounts_lock);
}

static struct account *account_of(uintptr_t handle, int is_message) {
    if (!__atomic_load_n(&account_count, __ATOMIC_RELAXED)) return NULL;
    pthread_mutex_lock(&accounts_lock);
    struct account *account = *bucket_of(handle);
    while (account && (account->handle != handle || account->is_message != is_message)) account = account->next;
    pthread_mutex_unlock(&accounts_lock);
    return account;
}

static void close_account(struct account *account) {
    pthread_mutex_lock(&accounts_lock);
    struct account **at = bucket_of(account->handle);
    while (*at != account) at = &(*at)->next;
    *at = account->next;
    __atomic_sub_fetch(&account_count, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&accounts_lock);
    free(account);
}

static void await(struct receive *receive, MPI_Request request) {
    receive->request = request;
    open_account((struct account){.handle = (uintptr_t)request, .receive = receive, .is_active = 1});
}

static void drop_receive(struct receive *receive) {
    pthread_mutex_lock(&line_lock);
    free_receive(receive);
    pthread_mutex_unlock(&line_lock);
}

WRAP int MPI_Irecv(void *at, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
    struct receive *receive = post("MPI_Irecv", at, count, type, from, tag, comm);
    int result = PMPI_Irecv(at, count, type, from, tag, comm, request);
    if (receive && result == MPI_SUCCESS) await(receive, *request);
    else if (receive) drop_receive(receive);
    return result;
}

/* --- completion -------------------------------------------------------------------------------------------------- */

static void completed(uintptr_t handle, const MPI_Status *status, int result) {
    struct account *account = account_of(handle, 0);
    if (!account || !account->is_active) return;
    struct receive *receive = account->receive;
    int is_kept = account->is_persistent;
    struct pending *pending = account->pending;
    account->is_active = 0;
    if (!is_kept) close_account(account);
    if (pending) end_pending(pending, result == MPI_SUCCESS);
    if (!receive) return;
    if (was_taken(result)) arrived(receive, status, result == MPI_SUCCESS, is_kept);
    else if (!is_kept) drop_receive(receive);
}

/* What a call that completes several is given and gives: the program may want no statuses. */
struct completion {
    uintptr_t *handles;
    MPI_Status *statuses;
    int is_own;
};

static struct completion begin_completion(int count, const MPI_Request *requests, MPI_Status *statuses, int is_ignored) {
    struct completion completion = {room_for((size_t)count * sizeof(uintptr_t)), statuses, is_ignored};
    for (int i = 0; i < count; i++) completion.handles[i] = (uintptr_t)requests[i];
    if (is_ignored) completion.statuses = room_for((size_t)count * sizeof(MPI_Status));
    return completion;
}

static void end_completion(struct completion *completion) {
    free(completion->handles);
    if (completion->is_own) free(completion->statuses);
}

static int error_of(int result, const MPI_Status *status) {
    return result == MPI_ERR_IN_STATUS ? status->MPI_ERROR : result;
}

WRAP int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    uintptr_t handle = (uintptr_t)*request;
    if (!account_of(handle, 0)) return PMPI_Wait(request, status);
    MPI_Status own;
    int result = PMPI_Wait(request, &own);
    if (status != MPI_STATUS_IGNORE) *status = own;
    completed(handle, &own, result);
    reap();
    return result;
}

WRAP int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
    uintptr_t handle = (uintptr_t)*request;
    if (!account_of(handle, 0)) return PMPI_Test(request, flag, status);
    MPI_Status own;
    int result = PMPI_Test(request, flag, &own);
    if (*flag && status != MPI_STATUS_IGNORE) *status = own;
    if (*flag) completed(handle, &own, result);
    reap();
    return result;
}

WRAP int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
    if (!account_count) return PMPI_Waitall(count, requests, statuses);
    struct completion all = begin_completion(count, requests, statuses, statuses == MPI_STATUSES_IGNORE);
    int result = PMPI_Waitall(count, requests, all.statuses);
    for (int i = 0; i < count; i++) completed(all.handles[i], &all.statuses[i], error_of(result, &all.statuses[i]));
    end_completion(&all);
    reap();
    return result;
}

WRAP int MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses) {
    if (!account_count) return PMPI_Testall(count, requests, flag, statuses);
    struct completion all = begin_completion(count, requests, statuses, statuses == MPI_STATUSES_IGNORE);
    int result = PMPI_Testall(count, requests, flag, all.statuses);
    for (int i = 0; *flag && i < count; i++)
        completed(all.handles[i], &all.statuses[i], error_of(result, &all.statuses[i]));
    end_completion(&all);
    reap();
    return result;
}

WRAP int MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status) {
    if (!account_count) return PMPI_Waitany(count, requests, index, status);
    MPI_Status own;
    struct completion one = begin_completion(count, requests, &own, 0);
    int result = PMPI_Waitany(count, requests, index, &own);
    if (status != MPI_STATUS_IGNORE) *status = own;
    if (*index != MPI_UNDEFINED && *index >= 0) completed(one.handles[*index], &own, result);
    end_completion(&one);
    reap();
    return result;
}

WRAP int MPI_Testany(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status) {
    if (!account_count) return PMPI_Testany(count, requests, index, flag, status);
    MPI_Status own;
    struct completion one = begin_completion(count, requests, &own, 0);
    int result = PMPI_Testany(count, requests, index, flag, &own);
    if (*flag && status != MPI_STATUS_IGNORE) *status = own;
    if (*flag && *index != MPI_UNDEFINED && *index >= 0) completed(one.handles[*index], &own, result);
    end_completion(&one);
    reap();
    return result;
}

/* Those of a set that are through come in any order; accounts see to it that each gets its own. */
#define SOME(name)                                                                                                   \
    WRAP int MPI_##name(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses) {           \
        if (!account_count) return PMPI_##name(count, requests, done, indices, statuses);                            \
        struct completion some = begin_completion(count, requests, statuses, statuses == MPI_STATUSES_IGNORE);       \
        int result = PMPI_##name(count, requests, done, indices, some.statuses);                                     \
        for (int i = 0; *done != MPI_UNDEFINED && i < *done; i++)                                                    \
            completed(some.handles[indices[i]], &some.statuses[i], error_of(result, &some.statuses[i]));             \
        end_completion(&some);                                                                                       \
        reap();                                                                                                      \
        return result;                                                                                               \
    }
SOME(Waitsome)
SOME(Testsome)

/* The program lets go of a receive: its companion is dropped when its turn comes, if that can be known. */
WRAP int MPI_Request_free(MPI_Request *request) {
    struct account *account = account_of((uintptr_t)*request, 0);
    if (account) {
        struct receive *receive = account->receive;
        int is_active = account->is_active;
        close_account(account);
        pthread_mutex_lock(&line_lock);
        if (receive && is_active && receive->line) {
            restart("MPI_Request_free", &receive->range);
            receive->request = MPI_REQUEST_NULL;
            int is_known = receive->source != MPI_ANY_SOURCE && receive->tag != MPI_ANY_TAG;
            receive->state = is_known ? DROPPED : POSTED;
        } else if (receive) {
            free_receive(receive);
        }
        pthread_mutex_unlock(&line_lock);
    }
    return PMPI_Request_free(request);
}
