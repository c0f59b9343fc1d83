//! `--nonius-acsl`: sources with annotations are compiled with checks in their place; and those with `#pragma nonius`,
//! which needs no flag, with tasks in its place.
//!
//! Clang reads them through an overlay of its file system, under their own names: places, `#include`, `__FILE__` and
//! dependency files stay as they are. The changed texts lie in memory that the compiler inherits, so that nothing is left behind.
//! Headers that sources include by name, from their folder or those of `-I`, `-iquote` and `-include`, are read too.

use crate::compiler::Language;
use crate::input::{self, Kind};
use crate::item::{Item, group};
use crate::pieces::{HEADER, MissingPiece, Pieces};
use crate::response_file::Word;
use nonius_acsl::weave::{Placed, Woven, weave, weave_tasks};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use thiserror::Error;

mod fortran;

/// What becomes of mistakes in annotations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Acsl {
    /// The build goes on, without them.
    Warn,
    /// It ends.
    Error,
}

#[derive(Debug, Error)]
pub enum AcslError {
    #[error("{} in annotations (--nonius-acsl=error)", count(*.0))]
    Mistakes(usize),
    #[error("annotations cannot be prepared: {0}")]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Missing(#[from] MissingPiece),
}

fn count(mistakes: usize) -> String {
    if mistakes == 1 { "1 mistake".to_owned() } else { format!("{mistakes} mistakes") }
}

/// What a compiler command needs for its annotations.
#[derive(Debug, Default)]
pub(crate) struct Prepared {
    pub before: Vec<OsString>,
    /// In place of the standard input, which was read.
    pub stdin: Option<File>,
    pub held: Held,
    /// Sources that are compiled from elsewhere.
    replaced: Vec<(OsString, PathBuf)>,
    /// What to tell the user, in clang's style.
    pub messages: String,
}

/// What a compiler reads, and what must live until it is done.
#[derive(Debug, Default)]
pub struct Held {
    memory: Vec<OwnedFd>,
    folder: Option<TempDir>,
    linked: Vec<TempDir>,
}

impl Held {
    /// Keeps the folder of an object that is linked, or of modules.
    pub fn keep(&mut self, folder: Option<TempDir>) {
        self.linked.extend(folder);
    }

    /// Whether something must be taken away when the compiler is done: then it cannot take the wrapper's place.
    pub fn must_end(&self) -> bool {
        self.folder.is_some() || !self.linked.is_empty()
    }
}

impl Prepared {
    /// A word of the command, or the source that stands for it.
    pub fn replaced(&self, word: OsString) -> OsString {
        let found = self.replaced.iter().find(|(name, _)| *name == word);
        found.map_or(word, |(_, path)| path.clone().into())
    }
}

/// A text that is changed.
struct Changed {
    path: PathBuf,
    text: String,
}

/// Reads all sources of a command; without a mode for pragmas alone, and not what comes by the standard input.
pub(crate) fn prepare(
    words: &[Word],
    language: Language,
    mode: Option<Acsl>,
    pieces: &Pieces,
) -> Result<Prepared, AcslError> {
    let mut prepared = Prepared::default();
    let weaving = match language {
        Language::Fortran if mode.is_none() => return Ok(prepared),
        Language::Fortran => fortran::weave,
        _ if mode.is_none() => weave_tasks,
        _ => weave,
    };
    let mut reader = Reader { mode, weaving, ..Reader::default() };
    for source in sources(words, language) {
        if source == "-" {
            if mode.is_none() {
                continue;
            }
            let mut text = String::new();
            let readable = std::io::stdin().read_to_string(&mut text);
            readable?;
            let woven = reader.woven("<stdin>", &text);
            let mut file = memory("stdin", woven.map_or(text, |w| w.text).as_bytes())?;
            file.rewind()?;
            prepared.stdin = Some(file);
        } else {
            reader.file(Path::new(&source));
        }
    }
    if language != Language::Fortran && mode.is_some() {
        for header in headers(words, &reader.seen) {
            reader.file(&header);
        }
    }
    prepared.messages = reader.told();
    if mode == Some(Acsl::Error) && reader.mistakes > 0 {
        eprint!("{}", prepared.messages);
        return Err(AcslError::Mistakes(reader.mistakes));
    }
    if reader.checks + reader.tasks == 0 {
        return Ok(prepared);
    }
    if language != Language::Fortran {
        for (count, header) in [(reader.checks, ACSL_HEADER), (reader.tasks, HEADER)] {
            if count > 0 {
                prepared.before.extend(["-include".into(), pieces.include_folder()?.join(header).into()]);
            }
        }
    }
    match language {
        Language::Fortran => copies(&reader.changed, &mut prepared)?,
        Language::C | Language::Cpp => overlay(&reader.changed, &mut prepared)?,
    }
    Ok(prepared)
}

