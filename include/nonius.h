/* nonius.h: what a program can ask of Nonius, the numerical sanitizer.
 *
 * Under Nonius (`nonius cc`, `nonius c++`, which define __NONIUS__) the requests below work on the
 * shadow of their argument. Without it they compile to their argument and nothing else, so they
 * can stay in the source. C99 and later, C++98 and later; gcc and clang.
 *
 *   nonius_check(x)           check x here as if it were printed
 *   nonius_print(x)           print x beside its ideal, to stderr
 *   nonius_ulps(x)            the error of x in units in the last place, a double; 0 without Nonius
 *                             (after a finding too: if the shadow of x restarted there, the error that was found)
 *   nonius_resume(x)          x, with its error forgotten
 *   nonius_dump(p, bytes)     print the shadow memory of a range, to stderr
 *   nonius_region_begin(name), nonius_region_end()
 *                             findings of this thread in between carry the name
 *   nonius_set_option("key=value")
 *                             change an option of NONIUS_OPTIONS while the program runs
 *   nonius_suppress("kind:function=name # reason")
 *                             leave findings out, as a line of a suppression file does
 *   For the event engine (oracle=mpfr and the like); elsewhere these do nothing. Their argument is the
 *   address of a float or double variable. (After a finding a value's error starts anew; to keep
 *   it, run with resume=0.)
 *   nonius_print_error(&x)    print x beside its ideal, and its error, to stderr
 *   nonius_trace(&x)          the same, with where the error came from
 *   nonius_error_greater(&x, bound)
 *                             whether the relative error of x is greater; 0 without the event engine
 *   nonius_insert_shadow(&x)  replace x by its ideal, rounded
 *   nonius_stage_begin(n), nonius_stage_end(n)
 *                             an iteration of the set n: complain if an error grows faster than linearly
 *   nonius_analysis_begin(), nonius_analysis_end(), nonius_analysis_reset()
 *                             analyse in between only; forget all shadows
 *   NONIUS_TASK("name") { ... }
 *                             a task: what lies in it is looked at by itself, from the program's own values, and of a
 *                             program that has tasks nothing else is (docs/tasks.md). Leaving the block by any way ends
 *                             it, and break and continue leave it; nested ones belong to the outermost. Also
 *                             #pragma nonius task("name") before a statement, in C++ nonius::task t("name"); until the
 *                             end of its scope, and anywhere nonius_task_begin("name") and nonius_task_end()
 *   For oracle=zonotope, which bounds values for all inputs of a range (docs/abstract.md):
 *   nonius_input(&x, lo, hi)  x is an input: the real number that it stands for is anywhere from lo to hi
 *   nonius_input_error(&x, lo, hi, elo, ehi)
 *                             the same, and the float differs from it by something from elo to ehi
 *   nonius_bounds(&x)         put what x can be into the report
 *   nonius_split()            paths that part from here on, where a test can go more than one way,
 *   nonius_merge(&x)          meet here, and differ in x alone: a float or double, or an array of them
 *   nonius_one_path_begin(), nonius_one_path_end()
 *                             tests in between go the program's way for all inputs: a pivot that is as good as any
 *   NONIUS_IGNORE             before a function: do not instrument it
 *
 * A program may also define what is in force before main:
 *   const char *__nonius_default_options(void);         as in NONIUS_OPTIONS
 *   const char *__nonius_default_suppressions(void);    the text of a suppression file
 */
#ifndef NONIUS_H
#define NONIUS_H

#include <stddef.h>

#if defined(__NONIUS__) && (defined(__GNUC__) || defined(__clang__))

/* They throw nothing: in a scope with destructors a call stays a call. */
#define NONIUS_NOTHROW_ __attribute__((nothrow))

