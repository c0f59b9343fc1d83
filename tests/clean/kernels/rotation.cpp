// nonius: opt=O0,O2,O3,O2-lto,O3-thin
// Complex rotations and a matrix class with operators: ordinary C++ numerics.
#include <cmath>
#include <complex>
#include <cstdio>

struct matrix {
    double m[2][2];
    matrix operator*(const matrix &o) const {
        matrix r{};
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) r.m[i][j] = m[i][0] * o.m[0][j] + m[i][1] * o.m[1][j];
        return r;
    }
};

int main() {
    volatile double angle = 0.01;
    double c = std::cos(angle), s = std::sin(angle);
    matrix turn{{{c, -s}, {s, c}}}, all{{{1, 0}, {0, 1}}};
    std::complex<double> z = 1, w(c, s);
    for (int i = 0; i < 50; i++) all = all * turn, z *= w;
    std::printf("%.12g %.12g %.12g\n", all.m[0][0], z.real(), std::abs(z));
}
