//! Reading suppression files. Whatever the bytes, the outcome is entries or an error that names
//! the line and what to write there.

use super::{MAX_FILE_BYTES, Resume, Suppression, Target};
use crate::glob::Glob;
use crate::vocabulary::UnknownWord;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Why a suppression file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SuppressionError {
    #[error("cannot read suppression file {file}: {source}; check the path given as 'suppressions='")]
    Read { file: String, source: io::Error },
    #[error("suppression file {file} is larger than {MAX_FILE_BYTES} bytes; is it the right file?")]
    TooLarge { file: String },
    #[error("{file}:{line}: not UTF-8; save the file as UTF-8")]
    NotUtf8 { file: String, line: u32 },
    #[error("{file}:{line}: {fault}")]
    Line { file: String, line: u32, fault: Fault },
}

/// What is wrong with one line.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("'{entry}' has no reason; write '{entry} # why this is acceptable'")]
    NoReason { entry: String },
    #[error("'{entry}' does not start with a kind; write 'precision-loss:{entry}', or '*:{entry}' for all kinds")]
    NoKind { entry: String },
    #[error("{0}, or * for all")]
    Kind(UnknownWord),
    #[error("'{rest}' says not what to match; write 'function={rest}', 'file={rest}' or 'id={rest}'")]
    NoTarget { rest: String },
    #[error(
        "'{word}' cannot be matched; use 'id=', 'at=', 'function=', 'file=' or 'module=' of the operation, or 'frame=' of \
         its callers"
    )]
    Target { word: String },
    #[error("'at={pattern}' has no line; write 'at=file:line', or 'file={pattern}'")]
    NoLine { pattern: String },
    #[error("nothing follows '{target}='; write a name, or * for all")]
    NoPattern { target: String },
    #[error("'resume={word}' is unknown; write 'resume=shadow' or 'resume=value'")]
    Resume { word: String },
}

pub(super) fn read(path: &Path) -> Result<Vec<Suppression>, SuppressionError> {
    let file = path.display().to_string();
    let mut bytes = Vec::new();
    // One byte past the limit tells a file that is too long from one that just fits, and a
    // device that never ends is left in time.
    let outcome = File::open(path).and_then(|f| f.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes));
    match outcome {
        Err(source) => return Err(SuppressionError::Read { file, source }),
        Ok(length) if length as u64 > MAX_FILE_BYTES => return Err(SuppressionError::TooLarge { file }),
        Ok(_) => {}
    }
    match std::str::from_utf8(&bytes) {
        Ok(text) => parse(text, &file),
        Err(e) => {
            let newlines = bytes[..e.valid_up_to()].iter().filter(|b| **b == b'\n').count();
            Err(SuppressionError::NotUtf8 { file, line: line_number(newlines) })
        }
    }
}

pub(super) fn parse(text: &str, file: &str) -> Result<Vec<Suppression>, SuppressionError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut entries = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let content = line.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let number = line_number(index);
        let entry = parse_line(content, file, number).map_err(|fault| SuppressionError::Line {
            file: file.to_owned(),
            line: number,
            fault,
        })?;
        entries.push(entry);
    }
    Ok(entries)
}

fn line_number(lines_before: usize) -> u32 {
    u32::try_from(lines_before).unwrap_or(u32::MAX).saturating_add(1)
}

fn parse_line(content: &str, file: &str, line: u32) -> Result<Suppression, Fault> {
    let (entry, reason) = split_reason(content);
    let (kind, rest) = entry.split_once(':').ok_or_else(|| Fault::NoKind { entry: entry.to_owned() })?;
    let kind = match kind.trim() {
        "*" => None,
        word => Some(word.parse().map_err(Fault::Kind)?),
    };
    let rest = rest.trim();
    let (target, rest) = rest.split_once('=').ok_or_else(|| Fault::NoTarget { rest: rest.to_owned() })?;
    let target = target.trim();
    let (pattern, resume) = split_resume(rest)?;
    if pattern.is_empty() {
        return Err(Fault::NoPattern { target: target.to_owned() });
    }
    let (held_against, pattern) = parse_target(target, pattern)?;
    let suppression = Suppression {
        kind,
        target: held_against,
        pattern: Glob::new(pattern),
        resume,
        entry: entry.to_owned(),
        reason: reason.unwrap_or_default().to_owned(),
        file: file.to_owned(),
        line,
    };
    // Last, so that a broken entry is told what is wrong with it first.
    if suppression.reason.is_empty() {
        return Err(Fault::NoReason { entry: entry.to_owned() });
    }
    Ok(suppression)
}

/// Splits at the first `#` that follows white space: names such as `main::{closure#0}` hold others.
fn split_reason(content: &str) -> (&str, Option<&str>) {
    let hash = content
        .char_indices()
        .zip(content.chars().skip(1))
        .find_map(|((at, before), c)| (c == '#' && before.is_whitespace()).then(|| at + before.len_utf8()));
    match hash {
        Some(at) => (content[..at].trim_end(), Some(content[at + 1..].trim())),
        None => (content, None),
    }
}

/// Takes `resume=...` off the end of the pattern, which may hold spaces itself.
fn split_resume(rest: &str) -> Result<(&str, Option<Resume>), Fault> {
    let rest = rest.trim();
    let start = rest.char_indices().rfind(|(_, c)| c.is_whitespace()).map_or(0, |(at, c)| at + c.len_utf8());
    let Some(word) = rest[start..].strip_prefix("resume=") else { return Ok((rest, None)) };
    let resume = match word {
        "shadow" => Resume::Shadow,
        "value" => Resume::Value,
        _ => return Err(Fault::Resume { word: word.to_owned() }),
    };
    Ok((rest[..start].trim_end(), Some(resume)))
}

