/* nonius_acsl.h: what 'nonius cc --nonius-acsl' puts in the place of annotations. Not for programs to use.
 *
 * A predicate is an int: 0 false, 1 true, 2 not known. Its first evaluation (__nonius_acsl_first) takes the fast ways, those
 * of machine integers and of plain comparisons; if it does not come out true, the runtime evaluates it again, and notes values.
 */
#ifndef NONIUS_ACSL_H
#define NONIUS_ACSL_H
#ifndef __ASSEMBLER__
#pragma GCC system_header

#ifdef __cplusplus
extern "C" {
#endif

struct __nonius_acsl_site {
    const char *kind, *text, *file, *function;
    unsigned line, column;
    unsigned state; /* 0 before it is reached; 2: a float is what it is, and no domain */
};

/* What is known of a place, filled in by the runtime. */
struct __nonius_acsl_value {
    unsigned long long words[24];
};

/* They throw nothing: in a scope with destructors a call stays a call. */
void __nonius_api_acsl_reached(struct __nonius_acsl_site *site) __attribute__((nothrow));
void __nonius_api_acsl_verdict(struct __nonius_acsl_site *site, int truth) __attribute__((nothrow));
int __nonius_api_acsl_atom(struct __nonius_acsl_site *site, int atom, int places, struct __nonius_acsl_value *values, int first) __attribute__((nothrow));
void __nonius_api_acsl_integer(struct __nonius_acsl_value *value, unsigned long long low, long long high) __attribute__((nothrow));
void __nonius_api_acsl_long_double(struct __nonius_acsl_value *value, const void *bytes) __attribute__((nothrow));
void __nonius_api_acsl_address(struct __nonius_acsl_value *value, const void *at) __attribute__((nothrow));
void __nonius_api_capture_f(float value, void *into) __attribute__((nothrow));
void __nonius_api_capture_d(double value, void *into) __attribute__((nothrow));
void __nonius_api_capture_l(long double value, void *into) __attribute__((nothrow));

#ifdef __cplusplus
}
#endif

#define __NONIUS_ACSL_INLINE static __inline__ __attribute__((always_inline, unused))

/* -1, 0, 1, or 2 if one is no number: by bits, so that nothing is instrumented. */
__NONIUS_ACSL_INLINE int __nonius_acsl_order(double x, double y)
{
    long long a, b;
    __builtin_memcpy(&a, &x, sizeof a);
    __builtin_memcpy(&b, &y, sizeof b);
    long long p = a & 0x7fffffffffffffffLL, q = b & 0x7fffffffffffffffLL;
    if (p > 0x7ff0000000000000LL || q > 0x7ff0000000000000LL)
        return 2;
    p = a < 0 ? -p : p;
    q = b < 0 ? -q : q;
    return p < q ? -1 : p > q;
}

/* The runtime's too, for values of 64 bits and of 128. */
__NONIUS_ACSL_INLINE void __nonius_acsl_capture_int(struct __nonius_acsl_value *v, __int128 x)
{
    __nonius_api_acsl_integer(v, (unsigned long long)x, (long long)(x >> 64));
}

#ifdef __cplusplus

template <class T> struct __nonius_acsl_bare { typedef T type; };
template <class T> struct __nonius_acsl_bare<T &> { typedef T type; };
template <class T> struct __nonius_acsl_bare<const T> { typedef T type; };
template <class T> struct __nonius_acsl_bare<volatile T> { typedef T type; };
template <class T> struct __nonius_acsl_bare<const volatile T> { typedef T type; };
template <class T> struct __nonius_acsl_kind { enum { is_int = 1, is_float = 0 }; };
template <> struct __nonius_acsl_kind<float> { enum { is_int = 0, is_float = 1 }; };
template <> struct __nonius_acsl_kind<double> { enum { is_int = 0, is_float = 1 }; };
template <> struct __nonius_acsl_kind<long double> { enum { is_int = 0, is_float = 0 }; };
template <class T> __NONIUS_ACSL_INLINE __int128 __nonius_acsl_as_int(T x) { return (__int128)x; }
__NONIUS_ACSL_INLINE __int128 __nonius_acsl_as_int(float) { return 0; }
__NONIUS_ACSL_INLINE __int128 __nonius_acsl_as_int(double) { return 0; }
__NONIUS_ACSL_INLINE __int128 __nonius_acsl_as_int(long double) { return 0; }
template <class T> __NONIUS_ACSL_INLINE double __nonius_acsl_as_float(T) { return 0; }
__NONIUS_ACSL_INLINE double __nonius_acsl_as_float(float x) { return x; }
__NONIUS_ACSL_INLINE double __nonius_acsl_as_float(double x) { return x; }
template <class T> __NONIUS_ACSL_INLINE void __nonius_acsl_capture(__nonius_acsl_value *v, T x)
{
    __nonius_acsl_capture_int(v, (__int128)x);
}
__NONIUS_ACSL_INLINE void __nonius_acsl_capture(__nonius_acsl_value *v, float x) { __nonius_api_capture_f(x, v); }
__NONIUS_ACSL_INLINE void __nonius_acsl_capture(__nonius_acsl_value *v, double x) { __nonius_api_capture_d(x, v); }
__NONIUS_ACSL_INLINE void __nonius_acsl_capture(__nonius_acsl_value *v, long double x)
{
    __nonius_api_capture_l(x, v);
    __nonius_api_acsl_long_double(v, &x);
}
/* By sizes: nothing is evaluated. */
template <class T> char (&__nonius_acsl_int_test(const T &))[1 + __nonius_acsl_kind<typename __nonius_acsl_bare<T>::type>::is_int];
template <class T> char (&__nonius_acsl_float_test(const T &))[1 + __nonius_acsl_kind<typename __nonius_acsl_bare<T>::type>::is_float];
#define __NONIUS_ACSL_IS_INT(x) (sizeof(__nonius_acsl_int_test(x)) == 2)
#define __NONIUS_ACSL_IS_FLOAT(x) (sizeof(__nonius_acsl_float_test(x)) == 2)
#define __NONIUS_ACSL_AS_INT(x) __nonius_acsl_as_int(x)
#define __NONIUS_ACSL_AS_FLOAT(x) __nonius_acsl_as_float(x)
#define __NONIUS_ACSL_CAPTURE(n, x) __nonius_acsl_capture(&__nonius_acsl_v[n], (x));

