// Ten steps of 0.1 make 1, but ten doubles 0.1 add up to a little less.
// So the loop goes round an eleventh time: the comparison comes out otherwise than it should.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    double step = argc > 1 ? atof(argv[1]) : 0.1;
    int steps = 0;
    for (double t = 0; t < 1; t += step) {
        steps++;
    }
    printf("%d steps of %g from 0 to 1\n", steps, step);
}
