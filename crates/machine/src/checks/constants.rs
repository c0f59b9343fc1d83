//! Findings that hang on how constants were rounded.
//!
//! A constant such as 0.1 stands for a number within half an ulp of it (`abi::constant`). How far that moves a value is, to
//! first order, the sum of its derivatives by the constants, times that: the trail is walked back from the value, each
//! operation handing its derivative to its operands (reverse mode). Constants that were rounded alike, such as 0.1 and
//! -0.2, move together, so that what they do to a value may cancel; of others the worst is taken. A verdict that would not
//! hold for all that the ideal may be then is no finding.
//!
//! An operand that has no node is what makes the result of the others; where the result does not tell ([`name_exact`]), it
//! gets one.
//!
//! Limits: a walk ends where nodes were overwritten, and behind [`MOST_NODES`]. What lies behind is not counted, and findings
//! stay.

use crate::core::Core;
use crate::program::{FlatProgram, Opcode};
use crate::register::Known;
use crate::trail::{Behind, Node, Trail};
use nonius_abi::constant::{MOST_OFF, Rounded};
use nonius_oracle::{Binary, Function, Oracle};
use std::collections::{BTreeMap, HashMap};

/// Nodes that one walk looks at.
const MOST_NODES: u64 = 1 << 12;
/// Nodes that all walks for one observable look at. Beyond, what was last said of it holds.
const MOST_FOR_SITE: u64 = 1 << 22;
/// An error that is up to so many times larger than one that was found is taken as found.
const MUCH_WORSE: f64 = 2.0;

/// What it takes to differentiate by constants, and what came of it.
#[derive(Debug, Default)]
pub struct Constants {
    /// By index: the value, and how it was rounded.
    rounded: Vec<(f64, Rounded)>,
    made_by: Vec<Option<(Opcode, u32)>>,
    math: Vec<Option<Function>>,
    by_site: HashMap<u32, Looked>,
}

/// What was said at an observable.
#[derive(Clone, Copy, Debug, Default)]
struct Looked {
    nodes: u64,
    /// The largest error that was no matter of constants.
    found: f64,
    /// The last finding stood however constants were rounded.
    is_robust: bool,
}

/// How far constants move two values, and their difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moves {
    pub each: [f64; 2],
    pub difference: f64,
}

impl Constants {
    /// Takes what a program has learnt since.
    pub fn follow(&mut self, program: &FlatProgram) {
        self.rounded.extend_from_slice(&program.rounded.all[self.rounded.len()..]);
        self.made_by.extend_from_slice(&program.made_by[self.made_by.len()..]);
        if self.math.is_empty() {
            self.math.clone_from(&program.math);
        }
    }

    /// Forgets what was said at observables.
    pub fn forget_verdicts(&mut self) {
        self.by_site.clear();
    }

    /// The operation that made a node: of one that is intended, which it is.
    pub fn operation(&self, node: &Node) -> Option<Opcode> {
        let (op, detail) = self.made_by.get(node.site as usize).copied().flatten()?;
        Some(plain(op, detail))
    }

    pub fn value(&self, index: usize) -> Option<f64> {
        self.rounded.get(index).map(|(value, _)| *value)
    }

    /// How far constants move a sum of values, given by number and weight; and the nodes that were looked at.
    fn moved(&self, trail: &Trail, values: &[(u64, f64)]) -> (f64, u64) {
        let mut walk = Walk { constants: self, trail, open: BTreeMap::new(), families: BTreeMap::new() };
        values.iter().for_each(|&(number, weight)| walk.hand_on(number, weight));
        let mut looked_at = 0;
        // Operands have lower numbers: each node has its whole weight when its turn comes.
        while let Some((number, weight)) = walk.open.pop_last() {
            looked_at += 1;
            if looked_at > MOST_NODES {
                break;
            }
            walk.pass(number, weight);
        }
        (walk.families.values().map(|moved| MOST_OFF * moved.abs()).sum(), looked_at)
    }

