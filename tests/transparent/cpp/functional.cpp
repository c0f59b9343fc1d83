// nonius: flags=-std=c++20 opt=O0,O1,O2,O3,O2-fast,O2-native
// Lambdas, std::function, generators by coroutine, ranges, optional and variant of floats.
#include <coroutine>
#include <cstdio>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

struct generator {
    struct promise_type {
        double value;
        generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(double v) { value = v; return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
    ~generator() { handle.destroy(); }
    std::optional<double> next() { handle.resume(); return handle.done() ? std::nullopt : std::optional(handle.promise().value); }
};
static generator halves(double x, int n) { for (int i = 0; i < n; i++) { co_yield x; x = x / 2 + 0.1; } }

int main() {
    volatile double in = 0.7;
    auto g = halves(in, 6);
    while (auto x = g.next()) std::printf("%a\n", *x);
    double captured = in;
    std::vector<std::function<double(double)>> chain{[=](double x) { return x * captured; }, [&](double x) { return captured += x / 3; }};
    std::function<double(double, int)> power = [&](double x, int n) { return n ? x * power(x, n - 1) : 1; };
    double x = in;
    for (int i = 0; i < 5; i++) for (auto &f : chain) x = f(x);
    std::variant<float, double, long double> v = 0.1f;
    auto third = [](auto y) { return double(y / 3); };
    std::printf("%a %a %a ", x, power(in, 9), std::visit(third, v));
    v = 0.1L;
    std::printf("%a %a\n", std::visit(third, v), captured);
}
