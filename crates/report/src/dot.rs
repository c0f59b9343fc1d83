//! A finding's causes as a graph for Graphviz: errors flow along the edges, from where they were introduced to the finding.

use crate::numbers::{decimal, ideal, rough};
use crate::source::Sources;
use crate::words::{self, clean};
use nonius_finding::{Cause, Finding, Measured};
use std::fmt::Write;

/// The graph in the DOT language.
pub fn write(finding: &Finding, sources: &mut Sources) -> String {
    let mut text = String::from("digraph causes {\n  rankdir=BT;\n  node [shape=box, fontname=\"monospace\"];\n");
    let _ = writeln!(text, "  finding [shape=ellipse, label={}];", quoted(&[words::headline(finding)]));
    let nodes: Vec<(&Cause, &Measured)> =
        finding.causes.iter().filter_map(|c| Some((c, c.measured.as_ref()?))).collect();
    for (cause, m) in &nodes {
        let style = if m.dominant { ", style=bold, color=red" } else { "" };
        let _ = writeln!(text, "  n{} [label={}{style}];", m.node, quoted(&label(cause, m, sources)));
    }
    if nodes.iter().any(|(_, m)| m.node == 0) {
        text += "  n0 -> finding [style=bold, color=red];\n";
    }
    for (_, m) in &nodes {
        for operand in &m.operands {
            let Some((_, from)) = nodes.iter().find(|(_, other)| other.node == *operand) else { continue };
            let style = if m.dominant && from.dominant { ", style=bold, color=red" } else { "" };
            let error = quoted(&[rough(from.relative_error)]);
            let _ = writeln!(text, "  n{operand} -> n{} [label={error}{style}];", m.node);
        }
    }
    text + "}\n"
}

fn label(cause: &Cause, m: &Measured, sources: &mut Sources) -> Vec<String> {
    let mut lines = vec![format!("{} at {}", cause.operation, words::position(&cause.location, sources))];
    if let Some(line) = sources.marked_line(&cause.location, &cause.operation) {
        lines.push(line.text.trim().to_owned());
    }
    if !m.value.is_nan() {
        lines.push(format!("value {}", decimal(m.value)));
        lines.push(format!("ideal {}", ideal(m.ideal, m.radius)));
    }
    lines.push(format!("relative error {}", rough(m.relative_error)));
    if m.count > 1 {
        lines.push(format!("{} times", m.count));
    }
    lines
}

/// A string of DOT, lines aligned to the left.
fn quoted(lines: &[String]) -> String {
    let escaped = lines.iter().map(|l| clean(l).replace('\\', "\\\\").replace('"', "\\\""));
    format!("\"{}\\l\"", escaped.collect::<Vec<_>>().join("\\l"))
}
