/* Places of C: members, elements, what pointers point to, bit-fields, constants of macros; and quantifiers over them. */
#define N 4
#define LIMIT 10.5

struct node {
    double x;
    struct node *next;
    unsigned small : 3;
    signed char c;
    _Bool b;
};

volatile int zero = 0;
static int calls;

static int pure(const int *a, int n) {
    calls++;
    return a[0] + n;
}

int main(void) {
    int a[N] = {1, 2, 3, 4};
    double v[N] = {0.5, 1.5, 2.5, 10.5};
    struct node last = {2.5, 0, 7, -1, 1}, first = {1.5, &last, 5, 100, 0};
    struct node *p = &first;
    a[0] += zero;
    /*@ assert p->x == 1.5 && (*p).next->x == 2.5 && p->next->next == 0; */
    /*@ assert first.small == 5 && last.small + 1 == 8 && first.c == 100 && last.b; */
    /*@ assert p->next->small < 7; */ //~ failed
    /*@ assert p->next->next != 0 && p->next->next->x > 0; */ //~ failed
    /*@ assert p->next->next == 0 || p->next->next->x > 0; */
    /*@ assert \forall integer i; 0 <= i < N ==> a[i] == i + 1; */
    /*@ assert \forall integer i; 0 <= i < N ==> v[i] <= LIMIT; */
    /*@ assert \forall integer i; 0 <= i < N ==> v[i] < LIMIT; */ //~ failed
    /*@ assert \forall integer i, j; 0 <= i < N && 0 <= j < i ==> a[j] < a[i]; */
    /*@ assert \exists integer i; 0 <= i < N && a[i] * a[i] == 9; */
    /*@ assert \exists integer i; 0 <= i < N && a[i] == 5; */ //~ failed
    /*@ assert \forall integer i; 5 < i < 5 ==> a[i] == 0; */
    /*@ assert \forall integer i; 0 <= i < N ==> \exists integer j; 0 <= j < N && v[j] > v[i] - 1; */
    /*@ assert *a == 1 && *(a + 1) == 2 && a[a[0]] == 2; */
    /*@ assert pure(&a[0], 2) == 3; */
    if (zero == 0)
        /*@ assert a[0] == 1; */ a[0] = 7;
    else
        a[0] = 8;
    /*@ assert a[0] == 7; */
    for (int i = 0; i < 2; i++) /*@ assert i < 1; */ //~ failed
        a[1]++;
    return a[1] == 4 ? 0 : 1;
}
