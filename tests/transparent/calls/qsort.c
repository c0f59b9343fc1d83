// qsort and bsearch with instrumented comparators: order and number of calls.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct item { float key; int id; double weight; };
static int calls;

static int by_key(const void *a, const void *b) {
    const struct item *x = a, *y = b;
    calls++;
    return x->key < y->key ? -1 : x->key > y->key ? 1 : x->id - y->id;
}
static int by_value(const void *a, const void *b) {
    calls++;
    return (*(double *)a > *(double *)b) - (*(double *)a < *(double *)b);
}

int main(void) {
    struct item items[100];
    double values[1000];
    for (int i = 0; i < 100; i++) items[i] = (struct item){(float)(i * 37 % 41) / 3, i, i / 7.0};
    for (int i = 0; i < 1000; i++) values[i] = sin(i * i);
    qsort(items, 100, sizeof *items, by_key);
    qsort(values, 1000, sizeof *values, by_value);
    double *found = bsearch(&values[321], values, 1000, sizeof *values, by_value);
    for (int i = 0; i < 100; i += 9) printf("%a %d %a\n", (double)items[i].key, items[i].id, items[i].weight);
    for (int i = 0; i < 1000; i += 99) printf("%a\n", values[i]);
    printf("%d %d\n", calls, (int)(found - values));
}
