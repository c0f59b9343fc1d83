// Multiple and virtual inheritance, operators, templates, static initialization, member pointers.
#include <cstdio>

static double order[4];
struct tracer { double x; tracer(double a, int i) : x(a / 3) { order[i] = x; } ~tracer() { std::printf("gone %a\n", x); } };
static tracer first(0.1, 0), second(first.x * 7, 1);

struct shape { double scale = 0.5; virtual double area() const = 0; virtual ~shape() = default; };
struct named : virtual shape { float weight = 0.3f; };
struct colored : virtual shape { long double shade = 0.7L; };
struct circle : named, colored { double r; explicit circle(double r) : r(r) {} double area() const override { return 3.14159 * r * r * scale + weight; } };
struct square final : colored { double a; explicit square(double a) : a(a) {} double area() const override { return a * a + double(shade); } };

template <class T, int N> struct vec {
    T v[N];
    vec operator+(const vec &o) const { vec r; for (int i = 0; i < N; i++) r.v[i] = v[i] + o.v[i]; return r; }
    friend T operator*(const vec &a, const vec &b) { T s = 0; for (int i = 0; i < N; i++) s += a.v[i] * b.v[i]; return s; }
};

int main() {
    volatile double in = 0.1;
    circle c(in);
    square s(in * 3);
    const shape *shapes[] = {&c, &s};
    double sum = 0;
    for (auto *p : shapes) sum += p->area();
    double circle::*member = &circle::r;
    double (shape::*method)() const = &shape::area;
    vec<float, 3> f{{0.1f, 0.2f, 0.3f}};
    vec<double, 7> d{{in, in * 2, in / 3}};
    std::printf("%a %a %a\n", sum, c.*member, (s.*method)());
    std::printf("%a %a %a %a\n", double(f * (f + f)), (d + d) * d, order[0], order[1]);
}
