//! Operations that are rare enough to be out of line; and roots and roundings on purpose, which `walk` has in line.

use crate::checks::constants::name_exact;
use crate::core::Core;
use crate::program::{FlatProgram, Insn, Opcode};
use crate::register::{Known, Register};
use nonius_abi::Precision;
use nonius_abi::by_address::OPERATIONS;
use nonius_abi::code::{Arith, beside_two_words, few_last_bits};
use nonius_abi::site::NONE;
use nonius_numerics::eft::two_sum_error;
use nonius_numerics::error::exponent;
use nonius_oracle::{Binary, Function, Half, Operand, Oracle};

type Frame<'a, O> = &'a mut [Register<<O as Oracle>::Shadow>];

impl<O: Oracle> Core<O> {
    #[inline(never)]
    pub fn rare(&mut self, program: &FlatProgram, frame: Frame<O>, insn: &Insn, words: &[u64]) {
        match insn.op {
            Opcode::Snap => self.snap(frame, insn, words),
            Opcode::IntendedSqrt => self.intended_root(frame, insn, words),
            Opcode::Beside => self.beside(frame, insn),
            Opcode::CopySign => self.copy_sign(frame, insn, words),
            Opcode::Pick => self.pick(frame, insn, words),
            Opcode::Rem => self.function(Some(Function::Fmod), 2, frame, insn, words),
            Opcode::Function => {
                let f = program.math.get(insn.detail as usize).copied().flatten();
                self.function(f, f.map_or(0, Function::arity), frame, insn, words);
            }
            Opcode::Complex => self.complex(program, frame, insn, words),
            Opcode::Convert => self.convert(frame, insn, words),
            Opcode::Copy => {
                let at = insn.place as usize;
                let (to, from, bytes) = (words[at], words[at + 1], words[at + 2]);
                if O::MEASURES {
                    self.memory.copy(to, from, bytes, &mut self.oracle);
                }
            }
            _ => {}
        }
    }

    /// The result of a mathematical function that the program called by its address; `false` if the callee is none.
    #[inline(never)]
    pub fn known_by_address(&mut self, program: &FlatProgram, frame: Frame<O>, insn: &Insn, words: &[u64]) -> bool {
        let number = usize::try_from(words[insn.place as usize]).unwrap_or(usize::MAX);
        let place = u32::try_from(insn.offset).unwrap_or(NONE);
        if let Some(&Some(f)) = program.math.get(number) {
            let insn = Insn { op: Opcode::Function, detail: number as u32, place, ..*insn };
            self.function(Some(f), f.arity(), frame, &insn, words);
            return true;
        }
        let Some((.., operation)) = number.checked_sub(program.math.len()).and_then(|n| OPERATIONS.get(n)) else {
            return false;
        };
        let (op, detail) = match operation {
            Arith::Abs => (Opcode::Abs, 0),
            Arith::Fma => (Opcode::Fma, 0),
            Arith::CopySign => (Opcode::CopySign, 0),
            Arith::MinNum => (Opcode::Pick, 0),
            _ => (Opcode::Pick, 1),
        };
        let insn = Insn { op, detail, place: NONE, ..*insn };
        match op {
            Opcode::Fma => self.fma(frame, &insn, words),
            Opcode::Abs => self.step(program, frame, &insn, words),
            _ => self.rare(program, frame, &insn, words),
        }
        true
    }

    /// Code that does not record copied bytes from the second address to the first.
    #[cold]
    pub fn moved(&mut self, (to, from): (u64, u64), bytes: u64) {
        if O::MEASURES {
            self.memory.copy(to, from, bytes, &mut self.oracle);
        }
    }

    #[inline(always)]
    pub fn sqrt(&mut self, frame: Frame<O>, insn: &Insn, words: &[u64]) {
        let x = &frame[insn.args[0] as usize];
        let known = x.known;
        let z = match insn.format {
            Precision::Float => f64::from((known.value as f32).sqrt()),
            _ => known.value.sqrt(),
        };
        self.oracle.sqrt(&mut self.scratch, Operand { actual: known.value, shadow: &x.shadow }, z);
        let z = self.actual_result(insn, words, z);
        let known = self.measured(insn, z, [&known, &Known::ABSENT, &Known::ABSENT], false);
        self.put(frame, insn, known);
    }

