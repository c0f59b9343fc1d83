/* Contracts at entry and at every return, invariants at every test of a loop. */
volatile double one = 1;

/*@ requires x >= 0;
  @ requires n > 0; //~ failed
  @ ensures \result >= 0;
  @ ensures \result <= x; //~ failed
  @*/
static double halved(double x, int n) {
    if (n == 1)
        return x / 2;
    x = x - 1;
    return n > 2 ? x * 4 : 0;
}

/*@ ensures *p == \old(*p) + 1;
    ensures *q == \old(*q); */ //~ failed
static void add(int *p, int *q) {
    *p += 1;
    if (*p > 10) {
        *q = 0;
        return;
    }
}

static double sum(const double *v, int n) {
    double s = 0;
    /*@ loop invariant 0 <= i <= n;
        loop invariant s >= 0;
        loop invariant s < 3; */ //~ failed
    for (int i = 0; i < n; i++)
        s += v[i];
    int k = n;
    //@ loop invariant k >= 0;
    while (k > 0)
        k--;
    //@ loop invariant k < 2; //~ failed
    do
        k++;
    while (k < 4);
    return s;
}

int main(void) {
    double v[] = {one, one, one};
    int p = 9, q = 5;
    add(&p, &q);
    add(&p, &q);
    double r = halved(4, 1) + halved(4, 2) + halved(4, 3) + halved(0, 0);
    return r + sum(v, 3) + p + q > 0 ? 0 : 1;
}
