//! What a compiler command line asks for, as far as Nonius must know it to take part.
//!
//! Reading is lenient: what is wrong, unknown or contradictory is clang's to judge, and it will
//! be given every word.

use crate::input::{self, Kind};
use crate::item::{self, Item};
use crate::lto::Lto;
use crate::response_file::Word;
use std::collections::BTreeSet;

/// How far clang goes with the inputs. Of several options that say so, the earliest stage wins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    Preprocess,
    /// Reads the source but makes no code of it: `-fsyntax-only`, `--analyze`, precompiled modules.
    Check,
    /// Makes IR, assembly or objects.
    Compile,
    #[default]
    Link,
}

/// What a link makes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Image {
    /// What clang makes unless told otherwise; Debian's makes position-independent executables.
    #[default]
    Default,
    Pie,
    /// An executable at a fixed address, with the option that asked for it.
    NoPie(String),
    Shared,
    Relocatable,
}

/// An option that was last to decide whether code is position-independent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pic {
    Yes,
    /// With the option, for the message.
    No(String),
}

/// A command line, read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Invocation {
    pub stage: Stage,
    pub inputs: Vec<Kind>,
    pub image: Image,
    pub pic: Option<Pic>,
    /// The option that asks for static linking.
    pub static_link: Option<String>,
    /// `-m32`, `-mx32` or `-m16`, unless `-m64` follows.
    pub narrow: Option<String>,
    pub target: Option<String>,
    /// Any option that sets a level of debug information, `-g0` included.
    pub debug_level: bool,
    pub sanitizers: BTreeSet<String>,
    /// Clang only answers a question, as for `--version`.
    pub query: bool,
    pub double_dash: bool,
    pub lto: Lto,
    /// `-emit-llvm`: what comes out is IR, for another compile.
    pub emits_ir: bool,
    /// The option that compiles one module of a ThinLTO link whose index was made before.
    pub thin_backend: Option<String>,
    /// The option that puts IR beside machine code, for another compile.
    pub embeds_ir: Option<String>,
    output: bool,
    /// `-l`, or words for the linker that may name files.
    linker_inputs: bool,
}

impl Invocation {
    #[cfg(test)]
    pub(crate) fn read(args: &[std::ffi::OsString]) -> Self {
        Self::of_words(&crate::response_file::expand(args))
    }

    pub(crate) fn of_words(words: &[Word]) -> Self {
        Self::with_kinds(words, input::by_name)
    }

    /// The same for flang.
    pub(crate) fn of_fortran(words: &[Word]) -> Self {
        Self::with_kinds(words, input::by_name_for_flang)
    }

    fn with_kinds(words: &[Word], by_name: fn(&str) -> Kind) -> Self {
        let mut invocation = Self::default();
        // Clang's own front ends start like this. They are not drivers, and take other options.
        if words.first().is_some_and(|w| w.text.starts_with("-cc1") || w.text == "-fc1") {
            invocation.query = true;
            return invocation;
        }
        let mut language = None;
        for item in item::group(words) {
            match item {
                Item::DoubleDash => invocation.double_dash = true,
                Item::Input("-") => invocation.inputs.push(language.unwrap_or(Kind::Source)),
                Item::Input(name) => invocation.inputs.push(language.unwrap_or_else(|| by_name(name))),
                Item::Option { name, value } => {
                    if let Some(chosen) = language_option(name, value) {
                        language = input::by_language(chosen);
                    }
                    invocation.read_stage(name);
                    invocation.lto.read(name);
                    invocation.read_code(name, value);
                    invocation.read_link(name, value);
                }
            }
        }
        invocation
    }

    /// Whether clang reads sources, so that macros and include folders matter.
    pub fn preprocesses(&self) -> bool {
        !self.query && self.inputs.iter().any(|k| matches!(k, Kind::Source | Kind::Header | Kind::Assembly))
    }

    /// Whether sources become code or something that other code is compiled against, so that the
    /// options of code must fit.
    pub fn reads_code(&self) -> bool {
        !self.query && self.inputs.iter().any(|k| matches!(k, Kind::Source | Kind::Header))
    }

    /// Whether something goes through LLVM's optimizer.
    pub fn optimizes(&self) -> bool {
        !self.query && self.stage >= Stage::Compile && self.inputs.iter().any(|k| matches!(k, Kind::Source | Kind::Ir))
    }

    /// Whether a program or shared library comes out.
    pub fn links(&self) -> bool {
        self.starts_linker() && self.image != Image::Relocatable
    }

    /// Whether the linker runs, for a relocatable object too.
    pub fn starts_linker(&self) -> bool {
        let something = match self.inputs.as_slice() {
            [] => self.output && self.linker_inputs,
            inputs => inputs.iter().any(|k| *k != Kind::Header),
        };
        !self.query && self.stage == Stage::Link && something
    }

    fn read_stage(&mut self, name: &str) {
        let stage = match name {
            "-E" | "-M" | "-MM" | "--preprocess" | "--dependencies" | "--user-dependencies" => Stage::Preprocess,
            "-fsyntax-only" | "-emit-ast" | "--analyze" | "--precompile" | "-fmodule-header" | "-verify-pch"
            | "-module-file-info" | "-extract-api" | "-rewrite-objc" => Stage::Check,
            "-S" | "-c" | "--assemble" | "--compile" => Stage::Compile,
            "--version" | "--help" | "-help" | "--help-hidden" | "-help-hidden" | "-dumpmachine" | "-dumpversion" => {
                self.query = true;
                return;
            }
            _ => {
                let asks = ["-print-", "--print-", "--autocomplete="].iter().any(|q| name.starts_with(q));
                self.query |= asks;
                return;
            }
        };
        self.stage = self.stage.min(stage);
    }

