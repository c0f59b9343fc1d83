// bound: z 9.9e-9 1.0e-8
#include <nonius.h>
int main(void) {
    volatile float one = 1.0f, tiny = 1e-8f;
    float z = one + tiny;
    nonius_bounds(&z);
    return 0;
}