/// The sources that a command names, as it names them.
fn sources(words: &[Word], language: Language) -> Vec<String> {
    let mut chosen = None;
    let mut found = Vec::new();
    for item in group(words) {
        match item {
            Item::Option { name, value } => {
                let language = match name {
                    "-x" | "--language" => value,
                    _ => name.strip_prefix("--language=").or_else(|| name.strip_prefix("-x")),
                };
                if let Some(language) = language {
                    chosen = input::by_language(language);
                }
            }
            Item::Input(name) => {
                let by_name = if language == Language::Fortran { input::by_name_for_flang } else { input::by_name };
                let kind = chosen.unwrap_or_else(|| if name == "-" { Kind::Source } else { by_name(name) });
                if matches!(kind, Kind::Source | Kind::Header) {
                    found.push(name.to_owned());
                }
            }
            Item::DoubleDash => {}
        }
    }
    found
}

/// Headers that may be included, as far as names tell.
fn headers(words: &[Word], sources: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    let mut queue: Vec<PathBuf> = sources.iter().cloned().collect();
    for item in group(words) {
        let Item::Option { name, value } = item else { continue };
        let joined = ["-I", "-iquote", "--include-directory="].iter().find_map(|o| name.strip_prefix(o));
        match (name, value) {
            ("-I" | "-iquote" | "--include-directory", Some(folder)) => folders.push(PathBuf::from(folder)),
            ("-include" | "--include" | "-imacros", Some(file)) => queue.push(PathBuf::from(file)),
            _ => folders.extend(joined.filter(|f| !f.is_empty()).map(PathBuf::from)),
        }
    }
    let mut seen: BTreeSet<PathBuf> = queue.iter().cloned().collect();
    let mut found: Vec<PathBuf> = queue.iter().filter(|f| !sources.contains(*f)).cloned().collect();
    while let Some(file) = queue.pop() {
        let Some(text) = readable(&file) else { continue };
        for name in included(&text) {
            let own = file.parent().unwrap_or(Path::new(""));
            let places = std::iter::once(own).chain(folders.iter().map(PathBuf::as_path));
            let Some(path) = places.map(|folder| folder.join(name)).find(|path| path.is_file()) else { continue };
            if seen.insert(path.clone()) {
                found.push(path.clone());
                queue.push(path);
            }
        }
    }
    found
}

/// The names in `#include` directives.
fn included(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
        let close = if rest.starts_with('<') { '>' } else { '"' };
        let rest = rest.strip_prefix(['<', '"'])?;
        rest.split_once(close).map(|(name, _)| name)
    })
}

/// What woven assertions call.
const ACSL_HEADER: &str = "nonius_acsl.h";
/// Larger files have no annotations.
const MOST_BYTES: u64 = 64 << 20;

fn readable(path: &Path) -> Option<String> {
    let status = std::fs::metadata(path).ok()?;
    if !status.is_file() || status.len() > MOST_BYTES {
        return None;
    }
    String::from_utf8(std::fs::read(path).ok()?).ok()
}

struct Reader {
    mode: Option<Acsl>,
    weaving: fn(&str) -> Woven,
    seen: BTreeSet<PathBuf>,
    changed: Vec<Changed>,
    checks: usize,
    tasks: usize,
    mistakes: usize,
    messages: String,
    /// Other ACSL, and where it was seen first.
    unsupported: Vec<(String, String)>,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader {
            mode: None,
            weaving: weave,
            seen: BTreeSet::new(),
            changed: Vec::new(),
            checks: 0,
            tasks: 0,
            mistakes: 0,
            messages: String::new(),
            unsupported: Vec::new(),
        }
    }
}

impl Reader {
    /// A file that cannot be read is the compiler's to complain about.
    fn file(&mut self, path: &Path) {
        if !self.seen.insert(path.to_owned()) {
            return;
        }
        let Some(text) = readable(path) else { return };
        if let Some(woven) = self.woven(&path.display().to_string(), &text).filter(|woven| woven.text != text) {
            self.changed.push(Changed { path: path.to_owned(), text: woven.text });
        }
    }

    fn woven(&mut self, name: &str, text: &str) -> Option<Woven> {
        let is_annotated = self.mode.is_some() && ["/*@", "//@", "!@"].iter().any(|mark| text.contains(mark));
        if !(is_annotated || text.contains("pragma") && text.contains("nonius")) {
            return None;
        }
        let woven = (self.weaving)(text);
        self.checks += woven.checks;
        self.tasks += woven.tasks;
        for problem in &woven.problems {
            match problem.is_unsupported {
                true => {
                    let place = format!("{name}:{}:{}", problem.line, problem.column);
                    if !self.unsupported.iter().any(|(message, _)| *message == problem.message) {
                        self.unsupported.push((problem.message.clone(), place));
                    }
                }
                false => {
                    self.mistakes += usize::from(!problem.in_pragma);
                    self.messages += &diagnostic(name, text, problem, self.mode);
                }
            }
        }
        Some(woven)
    }

    fn told(&mut self) -> String {
        let mut text = std::mem::take(&mut self.messages);
        if let Some((_, first)) = self.unsupported.first() {
            let all: Vec<&str> = self.unsupported.iter().map(|(message, _)| message.as_str()).collect();
            text += &format!("{first}: warning: some ACSL is not checked: {} [--nonius-acsl]\n", all.join("; "));
        }
        text
    }
}

