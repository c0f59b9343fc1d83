// nonius: args="1e-8 7 3 0"
// fire/memory/merged_store with the angle from both of its coordinates: atan2 keeps what acos loses close to 1.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double angle, scale, phase;
static int turns, backwards;

static void __attribute__((noinline)) place(void)
{
    double x = cos(angle), y = sin(angle), back;
    int i;
    for (back = atan2(y, x), i = 0; i < turns; i++) back = sqrt(back) / scale;
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
