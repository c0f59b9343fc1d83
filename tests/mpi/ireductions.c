// Nonblocking reductions: to a root, of prefixes, scattered; blocking ones between them keep their order.
// ranks: 2 3
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double term = rank == 0 ? made(0) : 0, sum = 0, prefix = 0, scattered = 0, again = 0, terms[8];
    MPI_Request requests[3];
    for (int i = 0; i < size; i++) terms[i] = rank == 0 ? made(i) : 0;
    MPI_Ireduce(&term, &sum, 1, MPI_DOUBLE, MPI_SUM, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Allreduce(&term, &again, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Iscan(&term, &prefix, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
    MPI_Ireduce_scatter_block(terms, &scattered, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[2]);
    int done = 0;
    while (!done) MPI_Testall(3, requests, &done, MPI_STATUSES_IGNORE);
    if (rank == 1) printf("%g\n", sum - large);                 //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, again - large);                     //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, prefix - large);                    //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, scattered - ldexp(large, rank));    //~ precision-loss: 52..53 bits lost
    MPI_Finalize();
    return 0;
}
