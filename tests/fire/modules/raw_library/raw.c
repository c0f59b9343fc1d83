double raw_twice(double x) { return 2 * x; }
void raw_fill(double *a, int n, double x) {
    for (int i = 0; i < n; i++) a[i] = x;
}
