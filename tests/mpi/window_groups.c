// Windows that are opened for a group, and what is accumulated: that restarts, and is counted.
// ranks: 2 3
// restarts: MPI_Accumulate
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double memory[2] = {0, 0}, sent = made(0), bad = made(1);
    MPI_Win window;
    MPI_Group all, to, from;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &next, &to);
    MPI_Group_incl(all, 1, &previous, &from);
    MPI_Win_create(memory, sizeof memory, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_post(from, 0, window);
    MPI_Win_start(to, 0, window);
    MPI_Put(&sent, 1, MPI_DOUBLE, next, 0, 1, MPI_DOUBLE, window);
    MPI_Accumulate(&sent, 1, MPI_DOUBLE, next, 1, 1, MPI_DOUBLE, MPI_SUM, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    printf("%d %g\n", rank, memory[0] - large); //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, memory[1] - large);
    printf("%d %g\n", rank, bad - 2 * large); //~ precision-loss: 52..53 bits lost
    MPI_Win_free(&window);
    MPI_Group_free(&all);
    MPI_Group_free(&to);
    MPI_Group_free(&from);
    MPI_Finalize();
    return 0;
}
