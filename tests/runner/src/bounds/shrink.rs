//! Smaller programs that still fail: statements go, one after another, or give way to what is in them.

use super::program::{Program, Statement};

/// The smallest that fails, after so many tries at most.
pub fn shrink(program: Program, tries: usize, fails: impl Fn(&Program) -> bool) -> Program {
    let mut best = program;
    let mut left = tries;
    // Long ends go first.
    let mut step = best.main.statements.len() / 2;
    while step > 0 {
        let mut at = 0;
        while at < best.main.statements.len() && left > 0 {
            let mut smaller = best.clone();
            let end = (at + step).min(smaller.main.statements.len());
            smaller.main.statements.drain(at..end);
            left -= 1;
            if fails(&smaller) {
                best = smaller;
            } else {
                at += step;
            }
        }
        step /= 2;
    }
    let mut at = 0;
    while left > 0 {
        left -= 1;
        match without(&best, at) {
            None => break,
            Some(smaller) if fails(&smaller) => best = smaller,
            Some(_) => at += 1,
        }
    }
    best
}

/// Less the statement of this number, inner ones and helpers' counted.
fn without(program: &Program, number: usize) -> Option<Program> {
    let mut smaller = program.clone();
    let mut left = number;
    let mut lists = vec![&mut smaller.main.statements];
    lists.extend(smaller.helpers.iter_mut().map(|h| &mut h.statements));
    lists.into_iter().any(|list| remove(list, &mut left)).then_some(smaller)
}

fn remove(list: &mut Vec<Statement>, left: &mut usize) -> bool {
    for at in 0..list.len() {
        // A helper must return something.
        if !matches!(list[at], Statement::Return(_)) {
            if *left == 0 {
                list.remove(at);
                return true;
            }
            *left -= 1;
        }
        let done = match &mut list[at] {
            Statement::If { then, otherwise, .. } => remove(then, left) || remove(otherwise, left),
            Statement::Loop { body, .. } => remove(body, left),
            _ => false,
        };
        if done {
            return true;
        }
    }
    false
}
