/* MPI in one process: the ranks are threads (RANKS of them), messages are copies of memory. Programs of tests/mpi are built
 * with it instead of a library, and must find the same. It has what they call, and is right for what they do: nothing is
 * checked, and what goes on in MPI is over here when it has begun. */
#pragma once

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PER_RANK _Thread_local

typedef long MPI_Aint;
typedef struct datatype *MPI_Datatype;
typedef struct comm *MPI_Comm;
typedef struct group *MPI_Group;
typedef struct op *MPI_Op;
typedef struct request *MPI_Request;
typedef struct message *MPI_Message;
typedef struct window *MPI_Win;
typedef int MPI_Info;
typedef struct {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR, bytes;
} MPI_Status;
typedef void MPI_User_function(void *in, void *inout, int *count, MPI_Datatype *type);

#define MPI_SUCCESS 0
#define MPI_UNDEFINED (-32766)
#define MPI_PROC_NULL (-1)
#define MPI_ANY_SOURCE (-2)
#define MPI_ANY_TAG (-1)
#define MPI_INFO_NULL 0
#define MPI_BOTTOM ((void *)0)
#define MPI_IN_PLACE ((void *)1)
#define MPI_UNWEIGHTED ((int *)2)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_REQUEST_NULL ((MPI_Request)0)
#define MPI_COMM_NULL ((MPI_Comm)0)
#define MPI_DATATYPE_NULL ((MPI_Datatype)0)
#define MPI_THREAD_MULTIPLE 3
#define MPI_BSEND_OVERHEAD 64
#define MPI_LOCK_SHARED 1
#define MPI_LOCK_EXCLUSIVE 2
enum { MPI_ORDER_C, MPI_ORDER_FORTRAN };

#include "world.h"

#include "datatypes.h"

#include "messages.h"

#include "requests.h"

#include "collectives.h"

#include "reductions.h"

#include "windows.h"

#define main program_of_a_rank