#ifdef __cplusplus
extern "C" {
#endif

void __nonius_api_check_f(float value, const char *text) NONIUS_NOTHROW_;
void __nonius_api_check_d(double value, const char *text) NONIUS_NOTHROW_;
void __nonius_api_check_l(long double value, const char *text) NONIUS_NOTHROW_;
void __nonius_api_print_f(float value, const char *text) NONIUS_NOTHROW_;
void __nonius_api_print_d(double value, const char *text) NONIUS_NOTHROW_;
void __nonius_api_print_l(long double value, const char *text) NONIUS_NOTHROW_;
double __nonius_api_ulps_f(float value) NONIUS_NOTHROW_;
double __nonius_api_ulps_d(double value) NONIUS_NOTHROW_;
double __nonius_api_ulps_l(long double value) NONIUS_NOTHROW_;
float __nonius_api_resume_f(float value) NONIUS_NOTHROW_;
double __nonius_api_resume_d(double value) NONIUS_NOTHROW_;
long double __nonius_api_resume_l(long double value) NONIUS_NOTHROW_;
void __nonius_api_dump(const void *at, size_t bytes) NONIUS_NOTHROW_;
void __nonius_api_region_begin(const char *name) NONIUS_NOTHROW_;
void __nonius_api_region_end(void) NONIUS_NOTHROW_;
void __nonius_api_set_option(const char *setting) NONIUS_NOTHROW_;
void __nonius_api_suppress(const char *entry) NONIUS_NOTHROW_;
void __nonius_api_task_begin(const char *name) NONIUS_NOTHROW_;
void __nonius_api_task_end(void) NONIUS_NOTHROW_;
void __nonius_api_stage_begin(int set) NONIUS_NOTHROW_;
void __nonius_api_stage_end(int set) NONIUS_NOTHROW_;
void __nonius_api_analysis_begin(void) NONIUS_NOTHROW_;
void __nonius_api_analysis_end(void) NONIUS_NOTHROW_;
void __nonius_api_analysis_reset(void) NONIUS_NOTHROW_;
void __nonius_api_print_error(const void *at, size_t bytes, const char *name) NONIUS_NOTHROW_;
void __nonius_api_trace(const void *at, size_t bytes, const char *name) NONIUS_NOTHROW_;
int __nonius_api_error_greater(const void *at, size_t bytes, double bound) NONIUS_NOTHROW_;
void __nonius_api_insert_shadow(void *at, size_t bytes) NONIUS_NOTHROW_;

void __nonius_api_input(const void *at, size_t bytes, const char *name, const char *file, int line,
                        double lo, double hi, double elo, double ehi) NONIUS_NOTHROW_;
void __nonius_api_bounds(const void *at, size_t bytes, const char *name, const char *file, int line) NONIUS_NOTHROW_;
void __nonius_api_split(void) NONIUS_NOTHROW_;
void __nonius_api_merge(void *at, size_t bytes, size_t each) NONIUS_NOTHROW_;
void __nonius_api_one_path(int begins) NONIUS_NOTHROW_;

/* For the program to define, if it likes. */
const char *__nonius_default_options(void);
const char *__nonius_default_suppressions(void);

#ifdef __cplusplus
}

/* Overloads under the names that Nonius knows, so that a finding points at the caller's line. */
void nonius_check_as(float value, const char *text) __asm__("__nonius_api_check_f") NONIUS_NOTHROW_;
void nonius_check_as(double value, const char *text) __asm__("__nonius_api_check_d") NONIUS_NOTHROW_;
void nonius_check_as(long double value, const char *text) __asm__("__nonius_api_check_l") NONIUS_NOTHROW_;
void nonius_print_as(float value, const char *text) __asm__("__nonius_api_print_f") NONIUS_NOTHROW_;
void nonius_print_as(double value, const char *text) __asm__("__nonius_api_print_d") NONIUS_NOTHROW_;
void nonius_print_as(long double value, const char *text) __asm__("__nonius_api_print_l") NONIUS_NOTHROW_;
double nonius_ulps_as(float value) __asm__("__nonius_api_ulps_f") NONIUS_NOTHROW_;
double nonius_ulps_as(double value) __asm__("__nonius_api_ulps_d") NONIUS_NOTHROW_;
double nonius_ulps_as(long double value) __asm__("__nonius_api_ulps_l") NONIUS_NOTHROW_;
float nonius_resume_as(float value) __asm__("__nonius_api_resume_f") NONIUS_NOTHROW_;
double nonius_resume_as(double value) __asm__("__nonius_api_resume_d") NONIUS_NOTHROW_;
long double nonius_resume_as(long double value) __asm__("__nonius_api_resume_l") NONIUS_NOTHROW_;

