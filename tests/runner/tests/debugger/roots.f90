subroutine show(values)
  real(8), intent(in) :: values(3)
  print '(es10.2)', values(2)
end subroutine

subroutine compute(b, c, values)
  real(8), intent(in) :: b, c
  real(8), intent(inout) :: values(3)
  real(8) :: d, small
  d = sqrt(b * b - 4 * c)
  small = (-b + d) / 2
  values(2) = small
end subroutine

program roots
  real(8) :: values(3)
  values = [1d0, 2d0, 3d0]
  call compute(1d8 * (1 + command_argument_count()), 1d0, values)
  call show(values)
end program
