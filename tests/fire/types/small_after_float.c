// What went through a float on its way is judged as a double where it is far below what floats can be: 2^-206 for 2^-210.
// It is seen where it is stored, and nowhere else.
#include <math.h>
#include <stdio.h>

volatile double input = 0.7, made;

int main(void) {
    double x = input;
    float rounded = (float)(x + 1e6);
    made = exp2(-300.0 * (rounded - 1e6f)); //~ precision-loss: 50..53 bits lost @store
    made = exp2(-300.0 * ((x + 1e6) - 1e6));
    puts("done");
}
