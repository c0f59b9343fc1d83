//! Cuts a failing program down: drops functions and statements, unwraps loops and branches, and replaces expressions by
//! their parts, as long as it still fails in the same way.

use super::program::{Expression, Function, Program, Statement};
use std::time::{Duration, Instant};

const TIME_LIMIT: Duration = Duration::from_secs(240);

/// The smallest program found within `budget` tries and a few minutes.
pub fn shrink(program: &Program, mut budget: usize, fails: impl Fn(&Program) -> bool) -> Program {
    let mut best = program.clone();
    let start = Instant::now();
    loop {
        let mut progress = false;
        let mut cut = 0;
        while budget > 0 && start.elapsed() < TIME_LIMIT {
            let Some(smaller) = cut_number(&best, cut) else { break };
            // What the compiler computes itself fails for another reason.
            let is_opaque = smaller.functions.iter().all(Function::is_opaque);
            budget -= usize::from(is_opaque);
            if is_opaque && fails(&smaller) {
                best = smaller;
                progress = true;
            } else {
                cut += 1;
            }
        }
        if !progress || budget == 0 || start.elapsed() >= TIME_LIMIT {
            return best;
        }
    }
}

/// Counts down to the cut that is wanted.
struct Cursor {
    left: usize,
}

impl Cursor {
    /// Whether this is the one.
    fn hit(&mut self) -> bool {
        let hit = self.left == 0;
        self.left = self.left.wrapping_sub(1);
        hit
    }

    fn is_done(&self) -> bool {
        self.left == usize::MAX
    }
}

/// The program with its `n`th possible cut made, large cuts first.
fn cut_number(program: &Program, n: usize) -> Option<Program> {
    let mut program = program.clone();
    let mut cursor = Cursor { left: n };
    let roots: Vec<usize> = (0..program.functions.len()).filter(|&f| program.functions[f].root.is_some()).collect();
    // Halves, quarters and so on of the roots, then each alone.
    let mut size = roots.len() / 2;
    while size > 0 {
        for chunk in roots.chunks(size) {
            if roots.len() > 1 && cursor.hit() {
                chunk.iter().for_each(|&f| empty(&mut program.functions[f]));
                return Some(program);
            }
        }
        size /= 2;
    }
    for f in 0..program.functions.len() {
        cut_body(&mut program.functions[f].body, &mut cursor);
        if cursor.is_done() {
            return Some(program);
        }
    }
    for f in 0..program.functions.len() {
        let mut function = program.functions[f].clone();
        let formats = Formats { function: &program.functions[f], functions: &program.functions };
        cut_expressions_of(&mut function.body, &formats, &mut cursor);
        if !cursor.is_done() {
            cut_expression(&mut function.value, &formats, &mut cursor);
        }
        if cursor.is_done() {
            program.functions[f] = function;
            return Some(program);
        }
    }
    None
}

/// Leaves a function that nobody calls, so that the others keep their numbers.
fn empty(function: &mut Function) {
    function.root = None;
    function.body.clear();
    function.arrays.clear();
    function.value = Expression::Input(0, function.result);
}

fn cut_body(body: &mut Vec<Statement>, cursor: &mut Cursor) {
    for at in 0..body.len() {
        if cursor.hit() {
            body.remove(at);
            return;
        }
        let unwrapped = match &mut body[at] {
            Statement::For { count, .. } if *count > 1 && cursor.hit() => {
                *count = count.div_ceil(2).min(*count - 1);
                return;
            }
            Statement::For { body: inner, .. } => {
                cut_body(inner, cursor);
                None
            }
            Statement::If { then, .. } if cursor.hit() => Some(std::mem::take(then)),
            Statement::If { otherwise, .. } if cursor.hit() => Some(std::mem::take(otherwise)),
            Statement::If { then, otherwise, .. } => {
                cut_body(then, cursor);
                if !cursor.is_done() {
                    cut_body(otherwise, cursor);
                }
                None
            }
            _ => None,
        };
        if let Some(inner) = unwrapped {
            body.splice(at..=at, inner);
            return;
        }
        if cursor.is_done() {
            return;
        }
    }
}

/// What tells an expression's format.
struct Formats<'a> {
    function: &'a Function,
    functions: &'a [Function],
}

fn cut_expressions_of(body: &mut [Statement], formats: &Formats, cursor: &mut Cursor) {
    for statement in body {
        match statement {
            Statement::Set { value, .. } | Statement::SetElement { value, .. } | Statement::Observe { value, .. } => {
                cut_expression(value, formats, cursor);
            }
            Statement::For { body, .. } => cut_expressions_of(body, formats, cursor),
            Statement::If { then, otherwise, .. } => {
                cut_expressions_of(then, formats, cursor);
                if !cursor.is_done() {
                    cut_expressions_of(otherwise, formats, cursor);
                }
            }
            Statement::Wild { operands, .. } => {
                for operand in operands {
                    if !cursor.is_done() {
                        cut_expression(operand, formats, cursor);
                    }
                }
            }
        }
        if cursor.is_done() {
            return;
        }
    }
}

/// Replaces an expression by one of its parts of the same format, or by an input.
fn cut_expression(expression: &mut Expression, formats: &Formats, cursor: &mut Cursor) {
    let format_of = |e: &Expression| formats.function.format(formats.functions, e);
    let format = format_of(expression);
    let is_leaf = matches!(expression, Expression::Constant(..) | Expression::Input(..));
    let same: Vec<Expression> = expression.parts().into_iter().filter(|p| format_of(p) == format).cloned().collect();
    for part in same {
        if cursor.hit() {
            *expression = part;
            return;
        }
    }
    if !is_leaf && cursor.hit() {
        *expression = Expression::Input(0, format);
        return;
    }
    for part in expression.parts_mut() {
        cut_expression(part, formats, cursor);
        if cursor.is_done() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::generate::{Shape, generate};
    use super::super::program::Unary;
    use super::*;
    use crate::language::Language;

    fn uses(e: &Expression, wanted: Unary) -> bool {
        matches!(e, Expression::Unary(op, _) if *op == wanted) || e.parts().into_iter().any(|p| uses(p, wanted))
    }

    #[test]
    fn keeps_what_fails_and_little_else() {
        let program = (1..)
            .map(|seed| generate(seed, Shape { roots: 3, helpers: 1, wild: false, language: Language::C }))
            .find(fails);
        fn fails(p: &Program) -> bool {
            p.functions.iter().any(|f| uses(&f.value, Unary::Sqrt))
        }
        let small = shrink(&program.expect("some program has it"), 10_000, fails);
        assert!(fails(&small));
        assert!(small.functions.iter().all(|f| f.body.is_empty()));
        let value = small.functions.iter().map(|f| &f.value).find(|v| uses(v, Unary::Sqrt)).expect("it fails");
        assert!(value.parts().iter().all(|p| p.parts().is_empty()));
    }
}
