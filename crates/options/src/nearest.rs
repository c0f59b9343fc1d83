//! The known word that a misspelt one is nearest to.

/// The nearest of `known` by edit distance, if so little separates them that it may be meant: a third of the letters.
pub fn likely<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (distance, nearest) = known.map(|candidate| (distance(word, candidate), candidate)).min_by_key(|(d, _)| *d)?;
    (distance <= (word.chars().count() / 3).max(2) && distance < nearest.chars().count()).then_some(nearest)
}

/// Levenshtein's distance, by rows. Long words are cut: nobody misspells a page.
fn distance(a: &str, b: &str) -> usize {
    const MOST: usize = 64;
    let b: Vec<char> = b.chars().take(MOST).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(MOST).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_counted() {
        assert_eq!(distance("halt", "halt"), 0);
        assert_eq!(distance("hlat", "halt"), 2);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(likely("surpressions", ["halt", "suppressions"].into_iter()), Some("suppressions"));
        assert_eq!(likely("xyzzy", ["halt", "suppressions"].into_iter()), None);
    }
}
