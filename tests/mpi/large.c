// Messages past every limit for eager ones; each rank sends before it receives.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    enum { N = 1 << 18 };
    double *sent = malloc(N * sizeof *sent), *got = calloc(N, sizeof *got), worst = 0;
    for (int i = 0; i < N; i++) sent[i] = i == N - 1 ? made(0) : large;
    MPI_Request request;
    MPI_Irecv(got, N, MPI_DOUBLE, previous, 7, MPI_COMM_WORLD, &request);
    MPI_Send(sent, N, MPI_DOUBLE, next, 7, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < N - 1; i++) worst = fmax(worst, got[i] - large);
    printf("%d %g\n", rank, worst);
    printf("%d %g\n", rank, got[N - 1] - large); //~ precision-loss: 52..53 bits lost
    free(sent);
    free(got);
    MPI_Finalize();
    return 0;
}
