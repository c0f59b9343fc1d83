//! Comparisons with recorded numbers (`verdict::records`): the sides themselves, or what one of them is the difference of,
//! as the trail tells.
//!
//! Limits: differences that a quotient, a product or a conversion was made of, [`MOST_STEPS`] operations back; none whose
//! operands were overwritten in the trail.

use super::constants::Constants;
use crate::core::Core;
use crate::program::Opcode;
use crate::register::Known;
use crate::trail::{Behind, Node, Trail};
use nonius_abi::Precision;
use nonius_oracle::Oracle;
use nonius_verdict::verdict::{self, Limits};

const MOST_STEPS: u32 = 4;

/// A value and its residue.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Term {
    value: f64,
    residue: f64,
}

impl<O: Oracle> Core<O> {
    /// Whether a comparison that flips holds a value that is right against a recorded number, and has found it near.
    pub fn is_with_record(&self, predicate: u8, sides: [Known; 2], format: Precision) -> bool {
        if self.options.constants == nonius_options::Constants::Exact {
            return false;
        }
        let is_record = |terms: [Term; 2]| is_record(terms, format, &self.options.limits);
        let terms = sides.map(|k| Term { value: k.value, residue: k.residue });
        if verdict::asks_for_equality(predicate) && sides[0].value == sides[1].value && is_record(terms) {
            return true;
        }
        [(0, 1), (1, 0)].into_iter().any(|(side, other)| {
            // A difference that is known is one of the numbers.
            !self.options.limits.allow(sides[side].value, sides[side].residue, format)
                && verdict::is_near(predicate, sides[side].value, sides[other].value)
                && difference(&self.trail, &self.constants, sides[side].node).is_some_and(is_record)
        })
    }
}

/// Whether one is a recorded number, and the other agrees with that and with its own ideal.
fn is_record(terms: [Term; 2], format: Precision, limits: &Limits) -> bool {
    [(0, 1), (1, 0)].into_iter().any(|(number, computed)| {
        let (number, computed) = (terms[number], terms[computed]);
        number.residue == 0.0
            && verdict::is_recorded(number.value, format)
            && limits.allow(computed.value, computed.residue, format)
            && limits.allow(computed.value, number.value - computed.value, format)
    })
}

/// What a value is the difference of.
fn difference(trail: &Trail, constants: &Constants, number: u64) -> Option<[Term; 2]> {
    let mut number = number;
    for _ in 0..MOST_STEPS {
        let node = trail.get(number)?;
        number = match constants.operation(&node)? {
            Opcode::Sub => return terms(trail, constants, &node, -1.0),
            Opcode::Add => return terms(trail, constants, &node, 1.0),
            Opcode::Div | Opcode::Convert => node.operands[0],
            Opcode::Mul => factor(trail, &node),
            _ => return None,
        };
    }
    None
}

/// The factor that brought more of the error.
fn factor(trail: &Trail, product: &Node) -> u64 {
    let [x, y, _] = product.operands;
    let error = |number| trail.get(number).map_or(0.0, |n| super::statistics::relative(n.value, n.residue));
    if error(y) > error(x) { y } else { x }
}

/// What a sum, whose second operand has this sign, is the difference of. An operand that has no number is exact: it is what
/// the other one leaves.
fn terms(trail: &Trail, constants: &Constants, sum: &Node, sign: f64) -> Option<[Term; 2]> {
    let [x, y, _] = sum.operands;
    let known = |number: u64| match trail.behind(number) {
        (Behind::Node(_, node), sign) => Some(Term { value: sign * node.value, residue: sign * node.residue }),
        (Behind::Constant(index), sign) => constants.value(index).map(|c| Term { value: sign * c, residue: 0.0 }),
        (Behind::Nothing, _) => None,
    };
    let exact = |value| Term { value, residue: 0.0 };
    let taken = |y: Term| Term { value: -sign * y.value, residue: -sign * y.residue };
    match [known(x), known(y).map(taken)] {
        [Some(x), Some(y)] => Some([x, y]),
        [Some(x), None] if y == 0 => Some([x, exact(x.value - sum.value)]),
        [None, Some(y)] if x == 0 => Some([exact(sum.value + y.value), y]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_abi::site::Observed;
    use nonius_numerics::Threshold;

    const NUMBER: f64 = 0.841_470_984_807_896_5;

    fn is(terms: [[f64; 2]; 2]) -> bool {
        let limits = Limits::new(Threshold::Standard, 0.0, &[Observed::Output]);
        is_record(terms.map(|[value, residue]| Term { value, residue }), Precision::Double, &limits)
    }

    #[test]
    fn a_right_value_beside_a_number_of_all_digits_is_a_record() {
        assert!(is([[NUMBER, 1e-16], [NUMBER, 0.0]]));
        assert!(is([[NUMBER, 0.0], [NUMBER + 1e-15, -2e-15]]));
        // Wrong by more than is allowed; computed as well; a number of few digits.
        assert!(!is([[NUMBER, 1e-4], [NUMBER, 0.0]]));
        assert!(!is([[NUMBER, 1e-16], [NUMBER, 1e-17]]));
        assert!(!is([[0.5, 1e-16], [0.5, 0.0]]));
        // Another number altogether.
        assert!(!is([[0.3, 1e-16], [NUMBER, 0.0]]));
    }

    #[test]
    fn differences_are_found_behind_quotients() {
        let constants = Constants::of_operations(&[Opcode::Add, Opcode::Sub, Opcode::Div]);
        let mut trail = Trail::new(1 << 6);
        let computed = trail.push(0, [0, 0, 0], NUMBER, 1e-16);
        let gap = trail.push(1, [computed, 0, 0], 0.0, 1e-16);
        let share = trail.push(2, [gap, 0, 0], 0.0, 1.2e-16);
        let found = difference(&trail, &constants, share).unwrap();
        assert_eq!(found.map(|term| term.value), [NUMBER; 2]);
        assert_eq!(found[1].residue, 0.0);
        assert_eq!(difference(&trail, &constants, 0), None);
        // 0.9 + 0.1 is the difference of 0.9 and -0.1.
        let sum = trail.push(0, [computed, 0, 0], NUMBER + 0.1, 1e-16);
        assert!(difference(&trail, &constants, sum).unwrap()[1].value < 0.0);
    }
}
