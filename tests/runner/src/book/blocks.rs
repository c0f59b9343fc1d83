//! Blocks of code in a page.

use std::ops::Range;

/// A fenced block that does something.
#[derive(Debug, PartialEq, Eq)]
pub struct Block {
    pub what: What,
    /// The lines between its fences, counted from 0.
    pub lines: Range<usize>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum What {
    /// Written to a file of this name.
    File(String),
    /// Typed into a shell.
    Console,
}

/// The words behind a fence, as `c file=roots.c`, if the line is one.
fn fence(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("```").map(str::trim)
}

/// What a fence's words ask for.
pub fn file_of(words: &str) -> Option<&str> {
    words.split_whitespace().find_map(|word| word.strip_prefix("file="))
}

/// The blocks of a page that do something, in their order.
pub fn blocks(page: &str) -> Vec<Block> {
    let (mut found, mut open): (Vec<Block>, Option<(usize, &str)>) = (Vec::new(), None);
    for (number, line) in page.lines().enumerate() {
        let Some(words) = fence(line) else { continue };
        let Some((first, kind)) = open.take() else {
            open = Some((number + 1, words));
            continue;
        };
        let what = match (kind.split_whitespace().next(), file_of(kind)) {
            (_, Some(name)) => What::File(name.to_owned()),
            (Some("console"), None) => What::Console,
            _ => continue,
        };
        found.push(Block { what, lines: first..number });
    }
    found
}

/// A fenced block that is neither a file nor typed, and what the comment above it says of it.
#[derive(Debug, PartialEq, Eq)]
pub struct Other {
    /// Its first fence, counted from 1.
    pub line: usize,
    pub reason: Option<Reason>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Reason {
    /// `<!-- not run: why -->`
    NotRun(String),
    /// `<!-- run by path/of/a/test.rs -->`
    RunBy(String),
}

fn reason(comment: &str) -> Option<Reason> {
    let words = comment.trim().strip_prefix("<!--")?.strip_suffix("-->")?.trim();
    let not_run = words.strip_prefix("not run:").map(str::trim).filter(|why| !why.is_empty());
    let run_by = words.strip_prefix("run by ").map(str::trim);
    not_run.map(|why| Reason::NotRun(why.to_owned())).or(run_by.map(|path| Reason::RunBy(path.to_owned())))
}

/// The blocks of a page that show something and do nothing.
pub fn others(page: &str) -> Vec<Other> {
    let lines: Vec<&str> = page.lines().collect();
    let mut fences = lines.iter().enumerate().filter_map(|(number, line)| Some((number, fence(line)?)));
    let mut found = Vec::new();
    while let Some((first, words)) = fences.next() {
        fences.next();
        if file_of(words).is_none() && words.split_whitespace().next() != Some("console") {
            let above = first.checked_sub(1).map_or("", |above| lines[above]);
            found.push(Other { line: first + 1, reason: reason(above) });
        }
    }
    found
}

/// A command of a console block, and where what it prints is told.
#[derive(Debug, PartialEq, Eq)]
pub struct Command {
    pub text: String,
    pub output: Range<usize>,
}

/// Commands begin with `$ `; a line that ends in a backslash goes on.
pub fn commands(page: &[&str], block: &Block) -> Vec<Command> {
    let mut found: Vec<Command> = Vec::new();
    let mut goes_on = false;
    for number in block.lines.clone() {
        let line = page[number].trim_end();
        let next = line.strip_prefix("$ ");
        match (next, found.last_mut()) {
            (None, Some(command)) if goes_on => {
                command.text = format!("{}\n{line}", command.text);
                command.output = number + 1..number + 1;
            }
            (Some(text), _) => found.push(Command { text: text.to_owned(), output: number + 1..number + 1 }),
            (None, Some(command)) => command.output.end = number + 1,
            (None, None) => {}
        }
        goes_on = line.ends_with('\\') && (next.is_some() || goes_on);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# Title\n\n```c file=a.c\nint x;\n```\n\n```\nnot run\n```\n\n```console\n$ one \\\n  two\nsays\n$ three\n```\n";

    #[test]
    fn blocks_and_their_commands() {
        let found = blocks(PAGE);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0], Block { what: What::File("a.c".into()), lines: 3..4 });
        let lines: Vec<&str> = PAGE.lines().collect();
        let typed = commands(&lines, &found[1]);
        let expected = [("one \\\n  two", 13..14), ("three", 15..15)];
        assert_eq!(typed.len(), 2);
        for (command, (text, output)) in typed.iter().zip(expected) {
            assert_eq!((command.text.as_str(), command.output.clone()), (text, output));
        }
    }

    #[test]
    fn blocks_that_do_nothing_say_why() {
        let page =
            format!("{PAGE}<!-- not run: takes hours -->\n```\n./x\n```\n<!-- run by a.rs -->\n```sh\nls\n```\n");
        let reasons: Vec<Option<Reason>> = others(&page).into_iter().map(|other| other.reason).collect();
        let expected = [None, Some(Reason::NotRun("takes hours".into())), Some(Reason::RunBy("a.rs".into()))];
        assert_eq!(reasons, expected);
        assert_eq!(others(&page)[0].line, 7);
        assert_eq!(others("<!-- not run: -->\n```\nx\n```\n")[0].reason, None);
    }
}