#else

#define __NONIUS_ACSL_IS_INT(x) (__extension__ _Generic((x), float: 0, double: 0, long double: 0, default: 1))
#define __NONIUS_ACSL_IS_FLOAT(x) (__extension__ _Generic((x), float: 1, double: 1, default: 0))
#define __NONIUS_ACSL_AS_INT(x) (__extension__((__int128)_Generic((x), float: 0, double: 0, long double: 0, default: (x))))
#define __NONIUS_ACSL_AS_FLOAT(x) (__extension__((double)_Generic((x), float: (x), double: (x), default: 0.0)))
#define __NONIUS_ACSL_CAPTURE(n, x)                                                                             \
    __extension__ _Generic((x),                                                                                 \
        float: __nonius_api_capture_f(_Generic((x), float: (x), default: 0.0f), &__nonius_acsl_v[n]),           \
        double: __nonius_api_capture_d(_Generic((x), double: (x), default: 0.0), &__nonius_acsl_v[n]),          \
        long double: __nonius_acsl_capture_long(&__nonius_acsl_v[n], _Generic((x), long double: (x), default: 0.0L)), \
        default: __nonius_acsl_capture_int(&__nonius_acsl_v[n], __NONIUS_ACSL_AS_INT(x)));
__NONIUS_ACSL_INLINE void __nonius_acsl_capture_long(struct __nonius_acsl_value *v, long double x)
{
    __nonius_api_capture_l(x, v);
    __nonius_api_acsl_long_double(v, &x);
}

#endif

#define __NONIUS_ACSL_CAPTURE_PLACE(n, x) \
    __NONIUS_ACSL_CAPTURE(n, x) __nonius_api_acsl_address(&__nonius_acsl_v[n], (const void *)&(x));
/* A bit-field has a size once it is promoted. */
#define __NONIUS_ACSL_IS_NARROW(x) (__NONIUS_ACSL_IS_INT(x) && sizeof((x) + 0) <= 4)
#define __NONIUS_ACSL_IS_WIDE(x) (__NONIUS_ACSL_IS_INT(x) && sizeof((x) + 0) <= 8)

#define __NONIUS_ACSL_COMPARE(x, cmp, y, slow) \
    __extension__({ int __nonius_o = __nonius_acsl_order((x), (y)); __nonius_o == 2 ? (slow) : (__nonius_o cmp 0); })
#define __NONIUS_ACSL_SLOW(atom, places, captures)                                        \
    __extension__({                                                                       \
        struct __nonius_acsl_value __nonius_acsl_v[places];                               \
        captures __nonius_api_acsl_atom(&__nonius_acsl_this, (atom), (places), __nonius_acsl_v,      \
                                __nonius_acsl_first);                                     \
    })

#define __NONIUS_ACSL_NOT(p) __extension__({ int __nonius_p = (p); __nonius_p == 2 ? 2 : !__nonius_p; })
#define __NONIUS_ACSL_IFF(p, q) \
    __extension__({ int __nonius_p = (p), __nonius_q = (q); __nonius_p == 2 || __nonius_q == 2 ? 2 : __nonius_p == __nonius_q; })
