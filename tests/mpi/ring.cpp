// C++: a vector around a ring.
#include "common.h"

#include <vector>

int main(int argc, char **argv) {
    begin(&argc, &argv);
    std::vector<double> sent(3, 1e16), got(3);
    sent[1] = made(0);
    MPI_Sendrecv(sent.data(), 3, MPI_DOUBLE, next, 7, got.data(), 3, MPI_DOUBLE, previous, 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    printf("%d %g\n", rank, got[0] - large);
    printf("%d %g\n", rank, got[1] - large); //~ precision-loss: 52..53 bits lost
    MPI_Finalize();
    return 0;
}