    fn moves(&self, trail: &Trail, values: [u64; 2]) -> (Moves, u64) {
        let mut looked_at = 0;
        let mut moved = |values: &[(u64, f64)]| {
            let (by, nodes) = self.moved(trail, values);
            looked_at += nodes;
            by
        };
        let [x, y] = values;
        let each = [moved(&[(x, 1.0)]), moved(&[(y, 1.0)])];
        let difference = if each.contains(&0.0) { each[0] + each[1] } else { moved(&[(x, 1.0), (y, -1.0)]) };
        (Moves { each, difference }, looked_at + 1)
    }
}

/// Gives an exact operand a node beside one that has one, if it counts.
#[cold]
#[inline(never)]
pub fn name_exact(trail: &mut Trail, operands: &mut [Known]) {
    if operands.iter().any(|x| x.node != 0) {
        let exact = operands.iter_mut().filter(|x| x.node == 0 && x.value != 0.0);
        exact.for_each(|x| x.node = trail.exact(x.value));
    }
}

/// Whether a product or quotient that is 0 hides by what its operand that is 0 moves it.
#[inline(always)]
pub fn hides_factor(op: Binary, value: f64, x: &Known, y: &Known) -> bool {
    let moves = |zero: &Known, by: &Known| zero.node != 0 && zero.value == 0.0 && by.node == 0 && by.value != 0.0;
    value == 0.0
        && match op {
            Binary::Mul => moves(x, y) || moves(y, x),
            Binary::Div => moves(x, y),
            Binary::Add | Binary::Sub => false,
        }
}

struct Walk<'a> {
    constants: &'a Constants,
    trail: &'a Trail,
    /// Nodes whose turn has not come, with the derivative by them.
    open: BTreeMap<u64, f64>,
    /// By family: the derivatives by its constants times their ulps.
    families: BTreeMap<u128, f64>,
}

impl Walk<'_> {
    fn hand_on(&mut self, number: u64, weight: f64) {
        if weight == 0.0 || !weight.is_finite() {
            return;
        }
        match self.trail.behind(number) {
            (Behind::Constant(index), sign) => {
                if let Some((_, rounded)) = self.constants.rounded.get(index) {
                    *self.families.entry(rounded.family).or_default() += weight * sign * rounded.ulp;
                }
            }
            (Behind::Node(number, _), sign) => *self.open.entry(number).or_default() += weight * sign,
            (Behind::Nothing, _) => {}
        }
    }

    fn pass(&mut self, number: u64, weight: f64) {
        let Some(node) = self.trail.get(number) else { return };
        let made_by = self.constants.made_by.get(node.site as usize).copied().flatten();
        let Some((op, detail)) = made_by else { return };
        let partials = self.partials(op, detail, &node);
        for (operand, partial) in node.operands.into_iter().zip(partials) {
            self.hand_on(operand, weight * partial);
        }
    }

    fn value(&self, number: u64) -> Option<f64> {
        match self.trail.behind(number) {
            (Behind::Constant(index), sign) => self.constants.rounded.get(index).map(|(value, _)| sign * value),
            (Behind::Node(_, node), sign) => Some(sign * node.value),
            (Behind::Nothing, _) => None,
        }
    }

    /// The derivatives of a node's operation by its operands; 0 where that cannot be told.
    fn partials(&self, op: Opcode, detail: u32, node: &Node) -> [f64; 3] {
        let [x, y, c] = node.operands.map(|n| self.value(n));
        let z = node.value;
        match plain(op, detail) {
            Opcode::Add => [1.0, 1.0, 0.0],
            Opcode::Sub => [1.0, -1.0, 0.0],
            Opcode::Convert | Opcode::Rem => [1.0, 0.0, 0.0],
            Opcode::Mul => {
                let other = |other: Option<f64>, own: Option<f64>| other.or(own.map(|own| z / own)).unwrap_or(0.0);
                [other(y, x), other(x, y), 0.0]
            }
            Opcode::Div => {
                let by_dividend = y.map(|y| 1.0 / y).or(x.map(|x| z / x));
                [by_dividend.unwrap_or(0.0), y.map_or(0.0, |y| -z / y), 0.0]
            }
            Opcode::Sqrt => [0.5 / z, 0.0, 0.0],
            Opcode::Fma => {
                let product = c.map(|c| z - c);
                let other = |other: Option<f64>, own: Option<f64>| {
                    other.or(product.zip(own).map(|(product, own)| product / own)).unwrap_or(0.0)
                };
                [other(y, x), other(x, y), 1.0]
            }
            Opcode::Function => match self.constants.math.get(detail as usize).copied().flatten() {
                Some(f) => derivatives(f, x, y, z),
                None => [0.0; 3],
            },
            _ => [0.0; 3],
        }
    }
}

