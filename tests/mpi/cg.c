// Conjugate gradients for a tridiagonal matrix, cut among ranks: dot products by MPI_Allreduce, borders by MPI_Sendrecv.
// The right-hand side of the last rank has lost a term; the norm of the solution is printed on rank 0.
// ranks: 2 4
#include "common.h"

static double dot(const double *a, const double *b, int n) {
    double local = 0, sum = 0;
    for (int i = 0; i < n; i++) local += a[i] * b[i]; //~? precision-loss: 33..53 bits lost
    MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    enum { N = 4 };
    double x[N] = {0}, r[N], p[N + 2] = {0}, q[N], old = 0, rr = 0;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int i = 0; i < N; i++) r[i] = p[i + 1] = 1.0 / (3 + i + rank);
    if (rank == size - 1) r[0] = p[1] = 0.5 + (made(0) - large); //~ precision-loss: 50..53 bits lost
    rr = dot(r, r, N);
    for (int step = 0; step < 3; step++) {
        MPI_Sendrecv(&p[1], 1, MPI_DOUBLE, left, 0, &p[N + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&p[N], 1, MPI_DOUBLE, right, 1, &p[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < N; i++) q[i] = 3 * p[i + 1] - p[i] - p[i + 2]; //~? precision-loss: 33..53 bits lost
        double alpha = rr / dot(p + 1, q, N); //~? precision-loss: 33..53 bits lost
        for (int i = 0; i < N; i++) x[i] += alpha * p[i + 1], r[i] -= alpha * q[i];
        old = rr, rr = dot(r, r, N); //~? precision-loss: 33..53 bits lost
        for (int i = 0; i < N; i++) p[i + 1] = r[i] + rr / old * p[i + 1]; //~? precision-loss: 33..53 bits lost
    }
    double norm = sqrt(dot(x, x, N)); //~? precision-loss: 33..53 bits lost
    if (rank == 0) printf("%.10g\n", norm); //~ precision-loss: 50..52 bits lost @output
    MPI_Finalize();
    return 0;
}