    fn read_code(&mut self, name: &str, value: Option<&str>) {
        match name {
            "-fpic" | "-fPIC" | "-fpie" | "-fPIE" => self.pic = Some(Pic::Yes),
            "-fno-pic" | "-fno-PIC" | "-fno-pie" | "-fno-PIE" => self.pic = Some(Pic::No(name.to_owned())),
            "-m32" | "-mx32" | "-m16" => self.narrow = Some(name.to_owned()),
            "-m64" => self.narrow = None,
            "-target" => self.target = value.map(str::to_owned),
            "-emit-llvm" => self.emits_ir = true,
            "-fembed-bitcode" | "-fembed-bitcode=all" | "-fembed-bitcode=bitcode" => {
                self.embeds_ir = Some(name.to_owned());
            }
            "-fembed-bitcode=off" | "-fembed-bitcode=marker" => self.embeds_ir = None,
            "-arch" => self.target = value.map(|arch| format!("{arch}-apple-darwin")),
            _ if sets_debug_level(name) => self.debug_level = true,
            _ => {
                if name.starts_with("-fthinlto-index=") {
                    self.thin_backend = Some(name.to_owned());
                } else if let Some(triple) = name.strip_prefix("--target=") {
                    self.target = Some(triple.to_owned());
                } else if let Some(list) = name.strip_prefix("-fsanitize=") {
                    self.sanitizers.extend(list.split(',').map(str::to_owned));
                } else if let Some(list) = name.strip_prefix("-fno-sanitize=") {
                    let off: Vec<&str> = list.split(',').collect();
                    self.sanitizers.retain(|s| !off.contains(&s.as_str()) && !off.contains(&"all"));
                }
            }
        }
    }

    fn read_link(&mut self, name: &str, value: Option<&str>) {
        match name {
            "-static" | "--static" | "-static-pie" => self.static_link = Some(name.to_owned()),
            "-o" | "--output" => self.output = true,
            "-l" => self.linker_inputs = true,
            "-Xlinker" | "--for-linker" | "-Zlinker-input" => self.read_linker_word(name, value.unwrap_or_default()),
            "-shared" | "--shared" | "-r" | "-pie" | "-no-pie" | "-nopie" => self.read_image(name, name),
            _ => {
                if let Some(list) = name.strip_prefix("-Wl,") {
                    list.split(',').for_each(|word| self.read_linker_word(name, word));
                } else if let Some(word) = name.strip_prefix("--for-linker=") {
                    self.read_linker_word(name, word);
                }
                self.output |= name.starts_with("-o") || name.starts_with("--output=");
                self.linker_inputs |= name.starts_with("-l");
            }
        }
    }

    /// A word that clang hands to the linker; `option` is what the user wrote.
    fn read_linker_word(&mut self, option: &str, word: &str) {
        self.linker_inputs = true;
        self.lto.read_linker_word(word);
        self.read_image(option, word);
    }

    /// A shared library or a relocatable object stays one, whatever is said of executables.
    fn read_image(&mut self, option: &str, word: &str) {
        let executable = !matches!(self.image, Image::Shared | Image::Relocatable);
        match word {
            "-shared" | "--shared" | "-Bshareable" => self.image = Image::Shared,
            "-r" | "-i" | "--relocatable" => self.image = Image::Relocatable,
            "-pie" | "--pie" | "--pic-executable" if executable => self.image = Image::Pie,
            "-no-pie" | "--no-pie" | "-nopie" if executable => self.image = Image::NoPie(option.to_owned()),
            _ => {}
        }
    }
}

/// The language of `-x c`, `-xc`, `--language c` or `--language=c`.
fn language_option<'a>(name: &'a str, value: Option<&'a str>) -> Option<&'a str> {
    match name {
        "-x" | "--language" => value,
        _ => name.strip_prefix("--language=").or_else(|| name.strip_prefix("-x")),
    }
}

/// Options of the `-g` family that say how much debug information there is, as against those that
/// only say how it is stored (`-gz`, `-gsplit-dwarf`) or shaped (`-gcolumn-info`).
fn sets_debug_level(name: &str) -> bool {
    const LEVELS: &[&str] = &[
        "-g",
        "-gmlt",
        "-gline-tables-only",
        "-gline-directives-only",
        "-gfull",
        "-gused",
        "-gmodules",
        "-gsce",
        "-gdbx",
        "-gcodeview",
        "-gdwarf",
        "-gdwarf32",
        "-gdwarf64",
    ];
    let level =
        |stem: &str| name.strip_prefix(stem).is_some_and(|n| n.is_empty() || matches!(n, "0" | "1" | "2" | "3"));
    let version = |n: &str| n.len() == 1 && n.as_bytes()[0].is_ascii_digit();
    LEVELS.contains(&name)
        || level("-g")
        || level("-ggdb")
        || matches!(name, "-glldb" | "--debug")
        || name.starts_with("--debug=")
        || name.strip_prefix("-gdwarf-").is_some_and(version)
}
