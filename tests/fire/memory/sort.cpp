// std::sort moves values; each keeps its own error, whichever place it ends at.
#include <algorithm>
#include <cstdio>

int main() {
    volatile double big = 1e17, small = 3;
    double a[40];
    for (int i = 0; i < 40; i++) a[i] = (i * 7) % 40;
    a[13] = big + small;
    std::sort(a, a + 40);
    std::printf("%g\n", a[39] - big); //~ precision-loss: 52..53 bits lost
    std::printf("%g\n", a[38] - a[37]);
}
