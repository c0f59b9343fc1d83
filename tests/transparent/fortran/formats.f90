! nonius: stdin="2.0 3.0\n"
! Every way of printing prints the same.
program formats
  implicit none
  real(4) :: s
  real(8) :: d
  real(10) :: t
  complex(8) :: z
  character(len=80) :: text
  read *, s, d
  t = real(d, 10) / 3
  d = sqrt(d)
  s = sqrt(s)
  z = cmplx(d, -d, 8)
  print *, s, d, t, z
  write (*, '(f10.4, es20.12, g15.6, e12.4e3)') s, d, d, d
  write (text, '(3f12.6)') d, d / 3, d * 1000
  print *, trim(text)
  print *, [d, 1 / d, d**3], huge(d), tiny(s), 0 * (-d)
end program
