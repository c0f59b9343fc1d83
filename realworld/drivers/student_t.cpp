// Student's t with one degree of freedom, close to its center: student_t T
#include <boost/math/distributions/students_t.hpp>
#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv)
{
    if (argc != 2) {
        return 2;
    }
    double t = std::strtod(argv[1], nullptr);
    double p = cdf(boost::math::students_t_distribution<double>(1.0), t);
    std::printf("%.17g\n", p);
    std::printf("%.17g\n", p - 0.5);
}
