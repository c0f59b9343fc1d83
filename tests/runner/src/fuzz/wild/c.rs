//! Pieces for C and C++.

use super::{Template, double, float};

/// Good in both.
pub const SHARED: &[Template] = &[
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
    double(
        "{ double *t = (double *)malloc(64); t[0] = $0; t[7] = $1; t = (double *)realloc(t, 4096); $r = t[0] * t[7]; free(t); }",
    ),
    double(
        "{ double *t = (double *)calloc(9, 8); for (int k = 0; k < 9; k++) t[k] += $0 / (k + 1); $r = t[8]; free(t); }",
    ),
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
    double("$r = copysign($0, ordered($1)) + fdim($1, $2);"),
    double("$r = fmod($0, $1) + remainder($1, $2);"),
    double("{ int k; double m = frexp($0, &k); $r = ldexp(m, k > 100 ? 100 : k) + k; }"),
    double("{ double w; $r = modf($0, &w) - w * 0.25; }"),
    double("{ double s, c; s = sin($0); c = cos($0); $r = s * s + c * c; }"),
    double("$r = isnan($0) + 2 * isinf($1) + 4 * !!signbit(ordered($2)) + isfinite($0 / $1);"),
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
    double("{ struct pair p = {(float)$0, (float)$1}; p = swap_pair(swap_pair(p)); $r = p.a - p.b; }"),
    double("{ struct pair p = {(float)$0, (float)$1}; p = pairs[small_int($2) & 1](p); $r = p.a + p.b; }"),
    double("{ struct triple t = {(float)$0, (float)$1, (float)$2}; t = turn(t, 1.5f); $r = t.a + t.b - t.c; }"),
    double("{ struct twins t = {$0, $1}; t = both(t, tag($2, 4)); $r = t.a * 0.5 - t.b; }"),
    double(
        "{ struct thin t = {(_Float16)$0, (_Float16)$1, (_Float16)2}; t = thinner(t); $r = (double)t.a - (double)t.b + (double)t.c; }",
    ),
    double("{ struct wide w = {$0, (float)$1}; w = wider(w, $2); $r = (double)w.a + w.b; }"),
    double(
        "{ struct nest n = {{{(float)$0, 1}, {(float)$1, 2}}, {$2, 3}, 4}; n = nested(n, $0); struct nest m = n; $r = m.p[1].a + m.t.a * m.t.b - m.c; }",
    ),
    double("{ struct tight t = {1, $0, (float)$1}; struct tight u = t; u.d += u.f; $r = u.d * u.c; }"),
    double(
        "{ union either e; e.d[0] = $0; e.d[1] = $1; if ((e.u[1] >> 52 & 0x7ff) == 0x7ff) e.d[1] = 2; e.u[0] ^= e.u[1] & 0xff; $r = e.d[0]; }",
    ),
    double(
        "{ union either e; e.f[0] = (float)$0; e.f[1] = (float)$1; e.f[2] = 1; e.f[3] = (float)$2; union either g = e; $r = g.f[0] + g.f[3]; }",
    ),
    double(
        "{ uint64_t u; double d = ordered($0); memcpy(&u, &d, 8); u = (u & 0x800fffffffffffffull) | 0x3ff0000000000000ull; memcpy(&d, &u, 8); $r = d * $1; }",
    ),
    double("$r = (double)to_i64($0) + (double)to_u64($1);"),
    double("$r = (double)to_u32($0) * 0.5 - (double)to_i16((float)$1) + to_u8((float)$2);"),
    double("$r = (double)to_i128($0) + (double)(unsigned __int128)to_u64($1);"),
    double("$r = (float)to_i64($0 * 1048576) + !!$1;"),
    double("{ uint64_t n = to_u64($0) | 1; $r = (double)n / (double)(n >> 1 | 1); }"),
    double(
        "{ complex_double z = __builtin_complex((double)$0, (double)$1); z = spin(z, (complex_float)z); $r = __real__ z - __imag__ z; }",
    ),
    double(
        "{ complex_float z = __builtin_complex((float)$0, (float)$1); z = spin_float(z) / z; $r = __real__ z + __imag__ z; }",
    ),
    double(
        "{ complex_double z[3] = {__builtin_complex((double)$0, 1.0), __builtin_complex((double)$1, (double)$2), 2}; complex_double s = 0; for (int k = 0; k < 3; k++) s += z[k] * z[2 - k]; $r = __real__ s; }",
    ),
    double("$r = (double)extended($0, 3, $1);"),
    double("{ long double x = $0; x = fmal(x, $1, $2) + floorl(x) - expl(x > 10 ? 10 : x); $r = (double)x; }"),
    double("{ long double x = $0, y = $1; if (x < y) x = y; x += 0.1L; $r = (double)(x - y) + (double)(x == y); }"),
    double(
        "{ char text[80]; snprintf(text, sizeof text, \"%.21Lg %a\", (long double)ordered($0) / 3, ordered($1)); $r = strtod(text, 0) + strlen(text); }",
    ),
    double("$r = (double)half((_Float16)$0, $1, (_Float16)$2);"),
    double("{ _Float16 x = (_Float16)$0; x++; x *= (_Float16)$1; $r = x < (_Float16)3 ? (double)x : (double)-x; }"),
    double("$r = (double)(float)brain((__bf16)(float)$0, (float)$1);"),
    double(
        "{ __bf16 t[6]; for (int k = 0; k < 6; k++) t[k] = (__bf16)((float)$0 * k); __bf16 s = t[0]; for (int k = 1; k < 6; k++) s = s + t[k]; $r = (float)s; }",
    ),
    double(
        "{ double4 x = {$0, $1, $2, 1}; float4 y = {1, (float)$0, 3, (float)$1}; x = shuffle(x, y, 2); $r = x.x + x.y - x.z * x.w; }",
    ),
    double(
        "{ packed8 x = {$0, $1, $2, 1, 2, 3, 4, 5}; x = eight(x, $1); double s = 0; for (int k = 0; k < 8; k++) s += x[k]; $r = s; }",
    ),
    double(
        "{ packed4 x = {(float)$0, (float)$1, (float)$2, 1}; integer4 m = x > 1.0f; x = x + x; $r = x[small_int($0) & 3] + m[1]; }",
    ),
    double(
        "{ double4 x = {$0, $1, $2, 4}; int k = small_int($1) & 3; x[k] += 1; x[3 - k] = $0; $r = __builtin_reduce_max(x) + x[k]; }",
    ),
    double(
        "{ double4 x = {$0, $1, 2, 3}; double2 y = __builtin_shufflevector(x, x, 3, 0); y /= x.xy; $r = y.x - y.y; }",
    ),
    double("{ float8 x = (float)$0; double s = 0; for (int k = 0; k < 8; k++) { x[k] += k; s += x[7 - k]; } $r = s; }"),
    double(
        "{ double2 *p = (double2 *)malloc(64); for (int k = 0; k < 4; k++) p[k] = (double2){$0 + k, $1}; double2 s = p[0]; for (int k = 1; k < 4; k++) s = s * p[k] - s; $r = s.x + s.y; free(p); }",
    ),
    double("$r = crowd($0, (float)$1, $2, 1, $0, (float)$2, $1, 2, 3, (float)$0, $2, 0.5f);"),
    double(
        "{ double t = $2; struct twins q = {$0, $1}; $r = mixed_list(\"dilp*\", (double)$0, 3, (long double)$1, q, &t); }",
    ),
    double(
        "$r = mixed_list(\"dddddddddddii\", (double)$0, (double)$1, (double)$2, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, (double)$0, 0.1, 1, 2);",
    ),
    double(
        "{ char text[99]; $r = format_list(text, sizeof text, \"%g %a %.3f %d\", ordered($0), ordered($1), ordered($2), 4) + (double)strtod(text, 0); }",
    ),
    double(
        "{ double t[5] = {1, 2, 3, 4, 5}; if (sscanf(\"2.5 1e-3 0x1.8p1\", \"%lf %lf %lf\", t, t + 1, t + 2) == 3) $r = t[0] * $0 - t[1] + t[2]; }",
    ),
    double("$r = floats_of[small_int($0) & 1]((float)$1, $2);"),
    double("$r = jumped($0, $1) + $2;"),
    double("$r = two_threads($0, $1, $2);"),
    double("$r = signalled($0) + $1;"),
    double("$r = even($0, small_int($1) & 15);"),
    double(
        "{ double t[8]; for (int k = 0; k < 8; k++) *at(t, k) = $0 - k; double u[8]; for (int k = 0; k < 8; k++) u[k] = *at(t, 7 - k); axpy($1, t, u, 8); $r = u[3] - u[4]; }",
    ),
    double(
        "{ double *t = (double *)__builtin_alloca(16 * sizeof(double)); for (int k = 0; k < 16; k++) t[k] = $0 / (k + 1); double s = 0; for (int k = 15; k >= 0; k--) s += t[k] * $1; $r = s; }",
    ),
    double(
        "{ static double kept[3]; kept[0] = kept[1]; kept[1] = kept[2]; kept[2] = $0; $r = kept[0] + kept[1] * 2 - kept[2]; }",
    ),
    double(
        "{ static double *link; static double cell[2]; link = &cell[small_int($0) & 1]; *link += $1; $r = cell[0] - cell[1]; }",
    ),
    double(
        "{ double t[3] = {$0, $1, $2}; double *p = t, *q = t + 2; while (p < q) { double u = *p; *p++ = *q; *q-- = u; } $r = t[0] * 4 + t[2]; }",
    ),
    double("{ int n = 0; double x = fabs($0) + 1; do { x *= 0.5; n++; } while (x > 1 && n < 60); $r = x + n; }"),
    double(
        "{ int n = small_int($0) & 7; switch (n) { case 0: $r = $1; case 1: $r += $2; break; case 2: { float t = (float)$1; $r = t; } break; case 3: case 4: $r *= 0.5; default: $r -= 1; } }",
    ),
    double(
        "{ double x = $0; $r = (x < $1) + 2 * (x <= $1) + 4 * (x > $1) + 8 * (x >= $1) + 16 * (x == $1) + 32 * (x != $1); }",
    ),
    double("$r = (isless($0, $1) ? 1 : 0) + (isunordered($1, $2) ? 2 : 0) + (isgreaterequal($2, $0) ? 4 : 0);"),
    double("$r = ($0 > 0 && $1 > 0 ? sqrt($0) * sqrt($1) : $0 < 0 || $2 < 0 ? -$1 : $2);"),
    double("{ double x = $0; x++; --x; x += 1, x -= 1; x *= x; x /= 3; $r = -x + +$1; }"),
    double("{ float x = (float)$0; double y = x; x = (float)(y * y); y = x; $r = y - $1; }"),
    double("{ volatile float x = (float)$0; float y = x; x = y * 2; $r = x - y; }"),
    double(
        "{ double m[3][3]; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) m[i][j] = i == j ? $0 + i : $1 / (i + j + 1); for (int k = 0; k < 2; k++) for (int i = k + 1; i < 3; i++) { double f = m[i][k] / m[k][k]; for (int j = k; j < 3; j++) m[i][j] -= f * m[k][j]; } $r = m[0][0] * m[1][1] * m[2][2]; }",
    ),
    double(
        "{ double s = 0, c = 0; for (int k = 0; k < 20; k++) { double y = $0 / (k + 1) - c, t = s + y; c = (t - s) - y; s = t; } $r = s; }",
    ),
    double(
        "{ double x = fabs($0) + 1, y = x; for (int k = 0; k < 30 && fabs(y * y - x) > 1e-10 * x; k++) y = 0.5 * (y + x / y); $r = y; }",
    ),
    double(
        "{ double t[40]; for (int k = 0; k < 40; k++) t[k] = k & 1 ? $0 : $1; double s = 0; for (int k = 0; k < 40; k++) if (t[k] > s) s = t[k]; else s += t[k] * 0.125; $r = s; }",
    ),
    double(
        "{ double t[33]; for (int k = 0; k < 33; k++) t[k] = $0 + k * 0.25; for (int k = 1; k < 32; k++) t[k] = (t[k - 1] + t[k] + t[k + 1]) / 3; $r = t[16]; }",
    ),
    double(
        "{ int c[16] = {0}; for (int k = 0; k < 16; k++) c[(small_int($0) + k * 3) & 15] += k; double s = 0; for (int k = 0; k < 16; k++) s += c[k] * ($1 + k); $r = s; }",
    ),
    double(
        "{ double t[9]; for (int k = 0; k < 9; k++) t[k] = sin($0 * k); double s = 1; for (int k = 0; k < 9; k++) s *= t[k] + 2; $r = s; }",
    ),
    double(
        "{ double a = $0, b = $1; __asm__ volatile(\"\" : \"+x\"(a)); a -= b; __asm__ volatile(\"\" : : : \"memory\"); $r = a; }",
    ),
    double("{ _Atomic float x = 1; x += (float)$0; x *= 2; $r = x; }"),
    double("{ double x = $0, y = $1; double old; __atomic_exchange(&x, &y, &old, __ATOMIC_SEQ_CST); $r = x - old; }"),
    double(
        "{ double x = $0, want = $1, next = $2; __atomic_compare_exchange(&x, &want, &next, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); $r = x + want; }",
    ),
    double("$r = __builtin_fabs($0) + __builtin_huge_val() * 0.0 * ($0 != $0);"),
    double(
        "$r = ordered(tgamma(sin($0) + 3)) + erf($1) + lgamma(fabs(ordered($2)) < 100 ? fabs(ordered($2)) + 1 : 2);",
    ),
    double(
        "$r = ilogb(fabs(ordered($0)) + 1) + (double)llround(ordered(sin($1)) * 100) + (double)lrintf((float)ordered(cos($2)) * 9);",
    ),
    double("{ int q = 0; $r = remquo(ordered(sin($0)) * 100, 3.0, &q) + (q & 7); }"),
    double("{ double s, c; sincos($0, &s, &c); $r = s - c; }"),
    float("{ struct pair p = {$0, $1}; p = pairs[small_int($2) & 1](p); $r = p.a - p.b; }"),
    float("$r = (float)to_i16($0) + to_u8($1) * 0.5f + (float)to_u32($2) + (float)to_i64($0);"),
    float(
        "{ uint32_t u; float f = $0; memcpy(&u, &f, 4); u = 0x5f3759df - (u >> 1 & 0x3fffffff); memcpy(&f, &u, 4); $r = f * (1.5f - 0.5f * f); }",
    ),
    float(
        "{ float t[32]; for (int k = 0; k < 32; k++) t[k] = k & 3 ? $0 + k : $1; float s = 0, m = t[0]; for (int k = 0; k < 32; k++) { s += t[k] * t[k]; m = m < t[k] ? m : t[k]; } $r = s - m; }",
    ),
    float(
        "{ float t[20]; int n[20]; for (int k = 0; k < 20; k++) { t[k] = $0 * 0.01f * k; n[k] = small_int(t[k]); } int s = 0; for (int k = 0; k < 20; k++) s += n[k] & 255; $r = (float)s; }",
    ),
    float("{ _Float16 x = (_Float16)$0; float4 y = {$0, $1, $2, 1}; y = y * (float)x; $r = y.x + y.w; }"),
    float("{ float4 y = {$0, $1, $2, 1}; y = y > 0.5f ? y.yxwz : -y; $r = __builtin_reduce_min(y) + y.z; }"),
    float("$r = cosf($0) * expf($1 > 20 ? 20 : $1) + log1pf(fabsf($2)) + fmodf($0, 3.0f);"),
    float(
        "{ float x = $0; switch (small_int(x)) { case 0: x = $1; break; case 1: case 2: x *= $2; break; default: x -= 1; } $r = x; }",
    ),
    float("{ float s = 0; for (float x = 0; x < 2; x += 0.125f) s += x * $0; $r = s; }"),
    float("{ double x = $0; long double y = x; $r = (float)(y / 3 + x); }"),
    float("$r = (float)two_threads($0, $1, $2);"),
    float("$r = (float)jumped($0, $1);"),
];

