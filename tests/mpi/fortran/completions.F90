! Persistent requests, and each way to wait for some: indices count from 1.
#include "common.h"
program completions
  USE_MPI
  implicit none
#if !defined(F08) && !defined(MODULE)
  include 'mpif.h'
#endif
  double precision, volatile :: large = 1d16, small = SMALL
  integer :: rank, n, next, previous, ierr
  double precision :: sent(3), got(3)
  integer :: i, index, indices(6), count, round
  logical :: flag, seen(6)
  HANDLE(MPI_Request) :: requests(6)
  STATUS_OF(status)
  STATUSES_OF(statuses, 6)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  next = mod(rank + 1, n)
  previous = mod(rank + n - 1, n)
  do i = 1, 3
    call MPI_Recv_init(got(i), 1, MPI_DOUBLE_PRECISION, previous, i, MPI_COMM_WORLD, requests(i), ierr)
    call MPI_Send_init(sent(i), 1, MPI_DOUBLE_PRECISION, next, i, MPI_COMM_WORLD, requests(i + 3), ierr)
  end do
  do round = 1, 5
    sent = [large + small, large, large + small]
    got = 0
    seen = .false.
    call MPI_Startall(6, requests, ierr)
    select case (round)
    case (1)
      do i = 1, 6
        call MPI_Waitany(6, requests, index, status, ierr)
        seen(index) = .true.
      end do
      call MPI_Waitany(6, requests, index, status, ierr)
      ! MPICH's own adds 1 to that, too.
      if (index /= MPI_UNDEFINED .and. index /= MPI_UNDEFINED + 1) error stop 'there is nothing to wait for'
    case (2)
      i = 0
      do while (i < 6)
        call MPI_Testany(6, requests, index, flag, status, ierr)
        if (.not. flag) cycle
        seen(index) = .true.
        i = i + 1
      end do
    case (3)
      i = 0
      do while (i < 6)
        call MPI_Waitsome(6, requests, count, indices, statuses, ierr)
        seen(indices(:count)) = .true.
        i = i + count
      end do
    case (4)
      i = 0
      do while (i < 6)
        call MPI_Testsome(6, requests, count, indices, MPI_STATUSES_IGNORE, ierr)
        seen(indices(:count)) = .true.
        i = i + count
      end do
    case (5)
      flag = .false.
      do while (.not. flag)
        call MPI_Testall(6, requests, flag, statuses, ierr)
      end do
      seen = flag
    end select
    if (.not. all(seen)) error stop 'an index is wrong'
    print *, got(1) - large !~ precision-loss: 52..53 bits lost @output
    print *, got(2) - large
    print *, got(3) - large !~ precision-loss: 52..53 bits lost @output
  end do
  call MPI_Start(requests(1), ierr)
  call MPI_Start(requests(4), ierr)
  flag = .false.
  do while (.not. flag)
    call MPI_Test(requests(1), flag, status, ierr)
  end do
  call MPI_Wait(requests(4), status, ierr)
  do i = 1, 6
    call MPI_Request_free(requests(i), ierr)
  end do
  if (any([(requests(i) /= MPI_REQUEST_NULL, i = 1, 6)])) error stop 'a request is still there'
  call MPI_Finalize(ierr)
end program
