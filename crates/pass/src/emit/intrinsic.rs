//! LLVM's intrinsics.

use super::call::TO_INTEGER;
use super::{Emitter, Shadow, strict};
use crate::fp::FpType;
use crate::llvm::{Kind, Opcode, RealPredicate, Value};
use nonius_abi::hooks::id;
use nonius_abi::libm;
use nonius_abi::planes::{COPY, RESIDUE};
use nonius_abi::site::Observed;

/// Fixed-size copies up to this many bytes move their shadows inline.
const INLINE_COPY: u64 = 64;

/// Intrinsics that do nothing to floats.
const INERT: &[&str] = &[
    "dbg",
    "lifetime",
    "invariant",
    "assume",
    "expect",
    "is",
    "stackrestore",
    "annotation",
    "ptr",
    "prefetch",
    "va_end",
];

impl Emitter<'_> {
    pub fn visit_intrinsic(&mut self, i: Value, name: &str) {
        if let Some(operation) = strict::constrained(name) {
            return self.visit_constrained(i, operation);
        }
        let short = name.strip_prefix("llvm.").unwrap_or(name);
        let base = short.split('.').next().unwrap_or_default();
        match base {
            "memcpy" | "memmove" => self.visit_copy_memory(i),
            "memset" => self.clear_shadows(i, i.operand(0), i.operand(2)),
            "va_start" => {
                let (hook, ty) = self.tables.hook(id::__nonius_va_start);
                self.b.call(hook, ty, &[i.operand(0), self.thread()]);
            }
            "masked" => self.visit_masked(i, short),
            "vector" if short.starts_with("vector.reduce.") => self.visit_reduce(i, short),
            _ if INERT.contains(&base) => {}
            _ => self.visit_float_intrinsic(i, base),
        }
    }

    fn visit_float_intrinsic(&mut self, i: Value, base: &str) {
        let arguments = i.arguments();
        if let Some((_, op)) = TO_INTEGER.iter().find(|(n, _)| *n == base) {
            return self.float_to_integer(i, arguments[0], *op);
        }
        let Some(fp) = FpType::of(i.ty()) else { return self.visit_struct_intrinsic(i, base) };
        match base {
            "sqrt" => self.sqrt(i, fp, arguments[0]),
            "fabs" => self.fabs(i, fp, arguments[0]),
            "fma" | "fmuladd" => self.fused(i, fp, &arguments[..3]),
            "copysign" => self.copysign(i, arguments[0], arguments[1]),
            "minnum" | "maxnum" | "minimum" | "maximum" | "minimumnum" | "maximumnum" => {
                self.pick(i, fp, &base[..3], [arguments[0], arguments[1]]);
            }
            "canonicalize" | "arithmetic" | "ssa" => {
                let shadow = self.shadow(arguments[0]);
                self.origins.copy(i, arguments[0]);
                self.shadows.set(i, 0, shadow);
            }
            "powi" => {
                let exponent = self.b.sitofp(arguments[1], fp.native(self.b.types).element_or_self());
                let exponent = self.b.splat(exponent, i.ty());
                self.known_function(i, fp, "pow", &[arguments[0], exponent]);
            }
            "x86" => self.visit_x86(i, fp),
            _ => match libm::by_intrinsic(base) {
                Some(function) if self.visit_known(i, function) => {}
                _ => self.lose(i, base),
            },
        }
    }

    /// frexp, modf and sincos as intrinsics return both results.
    fn visit_struct_intrinsic(&mut self, i: Value, base: &str) {
        let Kind::Struct(2) = i.ty().kind() else { return self.lose(i, base) };
        let x = i.operand(0);
        let evaluators: &[&str] = match base {
            "sincos" => &["sin", "cos"],
            "modf" => &["modf", "trunc"],
            _ => return self.lose(i, base),
        };
        let Some(fp) = FpType::of(x.ty()) else { return };
        for (n, evaluator) in evaluators.iter().enumerate() {
            let z = self.b.extract_value(i, n as u32);
            match *evaluator {
                "modf" => self.fraction(z, fp, x),
                _ => self.known_function(z, fp, evaluator, &[x]),
            }
            let shadow = self.shadow(z);
            self.shadows.set(i, n, shadow);
        }
    }

    /// Minimum and maximum of SSE and AVX pick one operand, as `pick` wants.
    fn visit_x86(&mut self, i: Value, fp: FpType) {
        let name = i.callee().name();
        let arguments = i.arguments();
        let whole = (name.contains(".min.p") || name.contains(".max.p")) && arguments.len() >= 2;
        if whole && arguments[0].ty() == i.ty() && arguments[1].ty() == i.ty() {
            let which = if name.contains(".min.p") { "min" } else { "max" };
            return self.pick(i, fp, which, [arguments[0], arguments[1]]);
        }
        self.lose(i, &name);
    }

    fn visit_copy_memory(&mut self, i: Value) {
        self.copy_planes(i, i.operand(0), i.operand(1), i.operand(2));
    }

    /// Copies the shadows of `bytes` bytes before `i`, few of them inline.
    pub fn copy_planes(&mut self, i: Value, to: Value, from: Value, bytes: Value) {
        let inline = bytes.as_const_int().filter(|&n| n <= INLINE_COPY);
        match inline {
            Some(n) if n < 4 => {}
            Some(n) => {
                // All loaded before any is stored: right for overlapping ranges too.
                let ty = self.b.types.i8().vector(n as u32);
                let planes = [RESIDUE, COPY];
                let loaded = planes.map(|p| self.b.load(ty, self.b.offset(from, p), 1));
                for (plane, value) in planes.into_iter().zip(loaded) {
                    self.b.store(value, self.b.offset(to, plane), 1);
                }
            }
            None => self.move_shadows(i, to, from, bytes),
        }
    }

    /// Masked loads and stores, gathers, scatters. The planes are mapped everywhere, so a masked
    /// load's shadow is loaded whole and selected.
    fn visit_masked(&mut self, i: Value, short: &str) {
        let arguments = i.arguments();
        let is_mask = |v: &&Value| {
            matches!(v.ty().kind(), Kind::Vector(_)) && matches!(v.ty().element().kind(), Kind::Integer(1))
        };
        let Some(&mask) = arguments.iter().find(is_mask) else { return };
        match short.split('.').nth(1).unwrap_or_default() {
            "load" => {
                let Some(fp) = FpType::of(i.ty()) else { return };
                let loaded = self.load_shadow(i, fp, arguments[0], 1, i);
                self.merge_masked(i, fp, mask, loaded, *arguments.last().expect("a pass-through"));
            }
            "gather" => {
                let Some(fp) = FpType::of(i.ty()) else { return };
                let loaded = self.gather_shadow(i, fp, arguments[0], mask);
                self.merge_masked(i, fp, mask, loaded, *arguments.last().expect("a pass-through"));
            }
            "store" | "scatter" => {
                let value = arguments[0];
                let Some(fp) = FpType::of(value.ty()) else { return };
                self.b.before(i);
                self.origins.masked_store(i, value, mask);
                let shadow = self.materialize(value, fp, self.shadow(value));
                let checked = self.check_masked(value, fp, shadow, mask, i);
                let residue = self.to_plane(value, fp, checked);
                let kind = if short.starts_with("masked.store") { "llvm.masked.store" } else { "llvm.masked.scatter" };
                self.stores.set(true);
                for (plane, stored) in [(RESIDUE, residue), (COPY, value)] {
                    let at = self.b.offset_like(arguments[1], plane);
                    self.b.intrinsic(kind, &[stored.ty(), at.ty()], &[stored, at, mask]);
                }
            }
            other => self.lose(i, &format!("masked {other}")),
        }
    }

    /// Lanes that are not stored count as exact for the check.
    fn check_masked(&mut self, value: Value, fp: FpType, shadow: Value, mask: Value, i: Value) -> Value {
        let exact = self.exact(value, fp);
        let seen = self.b.select(mask, shadow, exact);
        match self.check(value, fp, Shadow::Known(seen), Observed::Store, i) {
            Shadow::Known(checked) => checked,
            Shadow::Exact => exact,
        }
    }

    fn merge_masked(&mut self, i: Value, fp: FpType, mask: Value, loaded: Value, other: Value) {
        let other = self.materialize(other, fp, self.shadow(other));
        let shadow = self.b.select(mask, loaded, other);
        self.shadows.set(i, 0, Shadow::Known(shadow));
    }

    fn gather_shadow(&mut self, i: Value, fp: FpType, pointers: Value, mask: Value) -> Value {
        let plane = fp.plane(self.b.types);
        let gather = |at: Value, ty: crate::llvm::Type| {
            self.b.intrinsic("llvm.masked.gather", &[ty, at.ty()], &[at, mask, ty.zero()])
        };
        let residue = gather(self.b.offset_like(pointers, RESIDUE), plane);
        let copy = gather(self.b.offset_like(pointers, COPY), i.ty());
        let valid = self.b.fcmp(RealPredicate::LLVMRealOEQ, copy, i);
        let residue = self.b.select(valid, residue, plane.zero());
        self.shadow_of_plane(i, fp, residue)
    }

    /// Reductions: sums and products lane by lane in order, minima and maxima by picking.
    fn visit_reduce(&mut self, i: Value, short: &str) {
        let Some(fp) = FpType::of(i.ty()) else { return };
        let arguments = i.arguments();
        let kind = short.trim_start_matches("vector.reduce.").split('.').next().unwrap_or_default();
        let vector = *arguments.last().expect("a vector");
        let vector_fp = FpType::of(vector.ty()).expect("a vector of floats");
        let index = |n: u32| self.b.types.i32().const_int(u64::from(n));
        let shadow = self.materialize(vector, vector_fp, self.shadow(vector));
        let lanes: Vec<(Value, Value)> = (0..vector_fp.lane_count())
            .map(|n| {
                let lane = self.b.extract_element(vector, index(n));
                (lane, self.regrouped(lane, vector_fp, fp, self.b.extract_element(shadow, index(n))))
            })
            .collect();
        for &(value, shadow) in &lanes {
            self.shadows.set(value, 0, Shadow::Known(shadow));
        }
        let result = match kind {
            "fadd" | "fmul" => self.reduce_sum(i, fp, kind, arguments[0], &lanes),
            _ => self.reduce_pick(i, fp, &lanes),
        };
        self.origins.add(i, &[vector]);
        self.count_operation();
        self.shadows.set(i, 0, result);
    }

    /// The ideal of a sum does not depend on its order; the program's rounding errors are the
    /// difference between what it got and what the lanes' ideals add up to.
    fn reduce_sum(&mut self, i: Value, fp: FpType, kind: &str, start: Value, lanes: &[(Value, Value)]) -> Shadow {
        let opcode = if kind == "fadd" { Opcode::LLVMFAdd } else { Opcode::LLVMFMul };
        let (counted, origins) = (self.counts.clone(), std::mem::take(&mut self.origins));
        let mut total = start;
        for &(lane, _) in lanes {
            let next = if kind == "fadd" { self.b.fadd(total, lane) } else { self.b.fmul(total, lane) };
            self.arithmetic(next, fp, opcode, &[total, lane]);
            total = next;
        }
        // One operation of the program, and the partial results are not the program's.
        self.counts = counted;
        self.origins = origins;
        let shadow = self.materialize(total, fp, self.shadow(total));
        Shadow::Known(match fp.family() {
            crate::fp::Family::Wider => shadow,
            // ideal = total + shadow; its residue beside the program's own result.
            crate::fp::Family::Residue => self.b.fadd(self.b.fsub(total, i), shadow),
        })
    }

    fn reduce_pick(&mut self, i: Value, fp: FpType, lanes: &[(Value, Value)]) -> Shadow {
        let mut shadow = self.exact(i, fp);
        for &(lane, lane_shadow) in lanes {
            let same = self.b.fcmp(RealPredicate::LLVMRealOEQ, lane, i);
            shadow = self.b.select(same, lane_shadow, shadow);
        }
        Shadow::Known(shadow)
    }

    /// Constrained operations mean the plain ones here (see `strict`).
    fn visit_constrained(&mut self, i: Value, operation: &str) {
        let base = operation.split('.').next().unwrap_or_default();
        let floats: Vec<Value> = i.arguments().into_iter().filter(|a| FpType::of(a.ty()).is_some()).collect();
        let opcode = match base {
            "fadd" => Some(Opcode::LLVMFAdd),
            "fsub" => Some(Opcode::LLVMFSub),
            "fmul" => Some(Opcode::LLVMFMul),
            "fdiv" => Some(Opcode::LLVMFDiv),
            "frem" => Some(Opcode::LLVMFRem),
            _ => None,
        };
        if let (Some(opcode), Some(fp)) = (opcode, FpType::of(i.ty())) {
            return self.arithmetic(i, fp, opcode, &floats);
        }
        match base {
            "fpext" | "fptrunc" => self.between_formats(i, floats[0]),
            "sitofp" | "uitofp" => self.integer_to_float(i, i.operand(0), base == "sitofp"),
            "fcmp" | "fcmps" => {
                let predicate = i.arguments().get(2).and_then(|p| p.as_metadata_text());
                if let Some(predicate) = predicate.as_deref().and_then(predicate_named) {
                    self.compare(i, predicate, floats[0], floats[1]);
                }
            }
            _ => self.visit_float_intrinsic(i, base),
        }
    }
}

fn predicate_named(name: &str) -> Option<RealPredicate> {
    use RealPredicate::*;
    Some(match name {
        "oeq" => LLVMRealOEQ,
        "ogt" => LLVMRealOGT,
        "oge" => LLVMRealOGE,
        "olt" => LLVMRealOLT,
        "ole" => LLVMRealOLE,
        "one" => LLVMRealONE,
        "ueq" => LLVMRealUEQ,
        "ugt" => LLVMRealUGT,
        "uge" => LLVMRealUGE,
        "ult" => LLVMRealULT,
        "ule" => LLVMRealULE,
        "une" => LLVMRealUNE,
        _ => return None,
    })
}
