/* One-sided calls. Both planes of a window's memory are windows too, and whatever is put or fetched goes three times: into
 * the values, their residues and their copies, as when memory is copied. Planes lie as far from what they are of on all
 * ranks, so places and datatypes fit them as they are. Access to the planes is open from beginning to end; what was moved
 * there is through before the program's own synchronization is. */
#include "nonius_mpi.h"

enum { PLANES = 2 };

struct window {
    MPI_Win planes[PLANES];
    int is_dirty; /* something was moved since they were last flushed */
};

static int window_key = MPI_KEYVAL_INVALID;

static struct window *window_of(MPI_Win win) {
    struct window *window = NULL;
    int is_there = 0;
    if (!is_on() || window_key == MPI_KEYVAL_INVALID || win == MPI_WIN_NULL) return NULL;
    PMPI_Win_get_attr(win, window_key, &window, &is_there);
    return is_there ? window : NULL;
}

static void make_window_key(void) {
    PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &window_key, NULL);
}

/* The program's window has planes from here on, on all ranks or on none. Windows that take memory as it comes have none,
 * and memory that ranks share is memory. */
static void adopt_window(MPI_Win win, void *base, MPI_Aint bytes, int unit, MPI_Comm comm) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct line *line = is_on() ? line_within(comm) : NULL;
    if (!line) return;
    void *planes[PLANES] = {NULL, NULL};
    int has_planes = bytes == 0 || __nonius_exchange_planes(base, (uint64_t)bytes, planes);
    PMPI_Allreduce(MPI_IN_PLACE, &has_planes, 1, MPI_INT, MPI_LAND, line->comm);
    if (!has_planes) return;
    pthread_once(&once, make_window_key);
    struct window *window = room_for(sizeof *window);
    *window = (struct window){.is_dirty = 0};
    for (int i = 0; i < PLANES; i++) {
        PMPI_Win_create(planes[i], bytes, unit, MPI_INFO_NULL, line->comm, &window->planes[i]);
        PMPI_Win_lock_all(MPI_MODE_NOCHECK, window->planes[i]);
    }
    PMPI_Win_set_attr(win, window_key, window);
}

WRAP int MPI_Win_create(void *base, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win) {
    int result = PMPI_Win_create(base, bytes, unit, info, comm, win);
    if (result == MPI_SUCCESS) adopt_window(*win, base, bytes, unit, comm);
    return result;
}

WRAP int MPI_Win_allocate(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win) {
    int result = PMPI_Win_allocate(bytes, unit, info, comm, base, win);
    if (result == MPI_SUCCESS) adopt_window(*win, *(void **)base, bytes, unit, comm);
    return result;
}

/* --- what moves ------------------------------------------------------------------------------------------------------ */

/* Where the planes of memory lie that a call reads or writes; 0 if it has none. */
static int planes_of(const void *at, int count, MPI_Datatype type, char *planes[PLANES]) {
    struct range range = range_of(at, count, type);
    void *low[PLANES];
    int has_planes = 0;
    if (range.layout) {
        MPI_Aint first = range.layout->low, bytes = (MPI_Aint)(range.count - 1) * range.layout->extent + range.layout->span;
        has_planes = (int)__nonius_exchange_planes((const char *)at + first, (uint64_t)bytes, low);
        for (int i = 0; has_planes && i < PLANES; i++) planes[i] = (char *)low[i] - first;
    }
    done_with(&range);
    return has_planes;
}

static int carries_floats(int count, MPI_Datatype type) {
    struct range range = range_of(NULL, count, type);
    int carries = range.layout && (range.layout->is_unknown || range.layout->floats || range.layout->bytes);
    done_with(&range);
    return carries;
}

enum way { PUT, GET };

/* The planes go the way of the values. Returns whether they do. */
static int moves(enum way way, const void *at, int count, MPI_Datatype type, int target, MPI_Aint place, int there,
                 MPI_Datatype their_type, MPI_Win win) {
    struct window *window = window_of(win);
    char *planes[PLANES];
    if (!window || target == MPI_PROC_NULL || count <= 0 || !carries_floats(count, type)) return 0;
    if (!planes_of(at, count, type, planes)) return 0;
    window->is_dirty = 1;
    for (int i = 0; i < PLANES; i++) {
        if (way == PUT) PMPI_Put(planes[i], count, type, target, place, there, their_type, window->planes[i]);
        else PMPI_Get(planes[i], count, type, target, place, there, their_type, window->planes[i]);
    }
    return 1;
}

WRAP int MPI_Put(const void *at, int count, MPI_Datatype type, int to, MPI_Aint place, int to_count, MPI_Datatype to_type,
                 MPI_Win win) {
    if (!moves(PUT, at, count, type, to, place, to_count, to_type, win)) lost_at_target("MPI_Put", at, count, type, to);
    return PMPI_Put(at, count, type, to, place, to_count, to_type, win);
}