    /// A sum that rounds to a step is what it should be; an error below half of that leaves it as it is.
    fn snap(&mut self, frame: Frame<O>, insn: &Insn, words: &[u64]) {
        let [x, y] = [0, 1].map(|n| frame[insn.args[n] as usize].known);
        let c = if insn.detail < 2 { Known::ABSENT } else { frame[insn.args[2] as usize].known };
        let is_float = insn.format == Precision::Float;
        let (z, error, constant) = match insn.detail {
            0 => (x.value + y.value, x.residue + y.residue, x.value.abs().max(y.value.abs())),
            1 => (x.value - y.value, x.residue - y.residue, x.value.abs().max(y.value.abs())),
            _ => {
                let z = match is_float {
                    true => f64::from((x.value as f32).mul_add(y.value as f32, c.value as f32)),
                    false => x.value.mul_add(y.value, c.value),
                };
                let error = x.value.mul_add(y.residue, (y.value + y.residue) * x.residue) + c.residue;
                (z, error, c.value.abs())
            }
        };
        let z = if is_float { f64::from(z as f32) } else { z };
        let z = if insn.word == NONE { z } else { self.actual_result(insn, words, z) };
        let half_step = f64::exp2(f64::from(exponent(constant) - insn.format.bits() as i32));
        self.oracle.restart_wide(&mut self.scratch, z, if error.abs() < half_step { 0.0 } else { error });
        let known = self.measured(insn, z, [&x, &y, &c], false);
        self.put(frame, insn, known);
    }

    /// A sum, difference, product or quotient that is rounded on purpose.
    #[inline(always)]
    pub fn intended_rounding(&mut self, frame: Frame<O>, insn: &Insn, words: &[u64]) {
        let (x, y) = (&frame[insn.args[0] as usize], &frame[insn.args[1] as usize]);
        let (a, b) = (x.known.value, y.known.value);
        let op = [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div][insn.detail.min(3) as usize];
        let double = op.in_double(a, b);
        // Of two floats each has a double that is exact enough to be rounded again.
        let z = if insn.format == Precision::Float { f64::from(double as f32) } else { double };
        let error = match op {
            Binary::Add => two_sum_error(a, b, z),
            Binary::Sub => two_sum_error(a, -b, z),
            Binary::Mul => a.mul_add(b, -z),
            Binary::Div => (-z).mul_add(b, a) / b,
        };
        let (left, right) = (Operand { actual: a, shadow: &x.shadow }, Operand { actual: b, shadow: &y.shadow });
        self.oracle.intended_rounding(op, &mut self.scratch, left, right, z, error);
        let z = self.actual_result(insn, words, z);
        let known = self.measured(insn, z, [&x.known, &y.known, &Known::ABSENT], insn.detail < 2);
        self.put(frame, insn, known);
    }

    /// A square root that a step of Newton's corrects.
    fn intended_root(&mut self, frame: Frame<O>, insn: &Insn, words: &[u64]) {
        let x = &frame[insn.args[0] as usize];
        let a = x.known.value;
        let double = a.sqrt();
        let z = if insn.format == Precision::Float { f64::from(double as f32) } else { double };
        let error = if z == 0.0 { 0.0 } else { (-z).mul_add(z, a) / (z + double) };
        self.oracle.sqrt(&mut self.scratch, Operand { actual: a, shadow: &x.shadow }, z);
        self.oracle.forgive(&mut self.scratch, z, error);
        let z = self.actual_result(insn, words, z);
        let known = self.measured(insn, z, [&x.known, &Known::ABSENT, &Known::ABSENT], false);
        self.put(frame, insn, known);
    }

