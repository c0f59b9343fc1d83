// nonius: stdin="0.1 2.5e3 -7 0x1.8p3 1e-320\nline of text\n3.25abc 17 9.75\n"
// Reading numbers by scanf, fgets with strtod and sscanf, and raw bytes.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    double a[5];
    float f;
    long double l;
    int n = 0, i;
    char line[100], *end;
    for (i = 0; i < 5; i++) n += scanf("%lf", &a[i]);
    if (!fgets(line, sizeof line, stdin) || !fgets(line, sizeof line, stdin)) return 2;
    printf("%d %s", n, line);
    for (i = 0; i < 5; i++) printf("%a\n", a[i] / 3);
    if (!fgets(line, sizeof line, stdin)) return 3;
    double x = strtod(line, &end);
    printf("%a %c %d\n", x, *end, sscanf(end, "abc %d %f", &i, &f));
    printf("%d %a %a %a\n", i, (double)f, atof("0.3") + strtof("0.3", NULL), (double)strtold("0.3", NULL));
    printf("%d %La\n", sscanf("1.25e1", "%Lf", &l), l);
}
