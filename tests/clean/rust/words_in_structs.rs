// Double-double numbers with operators, compensated sums and partial sums; words in structs and behind references.
use std::hint::black_box;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
struct Dd {
    hi: f64,
    lo: f64,
}
fn two_sum(a: f64, b: f64) -> Dd {
    let s = a + b;
    let z = s - a;
    Dd { hi: s, lo: (a - (s - z)) + (b - z) }
}
fn quick(a: f64, b: f64) -> Dd {
    let s = a + b;
    Dd { hi: s, lo: b - (s - a) }
}
fn split(a: f64) -> (f64, f64) {
    let t = 134217729.0 * a;
    let h = t - (t - a);
    (h, a - h)
}
fn two_prod(a: f64, b: f64, hi: &mut f64, lo: &mut f64) {
    *hi = a * b;
    let (ah, al) = split(a);
    let (bh, bl) = split(b);
    *lo = ((ah * bh - *hi) + ah * bl + al * bh) + al * bl;
}
impl Add for Dd {
    type Output = Dd;
    fn add(self, o: Dd) -> Dd {
        let s = two_sum(self.hi, o.hi);
        let t = two_sum(self.lo, o.lo);
        let v = quick(s.hi, s.lo + t.hi);
        quick(v.hi, v.lo + t.lo)
    }
}
impl Neg for Dd {
    type Output = Dd;
    fn neg(self) -> Dd {
        Dd { hi: -self.hi, lo: -self.lo }
    }
}
impl Sub for Dd {
    type Output = Dd;
    fn sub(self, o: Dd) -> Dd {
        self + -o
    }
}
impl Mul for Dd {
    type Output = Dd;
    fn mul(self, o: Dd) -> Dd {
        let (mut p, mut e) = (0.0, 0.0);
        two_prod(self.hi, o.hi, &mut p, &mut e);
        e += self.hi * o.lo + self.lo * o.hi;
        quick(p, e)
    }
}
impl AddAssign<f64> for Dd {
    fn add_assign(&mut self, x: f64) {
        *self = *self + Dd { hi: x, lo: 0.0 }
    }
}
#[derive(Default)]
struct Kahan {
    sum: f64,
    c: f64,
}
impl Kahan {
    fn add(&mut self, x: f64) -> &mut Self {
        let y = x - self.c;
        let t = self.sum + y;
        self.c = (t - self.sum) - y;
        self.sum = t;
        self
    }
}
#[derive(Default)]
struct Neumaier {
    s: f64,
    c: f64,
}
impl Neumaier {
    fn add(&mut self, x: f64) {
        let t = self.s + x;
        self.c += if self.s.abs() >= x.abs() { (self.s - t) + x } else { (x - t) + self.s };
        self.s = t;
    }
}
fn partials(p: &mut Vec<f64>, mut x: f64) {
    let mut i = 0;
    for j in 0..p.len() {
        let mut y = p[j];
        if x.abs() < y.abs() {
            std::mem::swap(&mut x, &mut y);
        }
        let hi = x + y;
        let lo = y - (hi - x);
        if lo != 0.0 {
            p[i] = lo;
            i += 1;
        }
        x = hi;
    }
    p.truncate(i);
    p.push(x);
}
fn main() {
    let v = black_box([1e8 / 3.0, 0.1, -0.3, 7e-9, 12345.678, -1e7 / 3.0, 0.7]);
    let (mut sum, mut prod) = (Dd { hi: 0.0, lo: 0.0 }, Dd { hi: 1.0, lo: 0.0 });
    let (mut k, mut n, mut c, mut p) = (Kahan::default(), Neumaier::default(), 0, vec![]);
    let (mut worst, mut high) = (0.0f64, 0.0);
    for x in v {
        sum += x;
        let old = prod;
        prod = prod * Dd { hi: x, lo: 0.0 } + sum;
        k.add(x).add(x / 3.0);
        n.add(x);
        partials(&mut p, x);
        let both = two_sum(x, 0.1);
        worst = worst.max(both.lo.abs());
        high += both.hi;
        c += (sum.lo == 0.0) as i32
            + (prod < old) as i32
            + (prod.lo < 0.0) as i32
            + (k.c < 0.0) as i32
            + (n.c > 0.0) as i32
            + (p[0] < 0.0) as i32;
    }
    let d = prod - prod;
    println!(
        "{c} {} {} {} {} {} {} {} {high}",
        sum.hi,
        prod.hi,
        k.sum,
        n.s + n.c,
        d.hi,
        p.iter().sum::<f64>(),
        worst > 0.0
    );
}
