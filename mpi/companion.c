/* The carrier's own communicators, and whether the ranks agree to carry at all.
 *
 * Each communicator of the program gets a companion of the same ranks when it is made, by those who make it; it is made
 * by a split, which copies no attributes and so calls none of the program's functions. A communicator that was made in a
 * way that is not known here has no companion, on any of its ranks: shadows restart there. */
#include "nonius_mpi.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int companion_key = MPI_KEYVAL_INVALID;
static uint32_t version; /* 0: nothing is carried */

static int is_on(void) { return version != 0; }

static struct line *line_of(MPI_Comm comm) {
    struct line *line = NULL;
    int is_there = 0;
    if (!is_on() || comm == MPI_COMM_NULL) return NULL;
    PMPI_Comm_get_attr(comm, companion_key, &line, &is_there);
    return is_there ? line : NULL;
}

/* Gives a communicator that was just made its companion. All its ranks come here. */
static void adopt(MPI_Comm comm) {
    int rank;
    if (!is_on() || comm == MPI_COMM_NULL) return;
    struct line *line = room_for(sizeof *line);
    *line = (struct line){MPI_COMM_NULL, NULL, NULL, 0, 0};
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_test_inter(comm, &line->is_between_groups);
    if (PMPI_Comm_split(comm, 0, rank, &line->comm) != MPI_SUCCESS) {
        free(line);
        return;
    }
    PMPI_Comm_set_errhandler(line->comm, MPI_ERRORS_RETURN);
    PMPI_Comm_set_attr(comm, companion_key, line);
}

/* --- who is there ------------------------------------------------------------------------------------------------
 * A rank that was not built with Nonius knows nothing of companions and would be waited for without end. So each rank
 * with a carrier says so before MPI_Init, by a file that it keeps locked; when MPI_Init is through, all of the host
 * have. */

static char announcements[200];
static int own_announcement = -1;
static int is_foreign; /* somebody else has made the folder: nothing in it is believed */

/* The process that started the ranks of this host, as far as it can be told. */
static int launcher(void) {
    int pid = getppid();
    for (int at = pid; at > 1;) {
        char path[64], text[256];
        snprintf(path, sizeof path, "/proc/%d/stat", at);
        FILE *file = fopen(path, "r");
        size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
        if (file) fclose(file);
        text[n] = 0;
        char *name = strchr(text, '('), *end = strrchr(text, ')');
        if (!name || !end || sscanf(end, ") %*c %d", &pid) != 1) break;
        *end = 0;
        if (strncmp(name + 1, "hydra", 5) == 0 || strncmp(name + 1, "orte", 4) == 0 || strncmp(name + 1, "prte", 4) == 0 ||
            strncmp(name + 1, "mpirun", 6) == 0 || strncmp(name + 1, "mpiexec", 7) == 0 ||
            strncmp(name + 1, "slurmstepd", 10) == 0)
            return at;
        at = pid;
    }
    return getppid();
}

static void announce(void) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (!rank) rank = getenv("PMI_RANK");
    if (!rank) return; /* started by itself */
    const char *job = getenv("PMIX_NAMESPACE");
    snprintf(announcements, sizeof announcements, "/dev/shm/nonius-mpi-%d-%d-%.100s", (int)getuid(), launcher(),
             job ? job : "job");
    for (char *c = announcements + 9; *c; c++)
        if (*c == '/') *c = '-';
    struct stat folder;
    mkdir(announcements, 0700);
    if (lstat(announcements, &folder) != 0 || !S_ISDIR(folder.st_mode) || folder.st_uid != getuid() ||
        (folder.st_mode & 077) != 0) {
        is_foreign = 1;
        return;
    }
    char path[300];
    snprintf(path, sizeof path, "%s/%.16s", announcements, rank);
    own_announcement = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (own_announcement >= 0) flock(own_announcement, LOCK_EX | LOCK_NB);
}

/* How many ranks of this host have said so: those whose files are locked. */
static int announced(void) {
    DIR *folder = announcements[0] ? opendir(announcements) : NULL;
    int count = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char path[500];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%.255s", announcements, entry->d_name);
        int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
        if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) count++;
        if (fd >= 0) close(fd);
    }
    if (folder) closedir(folder);
    return count;
}

static void unannounce(void) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (!rank) rank = getenv("PMI_RANK");
    if (own_announcement < 0 || !rank) return;
    char path[300];
    snprintf(path, sizeof path, "%s/%.16s", announcements, rank);
    unlink(path);
    /* The last one takes the folder away. */
    snprintf(path, sizeof path, "%s/.said", announcements);
    unlink(path);
    rmdir(announcements);
    close(own_announcement);
    own_announcement = -1;
}

static int ranks_of_host(void) {
    const char *names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = getenv(names[i]);
        if (text && atoi(text) > 0) return atoi(text);
    }
    int size;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

static void tell_from_first(const char *text) {
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) __nonius_exchange_say(text);
}

/* Open MPI's Fortran calls PMPI themselves: messages sent by them would have no companion, and be waited for. fortran.c
 * stands in for them, unless the program was linked without their library, and something that it loads has brought it. */
#ifdef OMPI_MAJOR_VERSION
static void stand_in_send(char *, int *, int *, int *, int *, int *, int *);
#endif

static int is_bypassed(void) {
#ifdef OMPI_MAJOR_VERSION
    void *first = dlsym(RTLD_DEFAULT, "ompi_send_f");
    return first != NULL && first != (void *)stand_in_send;
#else
    return 0;
#endif
}

