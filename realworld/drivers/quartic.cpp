// The real roots of a x^4 + b x^3 + c x^2 + d x + e: quartic A B C D E
#include <algorithm>
#include <boost/math/tools/quartic_roots.hpp>
#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv)
{
    if (argc != 6) {
        return 2;
    }
    double k[5];
    std::transform(argv + 1, argv + 6, k, [](const char *text) { return std::strtod(text, nullptr); });
    for (double root : boost::math::tools::quartic_roots(k[0], k[1], k[2], k[3], k[4])) {
        std::printf("%.17g\n", root);
    }
}
