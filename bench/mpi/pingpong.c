/* Half the time of a round trip between two ranks, 8 B to 4 MB; with an argument, every float has a residue. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static volatile double third = 3.0;

int main(int argc, char **argv) {
    enum { MOST = 1 << 19 };
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *out = malloc(MOST * sizeof *out), *in = malloc(MOST * sizeof *in);
    for (int i = 0; i < MOST; i++) out[i] = argc > 1 ? (i + 1) / third : i;
    for (int n = 1; n <= MOST; n *= 8) {
        int rounds = n < 4096 ? 5000 : n < 65536 ? 500 : 50;
        double best = 1e9;
        for (int repeat = 0; repeat < 5; repeat++) {
            double start = MPI_Wtime();
            for (int i = 0; i < rounds; i++) {
                if (rank == 0) {
                    MPI_Send(out, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
                    MPI_Recv(in, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                } else if (rank == 1) {
                    MPI_Recv(in, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                    MPI_Send(out, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
                }
            }
            double took = (MPI_Wtime() - start) / rounds / 2;
            if (took < best) best = took;
        }
        if (rank == 0) printf("%9zu B %10.2f us %10.1f MB/s\n", n * sizeof *out, 1e6 * best, n * sizeof *out / best / 1e6);
    }
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
