//! Puts checks into a source, in the places of its annotations. Lines stay as they are, and columns but for what follows a
//! check in its line.

use crate::ast::{Dialect, Place, Role};
use crate::c::{self, AsWritten, Names};
use crate::clause::{Clause, ClauseKind, clauses};
use crate::contract::{Function, Loop, Words};
use crate::lexer::{TokenKind, tokens};
use crate::pragma;
use crate::source::{Annotation, Scanned, line_and_column, scan};
use std::collections::BTreeMap;
use std::ops::Range;

/// A source with its checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Woven {
    pub text: String,
    /// How many clauses are checked.
    pub checks: usize,
    /// How many tasks are marked.
    pub tasks: usize,
    pub problems: Vec<Placed>,
}

/// What is not checked, and where in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    pub message: String,
    pub at: Range<usize>,
    pub line: u32,
    pub column: u32,
    pub is_unsupported: bool,
    /// Of a `#pragma nonius`, not of an annotation.
    pub in_pragma: bool,
}

/// Puts checks and tasks into a source of C or C++.
pub fn weave(source: &str) -> Woven {
    let scanned = scan(source);
    let mut weaver = Weaver::new(source, &scanned);
    for annotation in &scanned.annotations {
        weaver.annotation(annotation);
    }
    weaver.apply_contracts();
    weaver.pragmas(&scanned.directives);
    weaver.finish()
}

/// The same without annotations.
pub fn weave_tasks(source: &str) -> Woven {
    let scanned = scan(source);
    let mut weaver = Weaver::new(source, &scanned);
    weaver.pragmas(&scanned.directives);
    weaver.finish()
}

struct Edit {
    at: Range<usize>,
    text: String,
}

struct Weaver<'a> {
    source: &'a str,
    words: Words<'a>,
    edits: Vec<Edit>,
    problems: Vec<Placed>,
    /// By the first word of their function's body: the function, and clauses with their lines and columns.
    contracts: BTreeMap<usize, (Function, Vec<Located>)>,
    checks: usize,
    tasks: usize,
}

struct Located {
    clause: Clause,
    line: u32,
    column: u32,
}

impl Located {
    fn check(&self, names: &dyn Names) -> String {
        c::check(&self.clause, self.line, self.column, names)
    }
}

const BEFORE_A_STATEMENT: &[&str] = &[";", "{", "}", ":"];
const BEFORE_A_BODY: &[&str] = &[")", "else", "do"];

