// Double-double arithmetic in unoptimized Rust: words travel as struct members and tuples, and are compared.
use std::hint::black_box;

#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Dd {
    hi: f64,
    lo: f64,
}

impl Dd {
    #[inline(never)]
    fn sum(a: f64, b: f64) -> Dd {
        let s = a + b;
        let aa = s - b;
        let bb = s - aa;
        Dd { hi: s, lo: (a - aa) + (b - bb) }
    }

    #[inline(never)]
    fn product(a: f64, b: f64) -> Dd {
        let p = a * b;
        Dd { hi: p, lo: a.mul_add(b, -p) }
    }

    fn words(self) -> (f64, f64) {
        (self.hi, self.lo)
    }
}

fn fast_sum(a: f64, b: f64) -> Dd {
    let s = a + b;
    Dd { hi: s, lo: b - (s - a) }
}

impl std::ops::Add for Dd {
    type Output = Dd;
    fn add(self, other: Dd) -> Dd {
        let (sh, sl) = Dd::sum(self.hi, other.hi).words();
        let (th, tl) = Dd::sum(self.lo, other.lo).words();
        let (vh, vl) = fast_sum(sh, sl + th).words();
        fast_sum(vh, tl + vl)
    }
}

impl std::ops::Mul for Dd {
    type Output = Dd;
    fn mul(self, other: Dd) -> Dd {
        let (ch, cl) = Dd::product(self.hi, other.hi).words();
        let rest = self.hi.mul_add(other.lo, self.lo * other.hi);
        fast_sum(ch, cl + rest)
    }
}

fn main() {
    let third = Dd { hi: 1.0 / 3.0, lo: black_box(1.850371707708594e-17) };
    let mut power = Dd { hi: black_box(1.0), lo: 0.0 };
    let mut sum = Dd { hi: 0.0, lo: 0.0 };
    let mut exact = 0;
    for _ in 0..40 {
        power = power * third;
        sum = sum + power;
        exact += u32::from(power.lo == 0.0);
        exact += u32::from(sum < third);
    }
    println!("{} {exact}", sum.hi);
}
