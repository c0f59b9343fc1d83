//! The known word that a misspelt one is nearest to.

/// The nearest of `known` by edit distance, if so little separates them that it may be meant: a third of the letters.
pub fn likely<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (distance, nearest) = known.map(|candidate| (distance(word, candidate), candidate)).min_by_key(|(d, _)| *d)?;
    (distance <= (word.chars().count() / 3).max(2) && distance < nearest.chars().count()).then_some(nearest)
}

/// Levenshtein's distance, by rows, with two letters that have changed places as one mistake. Long words are cut: nobody
/// misspells a page.
fn distance(a: &str, b: &str) -> usize {
    const MOST: usize = 64;
    let a: Vec<char> = a.chars().take(MOST).collect();
    let b: Vec<char> = b.chars().take(MOST).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut next = vec![i + 1];
        for j in 0..b.len() {
            let change = row[j] + usize::from(a[i] != b[j]);
            let is_swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
            let swap = if is_swapped { before[j - 1] + 1 } else { usize::MAX };
            next.push(change.min(swap).min(row[j + 1] + 1).min(next[j] + 1));
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_counted() {
        assert_eq!(distance("halt", "halt"), 0);
        assert_eq!(distance("hlat", "halt"), 1);
        assert_eq!(distance("htlm", "halt"), 2);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(likely("surpressions", ["halt", "suppressions"].into_iter()), Some("suppressions"));
        assert_eq!(likely("xyzzy", ["halt", "suppressions"].into_iter()), None);
    }
}
