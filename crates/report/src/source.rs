//! Source lines for reports, read from disk, with the part of the line that a location means.
//!
//! A report may come from another machine or another time, so a file may be gone, changed, huge,
//! not UTF-8, or no file at all. Then there is simply no line to show.

mod line_hash;
mod span;

use nonius_finding::Location;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Longer files are not shown: nobody wrote them, and a report must not take long to print.
const MAX_SOURCE_BYTES: u64 = 32 << 20;

/// Reads and keeps source files.
#[derive(Debug, Default)]
pub struct Sources {
    base: Option<PathBuf>,
    /// Paths below it are shown relative to it too.
    folder: Option<PathBuf>,
    /// Files are left alone.
    hidden: bool,
    /// Columns of the terminal, where lines are shown in one.
    columns: Option<usize>,
    files: HashMap<String, Option<SourceFile>>,
}

#[derive(Debug)]
struct SourceFile {
    bytes: Vec<u8>,
    /// Where each line starts.
    starts: Vec<usize>,
    /// Of each line, once they are asked for.
    hashes: Option<Vec<String>>,
}

/// A line of source and the bytes of it that a location means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkedLine {
    pub number: u32,
    pub text: String,
    pub span: Range<usize>,
}

/// Letters of a line that stands in a sentence; generated code has lines of thousands.
const BRIEF: usize = 100;

impl MarkedLine {
    /// The line without the blanks around it; of a long one what is around the operation.
    pub fn brief(&self) -> String {
        let text = self.text.trim();
        let letters = text.chars().count();
        if letters <= BRIEF {
            return text.to_owned();
        }
        let indent = self.text.len() - self.text.trim_start().len();
        let before = self.text.get(indent..self.span.start).map_or(0, |before| before.chars().count());
        let start = before.saturating_sub(BRIEF / 3).min(letters - BRIEF);
        let part: String = text.chars().skip(start).take(BRIEF).collect();
        let (dots_before, dots_after) = (start > 0, start + BRIEF < letters);
        format!("{}{}{}", if dots_before { "..." } else { "" }, part.trim(), if dots_after { "..." } else { "" })
    }
}

impl Sources {
    /// Relative paths are looked up in `base`, and paths below it are shown relative to it:
    /// give the directory the user is in.
    pub fn new(base: Option<PathBuf>) -> Self {
        Self { base, ..Self::default() }
    }

    /// Paths are shortened as above, and no file is read: whoever reads the report may not be allowed to read them.
    pub fn hidden(base: Option<PathBuf>) -> Self {
        Self { hidden: true, ..Self::new(base) }
    }

    /// Paths below this folder are shown without it, where they do not lie in the user's own.
    pub(crate) fn shorten_below(&mut self, folder: Option<PathBuf>) {
        self.folder = folder;
    }

    /// The folder that is left out of what is shown.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Lines will be shown in so many columns.
    pub fn fit(&mut self, columns: usize) {
        self.columns = Some(columns);
    }

    /// Whether a line is too long to be shown whole, beside its number.
    pub(crate) fn is_cut(&self, line: &str) -> bool {
        const NUMBER: usize = 8;
        self.columns.is_some_and(|columns| line.chars().count() + NUMBER > columns)
    }

    /// The path as the user would type it.
    pub fn short_path<'a>(&self, file: &'a str) -> &'a str {
        let below = |base: &PathBuf| Path::new(file).strip_prefix(base).ok().and_then(Path::to_str);
        let short = [&self.base, &self.folder].into_iter().flatten().find_map(below);
        short.filter(|short| !short.is_empty()).unwrap_or(file)
    }

    /// The line of `location`, with the span of the operation.
    pub fn marked_line(&mut self, location: &Location, operation: &str) -> Option<MarkedLine> {
        let file = self.file(&location.file)?;
        let bytes = file.line(location.line)?;
        let text = String::from_utf8_lossy(bytes).into_owned();
        // Compilers count columns in bytes of the file, which a replaced character shifts.
        let before = bytes.get(..location.column.saturating_sub(1) as usize).map(|b| String::from_utf8_lossy(b).len());
        let span = match before {
            Some(at) if location.column > 0 => span::at(&text, text.floor_char_boundary(at), operation),
            _ => span::whole(&text),
        };
        // Of what would not fit the beginning is marked, and the line is cut around that.
        let most = self.columns.filter(|_| self.is_cut(&text)).map_or(usize::MAX, |columns| columns / 2);
        let end = text.floor_char_boundary(span.end.min(span.start.saturating_add(most)));
        let span = span.start..end.max(span.start);
        Some(MarkedLine { number: location.line, text, span })
    }

    /// Lines by number, as far as the file has them.
    pub fn lines(&mut self, file: &str, numbers: Range<u32>) -> Vec<String> {
        let Some(file) = self.file(file) else { return Vec::new() };
        numbers.map_while(|n| file.line(n)).map(|b| String::from_utf8_lossy(b).into_owned()).collect()
    }

    /// What GitHub knows a line again by, if its file can be read.
    pub fn line_hash(&mut self, location: &Location) -> Option<&str> {
        self.file(&location.file)?;
        let file = self.files.get_mut(&location.file)?.as_mut()?;
        let bytes = &file.bytes;
        let hashes = file.hashes.get_or_insert_with(|| line_hash::of_lines(&String::from_utf8_lossy(bytes)));
        hashes.get((location.line as usize).checked_sub(1)?).map(String::as_str)
    }

    /// The directory that paths are relative to.
    pub fn base(&self) -> Option<&Path> {
        self.base.as_deref()
    }

    fn file(&mut self, name: &str) -> Option<&SourceFile> {
        if name.is_empty() || self.hidden {
            return None;
        }
        if !self.files.contains_key(name) {
            let path = self.base.as_ref().map_or_else(|| PathBuf::from(name), |base| base.join(name));
            self.files.insert(name.to_owned(), SourceFile::read(&path));
        }
        self.files.get(name)?.as_ref()
    }
}

