! What a Fortran program can ask of abstract execution ('nonius fortran', oracle=zonotope). Compile this file with the
! program, and 'use nonius' where it asks. Without Nonius the requests do nothing.
!
!   call nonius_input(x, lo, hi [, elo, ehi] [, name])   x is an input: the real number that it stands for is anywhere from
!                                                         lo to hi, and x differs from that by elo to ehi
!   call nonius_bounds(x [, name])                        what x can be goes into the report
!   call nonius_split(), call nonius_merge(x)             paths that part in between meet at the merge, and differ in x alone
!   call nonius_one_path(.true.), and .false. behind      tests in between go the program's way for all inputs
module nonius
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: nonius_input, nonius_bounds, nonius_split, nonius_merge, nonius_one_path

  interface nonius_input
    module procedure input_single, input_double
  end interface
  interface nonius_bounds
    module procedure bounds_single, bounds_double
  end interface
  interface nonius_merge
    module procedure merge_single, merge_double
  end interface

#ifdef __NONIUS__
  interface
    subroutine api_input(at, bytes, name, file, line, lo, hi, elo, ehi) bind(c, name='__nonius_api_input')
      import
      type(c_ptr), value :: at
      integer(c_size_t), value :: bytes
      character(kind=c_char), intent(in) :: name(*), file(*)
      integer(c_int), value :: line
      real(c_double), value :: lo, hi, elo, ehi
    end subroutine
    subroutine api_bounds(at, bytes, name, file, line) bind(c, name='__nonius_api_bounds')
      import
      type(c_ptr), value :: at
      integer(c_size_t), value :: bytes
      character(kind=c_char), intent(in) :: name(*), file(*)
      integer(c_int), value :: line
    end subroutine
    subroutine api_split() bind(c, name='__nonius_api_split')
    end subroutine
    subroutine api_one_path(begins) bind(c, name='__nonius_api_one_path')
      import c_int
      integer(c_int), value :: begins
    end subroutine
    subroutine api_merge(at, bytes, each) bind(c, name='__nonius_api_merge')
      import
      type(c_ptr), value :: at
      integer(c_size_t), value :: bytes, each
    end subroutine
  end interface
#endif

contains

  subroutine declare(at, bytes, lo, hi, elo, ehi, name)
    type(c_ptr), value :: at
    integer(c_size_t), value :: bytes
    real(c_double), value :: lo, hi
    real(c_double), intent(in), optional :: elo, ehi
    character(*), intent(in), optional :: name
#ifdef __NONIUS__
    real(c_double) :: error(2)
    error = 0
    if (present(elo)) error(1) = elo
    if (present(ehi)) error(2) = ehi
    call api_input(at, bytes, text(name), c_null_char, 0_c_int, lo, hi, error(1), error(2))
#endif
  end subroutine

  subroutine input_single(x, lo, hi, elo, ehi, name)
    real(c_float), intent(inout), target :: x
    real(c_double), intent(in) :: lo, hi
    real(c_double), intent(in), optional :: elo, ehi
    character(*), intent(in), optional :: name
    call declare(c_loc(x), 4_c_size_t, lo, hi, elo, ehi, name)
  end subroutine

  subroutine input_double(x, lo, hi, elo, ehi, name)
    real(c_double), intent(inout), target :: x
    real(c_double), intent(in) :: lo, hi
    real(c_double), intent(in), optional :: elo, ehi
    character(*), intent(in), optional :: name
    call declare(c_loc(x), 8_c_size_t, lo, hi, elo, ehi, name)
  end subroutine

  subroutine bounds_single(x, name)
    real(c_float), intent(in), target :: x
    character(*), intent(in), optional :: name
#ifdef __NONIUS__
    call api_bounds(c_loc(x), 4_c_size_t, text(name), c_null_char, 0_c_int)
#endif
  end subroutine

  subroutine bounds_double(x, name)
    real(c_double), intent(in), target :: x
    character(*), intent(in), optional :: name
#ifdef __NONIUS__
    call api_bounds(c_loc(x), 8_c_size_t, text(name), c_null_char, 0_c_int)
#endif
  end subroutine

  subroutine nonius_split()
#ifdef __NONIUS__
    call api_split()
#endif
  end subroutine

  subroutine nonius_one_path(begins)
    logical, intent(in) :: begins
#ifdef __NONIUS__
    call api_one_path(merge(1_c_int, 0_c_int, begins))
#endif
  end subroutine

  subroutine merge_single(x)
    real(c_float), intent(inout), target :: x
#ifdef __NONIUS__
    call api_merge(c_loc(x), 4_c_size_t, 4_c_size_t)
#endif
  end subroutine

  subroutine merge_double(x)
    real(c_double), intent(inout), target :: x
#ifdef __NONIUS__
    call api_merge(c_loc(x), 8_c_size_t, 8_c_size_t)
#endif
  end subroutine

  ! A name as C has it.
  function text(name) result(all)
    character(*), intent(in), optional :: name
    character(kind=c_char, len=64) :: all
    all = c_null_char
    if (present(name)) all = trim(name) // c_null_char
  end function
end module nonius
