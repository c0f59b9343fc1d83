// Draws from each of numpy's distributions with a fixed seed: draw COUNT
// Prints the first draws of each to the last digit, and the mean of all.
#include "numpy/random/distributions.h"
#include "pcg64.h"

#define SHOWN 3

static uint64_t draw_uint64(void *state) { return pcg64_next64(state); }
static uint32_t draw_uint32(void *state) { return pcg64_next32(state); }
static double draw_double(void *state) { return (double)(pcg64_next64(state) >> 11) * 0x1p-53; }

static pcg64_random_t generator;
static pcg64_state state = {&generator, 0, 0};
static bitgen_t bits = {&state, draw_uint64, draw_uint32, draw_double, draw_uint64};

static void restart(uint64_t seed)
{
    uint64_t start[2] = {seed, 42}, stream[2] = {54, 1};
    pcg64_set_seed(&state, start, stream);
    state.has_uint32 = 0;
}

// The same for every distribution: its name, its generator, and how a draw is printed.
#define DRAW(name, type, format, call)                                    \
    do {                                                                  \
        double sum = 0;                                                   \
        restart(__LINE__);                                                \
        for (long i = 0; i < count; i++) {                                \
            type x = (call);                                              \
            sum += (double)x;                                             \
            if (i < SHOWN)                                                \
                printf("%-24s " format "\n", name, x);                    \
        }                                                                 \
        printf("%-24s mean %.17g\n", name, sum / (double)count);          \
    } while (0)
#define REAL(name, call) DRAW(name, double, "%.17g", call)
#define SINGLE(name, call) DRAW(name, float, "%.9g", (call))
#define WHOLE(name, call) DRAW(name, long, "%ld", (long)(call))

static void reals(long count)
{
    REAL("uniform", random_uniform(&bits, -2.5, 7.25));
    REAL("exponential", random_exponential(&bits, 1.7));
    REAL("normal", random_normal(&bits, -0.3, 2.1));
    REAL("gamma 0.3", random_gamma(&bits, 0.3, 2.0));
    REAL("gamma 1", random_gamma(&bits, 1.0, 2.0));
    REAL("gamma 12.5", random_gamma(&bits, 12.5, 0.1));
    REAL("beta 0.2 0.7", random_beta(&bits, 0.2, 0.7));
    REAL("beta 1e-3 1e-3", random_beta(&bits, 1e-3, 1e-3));
    REAL("beta 3 7", random_beta(&bits, 3.0, 7.0));
    REAL("chi-square", random_chisquare(&bits, 3.5));
    REAL("F", random_f(&bits, 3.0, 8.0));
    REAL("Cauchy", random_standard_cauchy(&bits));
    REAL("Pareto", random_pareto(&bits, 2.5));
    REAL("Weibull", random_weibull(&bits, 1.3));
    REAL("power", random_power(&bits, 3.1));
    REAL("Laplace", random_laplace(&bits, 0.5, 1.5));
    REAL("Gumbel", random_gumbel(&bits, 0.5, 1.5));
    REAL("logistic", random_logistic(&bits, 0.5, 1.5));
    REAL("log-normal", random_lognormal(&bits, 0.1, 0.6));
    REAL("Rayleigh", random_rayleigh(&bits, 2.0));
    REAL("Student's t", random_standard_t(&bits, 4.0));
    REAL("noncentral chi-square", random_noncentral_chisquare(&bits, 3.0, 1.5));
    REAL("noncentral F", random_noncentral_f(&bits, 3.0, 9.0, 1.5));
    REAL("Wald", random_wald(&bits, 2.0, 3.0));
    REAL("Wald, large mean", random_wald(&bits, 1e8, 1.0));
    REAL("von Mises", random_vonmises(&bits, 0.7, 4.0));
    REAL("von Mises, small kappa", random_vonmises(&bits, 0.7, 1e-6));
    REAL("von Mises, large kappa", random_vonmises(&bits, 0.7, 1e5));
    REAL("triangular", random_triangular(&bits, -1.0, 0.25, 2.0));
    SINGLE("uniform, float", random_standard_uniform_f(&bits));
    SINGLE("exponential, float", random_standard_exponential_f(&bits));
    SINGLE("normal, float", random_standard_normal_f(&bits));
    SINGLE("gamma, float", random_gamma_f(&bits, 0.4f, 2.0f));
}

static void integers(long count)
{
    binomial_t binomial = {0};
    WHOLE("Poisson 3", random_poisson(&bits, 3.0));
    WHOLE("Poisson 1000", random_poisson(&bits, 1000.0));
    WHOLE("negative binomial", random_negative_binomial(&bits, 4.5, 0.3));
    WHOLE("binomial 20", random_binomial(&bits, 0.3, 20, &binomial));
    WHOLE("binomial 10000", random_binomial(&bits, 0.45, 10000, &binomial));
    WHOLE("log series", random_logseries(&bits, 0.7));
    WHOLE("geometric 0.6", random_geometric(&bits, 0.6));
    WHOLE("geometric 0.01", random_geometric(&bits, 0.01));
    WHOLE("Zipf", random_zipf(&bits, 1.9));
    WHOLE("hypergeometric 8", random_hypergeometric(&bits, 15, 10, 8));
    WHOLE("hypergeometric 2000", random_hypergeometric(&bits, 9000, 7000, 2000));
    WHOLE("interval", random_interval(&bits, 1000));
}

static void vectors(long count)
{
    enum { COLORS = 4 };
    double fill[COLORS], shares[COLORS] = {0.1, 0.2, 0.3, 0.4};
    int64_t picks[COLORS], colors[COLORS] = {30, 20, 400, 50};
    binomial_t binomial = {0};
    restart(7);
    for (long i = 0; i < count / COLORS; i++) {
        random_standard_exponential_inv_fill(&bits, COLORS, fill);
        random_multinomial(&bits, 100, memset(picks, 0, sizeof picks), shares, COLORS, &binomial);
        if (i < SHOWN)
            printf("exponentials %.17g %.17g, multinomial %ld %ld\n", fill[0], fill[3], picks[0], picks[3]);
        memset(picks, 0, sizeof picks);
        random_multivariate_hypergeometric_marginals(&bits, 500, COLORS, colors, 60, 1, picks);
        if (i < SHOWN)
            printf("marginals %ld %ld %ld %ld\n", picks[0], picks[1], picks[2], picks[3]);
        memset(picks, 0, sizeof picks);
        random_multivariate_hypergeometric_count(&bits, 500, COLORS, colors, 60, 1, picks);
        if (i < SHOWN)
            printf("counts %ld %ld %ld %ld\n", picks[0], picks[1], picks[2], picks[3]);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    long count = atol(argv[1]);
    reals(count);
    integers(count);
    vectors(count);
}
