//! Prints nanoseconds per call for each elementary function: the residue function compiled for FMA, the same without,
//! and the plain function of the standard library, measured in turns on the same arguments.
//!
//! `cargo run --release -p nonius-numerics --example libm_speed`

#[cfg(not(target_arch = "x86_64"))]
fn main() {
    eprintln!("only x86-64 has the two variants to compare");
}

#[cfg(target_arch = "x86_64")]
fn main() {
    if !(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")) {
        eprintln!("this processor has no AVX2 and FMA");
        return;
    }
    // SAFETY: the processor has the features that the function is compiled for.
    unsafe { x86::measure_all() };
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use nonius_numerics::libm::with_fma::residue_of as fast;
    use std::hint::black_box;
    use std::time::Instant;

    const POINTS: usize = 1000;
    const ROUNDS: usize = 200;

    /// Arguments spread over `from..to`, each with a residue of a rounding or two.
    fn points(from: f64, to: f64) -> Vec<(f64, f64)> {
        let mut state = 1u64;
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / 9_007_199_254_740_992.0
        };
        (0..POINTS)
            .map(|_| {
                let x = from + (to - from) * uniform();
                (x, x * (uniform() - 0.5) * 4.0 * f64::EPSILON)
            })
            .collect()
    }

    /// Time of one sweep over the points, per point, in nanoseconds.
    fn sweep(points: &[(f64, f64)], f: impl Fn(f64, f64) -> f64) -> f64 {
        let start = Instant::now();
        let mut sum = 0.0;
        for &(x, e) in points {
            sum += f(x, e);
        }
        black_box(sum);
        start.elapsed().as_nanos() as f64 / points.len() as f64
    }

    /// The best sweep of each of the three, taken in turns so that all see the same disturbances.
    fn row(
        name: &str,
        points: &[(f64, f64)],
        fast: impl Fn(f64, f64) -> f64,
        plain: impl Fn(f64, f64) -> f64,
        std: impl Fn(f64, f64) -> f64,
    ) {
        let mut best = [f64::INFINITY; 3];
        for _ in 0..ROUNDS {
            best[0] = best[0].min(sweep(points, &fast));
            best[1] = best[1].min(sweep(points, &plain));
            best[2] = best[2].min(sweep(points, &std));
        }
        println!("{name:16} {:8.1} {:12.1} {:8.1}", best[0], best[1], best[2]);
    }

    /// The plain functions as others get them: compiled for any x86-64.
    mod portable {
        use nonius_numerics::libm::residue_of;
        macro_rules! unary {
            ($($f:ident)*) => {$(
                #[inline(never)]
                pub fn $f(x: f64, e: f64, z: f64) -> f64 {
                    residue_of::$f(x, e, z)
                }
            )*};
        }
        nonius_numerics::for_each_unary!(unary);
        macro_rules! binary {
            ($($f:ident)*) => {$(
                #[inline(never)]
                pub fn $f(x: f64, e_x: f64, y: f64, e_y: f64, z: f64) -> f64 {
                    residue_of::$f(x, e_x, y, e_y, z)
                }
            )*};
        }
        nonius_numerics::for_each_binary!(binary);
        #[inline(never)]
        pub fn sincos(x: f64, e: f64, sine: f64, cosine: f64) -> (f64, f64) {
            residue_of::sincos(x, e, sine, cosine)
        }
    }

    #[target_feature(enable = "avx2,fma")]
    pub fn measure_all() {
        println!("{:16} {:>8} {:>12} {:>8}   ns per call", "", "residue", "without FMA", "std");
        macro_rules! unary {
            ($name:expr, $f:ident, $from:expr, $to:expr, $std:expr) => {
                row(
                    $name,
                    &points($from, $to),
                    |x, e| fast::$f(x, e, 1.0),
                    |x, e| portable::$f(x, e, 1.0),
                    |x, _| $std(black_box(x)),
                );
            };
        }
        unary!("exp", exp, -50.0, 50.0, f64::exp);
        unary!("exp2", exp2, -50.0, 50.0, f64::exp2);
        unary!("exp10", exp10, -50.0, 50.0, |x| 10f64.powf(x));
        unary!("expm1", expm1, -5.0, 5.0, f64::exp_m1);
        unary!("log", log, 0.1, 1000.0, f64::ln);
        unary!("log2", log2, 0.1, 1000.0, f64::log2);
        unary!("log10", log10, 0.1, 1000.0, f64::log10);
        unary!("log1p", log1p, -0.5, 5.0, f64::ln_1p);
        unary!("sin", sin, -10.0, 10.0, f64::sin);
        unary!("sin huge", sin, 1e10, 1e20, f64::sin);
        unary!("cos", cos, -10.0, 10.0, f64::cos);
        unary!("tan", tan, -10.0, 10.0, f64::tan);
        unary!("asin", asin, -1.0, 1.0, f64::asin);
        unary!("acos", acos, -1.0, 1.0, f64::acos);
        unary!("atan", atan, -5.0, 5.0, f64::atan);
        unary!("sinh", sinh, -5.0, 5.0, f64::sinh);
        unary!("cosh", cosh, -5.0, 5.0, f64::cosh);
        unary!("tanh", tanh, -5.0, 5.0, f64::tanh);
        unary!("asinh", asinh, -5.0, 5.0, f64::asinh);
        unary!("acosh", acosh, 1.0, 5.0, f64::acosh);
        unary!("atanh", atanh, -1.0, 1.0, f64::atanh);
        unary!("cbrt", cbrt, -1000.0, 1000.0, f64::cbrt);
        row(
            "sincos",
            &points(-10.0, 10.0),
            |x, e| fast::sincos(x, e, 1.0, 1.0).0,
            |x, e| portable::sincos(x, e, 1.0, 1.0).0,
            |x, _| x.sin_cos().0,
        );
        macro_rules! binary {
            ($f:ident, $from:expr, $to:expr, $std:expr) => {
                row(
                    stringify!($f),
                    &points($from, $to),
                    |x, e| fast::$f(x, e, 1.5, e, 1.0),
                    |x, e| portable::$f(x, e, 1.5, e, 1.0),
                    |x, _| $std(x, 1.5),
                );
            };
        }
        binary!(atan2, -5.0, 5.0, f64::atan2);
        binary!(pow, 0.1, 1000.0, f64::powf);
        binary!(hypot, -5.0, 5.0, f64::hypot);
    }
}
