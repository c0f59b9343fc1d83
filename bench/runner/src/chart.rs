//! The slowdowns as a chart: a bar for each kernel, type and sanitizer, on a logarithmic scale.
//!
//! The drawing carries its own background and follows the reader's colour scheme, so that it can be
//! read in a README on a light page and on a dark one.

use crate::kernel::RealType;
use crate::results::{Results, Side, Trial};
use crate::table::ratio;
use std::fmt::Write;

const LABELS: f64 = 124.0;
const PANEL: f64 = 400.0;
const GAP: f64 = 24.0;
const MARGIN: f64 = 16.0;
const TOP: f64 = 84.0;
const ROW: f64 = 24.0;
const BAR: f64 = 9.0;
/// Room to the right of the longest bar for its number.
const NUMBER: f64 = 44.0;

const STYLE: &str = "\
.page{fill:#ffffff}.text{fill:#1f2328}.faint{fill:#59636e}.grid{stroke:#d1d9e0}.base{stroke:#59636e}\
.ours{fill:#0969da}.peer{fill:#bc6c25}\
@media(prefers-color-scheme:dark){.page{fill:#0d1117}.text{fill:#e6edf3}.faint{fill:#9198a1}.grid{stroke:#30363d}\
.base{stroke:#9198a1}.ours{fill:#58a6ff}.peer{fill:#e3a35c}}\
text{font:12px system-ui,-apple-system,'Segoe UI',sans-serif}.title{font-size:15px;font-weight:600}\
.bold{font-weight:600}.number{font-size:10px}";

/// One line of the chart: slowdowns by Nonius and by nsan, in double and in float.
struct Row {
    label: String,
    bold: bool,
    cells: [Option<Cell>; 2],
}

#[derive(Clone, Copy)]
struct Cell {
    nonius: Option<f64>,
    nsan: Option<f64>,
}

pub fn svg(results: &Results) -> String {
    let rows = rows(results);
    let largest = rows.iter().flat_map(|r| r.cells.iter().flatten()).flat_map(|c| [c.nonius, c.nsan]).flatten();
    let scale = Scale::up_to(largest.fold(10.0, f64::max));
    let width = MARGIN + LABELS + PANEL + GAP + PANEL + MARGIN;
    let height = TOP + ROW * rows.len() as f64 + 40.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"Slowdown of Nonius and of nsan on each kernel\">\n<style>{STYLE}</style>\n\
         <rect class=\"page\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n"
    );
    out += &legend(results);
    for (panel, title) in ["double", "float"].iter().enumerate() {
        out += &grid(&scale, left_edge(panel), rows.len(), title);
    }
    for (i, row) in rows.iter().enumerate() {
        out += &line(&scale, row, TOP + ROW * i as f64);
    }
    out + "</svg>\n"
}

/// Kernels in the order of the tables, then the means.
fn rows(results: &Results) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for trial in &results.trials {
        let cell = Some(Cell { nonius: slowdown(&trial.nonius), nsan: trial.nsan.as_ref().and_then(slowdown) });
        let panel = usize::from(trial.real == RealType::Float);
        match rows.iter_mut().find(|r| r.label == label(trial)) {
            Some(row) => row.cells[panel] = cell,
            None => {
                let mut cells = [None, None];
                cells[panel] = cell;
                rows.push(Row { label: label(trial), bold: false, cells });
            }
        }
    }
    let mean = |real| {
        let m = results.means.iter().find(|m| m.real == real)?;
        Some(Cell { nonius: m.nonius_slowdown, nsan: m.nsan_slowdown })
    };
    let cells = [mean(RealType::Double), mean(RealType::Float)];
    rows.push(Row { label: "geometric mean".into(), bold: true, cells });
    rows
}

fn label(trial: &Trial) -> String {
    if trial.real == RealType::None { format!("{} (no floats)", trial.name) } else { trial.name.clone() }
}

fn slowdown(side: &Side) -> Option<f64> {
    side.slowdown.filter(|s| s.is_finite())
}

