//! Residues of mathematical functions' results, of the terms that [`functions`](super::functions) works out.

use super::functions;
use super::residue::{Residue, Term, Terms};
use super::terms::{X, rounded, underflow};
use super::{OpId, ResidueOverride};
use crate::noise::{derivative, derivatives, leaps, power_leaps};
use crate::{Complex, Function, Half};

impl ResidueOverride {
    /// Of `z = f(args)`; `None` if that is not known.
    pub(super) fn evaluated(&mut self, f: Function, args: &[X], n: i64, z: f64) -> Option<Residue> {
        let found = match *args {
            [x] => functions::unary(f, x.actual, x.shadow.residue.value, n, z),
            [x, y] => {
                let residues = [x, y].map(|x| x.shadow.residue.value);
                functions::binary(f, [x.actual, y.actual], residues, z)
            }
            _ => None,
        };
        let Some(found) = found else {
            self.skip(|_| Residue::EXACT);
            return None;
        };
        let ideal = |x: &X| x.actual + x.shadow.residue.value;
        let bound = |x: &X| x.shadow.residue.bound();
        let result = z + (found.introduced + found.by[0] + found.by[1]);
        // Noise lies around the ideal, and what the function makes of it is the slope's there: beside a pole, or where
        // arccosines begin, that at the actual value may be anything.
        let slopes = match args {
            [x] => [derivative(f, ideal(x), result), 0.0],
            [x, y] => derivatives(f, [ideal(x), ideal(y), result]),
            _ => [0.0; 2],
        };
        let has_no_slope = match args {
            [x] => leaps(f, [ideal(x), result], bound(x)),
            [x, y] if f == Function::Pow => power_leaps([ideal(x), ideal(y)], [bound(x), bound(y)]),
            _ => false,
        };
        let mut terms = [Term::amplified(&Residue::EXACT, 0.0); 2];
        for (index, (term, x)) in terms.iter_mut().zip(args).enumerate() {
            *term = Term::whole(&x.shadow.residue, found.by[index], slopes[index]);
        }
        let off = if has_no_slope { f64::INFINITY } else { found.off + 64.0 * underflow(z, 1.0, 1.0) };
        Some(self.made(found.introduced, terms, rounded(off)))
    }

    /// Of a part of a complex function; `None`, and no operation, if that is not known.
    pub(super) fn part(&mut self, f: Complex, half: Half, args: &[X], z: f64) -> Option<Residue> {
        let actual: Vec<f64> = args.iter().map(|x| x.actual).collect();
        let residues: Vec<f64> = args.iter().map(|x| x.shadow.residue.value).collect();
        let (introduced, by) = functions::complex(f, half, &actual, &residues, z).filter(|_| z.is_finite())?;
        // As if it changed no faster than its result is large beside its arguments.
        let size = actual.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
        let slope = (4.0 * z.abs() / size).max(4.0);
        let mut terms = [Term::amplified(&Residue::EXACT, 0.0); 4];
        for ((term, x), by) in terms.iter_mut().zip(args).zip(by) {
            *term = Term::whole(&x.shadow.residue, by, slope);
        }
        Some(self.made(introduced, terms, Terms::Evaluated(z.abs() * functions::EVALUATION)))
    }

    /// An operation that has no terms: its residue begins anew.
    pub(super) fn skip(&mut self, make: impl FnOnce(OpId) -> Residue) -> Residue {
        let op = self.begin();
        if op != self.planned {
            return make(op);
        }
        let action = self.arrive(op);
        self.acted(op, action, |_, _| make(op))
    }
}
