void raw_scale(double *a, int n, double factor) {
    for (int i = 0; i < n; i++) a[i] *= factor;
}
void raw_swap(double *a, double *b) {
    double t = *a;
    *a = *b;
    *b = t;
}
