// C++ streams: each insertion is an output, and pure rounding error counts there.
#include <iostream>
#include <sstream>

int main() {
    volatile double a = 0.7, b = 0.1;
    volatile float x = 0.7f, y = 0.1f;
    volatile long double u = 0.7L, v = 0.1L;
    std::ostringstream text;
    std::cout << ((a + b) - a) - b << '\n'; //~ precision-loss: 52..53 bits lost @output
    std::cout << ((x + y) - x) - y << '\n'; //~ precision-loss: 23..53 bits lost @output
    std::cout << ((u + v) - u) - v << '\n'; //~ precision-loss: 62..64 bits lost @output
    text << "rest " << ((a + b) - a) - b;   //~ precision-loss: 52..53 bits lost @output
    std::cout << a + b << text.str() << std::endl;
}
