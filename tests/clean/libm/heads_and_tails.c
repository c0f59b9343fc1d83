// Heads and tails in exp, expm1 and pow, after FreeBSD's: low words cut off by a mask, and what that cost kept beside.
#include <stdio.h>
#include <stdint.h>
#include <string.h>
static const double ln2hi = 6.93147180369123816490e-01, ln2lo = 1.90821492927058770002e-10, invln2 = 1.44269504088896338700e+00,
 P1=1.66666666666666019037e-01,P2=-2.77777777770155933842e-03,P3=6.61375632143793436117e-05,P4=-1.65339022054652515390e-06,P5=4.13813679705723846039e-08;
static double set_low(double x, uint32_t lo) { uint64_t i; memcpy(&i, &x, 8); i = (i >> 32 << 32) | lo; memcpy(&x, &i, 8); return x; }
__attribute__((noinline)) static double my_exp(double x) {
    double hi, lo, c, xx;
    int k = (int)(invln2 * x + (x < 0 ? -0.5 : 0.5));
    hi = x - k * ln2hi;
    lo = k * ln2lo;
    x = hi - lo;
    xx = x * x;
    c = x - xx * (P1 + xx * (P2 + xx * (P3 + xx * (P4 + xx * P5))));
    return 1 + (x * c / (2 - c) - lo + hi);
}
// expm1's: the tail is worked out
__attribute__((noinline)) static double my_expm1(double x, double *tail) {
    int k = (int)(invln2 * x + (x < 0 ? -0.5 : 0.5));
    double t = k, hi = x - t * ln2hi, lo = t * ln2lo;
    x = hi - lo;
    double c = (hi - x) - lo;
    *tail = c;
    double hfx = 0.5 * x, hxs = x * hfx, r1 = 1.0 + hxs * (-3.33333333333331316428e-02 + hxs * 1.58730158725481460165e-03);
    t = 3.0 - r1 * hfx;
    double e = hxs * ((r1 - t) / (6.0 - x * t));
    e = x * (e - c) - c;
    e -= hxs;
    return x - e;
}
// pow's: low words cut off, tails beside
__attribute__((noinline)) static double my_pow(double x, double y, double *lowest) {
    double u = x - 1.5, v = 1.0 / (x + 1.5), ss = u * v, s_h = set_low(ss, 0), t_h = set_low(x + 1.5, 0), t_l = x - (t_h - 1.5);
    double s_l = v * ((u - s_h * t_h) - s_h * t_l);
    double s2 = ss * ss, r = s2 * s2 * (5.99999999999994648725e-01 + s2 * 4.28571428578550184252e-01);
    r += s_l * (s_h + ss);
    s2 = s_h * s_h;
    t_h = set_low(3.0 + s2 + r, 0);
    t_l = r - ((t_h - 3.0) - s2);
    u = s_h * t_h;
    v = s_l * t_h + t_l * ss;
    double p_h = set_low(u + v, 0), p_l = v - (p_h - u);
    double z_h = 9.61796700954437255859e-01 * p_h, z_l = -7.02846165095275826516e-09 * p_h + p_l * 9.61796693925975554329e-01 + 1.35003920212974897128e-08;
    double t = 3, t1 = set_low(((z_h + z_l) + 5.84962487220764160156e-01) + t, 0), t2 = z_l - (((t1 - t) - 5.84962487220764160156e-01) - z_h);
    double y1 = set_low(y, 0);
    p_l = (y - y1) * t1 + y * t2;
    p_h = y1 * t1;
    double z = p_l + p_h;
    *lowest = t_l + p_l + t2;
    int n = (int)z;
    t = n;
    p_h -= t;
    t = set_low(p_l + p_h, 0);
    u = t * 6.93147182464599609375e-01;
    v = (p_l - (t - p_h)) * 6.93147180559945286227e-01 + t * -1.90465429995776804525e-09;
    z = u + v;
    double w = v - (z - u);
    t = z * z;
    t1 = z - t * (P1 + t * (P2 + t * (P3 + t * (P4 + t * P5))));
    r = z * t1 / (t1 - 2.0) - (w + z * w);
    return 1.0 - (r - z);
}
int main(void) {
    volatile double in[] = {0.7, 1.3, -2.1, 10.7, 0.34657359027997264, 5.5};
    for (int i = 0; i < 6; i++) {
        double c, l, x = in[i];
        printf("%.17g %.17g", my_exp(x), my_expm1(x, &c));
        if (c < 0) printf(" below");
        printf(" %.17g", my_pow(1.2 + x / 64, in[5], &l));
        if (l < 0) printf(" below");
        printf("\n");
    }
}