impl<'a> Weaver<'a> {
    fn new(source: &'a str, scanned: &'a Scanned) -> Weaver<'a> {
        Weaver {
            source,
            words: Words { source, words: &scanned.words },
            edits: Vec::new(),
            problems: Vec::new(),
            contracts: BTreeMap::new(),
            checks: 0,
            tasks: 0,
        }
    }

    fn problem(&mut self, message: &str, at: Range<usize>, is_unsupported: bool) {
        let (line, column) = line_and_column(self.source, at.start);
        let message = message.to_owned();
        self.problems.push(Placed { message, at, line, column, is_unsupported, in_pragma: false });
    }

    /// A task's macro takes the place of its pragma.
    fn pragmas(&mut self, directives: &[Range<usize>]) {
        for at in directives {
            let text = &self.source[at.clone()];
            match pragma::task(text) {
                None => {}
                Some(Ok(name)) => {
                    let ends = "\n".repeat(text.matches('\n').count());
                    self.edits.push(Edit { at: at.clone(), text: format!("NONIUS_TASK({name}){ends}") });
                    self.tasks += 1;
                }
                Some(Err(message)) => {
                    self.problem(message, at.clone(), false);
                    self.problems.last_mut().expect("just added").in_pragma = true;
                }
            }
        }
    }

    fn annotation(&mut self, annotation: &Annotation) {
        let text = &self.source[annotation.text.clone()];
        let base = annotation.text.start;
        let (found, problems) = clauses(text, Dialect::C);
        for problem in problems {
            self.problem(&problem.message, base + problem.at.start..base + problem.at.end, problem.is_unsupported);
        }
        let mut statements = Vec::new();
        let mut invariants = Vec::new();
        let mut contract = Vec::new();
        for clause in found {
            let at = base + clause.at;
            if let Some(message) = misplaced(&clause) {
                self.problem(message, at..at + 1, false);
                continue;
            }
            let (line, column) = line_and_column(self.source, at);
            let list = match clause.kind {
                ClauseKind::Assert | ClauseKind::Check => &mut statements,
                ClauseKind::LoopInvariant => &mut invariants,
                ClauseKind::Requires | ClauseKind::Ensures => &mut contract,
            };
            list.push(Located { clause, line, column });
        }
        let next = annotation.words_before;
        if !statements.is_empty() {
            self.statement(annotation, &statements);
        }
        if !invariants.is_empty() {
            self.invariants(annotation, next, &invariants);
        }
        if !contract.is_empty() {
            match self.words.function(next) {
                Ok(function) => {
                    let entry = self.contracts.entry(function.body.start);
                    entry.or_insert_with(|| (function, Vec::new())).1.append(&mut contract);
                }
                Err(true) => {
                    let message = "the contract of a declaration is not checked: put it before the definition";
                    self.problem(message, annotation.at.clone(), true);
                }
                Err(false) => self.problem("a contract stands before a function", annotation.at.clone(), false),
            }
        }
    }

    /// Line ends of a comment, as they are where it stands.
    fn line_ends(&self, annotation: &Annotation) -> String {
        let lines = self.source[annotation.at.clone()].bytes().filter(|b| *b == b'\n').count();
        if annotation.in_directive { "\\\n".repeat(lines) } else { "\n".repeat(lines) }
    }

    fn statement(&mut self, annotation: &Annotation, all: &[Located]) {
        let next = annotation.words_before;
        let before = next.checked_sub(1).map_or("", |n| self.words.get(n)).to_owned();
        let checks: String = all.iter().map(|c| c.check(&AsWritten) + "; ").collect();
        let ends = self.line_ends(annotation);
        if annotation.in_directive || BEFORE_A_STATEMENT.contains(&before.as_str()) && self.words.get(next) != "else" {
            self.edits.push(Edit { at: annotation.at.clone(), text: format!("{{ {checks}}}{ends}") });
        } else if BEFORE_A_BODY.contains(&before.as_str())
            && let Some(end) = self.words.statement_end(next)
        {
            // It belongs to the statement that follows, which stays one.
            self.edits.push(Edit { at: annotation.at.clone(), text: format!("{{ {checks}{ends}") });
            let end = self.words.words[end - 1].end;
            self.edits.push(Edit { at: end..end, text: " }".to_owned() });
        } else {
            return self.problem("an assertion stands before a statement", annotation.at.clone(), false);
        }
        self.checks += all.len();
    }

    fn invariants(&mut self, annotation: &Annotation, next: usize, all: &[Located]) {
        let checks: String = all.iter().map(|c| c.check(&AsWritten) + "; ").collect();
        let start = |number: usize| self.words.words.get(number).map_or(self.source.len(), |w| w.start);
        match self.words.find_loop(next) {
            Some(Loop::Tested(test)) => {
                let at = start(test.start);
                let value = format!("__extension__({{ {checks}1; }})");
                if test.is_empty() {
                    self.edits.push(Edit { at: at..at, text: value });
                } else {
                    let end = self.words.words[test.end - 1].end;
                    self.edits.push(Edit { at: at..at, text: format!("{value} && (") });
                    self.edits.push(Edit { at: end..end, text: ")".to_owned() });
                }
            }
            Some(Loop::Body(body)) => {
                let (at, end) = (start(body.start), self.words.words[body.end - 1].end);
                self.edits.push(Edit { at: at..at, text: format!("{{ {checks}") });
                self.edits.push(Edit { at: end..end, text: " }".to_owned() });
            }
            None => return self.problem("a loop invariant stands before a loop", annotation.at.clone(), false),
        }
        self.checks += all.len();
    }

    fn apply_contracts(&mut self) {
        for (function, all) in std::mem::take(&mut self.contracts).into_values() {
            self.checks += all.len();
            self.contract(&function, &all);
        }
    }

    fn contract(&mut self, function: &Function, all: &[Located]) {
        let names = Ensured::new(function, all);
        let of = |kind| all.iter().filter(move |c| c.clause.kind == kind);
        let requires: String = of(ClauseKind::Requires).map(|c| c.check(&AsWritten) + "; ").collect();
        let entry = self.words.words[function.body.start].end;
        self.edits.push(Edit { at: entry..entry, text: format!(" {}{{ {requires}}}", names.declarations) });
        let ensures: String = of(ClauseKind::Ensures).map(|c| c.check(&names) + "; ").collect();
        if ensures.is_empty() {
            return;
        }
        let call = format!("{}({})", function.name, function.parameters.join(", "));
        for &(word, semicolon) in &function.returns {
            let (start, end) = (self.words.words[word].clone(), self.words.words[semicolon].clone());
            if semicolon == word + 1 {
                self.edits.push(Edit { at: start, text: format!("{{ {ensures}return") });
                self.edits.push(Edit { at: end.end..end.end, text: " }".to_owned() });
                continue;
            }
            // A list in braces is no expression.
            let (open, close) = if self.words.get(word + 1) == "{" { ("", "") } else { ("(", ")") };
            let text = format!("{{ __NONIUS_ACSL_RESULT({call}) __nonius_acsl_result = {open}");
            self.edits.push(Edit { at: start, text });
            let text = format!("{close}; {ensures}return __nonius_acsl_result; }}");
            self.edits.push(Edit { at: end, text });
        }
        if function.is_void {
            let close = self.words.words[function.body.end].start;
            self.edits.push(Edit { at: close..close, text: format!("{{ {ensures}}} ") });
        }
    }

    fn finish(mut self) -> Woven {
        self.edits.sort_by_key(|e| (e.at.start, e.at.end));
        let mut text = String::with_capacity(self.source.len() * 2);
        let mut done = 0;
        for edit in &self.edits {
            if edit.at.start < done {
                continue;
            }
            text += &self.source[done..edit.at.start];
            text += &edit.text;
            done = edit.at.end;
        }
        text += &self.source[done..];
        Woven { text, checks: self.checks, tasks: self.tasks, problems: self.problems }
    }
}

