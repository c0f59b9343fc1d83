//! Splitting the text of options into items, and writing values so that they come back.

use std::borrow::Cow;

/// The items between colons and white space, quotes taken off.
pub fn items(text: &str) -> Result<Vec<String>, String> {
    let mut items = Vec::new();
    let mut item = String::new();
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => item.push(c),
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == ':' || c.is_whitespace() => items.push(std::mem::take(&mut item)),
            None => item.push(c),
        }
    }
    if let Some(q) = quote {
        return Err(format!("the quote {q} is not closed in '{text}'"));
    }
    items.push(item);
    items.retain(|item| !item.is_empty());
    Ok(items)
}

/// A value as it is written: in quotes, unless nothing in it needs them. A quote goes into quotes of the other kind.
pub fn quoted(value: &str) -> Cow<'_, str> {
    if !value.contains(|c: char| c.is_whitespace() || matches!(c, ':' | '\'' | '"')) {
        return Cow::Borrowed(value);
    }
    Cow::Owned(format!("'{}'", value.replace('\'', r#"'"'"'"#)))
}

#[cfg(test)]
mod tests {
    use super::items;

    #[test]
    fn quotes_hide_separators() {
        assert_eq!(items("a=1:b='x:y z' c=\"it's\"::").unwrap(), ["a=1", "b=x:y z", "c=it's"]);
        assert_eq!(items("").unwrap(), [""; 0]);
        assert!(items("a='").is_err());
    }
}
