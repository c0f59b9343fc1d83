struct mixed { float a; double b; int c; float d; };
struct large { double x[12]; };
/* Without the sign of a NaN, which is no one's promise. */
static double ordered(double x) { return x == x ? x : 1; }
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
static __thread double local;
static __attribute__((noinline)) void out(double x, double *p, float *q) { *p = x * 1.5; *q = (float)x; }
typedef float packed4 __attribute__((vector_size(16)));
typedef double packed8 __attribute__((vector_size(64)));
typedef int integer4 __attribute__((vector_size(16)));
struct pair { float a, b; };
struct triple { float a, b, c; };
struct twins { double a, b; };
struct tagged { double a; int b; };
struct thin { _Float16 a, b, c; };
struct wide { long double a; float b; };
struct nest { struct pair p[2]; struct tagged t; char c; };
struct __attribute__((packed)) tight { char c; double d; float f; };
union either { float f[4]; double d[2]; uint64_t u[2]; };
static int64_t to_i64(double x) { return x > -9e18 && x < 9e18 ? (int64_t)x : 3; }
static uint64_t to_u64(double x) { return x > -1 && x < 1.8e19 ? (uint64_t)x : 4; }
static uint32_t to_u32(double x) { return x > -1 && x < 4e9 ? (uint32_t)x : 5; }
static int16_t to_i16(float x) { return x > -32768 && x < 32767 ? (int16_t)x : 6; }
static uint8_t to_u8(float x) { return x > -1 && x < 255 ? (uint8_t)x : 8; }
static __int128 to_i128(double x) { return x > -1e38 && x < 1e38 ? (__int128)x : 9; }
static __attribute__((noinline)) struct pair swap_pair(struct pair p) { struct pair q = {p.b + 1, p.a}; return q; }
static __attribute__((noinline)) struct triple turn(struct triple t, float x) { struct triple u = {t.b * x, t.c, t.a - x}; return u; }
static __attribute__((noinline)) struct twins both(struct twins t, struct tagged u) { t.a += u.a; t.b -= u.b; return t; }
static __attribute__((noinline)) struct tagged tag(double x, int n) { struct tagged t = {x / 3, n + 1}; return t; }
static __attribute__((noinline)) struct thin thinner(struct thin t) { struct thin u = {(_Float16)(t.b + t.c), t.a, t.b}; return u; }
static __attribute__((noinline)) struct wide wider(struct wide w, long double x) { w.a = w.a * x; w.b += 1; return w; }
static __attribute__((noinline)) struct nest nested(struct nest n, double x) { n.p[1].a += n.p[0].b; n.t.a *= x; n.t.b++; return n; }
static __attribute__((noinline)) complex_double spin(complex_double z, complex_float w) { return z * (complex_double)w; }
static __attribute__((noinline)) complex_float spin_float(complex_float z) { return z * z; }
static __attribute__((noinline)) long double extended(long double x, int n, long double y) { return x * n - y / 3; }
static __attribute__((noinline)) _Float16 half(_Float16 x, double y, _Float16 z) { return (_Float16)(x * z + (_Float16)y); }
static __attribute__((noinline)) __bf16 brain(__bf16 x, float y) { return (__bf16)((float)x * y); }
static __attribute__((noinline)) double4 shuffle(double4 x, float4 y, int n) { return x.wxyz * (double)n + __builtin_convertvector(y, double4); }
static __attribute__((noinline)) packed8 eight(packed8 x, double y) { return x * y - x; }
static __attribute__((noinline)) double crowd(double a, float b, double c, float d, double e, float f, double g, float h, double i, float j, double k, float l) {
  return a - b + c * d - e / (f * f + 1) + g - h + i - j + k * l;
}
static __attribute__((noinline)) double mixed_list(const char *kinds, ...) {
  va_list list, again;
  va_start(list, kinds);
  va_copy(again, list);
  double s = 0;
  for (const char *k = kinds; *k; k++) {
    switch (*k) {
      case 'd': s = s * 0.5 + va_arg(list, double); break;
      case 'i': s += va_arg(list, int); break;
      case 'l': s += (double)va_arg(list, long double) * 0.25; break;
      case 'p': { struct twins t = va_arg(list, struct twins); s += t.a - t.b; break; }
      default: s -= *va_arg(list, double *);
    }
  }
  if (*kinds == 'd') s += va_arg(again, double);
  va_end(again);
  va_end(list);
  return s;
}
static __attribute__((noinline)) double format_list(char *text, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(text, size, format, list);
  va_end(list);
  return n;
}
typedef struct pair (*pair_function)(struct pair);
static struct pair scale_pair(struct pair p) { p.a *= 3; p.b *= 0.3f; return p; }
static pair_function volatile pairs[] = {swap_pair, scale_pair};
typedef float (*float_function)(float, double);
static float first_of(float x, double y) { return x + (float)y; }
static float second_of(float x, double y) { return (float)(x * y); }
static float_function volatile floats_of[] = {first_of, second_of};
static jmp_buf place;
static __attribute__((noinline)) double leap(double x, int n) {
  if (n == 0) longjmp(place, x > 0 ? 1 : 2);
  return leap(x * 1.25 - 1, n - 1) * 2;
}
static __attribute__((noinline)) double jumped(double x, double y) {
  volatile double kept = x * 0.5;
  volatile int rounds = 0;
  int code = setjmp(place);
  if (code == 0 || rounds < 2) {
    kept = kept + y;
    rounds++;
    return leap(kept, 3) + kept;
  }
  return kept * code;
}
struct work { double in[4]; double out; float bits; };
static void *labour(void *p) {
  struct work *w = (struct work *)p;
  double s = 0;
  for (int i = 0; i < 4; i++) s = s * 0.75 + w->in[i];
  w->out = s;
  w->bits = (float)s;
  return p;
}
static __attribute__((noinline)) double two_threads(double x, double y, double z) {
  struct work w[2] = {{{x, y, z, 1}, 0, 0}, {{z, x, y, 2}, 0, 0}};
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, labour, &w[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return w[0].out - w[1].out + w[0].bits * w[1].bits;
}
static volatile double of_signal;
static void on_signal(int n) { of_signal = of_signal * 0.5 + n / 3.0; }
static __attribute__((noinline)) double signalled(double x) {
  signal(SIGUSR1, on_signal);
  of_signal = x;
  double y = x * 3;
  raise(SIGUSR1);
  return of_signal - y;
}
static __attribute__((noinline)) double *at(double *p, int n) { return p + n; }
static __attribute__((noinline)) void axpy(double a, const double *restrict_x, double *y, int n) { for (int i = 0; i < n; i++) y[i] += a * restrict_x[i]; }
static __attribute__((noinline)) double even(double x, int n);
static __attribute__((noinline)) double odd(double x, int n) { return n <= 0 ? x : even(x * 0.5 + 1, n - 1); }
static __attribute__((noinline)) double even(double x, int n) { return n <= 0 ? -x : odd(x * 3 - 1, n - 1); }
