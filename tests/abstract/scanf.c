// Values that are read, summed in float. bound: res 1e-9 5.96e-7
#include <nonius.h>
#include <stdio.h>
int main(void) {
    float sum = 0, v, res;
    const char *text = "0.1 0.2 0.3 1.4";
    int used = 0, n;
    while (sscanf(text + used, "%f%n", &v, &n) == 1) {
        used += n;
        sum += v;
    }
    res = sum;
    nonius_bounds(&res);
    return 0;
}
