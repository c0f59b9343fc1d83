/* Windows: memory of other ranks is memory here. What is put or fetched is so at once. */

struct window {
    MPI_Comm comm;
    char *base[MOST_RANKS];
    int unit[MOST_RANKS];
};

struct shown {
    void *base;
    int unit;
};

static int MPI_Win_create(void *base, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win) {
    struct shown mine = {base, unit};
    *win = calloc(1, sizeof **win);
    (*win)->comm = comm;
    void **all = meet(comm, &mine);
    for (int i = 0; i < comm->size; i++) {
        struct shown *theirs = all[i];
        (*win)->base[i] = theirs->base, (*win)->unit[i] = theirs->unit;
    }
    return part(comm), MPI_SUCCESS;
}

static int MPI_Win_allocate(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win) {
    *(void **)base = malloc((size_t)bytes);
    return MPI_Win_create(*(void **)base, bytes, unit, info, comm, win);
}

static int MPI_Put(const void *at, int count, MPI_Datatype type, int to, MPI_Aint place, int to_count, MPI_Datatype to_type,
                   MPI_Win win) {
    char *part = packed(at, count, type);
    pthread_mutex_lock(&world_lock);
    unpack(part, bytes_of(count, type), win->base[to] + place * win->unit[to], to_count, to_type);
    pthread_mutex_unlock(&world_lock);
    return free(part), MPI_SUCCESS;
}

static int MPI_Get(void *at, int count, MPI_Datatype type, int from, MPI_Aint place, int from_count, MPI_Datatype from_type,
                   MPI_Win win) {
    pthread_mutex_lock(&world_lock);
    char *part = packed(win->base[from] + place * win->unit[from], from_count, from_type);
    pthread_mutex_unlock(&world_lock);
    unpack(part, bytes_of(count, type), at, count, type);
    return free(part), MPI_SUCCESS;
}
#define MPI_Rput(a, b, c, d, e, f, g, win, request) (MPI_Put(a, b, c, d, e, f, g, win), begun(request))
#define MPI_Rget(a, b, c, d, e, f, g, win, request) (MPI_Get(a, b, c, d, e, f, g, win), begun(request))

static int MPI_Win_fence(int assertion, MPI_Win win) { return wait_for_all(win->comm), MPI_SUCCESS; }
static int MPI_Win_free(MPI_Win *win) { return wait_for_all((*win)->comm), free(*win), *win = NULL, MPI_SUCCESS; }

/* Exposure and access meet: all ranks of a program here do both. */
#define MPI_Win_post(group, assertion, win) wait_for_all((win)->comm)
#define MPI_Win_start(group, assertion, win) ((void)0)
#define MPI_Win_complete(win) ((void)0)
#define MPI_Win_wait(win) wait_for_all((win)->comm)
#define MPI_Win_lock(kind, target, assertion, win) ((void)0)
#define MPI_Win_unlock(target, win) ((void)0)
#define MPI_Win_lock_all(assertion, win) ((void)0)
#define MPI_Win_unlock_all(win) ((void)0)
#define MPI_Win_flush_all(win) ((void)0)
