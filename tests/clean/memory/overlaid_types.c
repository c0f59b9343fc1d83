// The same memory as double, as two floats, as bytes: no view may read another's residue.
#include <stdio.h>
#include <string.h>

union overlay { double d; float f[2]; unsigned char c[8]; };

__attribute__((noinline)) static void set_double(union overlay *o, double x) { o->d = x / 3; }
__attribute__((noinline)) static void set_floats(union overlay *o, float x) { o->f[0] = x / 3, o->f[1] = x / 7; }

int main(void) {
    volatile double x = 1;
    union overlay o;
    set_double(&o, x);
    float low = o.f[0];
    set_floats(&o, (float)x);
    double d = o.d;
    memset(o.c, 0x3f, 4);
    printf("%d %d %.7g %.7g\n", low == low, d > 0, (double)o.f[0], (double)o.f[1]);
}
