#include <algorithm>
#include <array>
#include <atomic>
#include <complex>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <valarray>
#include <variant>
#include <vector>
struct Failure : std::runtime_error {
  double value;
  float half;
  Failure(double v) : std::runtime_error("failure"), value(v), half((float)v / 2) {}
};
static double *undone;
struct Guard {
  double before;
  double *place;
  Guard(double *p, double next) : before(*p), place(p) { *p = next; }
  ~Guard() { *place = before * 0.5 + *place; }
};
static __attribute__((noinline)) double risky(double x, int n) {
  if (n == 1) throw x * 1.5;
  if (n == 2) throw Failure(x / 3);
  if (n == 3) throw std::out_of_range("range");
  if (n == 4) throw (float)x;
  return x + n;
}
static __attribute__((noinline)) double guarded(double x, int n) {
  double y = x * 2;
  Guard g(&y, x - 1);
  Guard h(&y, x + 1);
  return risky(y, n) - y;
}
static __attribute__((noinline)) double rethrown(double x, int n) {
  try {
    return guarded(x, n);
  } catch (double y) {
    if (y > 1) throw;
    return y;
  } catch (const Failure &f) {
    throw Failure(f.value + f.half);
  }
}
static __attribute__((noinline)) double safe(double x, int n) {
  double y = x;
  try {
    y = rethrown(x * 0.75, n);
    y += rethrown(y, n + 1);
  } catch (double z) {
    y = z + 1;
  } catch (float z) {
    y = z * 2;
  } catch (const Failure &f) {
    y -= f.value;
  } catch (...) {
    y = -y;
  }
  return y;
}
struct Shape {
  virtual ~Shape() {}
  virtual double area(double s) const { return s; }
  virtual float edge() const noexcept { return 1; }
};
struct Square : Shape {
  double a;
  Square(double x) : a(x) {}
  double area(double s) const override { return a * a * s; }
};
struct Circle final : virtual Shape {
  float r;
  Circle(float x) : r(x) {}
  double area(double s) const override { return 3.14159 * r * r + s; }
  float edge() const noexcept override { return 2 * r; }
};
static __attribute__((noinline)) double sizes(const Shape &s, double x) { return s.area(x) + s.edge(); }
static std::unique_ptr<Shape> shape(double x, int n) {
  if (n & 1) return std::make_unique<Square>(x);
  return std::make_unique<Circle>((float)x);
}
template <typename T> struct Vec3 {
  T x, y, z;
  Vec3 operator+(const Vec3 &o) const { return {x + o.x, y + o.y, z + o.z}; }
  Vec3 operator*(T s) const { return {x * s, y * s, z * s}; }
  T operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  friend T dot(const Vec3 &a, const Vec3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  bool operator<(const Vec3 &o) const { return std::tie(x, y, z) < std::tie(o.x, o.y, o.z); }
};
template <typename T> static __attribute__((noinline)) Vec3<T> cross(Vec3<T> a, Vec3<T> b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <typename... T> static __attribute__((noinline)) double total(T... x) { return (0.0 + ... + x); }
template <int N> static double power(double x) { if constexpr (N == 0) return 1; else return x * power<N - 1>(x); }
static __attribute__((noinline)) double apply(const std::function<double(double, float)> &f, double x) { return f(x, 1.5f) - f(-x, 0.5f); }
static __attribute__((noinline)) std::pair<double, float> split(double x) { return {x * 0.5, (float)x}; }
static __attribute__((noinline)) std::tuple<float, double, int> parts(double x) { return {(float)x, x / 3, 4}; }
static __attribute__((noinline)) std::optional<double> maybe(double x) { if (x > 0) return sqrt(x); return std::nullopt; }
using Choice = std::variant<double, float, int>;
static __attribute__((noinline)) Choice choice(double x, int n) {
  if (n % 3 == 0) return x;
  if (n % 3 == 1) return (float)x;
  return n;
}
static std::atomic<double> counted{0};
thread_local double in_thread = 0.5;
struct Adds {
  double a;
  double operator()(double x, float y) const { return fma(x, y, a); }
};
