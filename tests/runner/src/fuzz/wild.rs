//! Pieces of C beyond what the evaluator follows: other formats, vectors, unions, library calls, control that hangs on
//! floats. Their results are only compared with plain clang's, bit for bit.
//!
//! None may be undefined for any operand, or the comparison would mean nothing: conversions to integers are guarded, and
//! shifts stay in range.

use super::program::Format;

/// A statement: `$0`, `$1`, `$2` are operands of the format, `$r` is a variable of it.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    pub format: Format,
    pub text: &'static str,
}

const fn double(text: &'static str) -> Template {
    Template { format: Format::Double, text }
}

const fn float(text: &'static str) -> Template {
    Template { format: Format::Float, text }
}

/// What the templates call.
pub const HELPERS: &str = "\
typedef double double4 __attribute__((ext_vector_type(4)));
typedef float float8 __attribute__((ext_vector_type(8)));
typedef double double2 __attribute__((ext_vector_type(2)));
struct mixed { float a; double b; int c; float d; };
struct large { double x[12]; };
static int small_int(double x) { return x > -1e6 && x < 1e6 ? (int)x : 7; }
static __attribute__((noinline)) struct mixed make(double x, float y) { struct mixed m = {y, x, 3, y * 2}; return m; }
static __attribute__((noinline)) struct large fill(double x) { struct large l; for (int i = 0; i < 12; i++) l.x[i] = x * i; return l; }
static __attribute__((noinline)) double drain(struct large l, struct mixed m) { double s = m.b; for (int i = 0; i < 12; i++) s += l.x[i]; return s - m.a; }
static __attribute__((noinline)) double variable(int n, ...) {
  va_list list;
  va_start(list, n);
  double s = 0;
  for (int i = 0; i < n; i++) s = s * 0.5 + va_arg(list, double) + va_arg(list, int);
  va_end(list);
  return s;
}
static double twice(double x) { return x + x; }
static double thrice(double x) { return x * 3; }
static double (*const volatile table[])(double) = {twice, thrice, sin, sqrt};
static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
static __attribute__((noinline)) double recurse(double x, int n) { return n == 0 ? x : recurse(x * 0.75 + n, n - 1) - x; }
static _Atomic double shared;
static _Thread_local double local;
static __attribute__((noinline)) void out(double x, double *p, float *q) { *p = x * 1.5; *q = (float)x; }
";

