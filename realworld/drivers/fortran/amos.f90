! Bessel and Airy functions at arguments from standard input: order, and real and imaginary part.
program amos
  implicit none
  double precision :: order, re, im, yr(1), yi(1), wr(1), wi(1), ar, ai
  integer :: nz, ierr, status
  external :: zbesj, zbesy, zbesk, zbesi, zairy
  do
    read (*, *, iostat=status) order, re, im
    if (status /= 0) exit
    call zbesj(re, im, order, 1, 1, yr, yi, nz, ierr)
    print '(a, i2, 2es25.16)', 'J', ierr, yr(1), yi(1)
    call zbesy(re, im, order, 1, 1, yr, yi, nz, wr, wi, ierr)
    print '(a, i2, 2es25.16)', 'Y', ierr, yr(1), yi(1)
    call zbesi(re, im, order, 1, 1, yr, yi, nz, ierr)
    print '(a, i2, 2es25.16)', 'I', ierr, yr(1), yi(1)
    call zbesk(re, im, order, 1, 1, yr, yi, nz, ierr)
    print '(a, i2, 2es25.16)', 'K', ierr, yr(1), yi(1)
    call zairy(re, im, 0, 1, ar, ai, nz, ierr)
    print '(a, i2, 2es25.16)', 'A', ierr, ar, ai
  end do
end program
