// Subarrays in the orders of C and Fortran.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent[4][5], got[5][4];
    int sizes[2] = {4, 5}, parts[2] = {2, 3}, starts[2] = {1, 2};
    MPI_Datatype c, fortran;
    for (int i = 0; i < 20; i++) sent[i / 5][i % 5] = large, got[i / 4][i % 4] = large;
    sent[2][3] = made(0);
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_DOUBLE, &c);
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_FORTRAN, MPI_DOUBLE, &fortran);
    MPI_Type_commit(&c);
    MPI_Type_commit(&fortran);
    MPI_Sendrecv(sent, 1, c, next, 7, got, 1, fortran, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d %g\n", rank, got[3][2] - large);
    printf("%d %g\n", rank, got[4][1] - large); //~ precision-loss: 52..53 bits lost
    MPI_Type_free(&c);
    MPI_Type_free(&fortran);
    MPI_Finalize();
    return 0;
}
