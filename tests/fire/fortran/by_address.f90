! Intrinsic functions as arguments of procedures.
! nonius: stdin="1d-9\n"
program by_address
  implicit none
  intrinsic :: dcos, dexp
  double precision :: tiny
  read *, tiny
  print *, from_one(dcos, tiny)
  print *, from_one(dexp, tiny)
contains
  double precision function from_one(f, x)
    interface
      double precision function f(x)
        double precision, intent(in) :: x
      end function
    end interface
    double precision, intent(in) :: x
    from_one = f(x) - 1 !~ precision-loss: 33..53 bits lost
  end function
end program
