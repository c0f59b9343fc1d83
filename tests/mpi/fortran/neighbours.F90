! Neighbours on a ring as a grid, and as a graph without weights and with them.
! ranks: 3
#include "common.h"
program neighbours
  USE_MPI
  implicit none
#if !defined(F08) && !defined(MODULE)
  include 'mpif.h'
#endif
  double precision, volatile :: large = 1d16, small = SMALL
  integer :: rank, n, next, previous, ierr
  double precision :: sent(2), got(2)
  integer :: counts(2), in, out
  integer(MPI_ADDRESS_KIND) :: places(2)
  logical :: is_weighted
  HANDLE(MPI_Comm) :: ring, graph
  HANDLE(MPI_Datatype) :: types(2)
  HANDLE(MPI_Request) :: request
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  next = mod(rank + 1, n)
  previous = mod(rank + n - 1, n)
  sent = [large + small, large]
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [n], [.true.], .false., ring, ierr)
  call MPI_Neighbor_alltoall(sent, 1, MPI_DOUBLE_PRECISION, got, 1, MPI_DOUBLE_PRECISION, ring, ierr)
  print *, got(1) - large
  print *, got(2) - large !~ precision-loss: 52..53 bits lost @output
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [previous], MPI_UNWEIGHTED, 1, [next], MPI_UNWEIGHTED, &
    MPI_INFO_NULL, .false., graph, ierr)
  call MPI_Dist_graph_neighbors_count(graph, in, out, is_weighted, ierr)
  if (in /= 1 .or. out /= 1 .or. is_weighted) error stop 'the graph is another'
  call MPI_Ineighbor_allgather(sent, 1, MPI_DOUBLE_PRECISION, got, 1, MPI_DOUBLE_PRECISION, graph, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  print *, got(1) - large !~ precision-loss: 52..53 bits lost @output
  call MPI_Comm_free(graph, ierr)
  call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], [next], [3], MPI_INFO_NULL, .false., graph, ierr)
  call MPI_Dist_graph_neighbors_count(graph, in, out, is_weighted, ierr)
  if (in /= 1 .or. out /= 1 .or. .not. is_weighted) error stop 'the graph is another'
  counts = 1
  places = 0
  types = MPI_DOUBLE_PRECISION
  got = 0
  call MPI_Neighbor_alltoallw(sent, counts, places, types, got, counts, places, types, graph, ierr)
  print *, got(1) - large !~ precision-loss: 52..53 bits lost @output
  call MPI_Comm_free(graph, ierr)
  call MPI_Comm_free(ring, ierr)
  call MPI_Finalize(ierr)
end program
