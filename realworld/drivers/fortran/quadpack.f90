! Four integrals with closed forms: a singularity at an end, an infinite range, an oscillation, a principal value.
module integrands
  implicit none
contains
  double precision function singular(x)
    double precision :: x
    singular = log(x) / sqrt(x)
  end function
  double precision function bell(x)
    double precision :: x
    bell = exp(-x * x)
  end function
  double precision function root(x)
    double precision :: x
    root = 1d0 / (1d0 + x * x)
  end function
end module

program quadpack
  use integrands
  implicit none
  integer, parameter :: limit = 500, maxp1 = 50
  double precision :: result, abserr, work(4 * limit + 2 * 25 * maxp1), low, high
  integer :: neval, ier, last, iwork(2 * limit)
  external :: dqags, dqagi, dqawo, dqawc
  read (*, *) low, high
  call dqags(singular, low, high, 1d-12, 1d-10, result, abserr, neval, ier, limit, 4 * limit, last, iwork, work)
  print '(i2, es25.16)', ier, result
  call dqagi(bell, low, 2, 1d-12, 1d-10, result, abserr, neval, ier, limit, 4 * limit, last, iwork, work)
  print '(i2, es25.16)', ier, result
  call dqawo(root, low, high, 40d0, 1, 1d-12, 1d-10, result, abserr, neval, ier, 2 * limit, maxp1, &
             4 * limit + 2 * 25 * maxp1, last, iwork, work)
  print '(i2, es25.16)', ier, result
  call dqawc(bell, low - high, 2 * high, high / 4, 1d-12, 1d-10, result, abserr, neval, ier, limit, 4 * limit, last, iwork, work)
  print '(i2, es25.16)', ier, result
end program
