// nonius: args="1e-8 7 3 0"
// A store that the optimizer made of two has no line, and the function that calls this one has no floats. The value is
// seen in place() all the same, by both engines, though they blame different operations on its way.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double angle, scale, phase;
static int turns, backwards;

static void __attribute__((noinline)) place(void)
{
    double x = cos(angle), back;
    int i;
    for (back = acos(x), i = 0; i < turns; i++) back = sqrt(back) / scale; //~ precision-loss: 52..53 bits lost @store
    if (backwards) {
        phase = back - 1;
    } else {
        phase = back * 3;
    }
}

static void __attribute__((noinline)) run_all(void (*const volatile *todo)(void))
{
    while (*todo) {
        (*todo++)();
    }
}

int main(int count, char **words)
{
    void (*const volatile todo[])(void) = {place, NULL};
    if (count != 5) {
        return 2;
    }
    angle = atof(words[1]);
    scale = atof(words[2]);
    turns = atoi(words[3]);
    backwards = atoi(words[4]);
    run_all(todo);
    printf("%d\n", phase > 100);
    return 0;
}
