// nonius: flags=-fno-slp-vectorize options=constants=exact
// (The vectorizer of straight-line code keeps one source line for all operations that it joins.)
// Every function passes on the error of its argument, and rounds once itself: differences show it.
#include <math.h>
#include <stdio.h>

double r[24];
static volatile double big = 1e9, one = 1, tiny = 1e-13, small = 1e-7;

int main(void) {
    r[0] = cbrt(big * big + one) - big / 1e3;     //~ precision-loss: 33..53 bits lost
    r[1] = atan(big + one) - atan(big);           //~ precision-loss: 33..53 bits lost
    r[2] = log10(big + small) - 9;                //~ precision-loss: 33..53 bits lost
    r[3] = log2(one + tiny);                      //~ precision-loss: 33..53 bits lost
    r[4] = exp2(tiny) - one;                      //~ precision-loss: 33..53 bits lost
    r[5] = sinh(small) - small;                   //~ precision-loss: 33..53 bits lost
    r[6] = cosh(small) - one;                     //~ precision-loss: 33..53 bits lost
    r[7] = tanh(small) - small;                   //~ precision-loss: 33..53 bits lost
    r[8] = asinh(big + small) - asinh(big);           //~ precision-loss: 33..53 bits lost
    r[9] = acosh(big + small) - acosh(big);           //~ precision-loss: 33..53 bits lost
    r[10] = atanh(small) - small;                 //~ precision-loss: 33..53 bits lost
    r[11] = erf(small) / small - 1.1283791670955126; //~ precision-loss: 33..53 bits lost
    r[12] = one - erfc(tiny);                     //~ precision-loss: 33..53 bits lost
    r[13] = tgamma(one + tiny) - one;             //~ precision-loss: 33..53 bits lost
    r[14] = lgamma(3 + tiny) - 0.6931471805599453; //~ precision-loss: 33..53 bits lost
    r[15] = pow(one + small, 1e-3) - one - 1e-3 * small; //~ precision-loss: 33..53 bits lost
    r[16] = atan2(big, one) - 1.5707963267948966 + one / big; //~ precision-loss: 33..53 bits lost
    r[17] = hypot(big, one) - big;                //~ precision-loss: 33..53 bits lost
    r[18] = asin(small) - small;                  //~ precision-loss: 33..53 bits lost
    r[19] = acos(small) - 1.5707963267948966 + small; //~ precision-loss: 33..53 bits lost
    r[20] = sin(small) - small;                   //~ precision-loss: 33..53 bits lost
    r[21] = tan(small) - small;                   //~ precision-loss: 33..53 bits lost
    r[22] = fmod(big * big + one, 7.0);           //~ precision-loss: 33..53 bits lost
    r[23] = sqrt(big * big + one) - big;          //~ precision-loss: 33..53 bits lost
    for (int i = 0; i < 24; i++) printf("%d %g\n", i, r[i]);
}
