//! Complex functions of the C library and the quotient that compilers call, by the runtime's
//! evaluators `__nonius_c_f`. Doubles come as scalars and leave as a pair; floats come and leave
//! as a vector of two, or come as scalars too.

use super::{Emitter, Shadow};
use crate::fp::FpType;
use crate::llvm::{Kind, Value};
use nonius_abi::Precision;
use nonius_abi::libm::MathFunction;

impl Emitter<'_> {
    /// `count` parts of operands; `false`: this is not how C passes complex numbers.
    pub fn visit_complex(&mut self, i: Value, function: &MathFunction, count: usize) -> bool {
        let operands: Vec<Value> = i.arguments().into_iter().flat_map(|a| self.parts(a)).collect();
        let results = self.parts(i);
        let precision = |v: &Value| FpType::of(v.ty()).map(|fp| (fp.precision, fp.lanes));
        let one = [Precision::Float, Precision::Double].into_iter().find(|&p| {
            operands.len() == count
                && results.len() == 2
                && operands.iter().chain(&results).all(|v| precision(v) == Some((p, None)))
        });
        let Some(one) = one else { return false };
        self.count_operation();
        let zero = self.b.types.double().zero();
        let mut arguments = Vec::new();
        for &part in &operands {
            let fp = FpType::of(part.ty()).expect("a float");
            let shadow = self.materialize(part, fp, self.shadow(part));
            arguments.extend(if one == Precision::Double { [part, shadow] } else { [shadow, zero] });
        }
        // Of a float the ideal is asked for, which is the residue of 0.
        arguments.extend(results.iter().map(|&z| if one == Precision::Double { z } else { zero }));
        let pair = self.evaluator("__nonius_c_", function.evaluator, self.b.types.double().array(2), &arguments);
        let made = [0, 1].map(|n| self.b.extract_value(pair, n));
        match one {
            Precision::Double => {
                (0..2).for_each(|n| self.shadows.set(i, n, Shadow::Known(made[n])));
            }
            _ => {
                let mut vector = self.b.types.double().vector(2).zero();
                for (n, (&ideal, &z)) in made.iter().zip(&results).enumerate() {
                    let usable = self.usable(ideal, z, FpType::of(z.ty()).expect("a float"));
                    vector = self.b.insert_element(vector, usable, self.b.types.i32().const_int(n as u64));
                }
                self.shadows.set(i, 0, Shadow::Known(vector));
            }
        }
        true
    }

    /// The floats of a complex number, each with its shadow.
    fn parts(&mut self, value: Value) -> Vec<Value> {
        match value.ty().kind() {
            Kind::Vector(2) if FpType::of(value.ty()).is_some() => {
                let shadow = self.shadow(value);
                (0..2).map(|n| self.part(value, shadow, n)).collect()
            }
            Kind::Struct(members) => (0..members).map(|n| self.b.extract_value(value, n)).collect(),
            _ => vec![value],
        }
    }

    fn part(&mut self, value: Value, shadow: Shadow, lane: u64) -> Value {
        let lane = self.b.types.i32().const_int(lane);
        let part = self.b.extract_element(value, lane);
        if let Shadow::Known(shadow) = shadow {
            let shadow = self.b.extract_element(shadow, lane);
            self.shadows.set(part, 0, Shadow::Known(shadow));
        }
        part
    }

    /// `cabs` and `carg`: a real function of both parts.
    pub fn visit_modulus(&mut self, i: Value, function: &MathFunction) -> bool {
        let parts: Vec<Value> = i.arguments().into_iter().flat_map(|a| self.parts(a)).collect();
        let (Some(fp), &[re, im]) = (FpType::of(i.ty()), parts.as_slice()) else { return false };
        if re.ty() != i.ty() || im.ty() != i.ty() {
            return false;
        }
        let operands = if function.evaluator == "atan2" { [im, re] } else { [re, im] };
        self.known_function(i, fp, function.evaluator, &operands);
        true
    }
}