/// What C++ does not have, or writes otherwise.
pub const C_ONLY: &[Template] = &[
    double("{ double complex z = $0 + $1 * I; z = z * z + (double complex)($2 - I); $r = creal(z) + cimag(z); }"),
    double("{ double complex z = $0 + $1 * I, w = $2 + 3 * I; $r = creal(z / w); }"),
    double("$r = cabs(csqrt($0 + $1 * I));"),
    float("{ float complex z = $0 + $1 * I; z = z * (float complex)($2 + 1.0f * I); $r = crealf(z) - cimagf(z); }"),
    double(
        "{ int n = (small_int($0) & 7) + 2; double t[n]; for (int k = 0; k < n; k++) t[k] = $1 * k; $r = t[n - 1] - t[n / 2]; }",
    ),
    double(
        "{ double t[4] = {[2] = $0, [0] = $1}; struct mixed m = {.b = t[2], .a = (float)t[0]}; $r = m.b + m.a + m.d; }",
    ),
    double(
        "{ double complex z = cpow($0 + 1.0 * I, 2) + cexp(sin($1) * I) + conj($2 + 2 * I); $r = creal(z) - cimag(z) + carg(z); }",
    ),
    double("$r = ((struct twins){$0, $1}).a - *(double[]){$2};"),
    double("$r = _Generic(($0), double: $1, float: 0.5, default: 0.0);"),
];
