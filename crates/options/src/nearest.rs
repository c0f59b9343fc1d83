//! The known word that a misspelt one is nearest to.

/// The nearest of `known` by edit distance; empty if there is none.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> &'a str {
    known.min_by_key(|candidate| distance(word, candidate)).unwrap_or_default()
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
        assert_eq!(nearest("surpressions", ["halt", "suppressions"].into_iter()), "suppressions");
    }
}
