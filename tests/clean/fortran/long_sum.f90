! nonius: opt=O0 options=reexecutions=4
! A long sum of singles, which flang's runtime compensates as Kahan does: what a plain loop would lose is not lost. (Eight
! million operations: twenty executions by residue-override would take half a minute.)
program long_sum
  implicit none
  real(4), allocatable :: tenths(:)
  real(4) :: total
  allocate (tenths(2000000))
  tenths = 0.1e0
  total = sum(tenths)
  print *, total, dot_product(tenths, tenths), norm2(tenths)
  ! Beyond a single's range until the root is taken.
  tenths = 1e30
  print *, norm2(tenths(1:3))
end program
