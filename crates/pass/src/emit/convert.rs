//! Conversions between formats, from integers and to integers.

use super::{Emitter, Shadow, entry::MAX_LANES};
use crate::fp::{Family, FpType};
use crate::guard::{self, Guard};
use crate::llvm::{Kind, Opcode, RealPredicate, Type, Value};
use crate::sites::{self, Origin};
use nonius_abi::Precision;
use nonius_abi::hooks::id;
use nonius_abi::site::{Observed, Op};

impl Emitter<'_> {
    pub fn visit_conversion(&mut self, i: Value) {
        match i.opcode() {
            Opcode::LLVMFPExt | Opcode::LLVMFPTrunc => self.between_formats(i, i.operand(0)),
            Opcode::LLVMSIToFP | Opcode::LLVMUIToFP => {
                self.integer_to_float(i, i.operand(0), i.opcode() == Opcode::LLVMSIToFP);
            }
            _ => self.float_to_integer(i, i.operand(0), Op::ToInteger),
        }
    }

    /// `z` is `x` in another format.
    pub fn between_formats(&mut self, z: Value, x: Value) {
        let (Some(from), Some(to)) = (FpType::of(x.ty()), FpType::of(z.ty())) else { return };
        self.count_operation();
        let narrows = to.precision.bits() < from.precision.bits() || to.precision == Precision::Half;
        if narrows {
            self.origins.add(z, &[x]);
        } else {
            self.origins.copy(z, x);
        }
        let shadow = self.shadow(x);
        if shadow == Shadow::Exact && !narrows {
            return;
        }
        if let (true, Shadow::Known(e)) = (from.has_float_residues() && to.precision == Precision::Double, shadow) {
            let residue = self.b.fpext(e, to.shadow(self.b.types));
            return self.shadows.set(z, 0, Shadow::Known(residue));
        }
        let quad = [from.precision, to.precision].iter().any(|p| matches!(p, Precision::X87 | Precision::Quad));
        let work = from.shaped(if quad { self.b.types.quad() } else { self.b.types.double() });
        let x_shadow = self.materialize(x, from, shadow);
        let ideal = match from.family() {
            Family::Wider => self.extend(x_shadow, work),
            Family::Residue => self.b.fadd(self.extend(x, work), self.extend(x_shadow, work)),
        };
        let result = match to.family() {
            Family::Wider => ideal,
            Family::Residue => self.restart_unless_finite(self.b.fsub(ideal, self.extend(z, work))),
        };
        let result = self.resize(result, to.shadow(self.b.types));
        self.shadows.set(z, 0, Shadow::Known(result));
    }

    /// Widens to `ty` if it is wider.
    fn extend(&self, value: Value, ty: Type) -> Value {
        if value.ty() == ty { value } else { self.b.fpext(value, ty) }
    }

    /// Between double and quad either way, and from both to float.
    fn resize(&self, value: Value, ty: Type) -> Value {
        let is_quad = |t: Type| FpType::of(t).is_some_and(|f| f.precision == Precision::Quad);
        match (is_quad(value.ty()), is_quad(ty)) {
            (true, false) => self.b.fptrunc(value, ty),
            (false, true) => self.b.fpext(value, ty),
            _ if value.ty() == ty => value,
            _ => self.b.fptrunc(value, ty),
        }
    }

    /// The shadow of floats that change between few and many lanes: `value` is what they are now.
    pub fn regrouped(&self, value: Value, from: FpType, to: FpType, shadow: Value) -> Value {
        let now = FpType::of(value.ty()).expect("a float");
        let wide = now.shaped(self.b.types.double());
        match (from.has_float_residues(), to.has_float_residues()) {
            (true, false) => self.b.fadd(self.b.fpext(value, wide), self.b.fpext(shadow, wide)),
            (false, true) => self.b.fptrunc(self.b.fsub(shadow, self.b.fpext(value, wide)), value.ty()),
            _ => shadow,
        }
    }

    /// Integers that fit the format are exact. A wider one is rounded; the error of a double from
    /// 64 bits and less is found from two exact halves.
    pub fn integer_to_float(&mut self, z: Value, x: Value, signed: bool) {
        let Some(fp) = FpType::of(z.ty()) else { return };
        self.count_operation();
        let element = if let Kind::Vector(_) = x.ty().kind() { x.ty().element() } else { x.ty() };
        let Kind::Integer(bits) = element.kind() else { return };
        let magnitude = self.module.significant_bits(x, signed);
        if magnitude <= fp.precision.bits() {
            return;
        }
        let quad_fits = magnitude <= 113;
        match fp.family() {
            _ if !matches!(fp.precision, Precision::Double | Precision::X87 | Precision::Quad) => {
                let scarce = FpType { lanes: None, ..fp };
                let wide = fp.shaped(self.b.types.double());
                let ideal = if signed { self.b.sitofp(x, wide) } else { self.b.uitofp(x, wide) };
                let shadow = self.regrouped(z, scarce, fp, ideal);
                self.shadows.set(z, 0, Shadow::Known(shadow));
            }
            Family::Residue if fp.precision == Precision::Double && bits <= 64 => {
                let residue = self.error_of_conversion(z, x, signed);
                self.shadows.set(z, 0, Shadow::Known(residue));
            }
            _ if quad_fits => {
                let quad = fp.shaped(self.b.types.quad());
                let ideal = if signed { self.b.sitofp(x, quad) } else { self.b.uitofp(x, quad) };
                let shadow = match fp.family() {
                    Family::Wider => ideal,
                    Family::Residue => {
                        let residue = self.b.fsub(ideal, self.extend(z, quad));
                        self.resize(residue, fp.shadow(self.b.types))
                    }
                };
                self.shadows.set(z, 0, Shadow::Known(shadow));
            }
            _ => {}
        }
    }

    /// What a double lacks to the integer that it was converted from: the error of the sum of two halves,
    /// each of which is exact, and the upper of which is 0 or the larger.
    fn error_of_conversion(&self, z: Value, x: Value, signed: bool) -> Value {
        let low = self.b.and(x, self.b.integer(x.ty(), u64::from(u32::MAX)));
        let high = self.b.xor(x, low);
        let high = if signed { self.b.sitofp(high, z.ty()) } else { self.b.uitofp(high, z.ty()) };
        self.b.fsub(self.b.uitofp(low, z.ty()), self.b.fsub(z, high))
    }

    /// Checks that the ideal, rounded to its format, would give the same integer, where that counts.
    pub fn float_to_integer(&mut self, i: Value, x: Value, op: Op) {
        self.count_operation();
        let Some(fp) = FpType::of(x.ty()) else { return };
        let Shadow::Known(shadow) = self.shadow(x) else { return };
        if fp.lane_count() > MAX_LANES {
            return;
        }
        self.counts.checks += 1;
        match guard::of(i, &self.originals) {
            None => self.check_integer(i, [x, shadow], fp, op, None),
            Some(guard) => {
                let joint = guard.joint;
                let check = Box::new(move |this: &mut Emitter<'_>| {
                    this.check_integer(i, [x, shadow], fp, op, Some(guard));
                });
                self.later.entry(joint).or_default().push(check);
            }
        }
    }

    /// Where the machine cannot tell quickly, the inline part only sees whether the rounded ideal differs at all.
    fn check_integer(&mut self, i: Value, [x, shadow]: [Value; 2], fp: FpType, op: Op, guard: Option<Guard>) {
        let rounded = self.rounded_ideal(x, fp, shadow);
        let whole = match op {
            Op::ToInteger => Some("llvm.trunc"),
            Op::ToIntegerRint => Some("llvm.rint"),
            _ => None,
        };
        let quick = self.entry.avx2 && matches!(fp.precision, Precision::Float | Precision::Double);
        let [left, right] = [rounded, x].map(|v| match whole.filter(|_| quick) {
            Some(name) => self.b.intrinsic(name, &[v.ty()], &[v]),
            None => v,
        });
        let differs = self.b.fcmp(RealPredicate::LLVMRealONE, left, right);
        let counts = guard.map(|guard| self.b.and(differs, guard.is_open(&self.b)));
        let any = self.b.any(counts.unwrap_or(differs));
        let point = self.b.point();
        let then = point.split_if(any);
        self.b.before_with_loc_of(then, i);
        let (v, e) = self.as_doubles(x, fp, shadow);
        let e = counts.map_or(e, |lanes| self.b.select(lanes, e, e.ty().zero()));
        let buffer = self.begin_buffer();
        self.fill(&buffer, 0, v);
        self.fill(&buffer, 1, e);
        let origin = Origin::new(op, Some(i));
        let site = sites::site(&mut self.tables.sites, &origin, fp.precision, Observed::Cast, i, self.index);
        let i32_type = self.b.types.i32();
        let lanes = i32_type.const_int(u64::from(fp.lane_count()));
        let site = i32_type.const_int(u64::from(site));
        let [values, residues] = [0, 1].map(|n| self.array(&buffer, n));
        let moved = self.moved_by_constants(x, fp).map(|moved| {
            self.fill(&buffer, 2, moved);
            self.array(&buffer, 2)
        });
        let moved = moved.unwrap_or(self.b.types.ptr().zero());
        self.call_cold(id::__nonius_cast, &[self.tables.table(), site, lanes, values, residues, moved]);
        self.end_buffer(buffer);
        self.b.before_with_loc_of(point, i);
    }

    /// The ideal in the program's own format.
    pub fn rounded_ideal(&self, x: Value, fp: FpType, shadow: Value) -> Value {
        match fp.family() {
            Family::Residue => self.b.fadd(x, shadow),
            // Through float: not every system library narrows a double to bfloat.
            Family::Wider if fp.precision == Precision::Bfloat => {
                let float = self.b.fptrunc(shadow, fp.shaped(self.b.types.float()));
                self.b.fptrunc(float, x.ty())
            }
            Family::Wider => self.b.fptrunc(shadow, x.ty()),
        }
    }
}