#define nonius_check(x) nonius_check_as((x), #x)
#define nonius_print(x) nonius_print_as((x), #x)
#define nonius_ulps(x) nonius_ulps_as(x)
#define nonius_resume(x) nonius_resume_as(x)

#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L

#define NONIUS_BY_TYPE_(request, x) \
    _Generic((x), float: request##f, long double: request##l, default: request##d)
#define nonius_check(x) NONIUS_BY_TYPE_(__nonius_api_check_, x)((x), #x)
#define nonius_print(x) NONIUS_BY_TYPE_(__nonius_api_print_, x)((x), #x)
#define nonius_ulps(x) NONIUS_BY_TYPE_(__nonius_api_ulps_, x)(x)
#define nonius_resume(x) NONIUS_BY_TYPE_(__nonius_api_resume_, x)(x)

#else /* C99: by size. Only the branch that is taken evaluates its argument. */

#define NONIUS_BY_SIZE_(x, as_float, as_double, as_long_double) \
    (sizeof(x) == sizeof(float) ? as_float : sizeof(x) == sizeof(double) ? as_double : as_long_double)
#define nonius_check(x)                                                                      \
    NONIUS_BY_SIZE_(x, __nonius_api_check_f((float)(x), #x), __nonius_api_check_d((double)(x), #x), \
                    __nonius_api_check_l((long double)(x), #x))
#define nonius_print(x)                                                                      \
    NONIUS_BY_SIZE_(x, __nonius_api_print_f((float)(x), #x), __nonius_api_print_d((double)(x), #x), \
                    __nonius_api_print_l((long double)(x), #x))
#define nonius_ulps(x)                                                                       \
    NONIUS_BY_SIZE_(x, __nonius_api_ulps_f((float)(x)), __nonius_api_ulps_d((double)(x)),    \
                    __nonius_api_ulps_l((long double)(x)))
#define nonius_resume(x)                                                                     \
    ((__typeof__(x))NONIUS_BY_SIZE_(x, __nonius_api_resume_f((float)(x)), __nonius_api_resume_d((double)(x)), \
                                    __nonius_api_resume_l((long double)(x))))

#endif

#define nonius_dump(at, bytes) __nonius_api_dump((at), (bytes))
#define nonius_region_begin(name) __nonius_api_region_begin(name)
#define nonius_region_end() __nonius_api_region_end()
#define nonius_set_option(setting) __nonius_api_set_option(setting)
#define nonius_suppress(entry) __nonius_api_suppress(entry)
#define nonius_stage_begin(set) __nonius_api_stage_begin(set)
#define nonius_stage_end(set) __nonius_api_stage_end(set)
#define nonius_analysis_begin() __nonius_api_analysis_begin()
#define nonius_analysis_end() __nonius_api_analysis_end()
#define nonius_analysis_reset() __nonius_api_analysis_reset()
#define nonius_task_begin(name) __nonius_api_task_begin(name)
#define nonius_task_end() __nonius_api_task_end()
/* A loop of one round, whose variable ends the task when it goes: also by return and goto. */
#define NONIUS_TASK(name)                                                                             \
    for (int nonius_once_ __attribute__((cleanup(nonius_task_ends_))) = (__nonius_api_task_begin(name), 1); \
         nonius_once_; nonius_once_ = 0)
static inline __attribute__((always_inline, unused)) void nonius_task_ends_(int *unused) {
    (void)unused;
    __nonius_api_task_end();
}
#define nonius_print_error(at) __nonius_api_print_error((at), sizeof *(at), #at)
#define nonius_trace(at) __nonius_api_trace((at), sizeof *(at), #at)
#define nonius_error_greater(at, bound) __nonius_api_error_greater((at), sizeof *(at), (bound))
#define nonius_insert_shadow(at) __nonius_api_insert_shadow((at), sizeof *(at))
#define nonius_input(at, lo, hi) nonius_input_error(at, lo, hi, 0.0, 0.0)
#define nonius_input_error(at, lo, hi, elo, ehi) \
    __nonius_api_input((at), sizeof *(at), #at, __FILE__, __LINE__, (lo), (hi), (elo), (ehi))
#define nonius_bounds(at) __nonius_api_bounds((at), sizeof *(at), #at, __FILE__, __LINE__)
#define nonius_split() __nonius_api_split()
#define nonius_one_path_begin() __nonius_api_one_path(1)
#define nonius_one_path_end() __nonius_api_one_path(0)
/* Of an array, &x[0] is one element and &x all of them. */
#define nonius_merge(at) \
    __nonius_api_merge((at), sizeof *(at), sizeof *(at) == sizeof(float) ? sizeof(float) : sizeof(double))

#ifdef __clang__
#define NONIUS_IGNORE __attribute__((noinline, annotate("nonius-ignore")))
#else
#define NONIUS_IGNORE
#endif

#else /* Without Nonius: the arguments are evaluated, once, and that is all. */

#define nonius_check(x) ((void)(x))
#define nonius_print(x) ((void)(x))
#define nonius_ulps(x) ((void)(x), 0.0)
#define nonius_resume(x) (x)
#define nonius_dump(at, bytes) ((void)(at), (void)(bytes))
#define nonius_region_begin(name) ((void)(name))
#define nonius_region_end() ((void)0)
#define nonius_set_option(setting) ((void)(setting))
#define nonius_suppress(entry) ((void)(entry))
#define nonius_stage_begin(set) ((void)(set))
#define nonius_stage_end(set) ((void)(set))
#define nonius_analysis_begin() ((void)0)
#define nonius_analysis_end() ((void)0)
#define nonius_analysis_reset() ((void)0)
#define nonius_task_begin(name) ((void)(name))
#define nonius_task_end() ((void)0)
#define NONIUS_TASK(name) for (int nonius_once_ = ((void)(name), 1); nonius_once_; nonius_once_ = 0)
#define nonius_print_error(at) ((void)(at))
#define nonius_trace(at) ((void)(at))
#define nonius_error_greater(at, bound) ((void)(at), (void)(bound), 0)
#define nonius_insert_shadow(at) ((void)(at))
#define nonius_input(at, lo, hi) ((void)(at), (void)(lo), (void)(hi))
#define nonius_input_error(at, lo, hi, elo, ehi) ((void)(at), (void)(lo), (void)(hi), (void)(elo), (void)(ehi))
#define nonius_bounds(at) ((void)(at))
#define nonius_split() ((void)0)
#define nonius_one_path_begin() ((void)0)
#define nonius_one_path_end() ((void)0)
#define nonius_merge(at) ((void)(at))
#define NONIUS_IGNORE

#endif

#ifdef __cplusplus
namespace nonius {

/* A region that ends with its scope. */
class region {
public:
    explicit region(const char *name) { nonius_region_begin(name); }
    ~region() { nonius_region_end(); }

private:
    region(const region &);
    region &operator=(const region &);
};

/* A task that ends with its scope. Inlined: what is live where it begins is recorded there. */
class task {
public:
#if defined(__GNUC__)
    __attribute__((always_inline))
#endif
    explicit task(const char *name) { nonius_task_begin(name); }
#if defined(__GNUC__)
    __attribute__((always_inline))
#endif
    ~task() { nonius_task_end(); }

private:
    task(const task &);
    task &operator=(const task &);
};

} /* namespace nonius */
#endif

#endif /* NONIUS_H */
