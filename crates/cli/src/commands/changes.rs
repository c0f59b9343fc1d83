//! What is said of a program's changes where a second run could not leave them alone.

use nonius_driver::{Changes, State};
use std::env;
use std::path::Path;

/// So many names say what it is about.
const MOST_NAMES: usize = 3;

/// Why there is no second run unless it is asked for, whatever the machine allows.
pub fn refusal(changes: &Changes) -> Option<String> {
    let mut reasons: Vec<String> = changes.outside.iter().map(|what| format!("the program {what}")).collect();
    if !changes.lost.is_empty() {
        let names = changes.lost.iter().map(|(path, why)| format!("{} ({why})", shown(path)));
        reasons.push(format!("it is not known what was at {}", some(names)));
    }
    if changes.more {
        reasons.push("the program changes more files than are kept account of".to_owned());
    }
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

/// Why it cannot run without the right to write.
pub fn written(changes: &Changes) -> Option<String> {
    if !changes.unseen.is_empty() {
        return Some(format!("what these write is not seen: {}", some(changes.unseen.iter().cloned())));
    }
    Some(format!("the program writes {}", paths(changes)?))
}

/// What to know before a second run that is not confined.
pub fn warning(changes: &Changes) -> Option<String> {
    Some(format!("the second run is not confined, and writes again: {}", paths(changes)?))
}

/// What may be the reason if a second run is another one.
pub fn doubt(changes: &Changes) -> Option<String> {
    let names = some(changes.unseen.iter().cloned());
    (!changes.unseen.is_empty())
        .then(|| format!("what these change is not seen, and the second run found it as they left it: {names}"))
}

fn paths(changes: &Changes) -> Option<String> {
    // What is in a folder that was made goes without saying.
    let is_made = |path: &Path| changes.before.get(path) == Some(&State::Absent);
    let outer = changes.before.keys().filter(|path| !path.ancestors().skip(1).any(is_made));
    let names: Vec<String> = outer.map(|path| shown(path)).collect();
    (!names.is_empty()).then(|| some(names.into_iter()))
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
    fn reasons_are_told_with_a_few_names() {
        let mut changes = Changes::default();
        assert!(refusal(&changes).is_none() && written(&changes).is_none() && doubt(&changes).is_none());
        changes.before = (1..=5).map(|n| (format!("/nowhere/a {n}").into(), State::Absent)).collect();
        let text = written(&changes).unwrap();
        assert_eq!(text, "the program writes '/nowhere/a 1', '/nowhere/a 2', '/nowhere/a 3' and 2 more");
        changes.lost.push(("/nowhere/log".into(), "too large to be copied".to_owned()));
        changes.outside.push("opens sockets".to_owned());
        let text = refusal(&changes).unwrap();
        assert_eq!(
            text,
            "the program opens sockets; it is not known what was at /nowhere/log (too large to be copied)"
        );
    }
}