pub const TEMPLATES: &[Template] = &[
    double("if ($0 < $1) $r = $2; else $r = $1;"),
    double("$r = $0 > $1 ? $0 : $2;"),
    double("if ($0 == $1 || $1 != $2) $r += 1;"),
    double("for (int k = 0; k < 20 && fabs($r) < fabs($0) * 100; k++) $r = $r * 1.5 + 1;"),
    double("switch (small_int($0) & 3) { case 0: $r = $1; break; case 1: $r = $2; break; default: $r = -$r; }"),
    double("$r = small_int($0) / 3 + $1;"),
    double("$r = (double)((unsigned)small_int($0) >> 2);"),
    double("$r = (double)(unsigned long long)(fabs($0) < 1e15 ? $0 * $0 : 5);"),
    double("{ union { double d; unsigned long long u; } q; q.d = $0; q.u ^= 1ull << 63; $r = q.d; }"),
    double(
        "{ union { double d; unsigned long long u; } q; q.d = $0; if ((q.u >> 52 & 0x7ff) < 0x700) q.u += 1ull << 52; $r = q.d; }",
    ),
    double(
        "{ double t[4] = {$0, $1, $2, $r}, u[4]; memcpy(u, t, sizeof t); memmove(t + 1, t, 24); $r = t[3] + u[2]; }",
    ),
    double("{ double t[6] = {$0, $1, $2, $r, 1, 2}; qsort(t, 6, sizeof *t, compare); $r = t[4] - t[1]; }"),
    double("{ double *t = malloc(64); t[0] = $0; t[7] = $1; t = realloc(t, 4096); $r = t[0] * t[7]; free(t); }"),
    double("{ double *t = calloc(9, 8); for (int k = 0; k < 9; k++) t[k] += $0 / (k + 1); $r = t[8]; free(t); }"),
    double("{ struct mixed m = make($0, (float)$1), n = m; $r = n.b + n.d * n.c; }"),
    double("$r = drain(fill($0), make($1, 2.5f));"),
    double("$r = variable(3, $0, 1, $1, 2, $2, 3);"),
    double("$r = variable(10, $0, 1, $1, 2, $2, 3, 1.0, 4, 2.0, 5, $0, 6, $1, 7, $2, 8, 0.1, 9, $r, 10);"),
    double("$r = table[small_int($0) & 3]($1);"),
    double("$r = recurse($0, small_int($1) & 7);"),
    double("shared = $0; shared += $1; $r = shared;"),
    double("local = local * 0.5 + $0; $r = local;"),
    double("{ float q; out($0, &$r, &q); $r += q; }"),
    double("{ double4 x = {$0, $1, $2, $r}, y = x.wzyx; x = x * y + 1.0; $r = x.x - x.w + x.y * x.z; }"),
    double("{ double4 x = {$0, $1, $2, $r}; double4 y = x > 1.0 ? x : -x; $r = y.x + y.y + y.z + y.w; }"),
    double("{ float8 x = (float)$0; x.s3 = (float)$1; x = x / (float)2 - x.s76543210; $r = x.s0 + x.s3; }"),
    double("{ double2 x = {$0, $1}; $r = __builtin_reduce_max(x) - __builtin_reduce_min(x); }"),
    double(
        "{ double2 x = {$0, $1}; x = __builtin_elementwise_floor(x) + __builtin_elementwise_abs(x); $r = x.x * x.y; }",
    ),
    double("{ double complex z = $0 + $1 * I; z = z * z + (double complex)($2 - I); $r = creal(z) + cimag(z); }"),
    double("{ double complex z = $0 + $1 * I, w = $2 + 3 * I; $r = creal(z / w); }"),
    double("$r = cabs(csqrt($0 + $1 * I));"),
    double("{ long double x = $0; x = x * $1 + 1.0L / 3; $r = (double)(sqrtl(fabsl(x)) - x); }"),
    double(
        "{ long double x[3] = {$0, $1, $2}, s = 0; for (int k = 0; k < 3; k++) s += x[k] * x[(k + 1) % 3]; $r = (double)s; }",
    ),
    double("{ __float128 x = $0; x = x * x - (__float128)$1 / 3; $r = (double)x; }"),
    double("{ _Float16 x = (_Float16)$0, y = (_Float16)$1; x = x * y + (_Float16)0.1; $r = (double)x; }"),
    double(
        "{ _Float16 x[8]; for (int k = 0; k < 8; k++) x[k] = (_Float16)($0 + k); for (int k = 1; k < 8; k++) x[k] += x[k - 1]; $r = x[7]; }",
    ),
    double("{ __bf16 x = (__bf16)(float)$0; x = x * x + (__bf16)1.0f; $r = (float)x; }"),
    double("$r = floor($0) + ceil($1) - trunc($2);"),
    double("$r = round($0) - rint($1) + nearbyint($2);"),
    double("if (fabs($0) < 1e9) $r = (double)(lrint($0) + lround($0));"),
    double("$r = fmin($0, $1) + fmax($1, $2);"),
    double("$r = copysign($0, $1) + fdim($1, $2);"),
    double("$r = fmod($0, $1) + remainder($1, $2);"),
    double("{ int k; double m = frexp($0, &k); $r = ldexp(m, k > 100 ? 100 : k) + k; }"),
    double("{ double w; $r = modf($0, &w) - w * 0.25; }"),
    double("{ double s, c; s = sin($0); c = cos($0); $r = s * s + c * c; }"),
    double("$r = isnan($0) + 2 * isinf($1) + 4 * !!signbit($2) + isfinite($0 / $1);"),
    double("$r = scalbn($0, small_int($1) % 20) + logb(fabs($2) + 1);"),
    double("$r = nextafter($0, $1) - $0;"),
    double("errno = 0; $r = log($0); if (errno) $r = errno;"),
    double("$r = exp2($0 > 50 ? 50 : $0) + exp($1 > 50 ? 50 : $1) + cbrt($2);"),
    double("{ char text[64]; snprintf(text, sizeof text, \"%.17g\", $0); $r = strtod(text, 0); }"),
    double("{ volatile double t = $0; t += t; $r = t - $1; }"),
    double(
        "{ double t[32]; for (int k = 0; k < 32; k++) t[k] = $0 * k - $1; double s = 0; for (int k = 0; k < 32; k++) s += t[k] * t[31 - k]; $r = s; }",
    ),
    double(
        "{ double m[4][4]; for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) m[i][j] = $0 * i - $1 * j; double s = 0; for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) s += m[i][j] * m[j][i]; $r = s; }",
    ),
    double(
        "{ double t[16]; memset(t, 0, sizeof t); t[3] = $0; for (int k = 1; k < 16; k++) t[k] = t[k] > t[k - 1] ? t[k] : t[k - 1] * 0.5; $r = t[15]; }",
    ),
    double("{ int n = 0; for (double x = 0; x < 1 && n < 50; x += 0.1) n++; $r = n * $0; }"),
    double("{ double x = $0, y = $1; x += y; y = x - y; x -= y; $r = x * 2 + y; }"),
    float("if ($0 < $1) $r = $2; else $r = $0 * $1;"),
    float("{ union { float f; unsigned u; } q; q.f = $0; q.u &= 0xfffff000u; $r = q.f; }"),
    float(
        "{ float t[24], s = 0; for (int k = 0; k < 24; k++) t[k] = $0 * k + $1; for (int k = 0; k < 24; k++) s += t[k]; $r = s; }",
    ),
    float(
        "{ float t[24], s = $2; for (int k = 0; k < 24; k++) t[k] = $0 / (k + 1); for (int k = 0; k < 24; k++) s = s > t[k] ? s : t[k]; $r = s; }",
    ),
    float("$r = sqrtf(fabsf($0)) + floorf($1) - roundf($2);"),
    float("$r = fminf($0, $1) * fmaf($0, $1, $2);"),
    float("{ double t = $0; t = t * $1 - $2; $r = (float)t; }"),
    float("$r = (float)small_int($0) + (float)(unsigned char)small_int($1);"),
    float("{ float8 x = $0; x += (float8){0, 1, 2, 3, 4, 5, 6, 7}; x = x * x - $1; $r = __builtin_reduce_max(x); }"),
    float("$r = hypotf($0, $1) + atan2f($1, $2) + powf(fabsf($0), 0.3f);"),
    float("{ float complex z = $0 + $1 * I; z = z * (float complex)($2 + 1.0f * I); $r = crealf(z) - cimagf(z); }"),
];
