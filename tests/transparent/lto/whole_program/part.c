double table[4] = {1, 2, 3, 4};

double product(double a, double b) { return a * b; }

double norm(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += product(x[i], x[i]);
    return s;
}
