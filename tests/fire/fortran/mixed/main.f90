! nonius: object=roots.c stdin="1d15\n"
! Fortran calls C and C calls Fortran, in one shadow.
module interfaces
  use iso_c_binding
  implicit none
  interface
    real(c_double) function root_of(x) bind(c)
      import c_double
      real(c_double), value :: x
    end function
    real(c_double) function twice(f, x) bind(c)
      import c_double, c_funptr
      type(c_funptr), value :: f
      real(c_double), value :: x
    end function
  end interface
contains
  real(c_double) function halved(x) bind(c)
    real(c_double), value :: x
    halved = x / 2
  end function
end module

program mixed
  use interfaces
  implicit none
  real(8) :: x
  read *, x
  print *, root_of(x + 1) - root_of(x) !~ precision-loss: 45..53 bits lost
  print *, twice(c_funloc(halved), x)
end program