impl SourceFile {
    fn read(path: &Path) -> Option<Self> {
        let mut bytes = Vec::new();
        // A pipe or a device named in a foreign report must not stall us.
        if !path.metadata().ok()?.is_file() {
            return None;
        }
        let length = File::open(path).ok()?.take(MAX_SOURCE_BYTES + 1).read_to_end(&mut bytes).ok()?;
        (length as u64 <= MAX_SOURCE_BYTES).then(|| Self::new(bytes))
    }

    fn new(bytes: Vec<u8>) -> Self {
        let after_newlines = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(after_newlines).collect();
        Self { bytes, starts, hashes: None }
    }

    /// Line by number from 1, without its end.
    fn line(&self, number: u32) -> Option<&[u8]> {
        let index = (number as usize).checked_sub(1)?;
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index + 1).map_or(self.bytes.len(), |next| next - 1);
        // The file's last newline ends a line and starts none.
        if start == self.bytes.len() && index > 0 {
            return None;
        }
        let line = &self.bytes[start..end];
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources_with(name: &str, bytes: &[u8]) -> (tempfile::TempDir, Sources) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(name), bytes).unwrap();
        let sources = Sources::new(Some(dir.path().to_owned()));
        (dir, sources)
    }

    #[test]
    fn a_long_line_is_cut_around_the_operation() {
        let text = format!("  {}a - b{};", "1 + ".repeat(500), " + 1".repeat(500));
        let at = text.find("a - b").unwrap();
        let brief = MarkedLine { number: 1, text, span: at..at + 5 }.brief();
        assert!(brief.chars().count() <= BRIEF + 6 && brief.contains("a - b"), "{brief}");
        let short = MarkedLine { number: 1, text: "  x = 1; ".into(), span: 2..3 };
        assert_eq!(short.brief(), "x = 1;");
    }

    fn marked(sources: &mut Sources, line: u32, column: u32) -> Option<String> {
        let found = sources.marked_line(&Location::new("a.c", line, column, "f"), "subtraction")?;
        Some(found.text[found.span].to_owned())
    }

    #[test]
    fn lines_are_found_whatever_ends_them() {
        let (_dir, mut sources) = sources_with("a.c", b"a - b;\r\n\nx = \tc - d;\nlast - one");
        assert_eq!(marked(&mut sources, 1, 3).unwrap(), "-");
        assert_eq!(marked(&mut sources, 2, 1).unwrap(), "");
        assert_eq!(marked(&mut sources, 3, 8).unwrap(), "-");
        assert_eq!(marked(&mut sources, 4, 6).unwrap(), "-");
        for line in [0, 5, u32::MAX] {
            assert_eq!(marked(&mut sources, line, 1), None, "line {line}");
        }
        assert_eq!(sources.lines("a.c", 3..9), ["x = \tc - d;", "last - one"]);
    }

    #[test]
    fn columns_count_bytes_of_the_file() {
        let (_dir, mut sources) = sources_with("a.c", b"\xff\xfe \xc3\xa9 - b;\n");
        assert_eq!(marked(&mut sources, 1, 7).unwrap(), "-");
        // Past the end, or none: the whole line.
        assert_eq!(marked(&mut sources, 1, 4000).unwrap(), "\u{fffd}\u{fffd} \u{e9} - b;");
        assert_eq!(marked(&mut sources, 1, 0).unwrap(), "\u{fffd}\u{fffd} \u{e9} - b;");
    }

    #[test]
    fn what_is_no_file_has_no_lines() {
        let (dir, mut sources) = sources_with("a.c", b"");
        for name in ["", "b.c", "/dev/zero", ".", dir.path().to_str().unwrap()] {
            assert_eq!(sources.marked_line(&Location::new(name, 1, 1, "f"), "sqrt"), None, "{name}");
        }
        assert_eq!(marked(&mut sources, 1, 1).unwrap(), "");
    }

    #[test]
    fn hidden_sources_have_no_lines() {
        let (dir, _) = sources_with("a.c", b"a - b;\n");
        let mut sources = Sources::hidden(Some(dir.path().to_owned()));
        assert_eq!(sources.marked_line(&Location::new("a.c", 1, 3, "f"), "subtraction"), None);
        assert!(sources.lines("a.c", 1..2).is_empty());
    }

    #[test]
    fn paths_below_the_base_are_shortened() {
        let sources = Sources::new(Some("/home/me".into()));
        assert_eq!(sources.short_path("/home/me/a/b.c"), "a/b.c");
        assert_eq!(sources.short_path("/home/men/b.c"), "/home/men/b.c");
        assert_eq!(sources.short_path("/home/me"), "/home/me");
    }
}
