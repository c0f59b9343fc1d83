//! The way of an error, as a code flow: from where it is introduced, by the operations that hand it on, to where it is seen.

use super::place::location;
use crate::source::Sources;
use crate::words;
use nonius_finding::{Cause, Finding, Location};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The code flow of a finding; none where nobody has looked for causes.
pub(super) fn of_finding(f: &Finding, sources: &mut Sources) -> Option<Value> {
    let mut steps: Vec<(&Location, &str, String)> =
        path(&f.causes).into_iter().map(|c| (&c.location, c.operation.as_str(), words::cause(c))).collect();
    if steps.is_empty() {
        return None;
    }
    if steps.last().is_some_and(|(place, ..)| **place != f.location) {
        steps.push((&f.location, &f.operation, words::headline(f)));
    }
    if let Some(seen) = &f.observed_location {
        let observable = words::observable(f.observed_at).map(|o| format!(", in {o}")).unwrap_or_default();
        steps.push((seen, "", format!("seen here{observable}")));
    }
    let last = steps.len() - 1;
    let step = |(index, (place, operation, text)): (usize, (&Location, &str, String))| {
        let mut place = location(place, operation, sources);
        place["message"] = json!({ "text": super::escaped(&text) });
        let importance = if index == 0 || index == last { "essential" } else { "important" };
        json!({ "location": place, "executionOrder": index + 1, "importance": importance })
    };
    let locations: Vec<_> = steps.into_iter().enumerate().map(step).collect();
    let message = "the way of the error: where it is introduced, what hands it on, where it is seen";
    Some(json!({ "message": { "text": message }, "threadFlows": [{ "locations": locations }] }))
}

/// The causes along which most of the error came, the first of them first. Without a graph, all of them: those most to
/// blame are told first, and come last.
fn path(causes: &[Cause]) -> Vec<&Cause> {
    let nodes: BTreeMap<u32, &Cause> = causes.iter().filter_map(|c| Some((c.measured.as_ref()?.node, c))).collect();
    let mut path: Vec<&Cause> = Vec::new();
    let mut next = nodes.first_key_value().map(|(_, first)| *first);
    while let Some(cause) = next {
        path.push(cause);
        // A node comes after those that it goes to, so that this ends whatever a report says.
        let operands = cause.measured.iter().flat_map(|m| m.operands.iter().filter(|n| **n > m.node));
        let measured = operands.filter_map(|node| nodes.get(node)).filter_map(|c| Some((c.measured.as_ref()?, *c)));
        next = measured.filter(|(m, _)| m.dominant).map(|(_, cause)| cause).next();
    }
    if path.is_empty() {
        path.extend(causes);
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_finding::Measured;

    fn cause(node: u32, operands: &[u32], dominant: bool) -> Cause {
        let measured = Measured { node, operands: operands.to_vec(), dominant, ..Measured::default() };
        let location = Location::new("a.c", node + 1, 1, "f");
        Cause { location, operation: "addition".into(), measured: Some(measured), ..Cause::default() }
    }

    fn lines(causes: &[Cause]) -> Vec<u32> {
        path(causes).iter().map(|c| c.location.line).collect()
    }

    #[test]
    fn most_of_the_error_comes_along_the_dominant_path() {
        let causes = [cause(2, &[], false), cause(0, &[1, 2], true), cause(1, &[3], true), cause(3, &[], true)];
        assert_eq!(lines(&causes), [4, 2, 1]);
    }

    #[test]
    fn a_graph_that_goes_round_ends() {
        assert_eq!(lines(&[cause(0, &[0, 1], true), cause(1, &[0, 1], true)]), [2, 1]);
        assert_eq!(lines(&[]), [0; 0]);
    }

    #[test]
    fn without_a_graph_the_most_to_blame_comes_last() {
        let plain = |line| Cause { location: Location::new("a.c", line, 1, "f"), ..Cause::default() };
        assert_eq!(lines(&[plain(1), plain(2)]), [2, 1]);
    }
}
