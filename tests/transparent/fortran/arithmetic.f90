! nonius: stdin="0.1 -2.5 1e300 3e-310 7.0\n"
! The bits of results are the same with shadows beside them.
program arithmetic
  implicit none
  real(8) :: x(5), y
  integer :: i
  read *, x
  do i = 1, 5
    y = x(mod(i, 5) + 1)
    print '(4z17)', x(i) + y, x(i) * y, x(i) / y, sqrt(abs(x(i)))
    print '(4z17)', sin(x(i)), exp(-abs(x(i))), mod(y, 3d0), real(real(x(i) / 1d290, 4), 8)
    print *, int(min(y, 1d6)), nint(max(-1d6, min(y, 1d6))), x(i) < y, sign(x(i), y), scale(x(i), -3)
  end do
  print '(z17)', sum(x * x)
end program
