/* Evaluates one special function of GSL: gsl_special airy|lngamma|dilog x */
#include <gsl/gsl_sf_airy.h>
#include <gsl/gsl_sf_dilog.h>
#include <gsl/gsl_sf_gamma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc != 3) {
        return 2;
    }
    double x = strtod(argv[2], NULL);
    double y;
    if (strcmp(argv[1], "airy") == 0) {
        y = gsl_sf_airy_Ai(x, GSL_PREC_DOUBLE);
    } else if (strcmp(argv[1], "lngamma") == 0) {
        y = gsl_sf_lngamma(x);
    } else {
        y = gsl_sf_dilog(x);
    }
    printf("%.17g\n", y);
    return 0;
}
