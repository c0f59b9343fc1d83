//! What Nonius adds to a command line of clang or flang.
//!
//! Only what will be used is added, so that clang has nothing to warn about: `configure` scripts
//! take any word on stderr for a failure. What remains in doubt, as in a command that both
//! compiles and links, sits between clang's own markers for options that may go unused.

use crate::compiler::Language;
use crate::invocation::{Image, Invocation};
use crate::pieces::{MissingPiece, Pieces};
use std::ffi::OsString;
use std::path::Path;

const MAY_GO_UNUSED: &str = "--start-no-unused-arguments";
const MAY_GO_UNUSED_END: &str = "--end-no-unused-arguments";

/// Words for clang, before and after the user's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Additions {
    pub before: Vec<OsString>,
    pub after: Vec<OsString>,
}

impl Additions {
    pub fn for_invocation(invocation: &Invocation, pieces: &Pieces, language: Language) -> Result<Self, MissingPiece> {
        // Flang knows no such markers, and complains of less.
        let marked = if language == Language::Fortran { |words| words } else { marked };
        let before = marked(compile_words(invocation, pieces, language)?);
        let after = marked(link_words(invocation, pieces)?);
        // Behind `--` everything is a file name.
        if invocation.double_dash {
            return Ok(Self { before: [before, after].concat(), after: Vec::new() });
        }
        Ok(Self { before, after })
    }
}

fn marked(words: Vec<OsString>) -> Vec<OsString> {
    if words.is_empty() {
        return words;
    }
    [vec![MAY_GO_UNUSED.into()], words, vec![MAY_GO_UNUSED_END.into()]].concat()
}

/// They come first, so that whatever the user says on the same matter wins.
fn compile_words(invocation: &Invocation, pieces: &Pieces, language: Language) -> Result<Vec<OsString>, MissingPiece> {
    let mut words: Vec<OsString> = Vec::new();
    if invocation.preprocesses() {
        words.push("-D__NONIUS__=1".into());
    }
    if invocation.preprocesses() && language != Language::Fortran {
        // After the system's folders: installed under /usr, the folder is one of them, and would
        // change the order in which C++ finds the headers of C if it came first.
        if let Ok(folder) = pieces.include_folder() {
            words.extend(["-idirafter".into(), folder.into()]);
        }
    }
    if invocation.reads_code() {
        if invocation.pic.is_none() && invocation.image != Image::Shared {
            words.push("-fPIE".into());
        }
        if !invocation.debug_level {
            words.push("-gline-tables-only".into());
        }
    }
    if invocation.optimizes() {
        words.push(joined("-fpass-plugin=", &pieces.plugin()?));
    }
    Ok(words)
}

fn link_words(invocation: &Invocation, pieces: &Pieces) -> Result<Vec<OsString>, MissingPiece> {
    let mut words = if invocation.starts_linker() { invocation.lto.words(pieces)? } else { Vec::new() };
    if !invocation.links() {
        return Ok(words);
    }
    let runtime = pieces.runtime()?;
    let folder = runtime.parent().unwrap_or(Path::new("/")).to_owned();
    if invocation.image == Image::Default {
        words.push("-pie".into());
    }
    // By -Xlinker, since a plain path would be read as a source after `-x c`, and -Wl splits at
    // commas. The states are set apart from the user's -Wl,-Bstatic or -Wl,--as-needed.
    // Shadows call fma where the processor has none, and a program of its own need not link libm.
    let linker_words: [OsString; 9] = [
        "--push-state".into(),
        "--no-as-needed".into(),
        "-Bdynamic".into(),
        runtime.into(),
        "--as-needed".into(),
        "-lm".into(),
        "--pop-state".into(),
        "-rpath".into(),
        folder.into(),
    ];
    words.extend(linker_words.into_iter().flat_map(|word| [OsString::from("-Xlinker"), word]));
    Ok(words)
}

fn joined(option: &str, path: &Path) -> OsString {
    let mut word = OsString::from(option);
    word.push(path);
    word
}

#[cfg(test)]
mod tests;
