#include <math.h>
#include <stdio.h>

static double difference(double x)
{
	return sqrt(x + 1) - sqrt(x);
}

int main(void)
{
    double d = difference(1e15);
    printf("%.17g\n", d);

    double t = 0;
    int steps = 0;
    while (t < 1.0) {
        t += 0.1;
        steps++;
    }
    printf("%d steps, last tick %d\n", steps, (int)(t * 10));

    double scale[2] = {0, 0};
    double mean = scale[0] / scale[1];
    return mean > 0;
}
