//! Operations that round nothing: |x|, a sign that is taken over, the lesser or greater of two, the float next to one.

use super::{Emitter, Shadow};
use crate::fp::{Family, FpType};
use crate::llvm::{RealPredicate, Value};

impl Emitter<'_> {
    /// The residue of |x| keeps its size; where x and its ideal differ in sign, it is the
    /// difference of the magnitudes.
    pub fn fabs(&mut self, z: Value, fp: FpType, x: Value) {
        self.count_operation();
        self.origins.copy(z, x);
        let Shadow::Known(e) = self.shadow(x) else { return };
        let shadow = match fp.family() {
            Family::Wider => self.b.fabs(e),
            Family::Residue => {
                let zero = e.ty().zero();
                let ideal = self.b.fadd(x, e);
                let below = |v| self.b.fcmp(RealPredicate::LLVMRealOLT, v, zero);
                let (x_below, ideal_below) = (below(x), below(ideal));
                let same = self.b.select(x_below, self.b.fneg(e), e);
                let crossed = self.b.fsub(self.b.fabs(ideal), z);
                self.b.select(self.b.xor(x_below, ideal_below), crossed, same)
            }
        };
        self.shadows.set(z, 0, Shadow::Known(shadow));
    }

    /// z is the one of x and y that the operation picked; so is its shadow.
    pub fn pick(&mut self, z: Value, fp: FpType, which: &str, [x, y]: [Value; 2]) {
        self.count_operation();
        self.chooses(z, which, [x, y]);
        let (ex, ey) = (self.shadow(x), self.shadow(y));
        if (ex, ey) == (Shadow::Exact, Shadow::Exact) {
            return;
        }
        let from_x = self.b.fcmp(RealPredicate::LLVMRealOEQ, z, x);
        let [ex, ey] = [(x, ex), (y, ey)].map(|(v, e)| self.materialize(v, fp, e));
        let shadow = self.b.select(from_x, ex, ey);
        self.shadows.set(z, 0, Shadow::Known(shadow));
    }

    /// z is x with a sign; its shadow turns with it.
    pub fn copysign(&mut self, z: Value, x: Value, sign: Value) {
        self.count_operation();
        self.takes_sign(z, "copysign", sign, Some(x));
        let Shadow::Known(e) = self.shadow(x) else { return };
        let same = self.b.fcmp(RealPredicate::LLVMRealOEQ, z, x);
        let shadow = self.b.select(same, e, self.b.fneg(e));
        self.shadows.set(z, 0, Shadow::Known(shadow));
    }

    /// z is the float next to x: a step on purpose, so the error is x's.
    pub fn neighbour(&mut self, z: Value, fp: FpType, x: Value) {
        self.count_operation();
        let Shadow::Known(e) = self.shadow(x) else { return };
        let shadow = match fp.family() {
            Family::Residue => e,
            Family::Wider => {
                let [x, z] = [x, z].map(|v| self.b.fpext(v, e.ty()));
                self.b.fadd(z, self.b.fsub(e, x))
            }
        };
        self.shadows.set(z, 0, Shadow::Known(shadow));
    }
}
