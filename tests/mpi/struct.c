// A struct with a name, a count, a float and doubles, resized, from absolute addresses.
#include "common.h"

#include <stddef.h>

struct body {
    char name[8];
    int count;
    float mass;
    double at[2];
};

int main(int argc, char **argv) {
    begin(&argc, &argv);
    struct body here[2] = {{"one", 1, 2.0f, {large, made(0)}}, {"two", 2, made_float(), {large, large}}}, there[2];
    MPI_Datatype parts, body, absolute;
    int lengths[4] = {8, 1, 1, 2};
    MPI_Aint places[4] = {offsetof(struct body, name), offsetof(struct body, count), offsetof(struct body, mass),
                          offsetof(struct body, at)};
    MPI_Datatype types[4] = {MPI_CHAR, MPI_INT, MPI_FLOAT, MPI_DOUBLE};
    MPI_Type_create_struct(4, lengths, places, types, &parts);
    MPI_Type_create_resized(parts, 0, sizeof(struct body), &body);
    MPI_Type_commit(&body);
    MPI_Type_free(&parts);
    MPI_Aint address;
    int twice = 2;
    MPI_Get_address(here, &address);
    MPI_Type_create_hindexed(1, &twice, &address, body, &absolute);
    MPI_Type_commit(&absolute);
    MPI_Sendrecv(MPI_BOTTOM, 1, absolute, next, 7, there, 2, body, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d %s %g\n", rank, there[0].name, there[0].at[0] - large);
    printf("%d %g\n", rank, there[0].at[1] - large);   //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, there[1].mass - 1e8f);     //~ precision-loss: 23..24 bits lost
    MPI_Type_free(&body);
    MPI_Type_free(&absolute);
    MPI_Finalize();
    return 0;
}
