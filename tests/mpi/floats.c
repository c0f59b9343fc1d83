// Single precision, and complex numbers.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    float sent = made_float(), got = 0;
    double out[2] = {large, made(0)}, in[2];
    MPI_Sendrecv(&sent, 1, MPI_FLOAT, next, 7, &got, 1, MPI_FLOAT, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d %g\n", rank, got - 1e8f); //~ precision-loss: 23..24 bits lost
    MPI_Sendrecv(out, 1, MPI_C_DOUBLE_COMPLEX, next, 7, in, 1, MPI_C_DOUBLE_COMPLEX, previous, 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    printf("%d %g %g\n", rank, in[0] - large, in[1] - large); //~ precision-loss: 52..53 bits lost
    MPI_Finalize();
    return 0;
}
