/* Requests: what was begun, and each way to wait for it. A request that is persistent stays. */

static int MPI_Irecv(void *at, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
    *request = calloc(1, sizeof **request);
    **request = (struct request){RECEIVE, 0, 1, comm, at, count, from, tag, my_rank, type};
    return start_receive(*request), MPI_SUCCESS;
}

static int make_persistent(enum request_kind kind, const void *at, int count, MPI_Datatype type, int partner, int tag,
                           MPI_Comm comm, MPI_Request *request) {
    *request = calloc(1, sizeof **request);
    **request = (struct request){kind, 1, 0, comm, (void *)at, count, partner, tag, my_rank, type};
    return MPI_SUCCESS;
}
#define MPI_Send_init(...) make_persistent(SEND_AGAIN, __VA_ARGS__)
#define MPI_Recv_init(...) make_persistent(RECEIVE_AGAIN, __VA_ARGS__)

static int MPI_Start(MPI_Request *request) {
    struct request *again = *request;
    if (again->kind == RECEIVE_AGAIN) return start_receive(again), MPI_SUCCESS;
    send_message(again->at, again->count, again->type, again->partner, again->tag, again->comm);
    return again->is_done = again->is_active = 1, MPI_SUCCESS;
}

static int MPI_Startall(int count, MPI_Request *requests) {
    for (int i = 0; i < count; i++) MPI_Start(&requests[i]);
    return MPI_SUCCESS;
}

static int is_active(MPI_Request request) { return request && request->is_active; }

static int is_done(MPI_Request request) {
    pthread_mutex_lock(&world_lock);
    int is_done = request->is_done;
    pthread_mutex_unlock(&world_lock);
    return is_done;
}

static void complete(MPI_Request *request, MPI_Status *status) {
    if (status) *status = (MPI_Status){MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0};
    if (!is_active(*request)) return;
    wait_until_done(*request);
    if (status) *status = (*request)->status;
    (*request)->is_active = 0;
    if ((*request)->kind >= SEND_AGAIN) return;
    free(*request);
    *request = MPI_REQUEST_NULL;
}

static int MPI_Wait(MPI_Request *request, MPI_Status *status) { return complete(request, status), MPI_SUCCESS; }

static int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
    for (int i = 0; i < count; i++) complete(&requests[i], statuses ? &statuses[i] : NULL);
    return MPI_SUCCESS;
}

static int MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses) {
    *flag = 1;
    for (int i = 0; i < count; i++) *flag = *flag && (!is_active(requests[i]) || is_done(requests[i]));
    return *flag ? MPI_Waitall(count, requests, statuses) : MPI_SUCCESS;
}

static int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) { return MPI_Testall(1, request, flag, status); }

static int MPI_Testsome(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses) {
    int any = 0;
    *done = 0;
    for (int i = 0; i < count; i++) {
        if (!is_active(requests[i])) continue;
        any = 1;
        if (!is_done(requests[i])) continue;
        complete(&requests[i], statuses ? &statuses[*done] : NULL);
        indices[(*done)++] = i;
    }
    if (!any) *done = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int MPI_Waitsome(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses) {
    do MPI_Testsome(count, requests, done, indices, statuses);
    while (*done == 0);
    return MPI_SUCCESS;
}

static int MPI_Testany(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status) {
    int any = 0;
    *index = MPI_UNDEFINED;
    for (int i = 0; i < count && *index == MPI_UNDEFINED; i++) {
        any |= is_active(requests[i]);
        if (is_active(requests[i]) && is_done(requests[i])) *index = i;
    }
    *flag = !any || *index != MPI_UNDEFINED;
    if (*index != MPI_UNDEFINED) complete(&requests[*index], status);
    return MPI_SUCCESS;
}

static int MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status) {
    int flag;
    do MPI_Testany(count, requests, index, &flag, status);
    while (!flag);
    return MPI_SUCCESS;
}

static int MPI_Request_free(MPI_Request *request) { return *request = MPI_REQUEST_NULL, MPI_SUCCESS; }

/* What is over when it begins. */
static int begun(MPI_Request *request) {
    *request = calloc(1, sizeof **request);
    (*request)->is_done = (*request)->is_active = 1;
    return MPI_SUCCESS;
}
