//! The functions of the mathematical library: the machine evaluates them anew, and takes the program's value along.
//!
//! What a function stores through a pointer is read behind the call, evaluated, and stored there by a step.

use super::{Recorder, one, step};
use crate::fp::FpType;
use crate::guard;
use crate::llvm::{Kind as TypeKind, Value};
use nonius_abi::Precision;
use nonius_abi::code::{Kind, Operand, Step};
use nonius_abi::libm::{self, MathFunction, Shape};
use nonius_abi::site::{NONE, Observed, Op};

impl Recorder<'_> {
    /// A call of a function of the table; `false` if it has no step in this form.
    pub fn function(&mut self, i: Value, function: &MathFunction, arguments: &[Value]) -> bool {
        match function.shape {
            Shape::X | Shape::XX => self.real_function(i, function.name, arguments, None),
            Shape::XI | Shape::IX => {
                let Some(integer) = arguments.iter().copied().find(|a| is_integer(*a)) else { return false };
                self.real_function(i, function.name, arguments, Some(integer))
            }
            Shape::Remquo => self.real_function(i, "remainder", arguments, None),
            Shape::LgammaR => self.real_function(i, "lgamma", arguments, None),
            Shape::Frexp => self.frexp(i, arguments),
            Shape::Modf | Shape::Sincos => self.two_results(i, function.shape, arguments),
            Shape::Modulus => self.modulus(i, function, arguments),
            Shape::Complex | Shape::ComplexPair => self.complex(i, function, arguments),
            Shape::ToInteger => false,
        }
    }

    /// Of all floats among the arguments, which have the result's type.
    fn real_function(&mut self, i: Value, name: &str, arguments: &[Value], integer: Option<Value>) -> bool {
        let Some(fp) = FpType::of(i.ty()) else { return false };
        // Constrained intrinsics have metadata behind their operands.
        let floats: Vec<Value> = arguments.iter().copied().filter(|a| FpType::of(a.ty()).is_some()).collect();
        if floats.is_empty() || floats.len() > 2 || floats.iter().any(|a| a.ty() != i.ty()) {
            return false;
        }
        let args = self.arguments(&floats, fp);
        self.stand_behind(i);
        let place = integer.and_then(|n| self.integer_word(n)).unwrap_or(NONE);
        let result = self.name(i);
        self.evaluated(i, i, fp, name, args, place, result);
        true
    }

    /// `z`, known at the builder's place, is the function of `args`, in the slots from `result` on.
    #[allow(clippy::too_many_arguments)]
    fn evaluated(&mut self, i: Value, z: Value, fp: FpType, name: &str, args: [Operand; 3], place: u32, result: u32) {
        let decision = libm::decision(libm::FUNCTIONS[number(name) as usize].evaluator);
        // Whether it counts is told by who uses it, which another value does from here on. What may not count is not followed.
        let is_guarded = guard::of(i, &self.originals).is_some();
        if let Some(op) = decision {
            self.decides(i, fp, op, args);
        }
        let z = match decision {
            Some(op) if z == i && !is_guarded => self.decide_rounding(i, fp, op, args),
            _ => z,
        };
        let word = self.put(z);
        let site = self.operation_site(i, fp);
        self.step(Step { detail: number(name), result, args, word, place, site, ..step(Kind::Function, fp) });
    }

    /// Fortran's `mod` and `modulo`, which come with where they are called.
    pub fn fortran_remainder(&mut self, i: Value, op: Op, arguments: &[Value]) {
        let Some(fp) = FpType::of(i.ty()).filter(|_| arguments.len() >= 2) else { return self.restart(i) };
        let args = self.arguments(&arguments[..2], fp);
        self.stand_behind(i);
        let word = self.put(i);
        let site = self.operation_site(i, fp);
        let result = self.name(i);
        self.decides(i, fp, op, args);
        self.step(Step { detail: number("fmod"), result, args, word, site, ..step(Kind::Function, fp) });
    }

    /// The exponent comes through a pointer, or as the second result of the intrinsic.
    fn frexp(&mut self, i: Value, arguments: &[Value]) -> bool {
        let Some(&x) = arguments.first() else { return false };
        let Some(fp) = FpType::of(x.ty()).filter(|fp| fp.lanes.is_none()) else { return false };
        let is_pair = matches!(i.ty().kind(), TypeKind::Struct(2));
        if !is_pair && (i.ty() != x.ty() || arguments.len() < 2) {
            return false;
        }
        let args = self.arguments(&[x], fp);
        self.stand_behind(i);
        let (z, exponent) = match is_pair {
            true => (self.b.extract_value(i, 0), self.b.extract_value(i, 1)),
            false => (i, self.b.load(self.b.types.i32(), arguments[1], 4)),
        };
        let place = self.integer_word(exponent).unwrap_or(NONE);
        let result = self.name(i);
        self.evaluated(i, z, fp, "frexp", args, place, result);
        true
    }

    /// Sine and cosine, or fraction and whole part: both returned, both through pointers, or one each.
    fn two_results(&mut self, i: Value, shape: Shape, arguments: &[Value]) -> bool {
        let Some(&x) = arguments.first() else { return false };
        let Some(fp) = FpType::of(x.ty()) else { return false };
        let names = if shape == Shape::Modf { ["modf", "trunc"] } else { ["sin", "cos"] };
        let args = self.arguments(&[x], fp);
        if let TypeKind::Struct(2) = i.ty().kind() {
            self.stand_behind(i);
            let first = self.name(i);
            for (n, name) in (0..).zip(names) {
                let z = self.b.extract_value(i, n);
                self.evaluated(i, z, fp, name, args, NONE, first + n * fp.lane_count());
            }
            return true;
        }
        let returned = usize::from(i.ty() == x.ty());
        let Some(pointers) = arguments.get(1..).filter(|p| p.len() + returned == 2) else { return false };
        self.stand_behind(i);
        if returned == 1 {
            let result = self.name(i);
            self.evaluated(i, i, fp, names[0], args, NONE, result);
        }
        for (&pointer, name) in pointers.iter().zip(&names[returned..]) {
            self.through_pointer(i, fp, name, args, pointer);
        }
        true
    }

    fn through_pointer(&mut self, i: Value, fp: FpType, name: &str, args: [Operand; 3], pointer: Value) {
        self.stand_behind(i);
        let align = self.module.alloc_bytes(fp.native(self.b.types)) as u32;
        let z = self.b.load(fp.native(self.b.types), pointer, align);
        let result = self.slots.fresh(z, fp.lane_count());
        self.evaluated(i, z, fp, name, args, NONE, result);
        self.check(z, Observed::Store, i);
        let place = self.put_shared(pointer);
        self.step(Step { args: one(Operand::slot(result)), place, ..step(Kind::Store, fp) });
    }

    /// The real and imaginary lanes of complex arguments; `None` if they are not `count` floats of one format.
    fn complex_lanes(&mut self, arguments: &[Value], count: usize) -> Option<(Vec<Operand>, Precision)> {
        let parts: Vec<_> = arguments.iter().flat_map(|&a| self.parts(a)).collect();
        let precision = parts.first()?.fp.precision;
        let lanes: Vec<Operand> = arguments.iter().flat_map(|&a| self.operands(a)).collect();
        let fits = lanes.len() == count && parts.iter().all(|part| part.fp.precision == precision);
        fits.then_some((lanes, precision))
    }

    /// `cabs` and `carg`: a real function of both parts.
    fn modulus(&mut self, i: Value, function: &MathFunction, arguments: &[Value]) -> bool {
        let Some(fp) = FpType::of(i.ty()) else { return false };
        let Some((lanes, precision)) = self.complex_lanes(arguments, 2) else { return false };
        if precision != fp.precision || fp.lanes.is_some() {
            return false;
        }
        let (re, im) = (lanes[0], lanes[1]);
        let [x, y] = if function.evaluator == "atan2" { [im, re] } else { [re, im] };
        self.stand_behind(i);
        let result = self.name(i);
        self.evaluated(i, i, fp, function.evaluator, [x, y, Operand::NOTHING], NONE, result);
        true
    }

    fn complex(&mut self, i: Value, function: &MathFunction, arguments: &[Value]) -> bool {
        let count = if function.shape == Shape::ComplexPair { 4 } else { 2 };
        let Some((lanes, precision)) = self.complex_lanes(arguments, count) else { return false };
        let results = self.parts(i);
        let result_lanes: u32 = results.iter().map(|part| part.fp.lane_count()).sum();
        if result_lanes != 2 || results.iter().any(|part| part.fp.precision != precision) {
            return false;
        }
        let fp = FpType { precision, lanes: Some(2) };
        let mut args = [Operand::NOTHING; 3];
        for (arg, number) in args.iter_mut().zip(lanes.chunks(2)) {
            *arg = self.together(number, fp);
        }
        let mut word = NONE;
        for part in results {
            let member = self.member_of(i, &part);
            word = word.min(self.put(member));
        }
        let site = self.operation_site(i, fp);
        let result = self.name(i);
        self.step(Step { detail: number(function.name), result, args, word, site, ..step(Kind::Complex, fp) });
        true
    }

    /// `powi`: the exponent becomes a float first.
    pub fn power(&mut self, i: Value, arguments: &[Value]) {
        let Some(fp) = FpType::of(i.ty()).filter(|fp| fp.lanes.is_none()) else { return self.restart(i) };
        let x = self.operands(arguments[0])[0];
        self.stand_behind(i);
        let exponent = self.integer_word(arguments[1]).unwrap_or(NONE);
        let slot = self.slots.fresh_slots(1);
        self.step(Step { result: slot, word: exponent, ..step(Kind::FromInteger, fp) });
        let result = self.name(i);
        self.evaluated(i, i, fp, "pow", [x, Operand::slot(slot), Operand::NOTHING], NONE, result);
    }

    /// An integer argument, as i64.
    pub fn integer_word(&mut self, argument: Value) -> Option<u32> {
        let TypeKind::Integer(bits) = argument.ty().kind() else { return None };
        let wide = if bits < 64 { self.b.sext(argument, self.b.types.i64()) } else { argument };
        Some(self.put(wide))
    }
}

fn is_integer(value: Value) -> bool {
    matches!(value.ty().kind(), TypeKind::Integer(bits) if bits <= 64)
}

/// The number of a function in the table.
fn number(name: &str) -> u32 {
    libm::FUNCTIONS.iter().position(|f| f.name == name).expect("a name of the table") as u32
}