/// Why a clause cannot stand where it does.
fn misplaced(clause: &Clause) -> Option<&'static str> {
    let has = |role| clause.parsed.places.iter().any(|p| p.role == role);
    match clause.kind {
        ClauseKind::Ensures => None,
        _ if has(Role::Result) => Some("\\result belongs into 'ensures'"),
        _ if has(Role::Old) => Some("\\old belongs into 'ensures'"),
        _ => None,
    }
}

/// Names in `ensures`: parameters and `\old(...)` are those of the function's entry.
struct Ensured {
    declarations: String,
    parameters: Vec<String>,
    old: Vec<String>,
}

impl Ensured {
    fn new(function: &Function, all: &[Located]) -> Ensured {
        let ensures =
            || all.iter().filter(|c| c.clause.kind == ClauseKind::Ensures).flat_map(|c| &c.clause.parsed.places);
        let is_used =
            |p: &&String| ensures().any(|place| place.role == Role::Now && names_in(&place.text).any(|n| n == **p));
        let parameters: Vec<String> = function.parameters.iter().filter(is_used).cloned().collect();
        let mut old: Vec<String> = Vec::new();
        for place in ensures().filter(|p| p.role == Role::Old) {
            if !old.contains(&place.text) {
                old.push(place.text.clone());
            }
        }
        let mut declarations = String::new();
        for name in &parameters {
            declarations += &format!("__NONIUS_ACSL_AUTO __nonius_acsl_at_entry_{name} = {name}; ");
        }
        for (n, text) in old.iter().enumerate() {
            declarations += &format!("__NONIUS_ACSL_AUTO __nonius_acsl_old_{n} = ({text}); ");
        }
        Ensured { declarations, parameters, old }
    }
}

/// Names of an expression that are no members.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let all = tokens(text);
    let mut is_member = false;
    let mut names = Vec::new();
    for token in all {
        let word = &text[token.start..token.end];
        if token.kind == TokenKind::Name && !is_member {
            names.push(word);
        }
        is_member = matches!(word, "." | "->" | "::");
    }
    names.into_iter()
}

impl Names for Ensured {
    fn c(&self, place: &Place) -> String {
        match place.role {
            Role::Result => "__nonius_acsl_result".to_owned(),
            Role::Old => {
                let number = self.old.iter().position(|text| *text == place.text).unwrap_or(0);
                format!("__nonius_acsl_old_{number}")
            }
            Role::Now | Role::Bound => {
                let (mut out, mut done, mut is_member) = (String::new(), 0, false);
                for token in tokens(&place.text) {
                    let word = &place.text[token.start..token.end];
                    let is_parameter = self.parameters.iter().any(|p| p == word);
                    if token.kind == TokenKind::Name && !is_member && is_parameter {
                        out += &place.text[done..token.start];
                        out += &format!("__nonius_acsl_at_entry_{word}");
                        done = token.end;
                    }
                    is_member = matches!(word, "." | "->" | "::");
                }
                out + &place.text[done..]
            }
        }
    }
}

#[cfg(test)]
mod tests;
