//! What is said of the files that a second run would write again.

use nonius_driver::Changes;
use std::env;
use std::path::Path;

/// So many names say what it is about.
const MOST_NAMES: usize = 3;

/// Why there is no second run unless it is asked for.
pub fn refusal(changes: &Changes) -> Option<String> {
    let harmed = harmed(changes)?;
    Some(format!(
        "not confirmed: a second run would not leave the program's files as they are: {harmed}; \
         'nonius run --confirm=1' runs it again all the same"
    ))
}

/// What to know before the second run, a line each.
pub fn warnings(changes: &Changes) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(harmed) = harmed(changes) {
        lines.push(format!("the second run changes files once more: {harmed}"));
    }
    if !changes.again.is_empty() {
        let names = changes.again.iter().map(|path| shown(path));
        lines.push(format!("the second run writes again: {}; --confirm=0 leaves it out", some(names)));
    }
    if !changes.unseen.is_empty() {
        let names = some(changes.unseen.iter().cloned());
        lines.push(format!(
            "what these do to files is not seen, and the second run does it again: {names}; --confirm=0 leaves it out"
        ));
    }
    if changes.more {
        lines.push("the program writes more files than are kept account of".to_owned());
    }
    lines
}

fn harmed(changes: &Changes) -> Option<String> {
    let names = changes.harmed.iter().map(|(path, why)| format!("{} ({why})", shown(path)));
    (!changes.harmed.is_empty()).then(|| some(names))
}

/// The first few, and how many there are beside.
fn some(names: impl ExactSizeIterator<Item = String>) -> String {
    let beyond = names.len().saturating_sub(MOST_NAMES);
    let mut text = names.take(MOST_NAMES).collect::<Vec<_>>().join(", ");
    if beyond > 0 {
        text += &format!(" and {beyond} more");
    }
    text
}

/// As seen from here, in quotes if it has blanks.
fn shown(path: &Path) -> String {
    let here = env::current_dir().and_then(|here| here.canonicalize()).ok();
    let path = here.and_then(|here| path.strip_prefix(here).ok()).unwrap_or(path);
    let text = path.display().to_string();
    if text.contains(char::is_whitespace) { format!("'{text}'") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_few_and_the_way_out_is_told() {
        let mut changes = Changes::default();
        assert!(warnings(&changes).is_empty() && refusal(&changes).is_none());
        changes.again = (1..=5).map(|n| format!("/nowhere/a {n}").into()).collect();
        let text = warnings(&changes).join("\n");
        assert!(
            text.contains("again: '/nowhere/a 1', '/nowhere/a 2', '/nowhere/a 3' and 2 more; --confirm=0"),
            "{text}"
        );
        changes.harmed.push(("/nowhere/log".into(), "added to or changed in place"));
        let text = refusal(&changes).unwrap();
        assert!(text.contains("/nowhere/log (added to or changed in place); 'nonius run --confirm=1'"), "{text}");
    }
}