/// What a pattern is held against, and the pattern without the line that belongs to that.
fn parse_target<'a>(word: &str, pattern: &'a str) -> Result<(Target, &'a str), Fault> {
    let target = match word {
        "id" => Target::Id,
        "at" => {
            let (file, line) = pattern.rsplit_once(':').unwrap_or(("", ""));
            let line = line.parse().ok().filter(|_| !file.is_empty());
            let line = line.ok_or_else(|| Fault::NoLine { pattern: pattern.to_owned() })?;
            return Ok((Target::At(line), file));
        }
        "function" => Target::Function,
        "file" => Target::File,
        "module" => Target::Module,
        "frame" => Target::Frame,
        _ => return Err(Fault::Target { word: word.to_owned() }),
    };
    Ok((target, pattern))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::Kind;
    use proptest::prelude::*;

    fn one(line: &str) -> Suppression {
        parse(line, "s").unwrap().remove(0)
    }

    fn message(text: &str) -> String {
        parse(text, "my.supp").unwrap_err().to_string()
    }

    #[test]
    fn entries_are_read() {
        let entry = one("precision-loss:function=la::dot* resume=value  # inputs are exact");
        assert_eq!(entry.kind, Some(Kind::PrecisionLoss));
        assert_eq!(entry.target, Target::Function);
        assert_eq!(entry.pattern, Glob::new("la::dot*"));
        assert_eq!(entry.resume, Some(Resume::Value));
        assert_eq!(entry.reason, "inputs are exact");
        assert_eq!(entry.entry, "precision-loss:function=la::dot* resume=value");
    }

    #[test]
    fn places_have_lines() {
        let entry = one("*:at=src/a b.c:12 resume=shadow # known");
        assert_eq!(
            (entry.target, entry.pattern, entry.resume),
            (Target::At(12), Glob::new("src/a b.c"), Some(Resume::Shadow))
        );
        assert_eq!(one("inf:id=68f40ab8840f-2 # known").target, Target::Id);
    }

    #[test]
    fn patterns_may_hold_spaces_hashes_colons_and_equals() {
        let entry = one("*:function=f(int, double)::{closure#0}::operator=  # generated code # really");
        assert_eq!(entry.pattern, Glob::new("f(int, double)::{closure#0}::operator="));
        assert_eq!(entry.kind, None);
        assert_eq!(entry.reason, "generated code # really");
    }

    #[test]
    fn comments_blank_lines_and_windows_files_are_read() {
        let text = "\u{feff}# head\r\n\r\n  # more\r\nnan:module=libm.so* # tested upstream\r\n";
        let entries = parse(text, "s").unwrap();
        assert_eq!(entries.len(), 1);
        assert_eq!((entries[0].line, entries[0].reason.as_str()), (4, "tested upstream"));
    }

    #[test]
    fn every_fault_names_its_line_and_its_remedy() {
        let cases = [
            ("\nnan:function=f", "my.supp:2: 'nan:function=f' has no reason; write 'nan:function=f # why"),
            ("nan:function=f #  ", "my.supp:1: 'nan:function=f' has no reason"),
            ("function=f # r", "my.supp:1: 'function=f' does not start with a kind; write 'precision-loss:function=f'"),
            ("fcmp:function=f # r", "my.supp:1: 'fcmp' is not a finding kind; one of: precision-loss, branch-flip"),
            ("nan:f # r", "my.supp:1: 'f' says not what to match; write 'function=f'"),
            ("nan:line=3 # r", "my.supp:1: 'line' cannot be matched; use 'id=', 'at=', 'function='"),
            ("nan:at=a.c # r", "my.supp:1: 'at=a.c' has no line; write 'at=file:line'"),
            ("nan:at=:3 # r", "my.supp:1: 'at=:3' has no line"),
            ("nan:at=a.c:x # r", "my.supp:1: 'at=a.c:x' has no line"),
            ("nan:file= # r", "my.supp:1: nothing follows 'file='"),
            ("nan:file= resume=value # r", "my.supp:1: nothing follows 'file='"),
            ("nan:file=f resume=no # r", "my.supp:1: 'resume=no' is unknown; write 'resume=shadow'"),
        ];
        for (text, start) in cases {
            let message = message(text);
            assert!(message.starts_with(start), "{text:?} gave\n{message}, not\n{start}");
        }
    }

    #[test]
    fn files_that_cannot_be_read_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.supp");
        assert!(matches!(read(&path), Err(SuppressionError::Read { .. })));
        assert!(matches!(read(dir.path()), Err(SuppressionError::Read { .. })));
        assert!(matches!(read(Path::new("/dev/zero")), Err(SuppressionError::TooLarge { .. })));
        std::fs::write(&path, b"nan:file=f # r\n\xff\n").unwrap();
        assert!(matches!(read(&path), Err(SuppressionError::NotUtf8 { line: 2, .. })));
        std::fs::write(&path, b"nan:file=f # r\n").unwrap();
        assert_eq!(read(&path).unwrap().len(), 1);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in any::<String>()) {
            let _ = parse(&text, "s");
        }

        #[test]
        fn nothing_near_an_entry_makes_it_panic(text in r"(nan|\*|[a-z#=: \t\u{a0}é]{0,3})[:=# ]{0,2}(function|file)?=?[*?é# \u{a0}]{0,5}(resume=)?[a-z# ]{0,8}") {
            let _ = parse(&text, "s");
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), bytes).unwrap();
            let _ = read(file.path());
        }
    }
}
