// A linear filter of second order, a fresh input each step. bound: S 1.4e-16 1.56e-14
#include <nonius.h>
int main(void) {
    double E = 0.5, E0 = 0, E1 = 0, S = 0, S0 = 0, S1 = 0;
    nonius_input(&E, -1.0, 1.0);
    nonius_input(&E0, -1.0, 1.0);
    for (int i = 1; i < 200; i++) {
        E1 = E0;
        E0 = E;
        E = 0.5;
        nonius_input(&E, -1.0, 1.0);
        S1 = S0;
        S0 = S;
        S = 0.7 * E - E0 * 1.3 + E1 * 1.1 + S0 * 1.4 - S1 * 0.7;
    }
    nonius_bounds(&S);
    return 0;
}
