// bound: out1 2.0e-6 4.0e-6
#include <nonius.h>
static const double table[11] = {0, 1, 3, 4, 3, 1, 0, 2, 4, 5, 6};
int main(void) {
    double in = 4.5, out1;
    nonius_input_error(&in, 0.0, 9.999, -1e-6, 1e-6);
    nonius_split();
    int index = (int)in;
    if (index < 0)
        out1 = table[0];
    else if (index >= 10)
        out1 = table[10];
    else
        out1 = table[index] + (in - index) * (table[index + 1] - table[index]);
    nonius_merge(&out1);
    nonius_bounds(&out1);
    return 0;
}
