! nonius: stdin="1d15\n"
! A write into a string is output too.
program internal_write
  implicit none
  real(8) :: x
  character(len=40) :: text
  read *, x
  write (text, '(es24.16)') sqrt(x + 1) - sqrt(x) !~ precision-loss: 45..53 bits lost @output
  print *, trim(text)
  write (*, '(f8.3)') sqrt(x) / 1d7
end program
