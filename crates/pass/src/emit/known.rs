//! Known mathematical functions: the shadow comes from the runtime's better evaluation
//! (see `nonius_abi::libm`), lane by lane.

use super::{Emitter, Shadow, TO_INTEGER};
use crate::fp::FpType;
use crate::llvm::{Kind, Type, Value};
use nonius_abi::Precision;
use nonius_abi::hooks::doubt;
use nonius_abi::libm::{self, MathFunction, Shape};
use nonius_abi::site::Observed;

impl Emitter<'_> {
    /// A call of a function of the table, by its C name or as an intrinsic. `false`: its shape is
    /// not what the table says.
    pub fn visit_known(&mut self, i: Value, function: &MathFunction) -> bool {
        let arguments = i.arguments();
        let floats = |n: usize| arguments.len() >= n && arguments[..n].iter().all(|a| FpType::of(a.ty()).is_some());
        let floats_from = |n: usize| arguments[n..].iter().all(|a| a.ty() == i.ty());
        let result = FpType::of(i.ty());
        match (function.shape, result) {
            (Shape::X, Some(fp)) if floats(1) => self.known_function(i, fp, function.evaluator, &arguments[..1]),
            (Shape::XX, Some(fp)) if floats(2) => self.known_function(i, fp, function.evaluator, &arguments[..2]),
            (Shape::XI, Some(fp)) if floats(1) && arguments.len() >= 2 && is_integer(arguments[1]) => {
                let n = self.widen(arguments[1]);
                self.known_with(i, fp, function.evaluator, &arguments[..1], Some(n), None);
            }
            (Shape::IX, Some(fp)) if arguments.len() == 2 && is_integer(arguments[0]) && floats_from(1) => {
                let n = self.widen(arguments[0]);
                self.known_with(i, fp, function.evaluator, &arguments[1..], None, Some(n));
            }
            (Shape::ToInteger, None) if floats(1) => {
                let Some((_, op)) = TO_INTEGER.iter().find(|(n, _)| *n == function.name) else { return false };
                self.float_to_integer(i, arguments[0], *op);
            }
            (Shape::Frexp, Some(fp)) if floats(1) && arguments.len() == 2 => {
                let exponent = self.b.load(self.b.types.i32(), arguments[1], 4);
                let exponent = self.widen(exponent);
                self.known_with(i, fp, "frexp", &arguments[..1], Some(exponent), None);
            }
            (Shape::Modf, Some(fp)) if floats(1) && arguments.len() == 2 => {
                self.fraction(i, fp, arguments[0]);
                self.known_through_pointer(i, fp, "trunc", arguments[0], arguments[1]);
            }
            (Shape::Sincos, None) if floats(1) && arguments.len() == 3 => {
                let fp = FpType::of(arguments[0].ty()).expect("a float");
                self.known_through_pointer(i, fp, "sin", arguments[0], arguments[1]);
                self.known_through_pointer(i, fp, "cos", arguments[0], arguments[2]);
            }
            (Shape::Complex, _) => return self.visit_complex(i, function, 2),
            (Shape::ComplexPair, _) => return self.visit_complex(i, function, 4),
            (Shape::Modulus, _) => return self.visit_modulus(i, function),
            (Shape::Remquo, Some(fp)) if floats(2) => self.known_function(i, fp, "remainder", &arguments[..2]),
            (Shape::LgammaR, Some(fp)) if floats(1) => self.known_function(i, fp, "lgamma", &arguments[..1]),
            _ => return false,
        }
        true
    }

    fn widen(&self, n: Value) -> Value {
        let i64_type = self.b.types.i64();
        let wide = if let Kind::Vector(lanes) = n.ty().kind() { i64_type.vector(lanes) } else { i64_type };
        if n.ty() == wide { n } else { self.b.sext(n, wide) }
    }

    /// A result that the function stored through a pointer.
    fn known_through_pointer(&mut self, i: Value, fp: FpType, evaluator: &str, x: Value, pointer: Value) {
        let align = self.module.alloc_bytes(fp.native(self.b.types)) as u32;
        let z = self.b.load(fp.native(self.b.types), pointer, align);
        self.known_function(z, fp, evaluator, &[x]);
        let shadow = self.shadow(z);
        let shadow = self.check(z, fp, shadow, Observed::Store, i);
        self.store_shadow(z, fp, shadow, pointer, align);
    }

    /// `z` is the function of `operands`, all of one type.
    pub fn known_function(&mut self, z: Value, fp: FpType, evaluator: &str, operands: &[Value]) {
        match (libm::decision(evaluator), operands) {
            (Some(op), &[x]) => self.round_to_integer(z, fp, op, evaluator, x),
            (Some(op), &[x, y]) => self.remainder(z, fp, op, [x, y]),
            _ => self.known_with(z, fp, evaluator, operands, None, None),
        }
    }

    fn known_with(
        &mut self,
        z: Value,
        fp: FpType,
        evaluator: &str,
        operands: &[Value],
        behind: Option<Value>,
        before: Option<Value>,
    ) {
        if fp.precision == Precision::Quad {
            return self.lose(z, &format!("{evaluator} of quad"));
        }
        self.count_operation();
        self.origins.add(z, operands);
        let one = FpType { lanes: None, ..fp };
        let shadows: Vec<Value> =
            operands.iter().map(|&o| self.regrouped(o, fp, one, self.materialize(o, fp, self.shadow(o)))).collect();
        let lanes = fp.lane_count();
        let mut result = fp.shaped(one.shadow(self.b.types)).zero();
        for lane in 0..lanes {
            let at = |v: Value| self.lane(v, fp, lane);
            let mut arguments: Vec<Value> = before.map(|n| self.lane(n, fp, lane)).into_iter().collect();
            for (&x, &s) in operands.iter().zip(&shadows) {
                match fp.precision {
                    Precision::Double => arguments.extend([at(x), at(s)]),
                    _ => arguments.push(at(s)),
                }
            }
            arguments.extend(behind.map(|n| self.lane(n, fp, lane)));
            let (family, made) = match fp.precision {
                Precision::Double => {
                    arguments.push(at(z));
                    ("__nonius_r_", self.b.types.double())
                }
                Precision::X87 => ("__nonius_q_", self.b.types.quad()),
                _ => ("__nonius_w_", self.b.types.double()),
            };
            let made = self.evaluator(family, evaluator, made, &arguments);
            let made = self.usable(made, at(z), fp);
            result = match fp.lanes {
                None => made,
                Some(_) => self.b.insert_element(result, made, self.b.types.i32().const_int(u64::from(lane))),
            };
        }
        let result = self.regrouped(z, one, fp, result);
        self.shadows.set(z, 0, Shadow::Known(result));
    }

    /// The shadow of a call's result by an evaluator that is known by its address; all is scalar.
    pub fn evaluated_at(&mut self, call: Value, fp: FpType, evaluator: Value) -> Value {
        let is_double = fp.precision == Precision::Double;
        let mut arguments = Vec::new();
        for x in call.arguments() {
            if x.ty() != call.ty() {
                arguments.push(self.widen(x));
                continue;
            }
            let shadow = self.materialize(x, fp, self.shadow(x));
            arguments.extend(is_double.then_some(x));
            arguments.push(shadow);
        }
        arguments.extend(is_double.then_some(call));
        let types: Vec<Type> = arguments.iter().map(|a| a.ty()).collect();
        let ty = self.b.types.function(fp.shadow(self.b.types), &types);
        let made = self.b.call(evaluator, ty, &arguments);
        self.usable(made, call, fp)
    }

    /// The evaluators of residues see to their own edges; a wide ideal beyond the format restarts.
    pub fn usable(&self, made: Value, z: Value, fp: FpType) -> Value {
        if fp.precision == Precision::Double {
            return made;
        }
        let both = self.b.and(self.is_finite(made), self.is_finite(z));
        // A 0 whose ideal is no number: nobody knows.
        let restart = self.b.fadd(self.b.fpext(z, made.ty()), self.b.real(made.ty(), doubt(fp.precision)));
        self.b.select(both, made, restart)
    }

    pub fn lane(&self, value: Value, fp: FpType, lane: u32) -> Value {
        match (fp.lanes, value.ty().kind()) {
            (Some(_), Kind::Vector(_)) => self.b.extract_element(value, self.b.types.i32().const_int(u64::from(lane))),
            _ => value,
        }
    }

    pub fn evaluator(&self, family: &str, name: &str, result: Type, arguments: &[Value]) -> Value {
        let types: Vec<Type> = arguments.iter().map(|a| a.ty()).collect();
        let ty = self.b.types.function(result, &types);
        let function = self.tables.runtime_function(&format!("{family}{name}"), ty);
        self.b.call(function, ty, arguments)
    }

    pub fn quad_evaluator(&self, name: &str, arguments: &[Value]) -> Value {
        self.evaluator("__nonius_q_", name, self.b.types.quad(), arguments)
    }
}

/// An integer of at most 64 bits, or a vector of them.
fn is_integer(value: Value) -> bool {
    matches!(value.ty().element_or_self().kind(), Kind::Integer(bits) if bits <= 64)
}