/* After MPI_Init: do all carry, and the same? */
static void agree(void) {
    char text[256];
    int size;
    uint32_t mine = is_bypassed() ? 0 : __nonius_exchange_start(), ends[2] = {mine, ~mine};
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    int here = is_foreign ? 0 : announcements[0] ? announced() : size, expected = ranks_of_host();
    if (size > 1 && here < expected) {
        if (mine) {
            int rank;
            PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
            snprintf(text, sizeof text,
                     "note: of %d MPI ranks here %d were linked by Nonius: shadows restart at every message "
                     "(said by rank %d)",
                     expected, here, rank);
            /* Rank 0 may be one of the others: the first of those that can speak does. */
            char path[300];
            snprintf(path, sizeof path, "%s/.said", announcements);
            int said = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
            if (said >= 0) {
                close(said);
                __nonius_exchange_say(text);
            }
        }
        return;
    }
    MPI_Comm all;
    PMPI_Comm_dup(MPI_COMM_WORLD, &all);
    PMPI_Allreduce(MPI_IN_PLACE, ends, 2, MPI_UINT32_T, MPI_MIN, all);
    PMPI_Comm_free(&all);
    if (ends[0] != ~ends[1]) {
        tell_from_first("note: the MPI ranks run with different Nonius or engines: shadows restart at every message");
        return;
    }
    if (mine == 0) {
        if (is_bypassed())
            tell_from_first("note: Open MPI's Fortran interface is loaded: shadows restart at every message");
        return;
    }
    version = mine;
    int *highest, is_there = 0;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &highest, &is_there);
    if (is_there) highest_tag = *highest;
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &companion_key, NULL);
    adopt(MPI_COMM_WORLD);
    adopt(MPI_COMM_SELF);
}

WRAP int MPI_Init(int *argc, char ***argv) {
    announce();
    int result = PMPI_Init(argc, argv);
    if (result == MPI_SUCCESS) agree();
    return result;
}

WRAP int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    announce();
    int result = PMPI_Init_thread(argc, argv, required, provided);
    if (result == MPI_SUCCESS) agree();
    return result;
}

/* --- the program's communicators --------------------------------------------------------------------------------- */

/* What comes of a communicator without a companion has none either: ranks that were spawned may know of none. */
#define MADE(call, made)                                         \
    int result = call;                                           \
    if (result == MPI_SUCCESS && line_of(comm)) adopt(made);     \
    return result

WRAP int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made) { MADE(PMPI_Comm_dup(comm, made), *made); }

WRAP int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made) {
    MADE(PMPI_Comm_dup_with_info(comm, info, made), *made);
}

WRAP int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made) {
    MADE(PMPI_Comm_split(comm, color, key, made), *made);
}

WRAP int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made) {
    MADE(PMPI_Comm_split_type(comm, type, key, info, made), *made);
}

WRAP int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made) {
    MADE(PMPI_Comm_create(comm, group, made), *made);
}

WRAP int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made) {
    MADE(PMPI_Comm_create_group(comm, group, tag, made), *made);
}

WRAP int MPI_Cart_create(MPI_Comm comm, int dims, const int *sizes, const int *periods, int reorder, MPI_Comm *made) {
    MADE(PMPI_Cart_create(comm, dims, sizes, periods, reorder, made), *made);
}

WRAP int MPI_Cart_sub(MPI_Comm comm, const int *remain, MPI_Comm *made) { MADE(PMPI_Cart_sub(comm, remain, made), *made); }

WRAP int MPI_Graph_create(MPI_Comm comm, int nodes, const int *index, const int *edges, int reorder, MPI_Comm *made) {
    MADE(PMPI_Graph_create(comm, nodes, index, edges, reorder, made), *made);
}

WRAP int MPI_Dist_graph_create(MPI_Comm comm, int n, const int *sources, const int *degrees, const int *destinations,
                               const int *weights, MPI_Info info, int reorder, MPI_Comm *made) {
    MADE(PMPI_Dist_graph_create(comm, n, sources, degrees, destinations, weights, info, reorder, made), *made);
}

WRAP int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in, const int *sources, const int *in_weights, int out,
                                        const int *destinations, const int *out_weights, MPI_Info info, int reorder,
                                        MPI_Comm *made) {
    MADE(PMPI_Dist_graph_create_adjacent(comm, in, sources, in_weights, out, destinations, out_weights, info, reorder, made),
         *made);
}

WRAP int MPI_Intercomm_create(MPI_Comm comm, int leader, MPI_Comm peer, int remote, int tag, MPI_Comm *made) {
    int result = PMPI_Intercomm_create(comm, leader, peer, remote, tag, made);
    struct line *line = line_of(comm);
    if (result != MPI_SUCCESS || !line) return result;
    int rank, is_known;
    PMPI_Comm_rank(comm, &rank);
    is_known = rank == leader && line_of(peer) != NULL; /* who leads the other side says the same */
    PMPI_Bcast(&is_known, 1, MPI_INT, leader, line->comm);
    if (is_known) adopt(*made);
    return result;
}

WRAP int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm *made) {
    MADE(PMPI_Intercomm_merge(comm, high, made), *made);
}

static void forget_receives(struct line *line);

static void forget_line(struct line *line) {
    if (!line) return;
    forget_receives(line);
    PMPI_Comm_free(&line->comm);
    free(line);
}

WRAP int MPI_Comm_free(MPI_Comm *comm) {
    struct line *line = line_of(*comm);
    if (line) PMPI_Comm_delete_attr(*comm, companion_key);
    int result = PMPI_Comm_free(comm);
    forget_line(line);
    return result;
}

WRAP int MPI_Comm_disconnect(MPI_Comm *comm) {
    struct line *line = line_of(*comm);
    if (line) PMPI_Comm_delete_attr(*comm, companion_key);
    int result = PMPI_Comm_disconnect(comm);
    forget_line(line);
    return result;
}
