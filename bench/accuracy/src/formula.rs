//! The formulas in `formulas/`, which are data: `name | inputs | expression`, one a line.
//!
//! A line that begins with blanks goes on with the one before it, `#` begins a comment.

use crate::expression::Body;
use crate::inputs::Variable;
use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;

/// Where the ideal comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The expression's value, worked out in MPFR.
    Formula,
    /// It is 0 for all inputs, by mathematics.
    Identity,
}

impl Kind {
    pub const ALL: [Kind; 2] = [Kind::Formula, Kind::Identity];

    pub fn plural(self) -> &'static str {
        match self {
            Kind::Formula => "formulas",
            Kind::Identity => "identities",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Formula {
    pub name: String,
    pub kind: Kind,
    pub variables: Vec<Variable>,
    pub body: Body,
    /// The expression as it was written.
    pub text: String,
}

const FILES: [(Kind, &str, &str); 6] = [
    (Kind::Formula, "differences.txt", include_str!("../formulas/differences.txt")),
    (Kind::Formula, "algebra.txt", include_str!("../formulas/algebra.txt")),
    (Kind::Formula, "functions.txt", include_str!("../formulas/functions.txt")),
    (Kind::Formula, "sequences.txt", include_str!("../formulas/sequences.txt")),
    (Kind::Formula, "applied.txt", include_str!("../formulas/applied.txt")),
    (Kind::Identity, "identities.txt", include_str!("../formulas/identities.txt")),
];

/// All formulas and identities.
pub fn all() -> Result<Vec<Formula>> {
    let mut formulas: Vec<Formula> = Vec::new();
    for (kind, file, text) in FILES {
        for line in joined(text) {
            let formula = parse(kind, &line).with_context(|| format!("in formulas/{file}: {line}"))?;
            if formulas.iter().any(|f| f.name == formula.name) {
                bail!("formulas/{file}: there are two formulas '{}'", formula.name);
            }
            formulas.push(formula);
        }
    }
    Ok(formulas)
}

fn joined(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#')) {
        match lines.last_mut() {
            Some(last) if line.starts_with(' ') => {
                last.push(' ');
                last.push_str(line.trim());
            }
            _ => lines.push(line.trim().to_owned()),
        }
    }
    lines
}

/// One formula from its line.
pub fn parse(kind: Kind, line: &str) -> Result<Formula> {
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    let [name, inputs, text] = parts[..] else { bail!("it is not NAME | INPUTS | EXPRESSION") };
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    ensure!(!name.is_empty() && name.chars().all(plain), "'{name}' is not a name: lower case, digits and '-'");
    let variables = Variable::parse_all(inputs)?;
    let names: Vec<String> = variables.iter().map(|v| v.name.clone()).collect();
    let body = Body::parse(text, &names)?;
    Ok(Formula { name: name.to_owned(), kind, variables, body, text: text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_as_promised() {
        let formulas = all().unwrap();
        let count = |kind| formulas.iter().filter(|f| f.kind == kind).count();
        assert!(count(Kind::Formula) >= 120, "{}", count(Kind::Formula));
        assert!(count(Kind::Identity) >= 30, "{}", count(Kind::Identity));
    }

    #[test]
    fn lines_are_joined_and_comments_left_out() {
        assert_eq!(joined("# c\na | x\n  | y\n\nb\n"), ["a | x | y", "b"]);
    }
}
