// A determinant by LU decomposition with partial pivoting; the first pivot can be one of two rows. No bound is lost where
// they meet: the determinant does not depend on the order. bound: det 9.7e-16 7.14e-15
#include <math.h>
#include <nonius.h>
#define N 3
int main(void) {
    double a[N][N] = {{1.5, 0.3, 0.7}, {-1.5, 1.2, 0.1}, {0.4, -0.6, 1.1}}, det = 1.0;
    nonius_input(&a[0][0], 1.499, 1.501);
    for (int k = 0; k < N; k++) {
        int best = k;
        for (int i = k + 1; i < N; i++)
            if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
        if (best != k) {
            for (int j = k; j < N; j++) {
                double other = a[k][j];
                a[k][j] = a[best][j];
                a[best][j] = other;
            }
            det = -det;
        }
        det *= a[k][k];
        for (int i = k + 1; i < N; i++) {
            double factor = a[i][k] / a[k][k];
            for (int j = k + 1; j < N; j++) a[i][j] -= factor * a[k][j];
        }
    }
    nonius_bounds(&det);
    return 0;
}