    /// A part of a remainder, without what two words of the whole could not hold; a number that the program corrects, or whose
    /// error it bounds.
    fn beside(&mut self, frame: Frame<O>, insn: &Insn) {
        let x = &frame[insn.args[0] as usize];
        let mut known = x.known;
        let most = match insn.detail {
            0 => beside_two_words(insn.format) * frame[insn.args[1] as usize].known.value.abs(),
            2 => frame[insn.args[1] as usize].known.value.abs(),
            _ => few_last_bits(insn.format) * known.value.abs(),
        };
        if known.residue.abs() <= most {
            self.oracle.restart(&mut self.scratch, known.value);
            known.residue = 0.0;
        } else {
            self.oracle.copy(&mut self.scratch, &x.shadow);
        }
        self.put(frame, insn, known);
    }

    /// What a rounding on purpose cost: its ideal is a difference of equal errors, and what is left of them noise.
    #[inline(always)]
    pub fn low(&mut self, frame: Frame<O>, insn: &Insn, words: &[u64]) {
        let operands = insn.args.map(|a| &frame[a as usize]);
        let [a, b, c] = operands.map(|r| r.known.value);
        let [x, y, whole] = operands.map(|r| Operand { actual: r.known.value, shadow: &r.shadow });
        let is_float = insn.format == Precision::Float;
        let z = match insn.detail {
            0 => a + b,
            1 => a - b,
            _ if is_float => f64::from((a as f32).mul_add(b as f32, c as f32)),
            _ => a.mul_add(b, c),
        };
        let z = if is_float { f64::from(z as f32) } else { z };
        match insn.detail {
            0 => self.oracle.binary(Binary::Add, &mut self.scratch, x, y, z),
            1 => self.oracle.binary(Binary::Sub, &mut self.scratch, x, y, z),
            _ => self.oracle.fma(&mut self.scratch, [x, y, whole], z),
        }
        let known = operands.map(|r| &r.known);
        if self.oracle.residue(&self.scratch, z).abs() <= self.oracle.radius(&self.scratch, z) {
            self.oracle.restart(&mut self.scratch, z);
        }
        let z = self.actual_result(insn, words, z);
        let terms = if insn.detail == 2 { known } else { [known[0], known[1], &Known::ABSENT] };
        let known = self.measured(insn, z, terms, insn.detail < 2);
        self.put(frame, insn, known);
    }

    fn copy_sign(&mut self, frame: Frame<O>, insn: &Insn, words: &[u64]) {
        let (x, sign) = (&frame[insn.args[0] as usize], frame[insn.args[1] as usize].known.value);
        let known = x.known;
        let computed = known.value.copysign(sign);
        let operand = Operand { actual: known.value, shadow: &x.shadow };
        if computed.is_sign_negative() == known.value.is_sign_negative() {
            self.oracle.copy(&mut self.scratch, &x.shadow);
        } else {
            self.oracle.neg(&mut self.scratch, operand);
        }
        let z = self.actual_result(insn, words, computed);
        let (residue, node) = match z == known.value {
            true => (known.residue, known.node),
            false => (-known.residue, self.trail.negated(known.node)),
        };
        self.put(frame, insn, Known { value: z, residue, node, ..known });
    }

    /// The one that the program picked; its shadow goes along.
    fn pick(&mut self, frame: Frame<O>, insn: &Insn, words: &[u64]) {
        let (x, y) = (frame[insn.args[0] as usize].known, frame[insn.args[1] as usize].known);
        let takes_first = if insn.detail & 1 == 1 { x.value >= y.value } else { x.value <= y.value };
        let nan_wins = insn.detail >= 2;
        let takes_first = match (x.value.is_nan(), y.value.is_nan()) {
            (true, _) => nan_wins,
            (_, true) => !nan_wins,
            _ if x.value == y.value => x.value.is_sign_negative() == (insn.detail & 1 == 0),
            _ => takes_first,
        };
        let from = if takes_first { 0 } else { 1 };
        let picked = &frame[insn.args[from] as usize];
        let known = picked.known;
        self.oracle.copy(&mut self.scratch, &picked.shadow);
        let value = self.actual_result(insn, words, known.value);
        self.put(frame, insn, Known { value, ..known });
    }

