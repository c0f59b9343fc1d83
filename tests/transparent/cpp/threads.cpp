// nonius: flags=-pthread opt=O0,O2,O2-native
// std::thread, async, futures, call_once and thread_local objects with floats.
#include <cmath>
#include <cstdio>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

static thread_local struct counter { double n = 0.1; ~counter() { n = 0; } } local;
static std::once_flag once;
static double shared_start;

static double work(int k) {
    std::call_once(once, [] { shared_start = std::sqrt(2.0); });
    for (int i = 0; i < 100; i++) local.n = std::cos(local.n * k + shared_start);
    return local.n;
}

int main() {
    double results[4];
    std::vector<std::thread> threads;
    for (int k = 0; k < 4; k++) threads.emplace_back([&results, k] { results[k] = work(k); });
    for (auto &t : threads) t.join();
    auto later = std::async(std::launch::async, work, 7);
    std::printf("%a %a %a %a %a %a\n", results[0], results[1], results[2], results[3], later.get(), local.n);
}