/// From 1x on, in powers of ten.
struct Scale {
    decades: f64,
}

impl Scale {
    fn up_to(largest: f64) -> Self {
        Self { decades: largest.log10().max(1.0) }
    }

    /// How long a bar is. What is faster than native code has none.
    fn length(&self, ratio: f64) -> f64 {
        ratio.log10().max(0.0) / self.decades * (PANEL - NUMBER)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> + use<> {
        (0..=self.decades as i32).map(|power| 10_f64.powi(power))
    }
}

fn left_edge(panel: usize) -> f64 {
    MARGIN + LABELS + panel as f64 * (PANEL + GAP)
}

fn legend(results: &Results) -> String {
    let m = &results.machine;
    let mut out = format!(
        "<text class=\"text title\" x=\"{MARGIN}\" y=\"26\">Slowdown against clang -O2 (log scale, shorter is better)</text>\n\
         <text class=\"faint\" x=\"{MARGIN}\" y=\"46\">{}, {} cores, {}</text>\n",
        escaped(&m.cpu),
        m.cores,
        m.date,
    );
    let mut entries = vec![("ours", "Nonius")];
    if results.settings.peer_seconds.is_some() {
        entries.push(("peer", "nsan (clang -fsanitize=numerical)"));
    }
    let mut x = left_edge(1);
    for (class, name) in entries {
        let _ = writeln!(
            out,
            "<rect class=\"{class}\" x=\"{x}\" y=\"36\" width=\"12\" height=\"12\" rx=\"2\"/>\
             <text class=\"text\" x=\"{}\" y=\"46\">{name}</text>",
            x + 18.0
        );
        x += 90.0;
    }
    out
}

fn grid(scale: &Scale, left: f64, rows: usize, title: &str) -> String {
    let bottom = TOP + ROW * rows as f64;
    let mut out = format!("<text class=\"text bold\" x=\"{left}\" y=\"{}\">{title}</text>\n", TOP - 12.0);
    for tick in scale.ticks() {
        let x = left + scale.length(tick);
        let class = if tick == 1.0 { "base" } else { "grid" };
        let _ = writeln!(
            out,
            "<line class=\"{class}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{}\" y2=\"{bottom}\"/>\
             <text class=\"faint number\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{tick}x</text>",
            TOP - 4.0,
            bottom + 16.0
        );
    }
    out
}

fn line(scale: &Scale, row: &Row, top: f64) -> String {
    let bold = if row.bold { " bold" } else { "" };
    let mut out = format!(
        "<text class=\"text{bold}\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
        MARGIN + LABELS - 8.0,
        top + ROW / 2.0 + 4.0,
        escaped(&row.label)
    );
    for (panel, cell) in row.cells.iter().enumerate() {
        let Some(cell) = cell else { continue };
        for (i, (class, value)) in [("ours", cell.nonius), ("peer", cell.nsan)].into_iter().enumerate() {
            let Some(value) = value else { continue };
            let (x, y, length) = (left_edge(panel), top + 2.0 + i as f64 * (BAR + 1.0), scale.length(value));
            let _ = writeln!(
                out,
                "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{:.1}\" height=\"{BAR}\" rx=\"1.5\"/>\
                 <text class=\"faint number{bold}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                length.max(1.0),
                x + length.max(1.0) + 4.0,
                y + BAR - 0.5,
                ratio(Some(value))
            );
        }
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_by_powers_of_ten() {
        let scale = Scale::up_to(1000.0);
        assert_eq!(scale.length(1.0), 0.0);
        assert_eq!(scale.length(0.5), 0.0);
        assert!((scale.length(10.0) * 3.0 - scale.length(1000.0)).abs() < 1e-9);
        assert_eq!(scale.ticks().collect::<Vec<_>>(), [1.0, 10.0, 100.0, 1000.0]);
    }

    #[test]
    fn text_cannot_break_out() {
        assert_eq!(escaped("<a & b>"), "&lt;a &amp; b&gt;");
    }
}
