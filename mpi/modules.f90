! The modules `mpi` and `mpi_f08` over the routines of an MPI library's own mpif.h, for a compiler that cannot read the
! modules that the library has. crates/driver/src/mpi/fortran.rs fills in what is between at signs.

module nonius_mpi_constants
  include 'mpif.h'
end module

module nonius_mpi_sizes
  implicit none
  private
  public :: MPI_Sizeof
  interface MPI_Sizeof
    module procedure @SIZES@
  end interface
contains
@SIZE_PROCEDURES@
end module

! MPI_Aint_add and its kin, where mpif.h does not declare them.
module nonius_mpi_addresses
  use nonius_mpi_constants, only: MPI_ADDRESS_KIND
  implicit none
contains
  integer(MPI_ADDRESS_KIND) function nonius_aint_add(base, disp)
    integer(MPI_ADDRESS_KIND) :: base, disp
    nonius_aint_add = base + disp
  end function
  integer(MPI_ADDRESS_KIND) function nonius_aint_diff(addr1, addr2)
    integer(MPI_ADDRESS_KIND) :: addr1, addr2
    nonius_aint_diff = addr1 - addr2
  end function
end module

module nonius_mpi_sync
  implicit none
contains
  ! That it is called says all: the compiler does not know that nothing is done with the buffer.
  subroutine MPI_F_sync_reg(buf)
    !dir$ ignore_tkr(tkr) buf
    integer, target :: buf
  end subroutine
end module

! What returns a pointer.
module nonius_mpi_pointers
  use, intrinsic :: iso_c_binding, only: c_ptr
  use nonius_mpi_constants, only: MPI_ADDRESS_KIND
  implicit none
  private :: c_ptr, MPI_ADDRESS_KIND
@GENERICS@
contains
@POINTERS@
end module

module mpi
  use nonius_mpi_constants
  use nonius_mpi_pointers
  use nonius_mpi_sync
@USE_SIZES@
@ADDRESSES@
  interface
@INTERFACES@
  end interface
end module

module nonius_mpi_types
  use nonius_mpi_constants, @NAMED_ELSE@
  implicit none
  private :: @ELSE@

@TYPES@
  ! As the library lays a status out.
  type, bind(C) :: MPI_Status
@STATUS@
  end type

@NAMED@

  ! The addresses of these say what is meant.
@SENTINELS@

  interface operator(==)
    module procedure @EQUALS@
  end interface
  interface operator(/=)
    module procedure @UNEQUALS@
  end interface

  abstract interface
    subroutine MPI_User_function(invec, inoutvec, len, datatype)
      use, intrinsic :: iso_c_binding, only: c_ptr
      import :: MPI_Datatype
      type(c_ptr), value :: invec, inoutvec
      integer :: len
      type(MPI_Datatype) :: datatype
    end subroutine
    subroutine MPI_Comm_errhandler_function(comm, error_code)
      import :: MPI_Comm
      type(MPI_Comm) :: comm
      integer :: error_code
    end subroutine
    subroutine MPI_Win_errhandler_function(win, error_code)
      import :: MPI_Win
      type(MPI_Win) :: win
      integer :: error_code
    end subroutine
    subroutine MPI_File_errhandler_function(file, error_code)
      import :: MPI_File
      type(MPI_File) :: file
      integer :: error_code
    end subroutine
    subroutine MPI_Comm_copy_attr_function(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, &
        flag, ierror)
      import :: MPI_Comm, MPI_ADDRESS_KIND
      type(MPI_Comm) :: oldcomm
      integer :: comm_keyval, ierror
      integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
      logical :: flag
    end subroutine
    subroutine MPI_Comm_delete_attr_function(comm, comm_keyval, attribute_val, extra_state, ierror)
      import :: MPI_Comm, MPI_ADDRESS_KIND
      type(MPI_Comm) :: comm
      integer :: comm_keyval, ierror
      integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
    end subroutine
  end interface
contains
@COMPARISONS@
end module

module nonius_mpi_f08
  use, intrinsic :: iso_c_binding, only: c_ptr
  use nonius_mpi_types
  implicit none
contains
@WRAPPERS@
  subroutine MPI_Status_f2f08_f08(f_status, f08_status, ierror)
    integer :: f_status(MPI_STATUS_SIZE)
    type(MPI_Status) :: f08_status
    integer, optional :: ierror
    f08_status = transfer(f_status, f08_status)
    if (present(ierror)) ierror = MPI_SUCCESS
  end subroutine
  subroutine MPI_Status_f082f_f08(f08_status, f_status, ierror)
    type(MPI_Status) :: f08_status
    integer :: f_status(MPI_STATUS_SIZE)
    integer, optional :: ierror
    f_status = transfer(f08_status, f_status)
    if (present(ierror)) ierror = MPI_SUCCESS
  end subroutine
end module

module mpi_f08
  use nonius_mpi_types
@USE_SIZES@
@ADDRESSES@
  use nonius_mpi_f08, only: MPI_Status_f2f08 => MPI_Status_f2f08_f08, MPI_Status_f082f => MPI_Status_f082f_f08, &
    @RENAMES@
  use nonius_mpi_sync
  implicit none
  ! Not here: use the module mpi for these.
@UNCALLABLE@
end module
