//! A finding's causes in full, node by node.

use crate::numbers::{decimal, ideal, rough};
use crate::source::Sources;
use crate::words::{self, clean};
use nonius_finding::{Cause, Finding};

/// Every cause with its numbers and its source; those on the path that most of the error took have a `*`.
pub fn render(finding: &Finding, sources: &mut Sources) -> String {
    let mut text = format!("{} [{}]\n", words::headline(finding), finding.kind);
    text += &format!("  at {}\n", words::position(&finding.location, sources));
    for fact in words::facts(finding) {
        text += &format!("  {fact}\n");
    }
    if !finding.symptoms.is_empty() {
        text += &format!("\n{}:\n", upper_first(words::SYMPTOMS.trim_end_matches(':')));
        finding.symptoms.iter().for_each(|s| text += &format!("  {}\n", words::symptom(s, sources)));
    }
    if finding.causes.is_empty() {
        text +=
            "\nNo engine has looked for its causes: 'nonius run' does, in a second run, and so does --oracle=mpfr.\n";
        return text;
    }
    text += "\nWhere the error came from; * marks the path that most of it took:\n";
    let mut causes: Vec<&Cause> = finding.causes.iter().collect();
    causes.sort_by_key(|c| c.measured.as_ref().map(|m| m.node));
    for cause in causes {
        text += &node(cause, sources);
    }
    text
}

fn upper_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn node(cause: &Cause, sources: &mut Sources) -> String {
    let place = words::position(&cause.location, sources);
    let function = clean(&cause.location.function);
    let head = format!(
        "{} at {place}{}",
        clean(&cause.operation),
        if function.is_empty() { String::new() } else { format!(", in {function}") }
    );
    let source = sources.marked_line(&cause.location, &cause.operation).map(|line| clean(&line.brief()));
    let source = source.map(|line| format!("        {line}\n")).unwrap_or_default();
    let Some(m) = &cause.measured else {
        return format!("\n  {head}\n{source}        {}\n", words::effect(cause));
    };
    let mark = if m.dominant { "*" } else { " " };
    let operands = match m.operands.as_slice() {
        [] => String::new(),
        all => format!(", from {}", all.iter().map(|n| format!("#{n}")).collect::<Vec<_>>().join(" and ")),
    };
    let values = match m.value.is_nan() && m.typical {
        true => "at its worst in the run".to_owned(),
        false => format!("value {}, ideal {}", decimal(m.value), ideal(m.ideal, m.radius)),
    };
    let times = if m.count > 1 { format!(", {} times", m.count) } else { String::new() };
    format!(
        "\n{mark} #{:<3} {head}{operands}{times}\n{source}        {values}: relative error {}, {} of it added here\n",
        m.node,
        rough(m.relative_error),
        rough(m.introduced_error.max(0.0))
    )
}
