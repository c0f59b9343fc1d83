// nonius: flags=-pthread
// std::thread and std::async carry values by copy and by future.
#include <cstdio>
#include <future>
#include <thread>

__attribute__((noinline)) static double plus(double a, double b) { return a + b; }

int main() {
    volatile double big = 1e17, small = 3;
    double sum = 0, b = big;
    std::thread worker([&sum](double x, double y) { sum = plus(x, y); }, b, 3.0);
    worker.join();
    std::printf("%g\n", sum - b); //~ precision-loss: 52..53 bits lost
    auto later = std::async(std::launch::async, plus, b, small);
    std::printf("%g\n", later.get() - b); //~ precision-loss: 52..53 bits lost
}
