// A column of a matrix goes to a row, and back by a type with a negative stride.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    enum { N = 4 };
    double matrix[N][N], row[N], back[N];
    MPI_Datatype column, reversed;
    for (int i = 0; i < N * N; i++) matrix[i / N][i % N] = i == 2 * N + 1 ? made(0) : large;
    MPI_Type_vector(N, 1, N, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Type_vector(N, 1, -1, MPI_DOUBLE, &reversed);
    MPI_Type_commit(&reversed);
    MPI_Sendrecv(&matrix[0][1], 1, column, next, 7, row, N, MPI_DOUBLE, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d %g %g\n", rank, row[1] - large, row[2] - large); //~ precision-loss: 52..53 bits lost
    MPI_Sendrecv(row, N, MPI_DOUBLE, next, 7, &back[N - 1], 1, reversed, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d %g\n", rank, back[2] - large);
    printf("%d %g\n", rank, back[1] - large); //~ precision-loss: 52..53 bits lost
    MPI_Type_free(&column);
    MPI_Type_free(&reversed);
    MPI_Finalize();
    return 0;
}
