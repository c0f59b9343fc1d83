// Five hundred tenths. bound: t 1.90e-4 1.911e-4
#include <nonius.h>
int main(void) {
    float tenth = 0.1f;
    nonius_input_error(&tenth, 0.1, 0.1, 1.49e-9, 1.4902e-9);
    float t = 0;
    for (int i = 0; i < 500; i++)
        t += tenth;
    nonius_bounds(&t);
    return 0;
}