/// An operation, intended or not.
fn plain(op: Opcode, detail: u32) -> Opcode {
    match (op, detail) {
        (Opcode::Intended, 0) => Opcode::Add,
        (Opcode::Intended, 1) => Opcode::Sub,
        (Opcode::Intended, 2) => Opcode::Mul,
        (Opcode::Intended, _) => Opcode::Div,
        _ => op,
    }
}

/// The derivatives of a function's value `z`; operands that are not known are exact.
fn derivatives(f: Function, x: Option<f64>, y: Option<f64>, z: f64) -> [f64; 3] {
    use Function::*;
    use std::f64::consts::{LN_2, LN_10, PI};
    let one = |x: f64| match f {
        Sqrt => 0.5 / z,
        Sin => x.cos(),
        Cos => -x.sin(),
        Tan => 1.0 + z * z,
        Asin => 1.0 / ((1.0 - x) * (1.0 + x)).sqrt(),
        Acos => -1.0 / ((1.0 - x) * (1.0 + x)).sqrt(),
        Atan => 1.0 / (1.0 + x * x),
        Sinh => x.cosh(),
        Cosh => x.sinh(),
        Tanh => 1.0 - z * z,
        Asinh => 1.0 / (x * x + 1.0).sqrt(),
        Acosh => 1.0 / ((x - 1.0) * (x + 1.0)).sqrt(),
        Atanh => 1.0 / ((1.0 - x) * (1.0 + x)),
        Exp => z,
        Exp2 => z * LN_2,
        Exp10 => z * LN_10,
        Expm1 => z + 1.0,
        Log => 1.0 / x,
        Log2 => 1.0 / (x * LN_2),
        Log10 => 1.0 / (x * LN_10),
        Log1p => 1.0 / (1.0 + x),
        Cbrt => z / (3.0 * x),
        Erf => 2.0 / PI.sqrt() * (-x * x).exp(),
        Erfc => -2.0 / PI.sqrt() * (-x * x).exp(),
        Fmod | Remainder => 1.0,
        // What is constant but for its steps, and what is rare.
        _ => 0.0,
    };
    match f {
        Pow => {
            let power = y.or(x.map(|x| z.abs().ln() / x.abs().ln()));
            let by_base = x.zip(power).map(|(x, y)| y * z / x);
            // Of a base without a node the logarithm is the result's, divided.
            let by_power = y.map(|y| z * x.map_or(z.ln() / y, f64::ln));
            [by_base.unwrap_or(0.0), by_power.unwrap_or(0.0), 0.0]
        }
        Hypot => [x.map_or(0.0, |x| x / z), y.map_or(0.0, |y| y / z), 0.0],
        Atan2 => {
            // An operand that is not known goes by the angle.
            let (up, right) = (x.or(y.map(|y| y * z.tan())), y.or(x.map(|x| x / z.tan())));
            let Some((up, right)) = up.zip(right) else { return [0.0; 3] };
            let square = up * up + right * right;
            [right / square, -up / square, 0.0]
        }
        Fdim if z > 0.0 => [1.0, -1.0, 0.0],
        _ => [x.map_or(0.0, one), 0.0, 0.0],
    }
}

