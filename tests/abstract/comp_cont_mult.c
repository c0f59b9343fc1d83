// Slopes 2.25, 1.1 and 0 with knots at 5 and 25. bound: res 2.25e-5 3.40e-5
#include <nonius.h>
int main(void) {
    float E = 10.0f, res;
    nonius_input_error(&E, 0.0, 100.0, -1e-5, 1e-5);
    if (E < 5.0f)
        res = 2.25f * E;
    else if (E < 25.0f)
        res = 1.1f * E + 5.75f;
    else
        res = 33.25f;
    nonius_bounds(&res);
    return 0;
}
