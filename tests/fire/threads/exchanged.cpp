// nonius: flags=-pthread
// Threads add to one sum by comparing and exchanging until it succeeds: each retry takes the value that another thread
// left, with its shadow.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

static std::atomic<double> sum{0};
static volatile double big = 1e17, small = 3, least;

static void add(int from) {
    for (int i = from; i < from + 1000; i++) {
        double x = (big + small * i) * 0x1p-20;
        double old = sum.load(std::memory_order_relaxed);
        while (!sum.compare_exchange_weak(old, old + x)) {
        }
    }
}

int main() {
    std::vector<std::thread> threads;
    for (int k = 0; k < 4; k++)
        threads.emplace_back(add, k * 1000);
    for (auto &thread : threads)
        thread.join();
    // Ideally 22.88; each sum is rounded to 1/16 or less, in the order of the threads.
    least = sum - 4000 * big * 0x1p-20; //~ precision-loss: 44..53 bits lost
    printf("%d\n", least > 1000);
}
