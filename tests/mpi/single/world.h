/* Ranks as threads, and communicators: those who belong to one meet there, and show each other what they brought. */

enum { MOST_RANKS = 8 };

struct comm {
    int size, members[MOST_RANKS]; /* by their ranks in the world */
    int dims, sizes[3], periods[3];
    int in, out, sources[MOST_RANKS], targets[MOST_RANKS]; /* of the rank that asked for a graph */
    struct meeting {
        pthread_mutex_t lock;
        pthread_cond_t all_here;
        int here, round;
        void *brought[MOST_RANKS];
    } *meeting;
};

static pthread_mutex_t world_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t something_moved = PTHREAD_COND_INITIALIZER;
static struct comm world;
static PER_RANK int my_rank;
static PER_RANK struct comm myself;
#define MPI_COMM_WORLD (&world)
#define MPI_COMM_SELF (&myself)

static struct meeting *new_meeting(void) {
    struct meeting *meeting = calloc(1, sizeof *meeting);
    pthread_mutex_init(&meeting->lock, NULL);
    pthread_cond_init(&meeting->all_here, NULL);
    return meeting;
}

static int rank_in(MPI_Comm comm) {
    for (int i = 0; i < comm->size; i++)
        if (comm->members[i] == my_rank) return i;
    return MPI_UNDEFINED;
}

static void wait_for_all(MPI_Comm comm) {
    struct meeting *meeting = comm->meeting;
    pthread_mutex_lock(&meeting->lock);
    int round = meeting->round;
    if (++meeting->here == comm->size) {
        meeting->here = 0;
        meeting->round++;
        pthread_cond_broadcast(&meeting->all_here);
    }
    while (meeting->round == round) pthread_cond_wait(&meeting->all_here, &meeting->lock);
    pthread_mutex_unlock(&meeting->lock);
}

/* What all brought, until `part`. */
static void **meet(MPI_Comm comm, void *mine) {
    comm->meeting->brought[rank_in(comm)] = mine;
    wait_for_all(comm);
    return comm->meeting->brought;
}

static void part(MPI_Comm comm) { wait_for_all(comm); }

int program_of_a_rank(int argc, char **argv);

struct start {
    int rank, argc;
    char **argv;
};

static void *run_rank(void *argument) {
    struct start *start = argument;
    my_rank = start->rank;
    myself = (struct comm){.size = 1, .members = {my_rank}, .meeting = new_meeting()};
    return (void *)(long)program_of_a_rank(start->argc, start->argv);
}

int main(int argc, char **argv) {
    pthread_t threads[MOST_RANKS];
    struct start starts[MOST_RANKS];
    int status = 0;
    world.size = atoi(getenv("RANKS"));
    world.meeting = new_meeting();
    for (int i = 0; i < world.size; i++) world.members[i] = i;
    for (int i = 0; i < world.size; i++) {
        starts[i] = (struct start){i, argc, argv};
        pthread_create(&threads[i], NULL, run_rank, &starts[i]);
    }
    for (int i = 0; i < world.size; i++) {
        void *result;
        pthread_join(threads[i], &result);
        if (result) status = (int)(long)result;
    }
    return status;
}

static int MPI_Init(int *argc, char ***argv) { return MPI_SUCCESS; }
static int MPI_Finalize(void) { return MPI_SUCCESS; }
static int MPI_Comm_rank(MPI_Comm comm, int *rank) { return *rank = rank_in(comm), MPI_SUCCESS; }
static int MPI_Comm_size(MPI_Comm comm, int *size) { return *size = comm->size, MPI_SUCCESS; }
static int MPI_Barrier(MPI_Comm comm) { return wait_for_all(comm), MPI_SUCCESS; }

/* --- communicators: whoever has rank 0 in the new one makes its meeting --------------------------------------------- */

struct wish {
    int color, key, rank;
    struct comm *made;
};

static int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made) {
    struct wish mine = {color, key, my_rank, calloc(1, sizeof(struct comm))};
    void **all = meet(comm, &mine);
    struct comm *first = NULL;
    for (int i = 0; i < comm->size; i++) {
        struct wish *other = all[i];
        if (other->color != color) continue;
        int at = mine.made->size++;
        for (; at > 0; at--) { /* by key, then by rank */
            struct wish *before = NULL;
            for (int j = 0; j < comm->size; j++)
                if (((struct wish *)all[j])->rank == mine.made->members[at - 1]) before = all[j];
            if (before->key <= other->key) break;
            mine.made->members[at] = mine.made->members[at - 1];
        }
        mine.made->members[at] = other->rank;
        if (!first) first = other->made;
    }
    if (first == mine.made) first->meeting = new_meeting();
    part(comm);
    mine.made->meeting = first->meeting;
    part(comm);
    if (color == MPI_UNDEFINED) mine.made = MPI_COMM_NULL;
    return *made = mine.made, MPI_SUCCESS;
}

static int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made) { return MPI_Comm_split(comm, 0, rank_in(comm), made); }
static int MPI_Comm_free(MPI_Comm *comm) { return *comm = MPI_COMM_NULL, MPI_SUCCESS; }

struct group {
    int size, members[MOST_RANKS];
};

static int MPI_Comm_group(MPI_Comm comm, MPI_Group *group) {
    *group = calloc(1, sizeof **group);
    (*group)->size = comm->size;
    memcpy((*group)->members, comm->members, sizeof comm->members);
    return MPI_SUCCESS;
}

static int MPI_Group_incl(MPI_Group of, int n, const int *ranks, MPI_Group *group) {
    *group = calloc(1, sizeof **group);
    (*group)->size = n;
    for (int i = 0; i < n; i++) (*group)->members[i] = of->members[ranks[i]];
    return MPI_SUCCESS;
}

static int MPI_Group_free(MPI_Group *group) { return free(*group), *group = NULL, MPI_SUCCESS; }

/* --- grids and graphs, of one dimension ---------------------------------------------------------------------------- */

static int MPI_Cart_create(MPI_Comm comm, int dims, const int *sizes, const int *periods, int reorder, MPI_Comm *made) {
    MPI_Comm_dup(comm, made);
    (*made)->dims = dims;
    for (int i = 0; i < dims; i++) (*made)->sizes[i] = sizes[i], (*made)->periods[i] = periods[i];
    return MPI_SUCCESS;
}

static int MPI_Cart_shift(MPI_Comm comm, int dim, int by, int *from, int *to) {
    int n = comm->sizes[dim], at = rank_in(comm), ends[2] = {at - by, at + by};
    for (int i = 0; i < 2; i++)
        if (ends[i] < 0 || ends[i] >= n) ends[i] = comm->periods[dim] ? (ends[i] % n + n) % n : MPI_PROC_NULL;
    return *from = ends[0], *to = ends[1], MPI_SUCCESS;
}

static int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in, const int *sources, const int *in_weights, int out,
                                          const int *targets, const int *out_weights, MPI_Info info, int reorder,
                                          MPI_Comm *made) {
    MPI_Comm_dup(comm, made);
    (*made)->in = in, (*made)->out = out;
    memcpy((*made)->sources, sources, sizeof(int) * (size_t)in);
    memcpy((*made)->targets, targets, sizeof(int) * (size_t)out);
    return MPI_SUCCESS;
}
