// Every conversion of printf, with widths, precisions and positions.
#include <locale.h>
#include <stdio.h>

int main(void) {
    volatile double in = 1234.5678;
    double x = in;
    printf("%f %e %g %a %F %E %G %A\n", x, x, x, x, x, x, x, x);
    printf("%10.3f|%-12.2e|%+g|% g|%#g|%010.1f|%.0f|%.20g\n", x, x, x, x, x, x, x, x);
    printf("%*.*f\n", 12, 4, x);
    printf("%2$g %1$d\n", 7, x / 3);
    printf("%Lf %Le %La %.25Lg\n", (long double)x, (long double)x / 3, (long double)x, (long double)x / 7);
    printf("%d %g %s %c %g %lu %p %g %%\n", 1, x, "text", 'c', x / 2, 3ul, (void *)0, (float)x);
    char text[100];
    int n = snprintf(text, sizeof text, "%g and %g", x, -x);
    n += sprintf(text + 50, "%.3e", x);
    fprintf(stdout, "%s %s %d\n", text, text + 50, n);
    printf("%f %f %f %f\n", x - x > 0 ? 0.5 : 1, -0.0, x * 1e300, 5e-324);
}