impl<O: Oracle> Core<O> {
    /// Whether a finding of this error is one wherever within half an ulp of the constants their true values lie: `holds`
    /// says it of how far they move the values, which are given by their numbers in the trail.
    pub fn holds_for_constants(
        &mut self,
        site: u32,
        error: f64,
        values: [u64; 2],
        holds: impl FnOnce(&Core<O>, Moves) -> bool,
    ) -> bool {
        if self.options.constants == nonius_options::Constants::Exact || self.constants.rounded.is_empty() {
            return true;
        }
        let looked = self.constants.by_site.get(&site).copied().unwrap_or_default();
        if looked.found > 0.0 && error <= MUCH_WORSE * looked.found {
            return true;
        }
        if looked.nodes > MOST_FOR_SITE {
            return looked.is_robust;
        }
        let (moves, nodes) = self.constants.moves(&self.trail, values);
        let is_robust = moves.difference == 0.0 && moves.each == [0.0; 2] || holds(self, moves);
        let found = if is_robust { looked.found.max(error) } else { looked.found };
        self.constants.by_site.insert(site, Looked { nodes: looked.nodes + nodes, found, is_robust });
        is_robust
    }
}

#[cfg(test)]
impl Constants {
    /// Operations by site, and no constants.
    pub fn of_operations(operations: &[Opcode]) -> Constants {
        Constants { made_by: operations.iter().map(|&op| Some((op, 0))).collect(), ..Constants::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const OPERATIONS: [(Opcode, Option<Function>); 16] = [
        (Opcode::Add, None),
        (Opcode::Sub, None),
        (Opcode::Mul, None),
        (Opcode::Div, None),
        (Opcode::Sqrt, None),
        (Opcode::Convert, None),
        (Opcode::Function, Some(Function::Sin)),
        (Opcode::Function, Some(Function::Exp)),
        (Opcode::Function, Some(Function::Log)),
        (Opcode::Function, Some(Function::Atan)),
        (Opcode::Function, Some(Function::Tanh)),
        (Opcode::Function, Some(Function::Cbrt)),
        (Opcode::Function, Some(Function::Pow)),
        (Opcode::Function, Some(Function::Hypot)),
        (Opcode::Function, Some(Function::Atan2)),
        (Opcode::Function, Some(Function::Expm1)),
    ];

    fn apply(operation: usize, x: f64, y: f64) -> f64 {
        match OPERATIONS[operation] {
            (Opcode::Add, _) => x + y,
            (Opcode::Sub, _) => x - y,
            (Opcode::Mul, _) => x * y,
            (Opcode::Div, _) => x / y,
            (Opcode::Sqrt, _) => x.sqrt(),
            (Opcode::Convert, _) => x,
            (_, Some(Function::Sin)) => x.sin(),
            (_, Some(Function::Exp)) => x.exp(),
            (_, Some(Function::Log)) => x.ln(),
            (_, Some(Function::Atan)) => x.atan(),
            (_, Some(Function::Tanh)) => x.tanh(),
            (_, Some(Function::Cbrt)) => x.cbrt(),
            (_, Some(Function::Pow)) => x.powf(y),
            (_, Some(Function::Hypot)) => x.hypot(y),
            (_, Some(Function::Atan2)) => x.atan2(y),
            _ => x.exp_m1(),
        }
    }

    /// 0.1 and 0.3 are rounded, -0.2 like the first; the others are exact.
    const VALUES: [f64; 5] = [0.1, 0.3, -0.2, 2.0, 0.75];

    /// A step: an operation of two values before it, the first negated or not.
    type Step = (usize, usize, usize, bool);

    /// All values of a program whose first family moves by a share of its ulps, and the second by another.
    fn run(steps: &[Step], shares: [f64; 2]) -> Vec<f64> {
        let ulp = |x| Rounded::of_double(x).map_or(0.0, |rounded| rounded.ulp);
        let moved = [0, 1, 0].map(|family| shares[family]);
        let mut values: Vec<f64> = VALUES.to_vec();
        values.iter_mut().zip(moved).for_each(|(value, share)| *value += share * ulp(*value));
        for &(operation, x, y, is_negated) in steps {
            let (x, y) = (values[x % values.len()], values[y % values.len()]);
            values.push(apply(operation, if is_negated { -x } else { x }, y));
        }
        values
    }

    /// The machine's own way to the last value.
    fn moved(steps: &[Step], values: &[f64]) -> f64 {
        let rounded = VALUES[..3].iter().map(|&x| (x, Rounded::of_double(x).unwrap())).collect();
        let made_by = (0..OPERATIONS.len()).map(|n| Some((OPERATIONS[n].0, n as u32))).collect();
        let math = OPERATIONS.iter().map(|operation| operation.1).collect();
        let constants = Constants { rounded, made_by, math, by_site: HashMap::new() };
        let mut trail = Trail::new(1 << 10);
        let mut nodes: Vec<u64> = (0..3).filter_map(Trail::constant).chain([0, 0]).collect();
        for (n, &(operation, x, y, is_negated)) in steps.iter().enumerate() {
            let (x, y) = (nodes[x % nodes.len()], nodes[y % nodes.len()]);
            let x = if is_negated { trail.negated(x) } else { x };
            let has_two = matches!(OPERATIONS[operation], (Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Div, _))
                || matches!(OPERATIONS[operation].1, Some(Function::Pow | Function::Hypot | Function::Atan2));
            let y = if has_two { y } else { 0 };
            let is_plain = x | y == 0;
            let node = if is_plain { 0 } else { trail.push(operation as u32, [x, y, 0], values[n + 5], 0.0) };
            nodes.push(node);
        }
        constants.moved(&trail, &[(nodes[nodes.len() - 1], 1.0)]).0
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        prop::collection::vec((0..OPERATIONS.len(), any::<usize>(), any::<usize>(), any::<bool>()), 1..12)
    }

    proptest! {
        #![proptest_config(ProptestConfig { max_global_rejects: 1 << 16, ..ProptestConfig::with_cases(4000) })]
        #[test]
        fn a_value_moves_as_finite_differences_say(steps in steps()) {
            // Steps of 2^16 ulps: large beside the roundings, small beside all that bends.
            const STEP: f64 = 65_536.0;
            let values = run(&steps, [0.0; 2]);
            let ends: Vec<[f64; 2]> = [[STEP, 0.0], [0.0, STEP]]
                .map(|[a, b]| [run(&steps, [a, b]), run(&steps, [-a, -b])].map(|values| values[values.len() - 1]))
                .to_vec();
            let largest = values.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
            prop_assume!(values.iter().all(|v| v.is_finite() && (*v == 0.0 || v.abs() > 1e-3)) && largest < 1e3);
            let by_differences: f64 = ends.iter().map(|[up, down]| 0.5 * ((up - down) / (2.0 * STEP)).abs()).sum();
            let by_walk = moved(&steps, &values);
            prop_assume!(by_differences.is_finite() && by_differences < 1e-10);
            let noise = 1e-4 * by_differences + 1e-21 * largest * 16.0;
            prop_assert!((by_walk - by_differences).abs() <= noise, "{by_walk:e} for {by_differences:e} of {values:?}");
        }
    }

    #[test]
    fn what_moves_together_cancels() {
        // x = 0.1 * 0.75; x - x, x + x.
        let product: Step = (2, 0, 4, false);
        let steps = |last: usize| vec![product, (last, 5, 5, false)];
        assert_eq!(moved(&steps(1), &run(&steps(1), [0.0; 2])), 0.0);
        assert!((moved(&steps(0), &run(&steps(0), [0.0; 2])) / (0.75 * 2f64.powi(-56)) - 1.0).abs() < 1e-6);
        // -0.2 + 0.1 + 0.1.
        let steps = [(0, 2, 0, false), (0, 5, 0, false)];
        assert_eq!(moved(&steps, &run(&steps, [0.0; 2])), 0.0);
    }
}