/// As clang writes it.
fn diagnostic(name: &str, source: &str, problem: &Placed, mode: Option<Acsl>) -> String {
    let Placed { message, line, column, in_pragma, .. } = problem;
    let severity = if mode == Some(Acsl::Error) && !in_pragma { "error" } else { "warning" };
    let cause = if *in_pragma { "" } else { " [--nonius-acsl]" };
    let text = source.lines().nth(*line as usize - 1).unwrap_or_default().trim_end_matches('\r');
    let before = text.get(..*column as usize - 1).unwrap_or(text);
    // Tabs stay, so that the mark stands below its word.
    let blanks: String = before.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    format!("{name}:{line}:{column}: {severity}: {message}{cause}\n{line:>5} | {text}\n      | {blanks}^\n")
}

fn memory(name: &str, bytes: &[u8]) -> std::io::Result<File> {
    let mut file = File::from(rustix::fs::memfd_create(name, rustix::fs::MemfdFlags::empty())?);
    file.write_all(bytes)?;
    Ok(file)
}

/// Lets clang find the changed texts under the names of their files.
fn overlay(changed: &[Changed], prepared: &mut Prepared) -> std::io::Result<()> {
    if changed.is_empty() {
        return Ok(());
    }
    let mut roots = Vec::new();
    for Changed { path, text } in changed {
        let file = memory("source", text.as_bytes())?;
        let contents = format!("/proc/self/fd/{}", file.as_raw_fd());
        let path = std::path::absolute(path)?;
        roots.push(format!(
            "{{\"type\": \"file\", \"name\": {}, \"external-contents\": \"{contents}\"}}",
            json(&path.to_string_lossy())
        ));
        prepared.held.memory.push(file.into());
    }
    let text = format!(
        "{{\"version\": 0, \"use-external-names\": false, \"case-sensitive\": true, \"roots\": [{}]}}",
        roots.join(", ")
    );
    let file = memory("overlay", text.as_bytes())?;
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    prepared.before.extend(["-ivfsoverlay".into(), path.into()]);
    prepared.held.memory.push(file.into());
    Ok(())
}

/// Flang knows no overlays: it compiles copies of the same name, which say where they are from.
fn copies(changed: &[Changed], prepared: &mut Prepared) -> std::io::Result<()> {
    let root = crate::private_folder()?;
    for (number, Changed { path, text }) in changed.iter().enumerate() {
        let (Some(name), own) = (path.file_name(), std::path::absolute(path)?) else { continue };
        let folder = root.path().join(number.to_string());
        std::fs::create_dir(&folder)?;
        let copy = folder.join(name);
        let named = format!("\"{}\"", own.to_string_lossy().replace('"', "\"\""));
        let text = text.replace(fortran::FILE, &named);
        std::fs::write(&copy, format!("# 1 {}\n{text}", json(&own.to_string_lossy())))?;
        prepared.replaced.push((path.clone().into(), copy));
        if let Some(folder) = own.parent() {
            prepared.before.extend(["-I".into(), folder.into()]);
        }
    }
    prepared.held.folder = Some(root);
    Ok(())
}

fn json(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out += &format!("\\u{:04x}", c as u32),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_shown_as_clang_does() {
        let mut reader = Reader { mode: Some(Acsl::Warn), ..Reader::default() };
        reader.woven("a b.c", "void f(int x) {\n\t/*@ assert x < ; */\n}\n");
        let expected = "a b.c:2:17: warning: expected a number [--nonius-acsl]\n    2 | \t/*@ assert x < ; */\n      | \t               ^\n";
        assert_eq!(reader.told(), expected);
        reader.woven("a.c", "#pragma nonius task()\n");
        let expected = "a.c:1:1: warning: a task has a name: #pragma nonius task(\"name\")\n    1 | #pragma nonius task()\n      | ^\n";
        assert_eq!(reader.told(), expected);
    }

    #[test]
    fn other_acsl_is_one_warning() {
        let mut reader = Reader { mode: Some(Acsl::Warn), ..Reader::default() };
        reader.woven(
            "a.c",
            "/*@ assigns \\nothing; */\nint f(int *p) {\n /*@ assert \\valid(p); */ return 0; }\n//@ assigns x;\n",
        );
        let told = reader.told();
        assert_eq!(told.lines().count(), 1, "{told}");
        assert!(
            told.starts_with("a.c:1:5: warning: ") && told.contains("'assigns'") && told.contains("\\valid"),
            "{told}"
        );
    }

    #[test]
    fn headers_are_found_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("my include")).unwrap();
        std::fs::write(at("a.c"), "#include \"b.h\"\n # include <c.h>\n#include <stdio.h>\n").unwrap();
        std::fs::write(at("b.h"), "#include \"b.h\"\n").unwrap();
        std::fs::write(at("my include/c.h"), "").unwrap();
        let words: Vec<Word> = ["-I".to_owned(), at("my include").display().to_string()]
            .into_iter()
            .map(|text| Word { text, from_file: false })
            .collect();
        let found = headers(&words, &BTreeSet::from([at("a.c")]));
        assert_eq!(found, [at("b.h"), at("my include/c.h")]);
    }
}
