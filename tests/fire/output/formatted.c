// The other ways to text: snprintf, fprintf, a long double argument, several arguments in one call.
#include <stdio.h>

static double kept[4];

__attribute__((noinline)) static void keep(double a, double b) {
    kept[0] = kept[1] = kept[2] = ((a + b) - a) - b; //~ precision-loss: 52..53 bits lost @output
    kept[3] = a * b;
}

int main(void) {
    volatile double a = 0.7, b = 0.1;
    char text[64];
    keep(a, b);
    snprintf(text, sizeof text, "%d %g", 1, kept[0]);       //~ precision-loss: 52..53 bits lost @output
    fprintf(stdout, "%s %g %e\n", text, kept[3], kept[1]);  //~ precision-loss: 52..53 bits lost @output
    printf("%Lg\n", (long double)kept[2]);                  //~ precision-loss: 52..64 bits lost @output
}
