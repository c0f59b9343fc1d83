// What goes wrong in one file and shows in another, while the linker inlines the one into the other; a third was compiled
// by plain clang, and calls back.
// nonius: opt=O0-lto,O2-lto,O3-lto,O0-thin,O2-thin,O3-thin object=root.c raw=raw.c
#include <stdio.h>

double small_root(double b, double c);
double stable_root(double b, double c);
double through_raw(double b, double c);

int main(void) {
    volatile double b = 1e8, c = 1;
    printf("%.17g\n", small_root(b, c));
    printf("%.17g\n", through_raw(b, c));
    printf("%.17g\n", stable_root(b, c));
    return 0;
}