WRAP int MPI_Get(void *at, int count, MPI_Datatype type, int from, MPI_Aint place, int from_count, MPI_Datatype from_type,
                 MPI_Win win) {
    if (!moves(GET, at, count, type, from, place, from_count, from_type, win) && from != MPI_PROC_NULL)
        restarts("MPI_Get", at, count, type);
    return PMPI_Get(at, count, type, from, place, from_count, from_type, win);
}

/* Whoever waits for such a request may use the memory again. */
static struct pending *pending_move(MPI_Win win, int target) {
    struct pending *pending = room_for(sizeof *pending);
    *pending = (struct pending){.request = MPI_REQUEST_NULL, .window = window_of(win), .target = target};
    return pending;
}

WRAP int MPI_Rput(const void *at, int count, MPI_Datatype type, int to, MPI_Aint place, int to_count, MPI_Datatype to_type,
                  MPI_Win win, MPI_Request *request) {
    int is_moved = moves(PUT, at, count, type, to, place, to_count, to_type, win);
    if (!is_moved) lost_at_target("MPI_Rput", at, count, type, to);
    int result = PMPI_Rput(at, count, type, to, place, to_count, to_type, win, request);
    return begun(is_moved ? pending_move(win, to) : NULL, result, request);
}

WRAP int MPI_Rget(void *at, int count, MPI_Datatype type, int from, MPI_Aint place, int from_count, MPI_Datatype from_type,
                  MPI_Win win, MPI_Request *request) {
    int is_moved = moves(GET, at, count, type, from, place, from_count, from_type, win);
    if (!is_moved && from != MPI_PROC_NULL) restarts("MPI_Rget", at, count, type);
    int result = PMPI_Rget(at, count, type, from, place, from_count, from_type, win, request);
    return begun(is_moved ? pending_move(win, from) : NULL, result, request);
}

/* --- synchronization: ours first, so that what others see after the program's is all there -------------------------------- */

static void flush_window(struct window *window, int target, int is_local) {
    if (!window->is_dirty) return;
    for (int i = 0; i < PLANES; i++) {
        if (is_local) PMPI_Win_flush_local(target, window->planes[i]);
        else PMPI_Win_flush(target, window->planes[i]);
    }
}

static void flush_all(MPI_Win win, int is_local) {
    struct window *window = window_of(win);
    if (!window || !window->is_dirty) return;
    /* Before: another thread may move something meanwhile. */
    if (!is_local) window->is_dirty = 0;
    for (int i = 0; i < PLANES; i++) {
        if (is_local) PMPI_Win_flush_local_all(window->planes[i]);
        else PMPI_Win_flush_all(window->planes[i]);
    }
}

static void flush_one(MPI_Win win, int target, int is_local) {
    struct window *window = window_of(win);
    if (window && target != MPI_PROC_NULL) flush_window(window, target, is_local);
}

WRAP int MPI_Win_fence(int assertion, MPI_Win win) {
    flush_all(win, 0);
    return PMPI_Win_fence(assertion, win);
}

WRAP int MPI_Win_complete(MPI_Win win) {
    flush_all(win, 0);
    return PMPI_Win_complete(win);
}

WRAP int MPI_Win_unlock(int target, MPI_Win win) {
    flush_one(win, target, 0);
    return PMPI_Win_unlock(target, win);
}

WRAP int MPI_Win_unlock_all(MPI_Win win) {
    flush_all(win, 0);
    return PMPI_Win_unlock_all(win);
}

WRAP int MPI_Win_flush(int target, MPI_Win win) {
    flush_one(win, target, 0);
    return PMPI_Win_flush(target, win);
}

WRAP int MPI_Win_flush_all(MPI_Win win) {
    flush_all(win, 0);
    return PMPI_Win_flush_all(win);
}

WRAP int MPI_Win_flush_local(int target, MPI_Win win) {
    flush_one(win, target, 1);
    return PMPI_Win_flush_local(target, win);
}

WRAP int MPI_Win_flush_local_all(MPI_Win win) {
    flush_all(win, 1);
    return PMPI_Win_flush_local_all(win);
}

WRAP int MPI_Win_free(MPI_Win *win) {
    struct window *window = window_of(*win);
    if (window) {
        PMPI_Win_delete_attr(*win, window_key);
        for (int i = 0; i < PLANES; i++) {
            PMPI_Win_unlock_all(window->planes[i]);
            PMPI_Win_free(&window->planes[i]);
        }
        free(window);
    }
    return PMPI_Win_free(win);
}
