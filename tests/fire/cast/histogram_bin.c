// The index of a histogram's bin: 0.9 belongs to bin 7 above 0.2 and lands in bin 6.
#include <stdio.h>

int bin(double x, double low, double width) { return (int)((x - low) / width); } //~ cast-flip

int main(void) {
    volatile double x = 0.9, low = 0.2, width = 0.1;
    int counts[16] = {0};
    counts[bin(x, low, width)]++;
    counts[bin(0.75, 0.25, 0.125)]++;
    for (int i = 0; i < 16; i++) printf("%d", counts[i]);
    puts("");
}