#define __NONIUS_ACSL_IF(c, p, q) __extension__({ int __nonius_p = (c); __nonius_p == 2 ? 2 : __nonius_p ? (p) : (q); })
/* What stands on the right may need what stands on the left: where that is not known, it is not looked at. */
#define __NONIUS_ACSL_AND(p, q) __extension__({ int __nonius_p = (p); __nonius_p == 1 ? (q) : __nonius_p; })
#define __NONIUS_ACSL_OR(p, q) __extension__({ int __nonius_p = (p); __nonius_p == 0 ? (q) : __nonius_p; })
#define __NONIUS_ACSL_IMPLIES(p, q) \
    __extension__({ int __nonius_p = (p); __nonius_p == 1 ? (q) : __nonius_p == 0 ? 1 : 2; })
#define __NONIUS_ACSL_AND_SAFE(p, q)                                                                \
    __extension__({                                                                                 \
        int __nonius_p = (p);                                                                       \
        if (__nonius_p) { int __nonius_q = (q); __nonius_p = __nonius_q == 1 ? __nonius_p : __nonius_q; } \
        __nonius_p;                                                                                 \
    })
#define __NONIUS_ACSL_OR_SAFE(p, q)                                                                 \
    __extension__({                                                                                 \
        int __nonius_p = (p);                                                                       \
        if (__nonius_p != 1) { int __nonius_q = (q); __nonius_p = __nonius_q == 0 ? __nonius_p : __nonius_q; } \
        __nonius_p;                                                                                 \
    })
#define __NONIUS_ACSL_IMPLIES_SAFE(p, q) __NONIUS_ACSL_OR_SAFE(__NONIUS_ACSL_NOT(p), q)

#define __NONIUS_ACSL_FORALL(i, integers, least, greatest, body) __NONIUS_ACSL_EACH(i, integers, least, greatest, body, 1, 0)
#define __NONIUS_ACSL_EXISTS(i, integers, least, greatest, body) __NONIUS_ACSL_EACH(i, integers, least, greatest, body, 0, 1)
/* `none` where there is no such integer; `end` ends the search. */
#define __NONIUS_ACSL_EACH(i, integers, least, greatest, body, none, end)                            \
    __extension__({                                                                                  \
        int __nonius_all = (none);                                                                   \
        if (!(integers)) __nonius_all = 2;                                                           \
        else {                                                                                       \
            __int128 __nonius_lo = (least), __nonius_hi = (greatest);                                \
            const __int128 __nonius_most = (__int128)0x7fffffffffffffffLL;                           \
            if (__nonius_lo <= __nonius_hi && (__nonius_lo < -__nonius_most || __nonius_hi > __nonius_most)) __nonius_all = 2; \
            else for (__int128 __nonius_n = __nonius_lo; __nonius_n <= __nonius_hi; ++__nonius_n) {  \
                const long long i = (long long)__nonius_n;                                           \
                int __nonius_one = (body);                                                           \
                if (__nonius_one == (end)) { __nonius_all = (end); break; }                          \
                if (__nonius_one == 2) __nonius_all = 2;                                             \
            }                                                                                        \
        }                                                                                            \
        __nonius_all;                                                                                \
    })

/* What a function returns, and a variable with the type of its value. */
#ifdef __cplusplus
#define __NONIUS_ACSL_RESULT(call) decltype(call)
#define __NONIUS_ACSL_AUTO auto
#else
#define __NONIUS_ACSL_RESULT(call) __typeof__(call)
#define __NONIUS_ACSL_AUTO __auto_type
#endif

/* A statement. The condition is written once, and looked at again where it is not true. */
#define __NONIUS_ACSL_CHECK(kind, text, line, column, condition)                                     \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Weverything\"")            \
    do {                                                                                             \
        static struct __nonius_acsl_site __nonius_acsl_this = {kind, text, __FILE__, 0, line, column, 0}; \
        if (__builtin_expect(!__nonius_acsl_this.state, 0)) {                                        \
            __nonius_acsl_this.function = __func__;                                                  \
            __nonius_api_acsl_reached(&__nonius_acsl_this);                                              \
        }                                                                                            \
        int __nonius_acsl_first = 1;                                                                 \
        for (;;) {                                                                                   \
            const int __nonius_acsl_fast = __nonius_acsl_first && (__nonius_acsl_this.state & 2);    \
            (void)__nonius_acsl_fast;                                                                \
            int __nonius_truth = (condition);                                                        \
            if (__builtin_expect(__nonius_truth == 1, 1)) break;                                     \
            if (!__nonius_acsl_first) {                                                              \
                __nonius_api_acsl_verdict(&__nonius_acsl_this, __nonius_truth);                          \
                break;                                                                               \
            }                                                                                        \
            __nonius_acsl_first = 0;                                                                 \
        }                                                                                            \
    } while (0) _Pragma("clang diagnostic pop")

#endif
#endif /* NONIUS_ACSL_H */
