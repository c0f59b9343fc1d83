// nonius: stdin="0.5 2e3 word 7\n" opt=O0,O2,O2-native,O3-v3-fast
// Streams in both directions, with manipulators and string streams.
#include <iomanip>
#include <iostream>
#include <sstream>

int main() {
    double x, y;
    int n;
    std::string word;
    std::cin >> x >> y >> word >> n;
    std::cout << x / 3 << ' ' << std::setprecision(17) << y / 7 << ' ' << word << ' ' << n << '\n';
    std::cout << std::hexfloat << x / 3 << ' ' << 0.1f << ' ' << std::defaultfloat << std::fixed << y << '\n';
    std::cout << std::scientific << std::setw(30) << 1.0L / 3 << ' ' << std::boolalpha << (x < y) << '\n';
    std::ostringstream text;
    text << x << ',' << float(y) << ',' << std::to_string(x / 3);
    std::istringstream back("1.25 2.5");
    back >> x >> y;
    std::cout << text.str() << ' ' << x + y << std::endl;
}
