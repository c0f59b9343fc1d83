// Roots, quotients and reciprocals in double-double by steps of Newton's, words in memory and operators on references.
use std::hint::black_box;
use std::ops::{Div, Mul, Sub};

#[derive(Clone, Copy)]
struct Dd {
    hi: f64,
    lo: f64,
}

#[inline(never)]
fn sum(a: f64, b: f64) -> Dd {
    let s = a + b;
    let b_part = s - a;
    Dd { hi: s, lo: (a - (s - b_part)) + (b - b_part) }
}

#[inline(never)]
fn product(a: f64, b: f64) -> Dd {
    let p = a * b;
    Dd { hi: p, lo: a.mul_add(b, -p) }
}

impl Sub for Dd {
    type Output = Dd;
    fn sub(self, other: Dd) -> Dd {
        let s = sum(self.hi, -other.hi);
        sum(s.hi, s.lo + (self.lo - other.lo))
    }
}

impl<'a> Mul<&'a f64> for &Dd {
    type Output = Dd;
    fn mul(self, other: &'a f64) -> Dd {
        let p = product(self.hi, *other);
        sum(p.hi, self.lo.mul_add(*other, p.lo))
    }
}

impl<'a> Div<&'a f64> for &Dd {
    type Output = Dd;
    fn div(self, other: &'a f64) -> Dd {
        let q = self.hi / other;
        let p = product(q, *other);
        let rest = ((self.hi - p.hi) - p.lo) + self.lo;
        sum(q, rest / other)
    }
}

impl<'a> Div<&'a Dd> for &Dd {
    type Output = Dd;
    fn div(self, other: &'a Dd) -> Dd {
        let q = self.hi / other.hi;
        let rest = *self - other * &q;
        sum(q, rest.hi / other.hi)
    }
}

impl Dd {
    fn sqrt(self) -> Dd {
        let x = self.hi.sqrt().recip();
        let y = self.hi * x;
        let rest = self - product(y, y);
        sum(y, rest.hi * (x * 0.5))
    }

    fn recip(&self) -> Dd {
        let y = self.hi.recip();
        let rest = (-y).mul_add(self.hi, 1.0) - y * self.lo;
        sum(y, y * rest)
    }

    /// e to this, for numbers up to 1, by its series.
    fn exp(&self) -> Dd {
        let mut term = Dd { hi: 1.0, lo: 0.0 };
        let mut all = term;
        for i in 1..28 {
            let next = self * &term.hi;
            term = &sum(next.hi, next.lo + self.hi * term.lo) / &f64::from(i);
            all = all - Dd { hi: -term.hi, lo: -term.lo };
        }
        all
    }
}

fn main() {
    for i in 1..=20 {
        let x = &Dd { hi: f64::from(i), lo: 0.0 } / &black_box(21.0);
        for y in [x.sqrt(), x.recip(), x.exp(), &x / &x.exp(), &x / &0.3, x.sqrt().sqrt()] {
            println!("{} {:e}", y.hi, y.lo);
        }
    }
}