    fn convert(&mut self, frame: Frame<O>, insn: &Insn, words: &[u64]) {
        let x = &frame[insn.args[0] as usize];
        let known = x.known;
        let z = insn.format.rounded(known.value);
        self.oracle.convert(&mut self.scratch, Operand { actual: known.value, shadow: &x.shadow }, z);
        let z = self.actual_result(insn, words, z);
        if z == known.value {
            // Nothing was rounded: the same value goes on.
            return self.put(frame, insn, Known { value: z, ..known });
        }
        let known = self.measured(insn, z, [&known, &Known::ABSENT, &Known::ABSENT], false);
        self.put(frame, insn, known);
    }

    /// By a better evaluation of the function; where there is none, from the program's value.
    fn function(&mut self, f: Option<Function>, arity: usize, frame: Frame<O>, insn: &Insn, words: &[u64]) {
        let z = match insn.word {
            // Only the remainder has no recorded value.
            NONE => {
                let (x, y) = (frame[insn.args[0] as usize].known.value, frame[insn.args[1] as usize].known.value);
                x % y
            }
            _ => crate::walk::recorded_value(insn, words),
        };
        let n = if insn.place == NONE { 0 } else { words[insn.place as usize] as i64 };
        let registers = insn.args.map(|a| &frame[a as usize]);
        let operands = registers.map(|r| Operand { actual: r.known.value, shadow: &r.shadow });
        let mut known = [Known::outside(0.0); 3];
        for (known, register) in known.iter_mut().zip(registers).take(arity) {
            *known = register.known;
        }
        let all_known = known.iter().all(Known::is_known);
        let evaluated = all_known
            && f.is_some_and(|f| self.oracle.function(f, &mut self.scratch, &operands[..arity], n, z, insn.format));
        if !evaluated {
            self.restarted += 1;
            self.lost.at(insn.site);
            self.oracle.restart(&mut self.scratch, z);
            known = [Known::UNFOLLOWED; 3];
        } else if arity == 2 {
            name_exact(&mut self.trail, &mut known[..2]);
        }
        let known = self.measured(insn, z, known.each_ref(), false);
        self.put(frame, insn, known);
    }

    /// A part of a complex function. Its origin and its error are those of the first number's parts.
    fn complex(&mut self, program: &FlatProgram, frame: Frame<O>, insn: &Insn, words: &[u64]) {
        let z = crate::walk::recorded_value(insn, words);
        let f = program.complex.get(insn.detail as usize / 2).copied().flatten();
        let half = if insn.detail.is_multiple_of(2) { Half::Real } else { Half::Imaginary };
        let [a, b, c] = insn.args;
        let registers = [a, b, c, insn.offset as u32].map(|at| &frame[at as usize]);
        let arity = f.map_or(2, |f| f.arity());
        let operands = registers.map(|r| Operand { actual: r.known.value, shadow: &r.shadow });
        let all_known = registers[..arity].iter().all(|r| r.known.is_known());
        let evaluated =
            all_known && f.is_some_and(|f| self.oracle.complex(f, half, &mut self.scratch, &operands[..arity], z));
        // A node of the trail has three operands: of four, the one with the least error is left out.
        let mut known = [Known::ABSENT; 4];
        if evaluated {
            known.iter_mut().zip(&registers[..arity]).for_each(|(known, r)| *known = r.known);
            known.sort_by(|x, y| y.residue.abs().total_cmp(&x.residue.abs()));
        } else {
            self.restarted += 1;
            self.lost.at(insn.site);
            self.oracle.restart(&mut self.scratch, z);
            known = [Known::UNFOLLOWED; 4];
        }
        let known = self.measured(insn, z, [&known[0], &known[1], &known[2]], false);
        self.put(frame, insn, known);
    }
}
