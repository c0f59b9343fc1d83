/* Figure 7 of "Runtime abstract interpretation for numerical accuracy and robustness": x / (y + c) == 0 and f - 0.1 <= g.
   c has 96 bits. So y + c is an integer of any size, and so is the quotient; x and y are read as what they are, and what is
   compared with 0 fits into an int. f - 0.1 is a rational: a tenth is one, and no double is. */
volatile int zero = 0;
volatile double tenth = 0.1;

int main(void) {
    int x = 7 + zero, y = -3 + zero;
    double f = 2 * tenth, g = tenth;
    /*@ assert x / (y + 79228162514264337593543950335) == 0 && f - 0.1 <= g + 0x1p-54; */
    // Twice the double next to a tenth, less a tenth, is more than that double.
    /*@ assert x / (y + 79228162514264337593543950335) == 0 && f - 0.1 <= g; */ //~ failed
    /*@ assert x / (y + 79228162514264337593543950335) == 0 && f - 0.1 > g; */
    // With a c that an int holds the quotient is another, by way of machine integers.
    /*@ assert x / (y + 5) == 3; */
    /*@ assert x / (y + 5) == 0 && f - 0.1 <= g + 1; */ //~ failed
    return 0;
}
