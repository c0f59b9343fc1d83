//! The report as one HTML page that needs nothing else: no network, no other file.
//!
//! ```text
//!  <style>     page/style.css
//!  <noscript>  plain.rs: the list, for readers without a script
//!  <script type="application/gzip;base64" id="part-NAME">  data.rs: an index, and parts unpacked when they are looked at
//!  <script>    page/*.js, one after the other in one function
//! ```
//! The content policy allows this style and this script by their hashes and nothing else, so that whatever a report says
//! cannot run even if it became markup. It cannot: text goes through maud or base64, and the script makes elements only.

mod data;
mod excerpt;
mod folder;
mod pack;
mod plain;

use crate::source::Sources;
use crate::words::clean;
use maud::{DOCTYPE, PreEscaped, html};
use nonius_finding::Report;
use pack::policy_hash;

const STYLE: &str = include_str!("html/page/style.css");

/// The script's files, in an order in which constants are there before they are used.
const SCRIPTS: &[&str] = &[
    include_str!("html/page/dom.js"),
    include_str!("html/page/parts.js"),
    include_str!("html/page/address.js"),
    include_str!("html/page/numbers.js"),
    include_str!("html/page/facets.js"),
    include_str!("html/page/rows.js"),
    include_str!("html/page/layout.js"),
    include_str!("html/page/graph.js"),
    include_str!("html/page/charts.js"),
    include_str!("html/page/history.js"),
    include_str!("html/page/overview.js"),
    include_str!("html/page/findings.js"),
    include_str!("html/page/excerpt.js"),
    include_str!("html/page/finding.js"),
    include_str!("html/page/walk.js"),
    include_str!("html/page/source.js"),
    include_str!("html/page/table.js"),
    include_str!("html/page/statistics.js"),
    include_str!("html/page/bounds.js"),
    include_str!("html/page/run.js"),
    include_str!("html/page/keys.js"),
    include_str!("html/page/main.js"),
];

/// What a page that is served asks for anew when its report changes.
const LIVE: &str = include_str!("html/page/live.js");

/// The report as an HTML page.
pub fn write(report: &Report, sources: &mut Sources) -> String {
    page(report, sources, "", "")
}

/// The same for `nonius view`: the page asks the server that it came from whether the report has changed.
pub fn write_live(report: &Report, sources: &mut Sources) -> String {
    page(report, sources, LIVE, "; connect-src 'self'")
}

fn page(report: &Report, sources: &mut Sources, more_script: &str, more_policy: &str) -> String {
    sources.shorten_below(folder::of(report, sources.base()));
    let script = script(more_script);
    let policy = format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'{more_policy}",
        policy_hash(STYLE),
        policy_hash(&script)
    );
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (data::title(report)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                div #page {}
                noscript { (plain::page(report, sources)) }
                footer { "Written by " (clean(&report.tool.name)) " " (clean(&report.tool.version)) "." }
                @for part in data::parts(report, sources) {
                    script type="application/gzip;base64" id=(format!("part-{}", part.name)) { (PreEscaped(part.text)) }
                }
                script { (PreEscaped(script)) }
            }
        }
    }
    .into_string()
}

/// The script as the page has it. Its own text never ends its element.
fn script(more: &str) -> String {
    let files = SCRIPTS.iter().chain((!more.is_empty()).then_some(&more));
    let body = files.copied().collect::<Vec<_>>().join("\n");
    format!("\"use strict\";\n(function () {{\n{body}\nstart();\n}})();\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_and_style_stay_in_their_elements() {
        for text in [script(LIVE), STYLE.to_owned()] {
            assert!(!text.contains("</") && !text.contains("<!--"));
        }
    }

    #[test]
    fn the_script_makes_no_markup_of_text() {
        for way in
            ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "setTimeout(\""]
        {
            assert!(!script(LIVE).contains(way), "{way}");
        }
    }
}
