// The same in C++: methods, templates, references, lambdas, containers.
#include <cstdio>
#include <vector>

volatile double one = 1;

template <class T> struct Point {
    T x, y;
    /*@ requires factor > 0; //~ failed
      @ ensures x == \old(x) * factor; */
    void scale(T factor) {
        x *= factor;
        y *= factor;
    }
    /*@ ensures \result >= 0; */
    T norm() const { return x * x + y * y; }
};

/*@ ensures \result == x || \result == y; */
template <class T> T &greater(T &x, T &y) {
    if (x > y)
        return x;
    return y;
}

namespace inner {
/*@ ensures \result < 4; */ //~ failed
static double count(const std::vector<double> &v) {
    auto twice = [](double x) { return 2 * x; };
    double n = 0;
    /*@ loop invariant n >= 0; */
    for (double x : v)
        n += twice(x);
    return n;
}
}

int main() {
    Point<double> p = {one, 2};
    Point<float> q = {(float)one, 2};
    p.scale(2);
    q.scale(-1);
    const std::vector<double> v = {one, one};
    int n = (int)v.size();
    /*@ assert p.x == 2 && p.norm() == 20; */
    /*@ assert q.x > 0; */ //~ failed
    /*@ assert \forall integer i; 0 <= i < n ==> v[i] == 1; */
    /*@ assert v.size() == 2 && \exact(p.y) == 4; */
    inner::count(v);
    double a = 1, b = 2;
    greater(a, b) = 3;
    std::printf("%g\n", b);
    return 0;
}
