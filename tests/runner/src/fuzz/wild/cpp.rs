//! Pieces that are C++'s own.

use super::{Template, double, float};

pub const TEMPLATES: &[Template] = &[
    double("$r = safe($0, small_int($1) & 3);"),
    double("$r = safe($0, 1) - safe($1, 2) + safe($2, 4);"),
    double(
        "try { $r = risky($0, small_int($1) & 3); } catch (double z) { $r = z - $2; } catch (const std::exception &) { $r = $r * 0.5; } catch (...) { $r = 1; }",
    ),
    double("{ double y = $0; try { Guard g(&y, $1); y += $2; throw 3; } catch (int n) { y *= n; } $r = y; }"),
    double(
        "try { std::vector<double> t(2, $0); $r = t.at((size_t)(small_int($1) & 3)); } catch (const std::out_of_range &) { $r = $2; }",
    ),
    double("$r = sizes(*shape($0, small_int($1)), $2);"),
    double(
        "{ Square s($0); Circle c((float)$1); const Shape *p[] = {&s, &c}; $r = 0; for (const Shape *q : p) $r += q->area($2); }",
    ),
    double("{ Vec3<double> a{$0, $1, $2}, b{1, 2, 3}; $r = dot(cross(a, b) + a * 0.5, b); }"),
    double(
        "{ Vec3<float> a{(float)$0, (float)$1, (float)$2}, b{1, 2, 3}; Vec3<float> c = cross(a, b); $r = c[0] - c[1] + c[2]; }",
    ),
    double("{ Vec3<long double> a{$0, $1, $2}; $r = (double)dot(a, a); }"),
    double(
        "{ std::vector<Vec3<double>> t{{$0, 1, 2}, {$1, 3, 4}, {$2, 5, 6}}; $r = 0; for (auto &v : t) $r = $r * 0.5 + dot(v, v); }",
    ),
    double("$r = total($0, (float)$1, $2, 1, 2.5f);"),
    double("$r = power<5>($0 * 0.1) + power<3>($1);"),
    double(
        "{ double a = $0; auto f = [&a, b = $1](double x, float y) mutable { b += y; a = a * 0.5 + x; return a - b; }; $r = apply(f, $2); }",
    ),
    double("$r = apply([](double x, float y) { return x * y; }, $0) + apply(Adds{$1}, $2);"),
    double("{ auto [a, b] = split($0); $r = a - b; }"),
    double("{ auto [a, b, c] = parts($0); $r = a + b * c; }"),
    double("$r = maybe($0).value_or($1) + (maybe($2) ? 1 : 0);"),
    double("$r = std::visit([](auto x) { return (double)x * 2; }, choice($0, small_int($1) & 7));"),
    double(
        "{ std::vector<double> t; for (int k = 0; k < 12; k++) t.push_back($0 * k - $1); t.erase(t.begin() + 3); t.insert(t.begin(), $2); $r = std::accumulate(t.begin(), t.end(), 0.0); }",
    ),
    double(
        "{ std::vector<double> t{$0, $1, $2, 1, -1}; for (auto &x : t) x = ordered(x); std::sort(t.begin(), t.end()); $r = t[0] * 2 + t[4] - t[2]; }",
    ),
    double(
        "{ std::vector<float> t(30); std::iota(t.begin(), t.end(), (float)$0); $r = std::inner_product(t.begin(), t.end(), t.begin(), 0.0f); }",
    ),
    double(
        "{ std::array<double, 6> t{$0, $1, $2, 1, 2, 3}; std::transform(t.begin(), t.end(), t.begin(), [](double x) { return x * x + 1; }); std::rotate(t.begin(), t.begin() + 2, t.end()); $r = t[0] - t[5]; }",
    ),
    double(
        "{ std::array<double, 4> t{$0, $1, $2, 1}, u = t; std::swap(t[0], t[3]); std::partial_sum(t.begin(), t.end(), u.begin()); $r = u[3] - u[1]; }",
    ),
    double(
        "{ std::map<int, double> t; for (int k = 0; k < 6; k++) t[(small_int($0) + k) % 4] += $1 * k; $r = 0; for (auto &[k, x] : t) $r += x * k; }",
    ),
    double(
        "{ std::map<double, float> t{{ordered($0), 1.5f}, {ordered($1), (float)$2}}; $r = t.begin()->first + t.rbegin()->second; }",
    ),
    double(
        "{ std::complex<double> z($0, $1), w(1, 2); z = z * w + std::conj(z) / w; $r = std::abs(z) + std::arg(w); }",
    ),
    double("{ std::complex<float> z((float)$0, 1), w = std::sqrt(z); $r = w.real() - w.imag(); }"),
    double(
        "{ std::complex<double> t[4]; for (int k = 0; k < 4; k++) t[k] = std::polar(1.0, $0 * k) * $1; $r = std::norm(t[0] + t[1] - t[2] * t[3]); }",
    ),
    double(
        "{ std::valarray<double> t{$0, $1, $2, 4}; t = t * t - 1.0; $r = t.sum() + t.max() - std::valarray<double>(t[std::slice(0, 2, 2)]).sum(); }",
    ),
    double(
        "{ std::ostringstream s; s << ordered($0) << ' ' << std::hexfloat << ordered($1); std::string u = s.str(); $r = strtod(u.c_str(), 0) + (double)u.size(); }",
    ),
    double("{ std::istringstream s(\"2.5 -1e-3\"); double a, b; s >> a >> b; $r = a * $0 + b; }"),
    double("{ std::string s = std::to_string(sin(ordered($0))); $r = s.size() > 40 ? $1 : std::stod(s); }"),
    double(
        "{ double a = 0, b = 0; std::thread t([&a, x = $0] { for (int k = 0; k < 10; k++) a = a * 0.5 + x; }); std::thread u([&b, x = $1] { b = x * 3; }); t.join(); u.join(); $r = a - b; }",
    ),
    double(
        "counted = $0; counted.store(counted.load() + $1); { double was = counted.exchange($2); $r = was - counted; }",
    ),
    double(
        "{ std::atomic<float> x{(float)$0}; float want = x, next = want + 1; x.compare_exchange_strong(want, next); x.fetch_add((float)$1); $r = x; }",
    ),
    double("{ in_thread = in_thread * 0.5 + $0; $r = in_thread; in_thread = 0.25; }"),
    double(
        "{ std::unique_ptr<double[]> t(new double[9]); for (int k = 0; k < 9; k++) t[k] = $0 * k + $1; $r = *std::max_element(t.get(), t.get() + 9) - *std::min_element(t.get(), t.get() + 9); }",
    ),
    double(
        "{ std::shared_ptr<double> p = std::make_shared<double>($0), q = p; *q += $1; $r = *p * (double)p.use_count(); }",
    ),
    double(
        "{ double Vec3<double>::*m = small_int($0) & 1 ? &Vec3<double>::x : &Vec3<double>::z; Vec3<double> v{$0, $1, $2}; v.*m += 1; $r = v.x - v.z; }",
    ),
    double("{ double (Shape::*m)(double) const = &Shape::area; Square s($0); $r = (s.*m)($1); }"),
    double(
        "$r = std::clamp((double)$0, std::min((double)$1, (double)$2), std::max((double)$1, (double)$2)) + std::midpoint((double)$0, (double)$1) + std::lerp(1.0, 2.0, (double)$2);",
    ),
    double("$r = std::hypot($0, $1, $2) + std::beta(fabs(sin(ordered($0))) + 1, 2.0);"),
    double(
        "{ auto f = [](auto self, double x, int n) -> double { return n == 0 ? x : self(self, x * 0.5 + n, n - 1) + 1; }; $r = f(f, $0, small_int($1) & 7); }",
    ),
    double(
        "{ struct Local { double a; Local(double x) : a(x) {} Local(const Local &o) : a(o.a * 2) {} double get() const { return a; } operator float() const { return (float)a; } }; Local l($0), m = l; $r = m.get() - l + (float)m; }",
    ),
    double("{ double s = 0; for (double x : {$0, $1, $2}) s = s * 0.25 + x; $r = s; }"),
    double(
        "{ union { double d; std::array<unsigned char, 8> b; } q; q.d = ordered($0); std::array<unsigned char, 8> b; memcpy(b.data(), &q.d, 8); std::reverse(b.begin(), b.end()); std::reverse(b.begin(), b.end()); memcpy(&q.d, b.data(), 8); $r = q.d + $1; }",
    ),
    double("$r = __builtin_bit_cast(double, __builtin_bit_cast(uint64_t, (double)ordered($0)) & ~0xffull);"),
    float("{ Vec3<float> a{$0, $1, $2}; a = cross(a, a * 2) + a; $r = dot(a, a); }"),
    float("$r = (float)safe($0, small_int($1) & 3) + $2;"),
    float(
        "{ std::vector<float> t; for (int k = 0; k < 16; k++) t.emplace_back($0 + k * $1); $r = std::accumulate(t.begin(), t.end(), 0.f); }",
    ),
    float(
        "{ std::array<float, 5> t{$0, $1, $2, 1, 2}; for (auto &x : t) x = (float)ordered(x); std::nth_element(t.begin(), t.begin() + 2, t.end()); $r = t[2]; }",
    ),
    float("$r = std::sqrt(std::abs($0)) + std::pow(std::abs($1), 0.5f) - std::fma($0, $1, $2);"),
];
