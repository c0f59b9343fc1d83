// The heat equation in one dimension, cut among ranks that exchange their borders. The temperatures stand on a large
// offset that the last rank adds to its part in the beginning; what is printed on rank 0 is what was lost there.
// ranks: 1 2 4
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    enum { CELLS = 8, STEPS = 200 };
    double cell[CELLS + 2], new[CELLS + 2], total = 0, local = 0;
    double offset = rank == size - 1 ? made(0) : large;
    for (int i = 0; i < CELLS + 2; i++) cell[i] = offset;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int step = 0; step < STEPS; step++) {
        MPI_Sendrecv(&cell[1], 1, MPI_DOUBLE, left, 0, &cell[CELLS + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(&cell[CELLS], 1, MPI_DOUBLE, right, 1, &cell[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= CELLS; i++) new[i] = cell[i] + 0.25 * (cell[i - 1] - 2 * cell[i] + cell[i + 1]);
        memcpy(cell + 1, new + 1, CELLS * sizeof *cell);
    }
    for (int i = 1; i <= CELLS; i++) local += cell[i] - large; //~ precision-loss: 52..53 bits lost
    MPI_Reduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%g\n", total);
    MPI_Finalize();
    return 0;
}
