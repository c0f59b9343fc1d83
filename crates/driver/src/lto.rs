//! Link-time optimization: which linker runs the pass where LTO ends, and what it is told.
//!
//! Bitcode is instrumented by whoever makes machine code of it (see docs/decisions/lto.md). Of the linkers, lld
//! alone loads pass plugins, so links with LTO go through lld, whichever was asked for.

use crate::pieces::{MissingPiece, Pieces};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// The name by which a pipeline of the linker calls the pass.
const PASS: &str = "nonius-in-link";

/// What a command line says about link-time optimization.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lto {
    /// `-flto` of any kind, unless `-fno-lto` follows.
    pub asked: bool,
    /// The value of `-fuse-ld=`.
    linker: Option<String>,
    /// The value of `--ld-path=`, which goes before the other.
    pub linker_path: Option<String>,
    /// The last level for the compiler, and that for the linker, is 0.
    unoptimized: bool,
    linker_unoptimized: Option<bool>,
    cache_folder: Option<String>,
    /// The value of `--lto-newpm-passes=`.
    pipeline: Option<String>,
    /// Optimization across the whole program that has to be finished by the linker's own pipeline.
    pub whole_program: Option<String>,
    /// Output of bitcode by the linker.
    pub emits_bitcode: Option<String>,
}

impl Lto {
    /// Reads an option of the compiler driver.
    pub fn read(&mut self, name: &str) {
        match name {
            "-flto" => self.asked = true,
            "-fno-lto" => self.asked = false,
            "-fwhole-program-vtables" | "-fvirtual-function-elimination" => self.whole_program = Some(name.to_owned()),
            "-fno-whole-program-vtables" => self.whole_program = None,
            _ => {
                if name.starts_with("-flto=") {
                    self.asked = true;
                } else if let Some(linker) = name.strip_prefix("-fuse-ld=") {
                    self.linker = Some(linker.to_owned());
                } else if let Some(path) = name.strip_prefix("--ld-path=") {
                    self.linker_path = Some(path.to_owned());
                } else if let Some(level) = name.strip_prefix("-O") {
                    self.unoptimized = level == "0";
                } else if name.starts_with("-fsanitize=cfi") {
                    self.whole_program = Some(name.to_owned());
                }
            }
        }
    }

    /// Reads a word for the linker.
    pub fn read_linker_word(&mut self, word: &str) {
        let word = format!("--{}", word.trim_start_matches('-'));
        let value = |prefix: &str| word.strip_prefix(prefix).map(str::to_owned);
        if let Some(level) = value("--lto-O").or_else(|| value("--plugin-opt=O")) {
            self.linker_unoptimized = Some(level == "0");
        } else if let Some(folder) = value("--thinlto-cache-dir=") {
            self.cache_folder = Some(folder);
        } else if let Some(pipeline) = value("--lto-newpm-passes=") {
            self.pipeline = Some(pipeline);
        } else if matches!(word.as_str(), "--lto-emit-llvm" | "--plugin-opt=emit-llvm") {
            self.emits_bitcode = Some(word);
        }
    }

    /// Whether the linker's own pipeline is that of level 0.
    pub fn links_unoptimized(&self) -> bool {
        self.linker_unoptimized.unwrap_or(self.unoptimized)
    }

    /// Whether LTO was asked for, and from a linker that does not load the pass.
    pub fn needs_lld(&self) -> bool {
        self.asked && !self.uses_lld()
    }

    fn uses_lld(&self) -> bool {
        let linker = self.linker_path.as_deref().or(self.linker.as_deref()).unwrap_or_default();
        Path::new(linker).file_name().is_some_and(|name| name.to_string_lossy().contains("lld"))
    }

    /// Words for the compiler driver, behind the user's. Without `-flto` too lld takes bitcode that it is given.
    pub fn words(&self, pieces: &Pieces) -> Result<Vec<OsString>, MissingPiece> {
        if !self.asked && !self.uses_lld() {
            return Ok(Vec::new());
        }
        let plugin = pieces.plugin()?;
        let mut words: Vec<OsString> = Vec::new();
        if self.needs_lld() {
            words.push("-fuse-ld=lld".into());
        }
        let mut load = OsString::from("--load-pass-plugin=");
        load.push(&plugin);
        let mut linker_words = vec![load];
        // A pipeline given as text, and ThinLTO's at level 0, have no place where plugins put their passes.
        let unoptimized = self.links_unoptimized().then(|| "thinlto<O0>".to_owned());
        if let Some(pipeline) = self.pipeline.clone().or(unoptimized) {
            linker_words.push(format!("--lto-newpm-passes={pipeline},{PASS}").into());
        }
        // The keys of that cache know nothing of plugins.
        if let Some(folder) = &self.cache_folder {
            linker_words.push(format!("--thinlto-cache-dir={folder}/nonius-{}", stamp(&plugin)).into());
        }
        words.extend(linker_words.into_iter().flat_map(|word| [OsString::from("-Xlinker"), word]));
        Ok(words)
    }
}

/// Changes when the plugin does.
fn stamp(plugin: &Path) -> String {
    let time = |m: &fs::Metadata| Some(m.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos());
    fs::metadata(plugin).map(|m| format!("{:x}-{:x}", m.len(), time(&m).unwrap_or_default())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::environment::Environment;
    use crate::invocation::Invocation;
    use crate::pieces::Pieces;
    use std::ffi::OsString;

    fn words(line: &str) -> String {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("libnonius_pass.so"), "").unwrap();
        let environment = Environment { home: Some(home.path().into()), ..Environment::default() };
        let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let words = Invocation::read(&args).lto.words(&Pieces::of(&environment)).unwrap();
        let words: Vec<_> = words.iter().map(|w| w.to_string_lossy()).filter(|w| w != "-Xlinker").collect();
        words.join(" ").replace(&format!("{}/", home.path().display()), "")
    }

    #[test]
    fn lld_loads_the_pass_in_place_of_the_others() {
        let load = "--load-pass-plugin=libnonius_pass.so";
        let lld = format!("-fuse-ld=lld {load}");
        for (line, expected) in [
            ("a.o", ""),
            ("-fuse-ld=gold a.o", ""),
            ("-flto -fno-lto a.o", ""),
            ("-flto a.o", lld.as_str()),
            ("-O2 -flto=thin -fuse-ld=bfd a.o", &lld),
            ("-flto=full -fuse-ld=gold a.o", &lld),
            ("-flto=thin -fuse-ld=lld a.o", load),
            ("-fuse-ld=lld a.o", load),
            ("-flto --ld-path=/opt/bin/ld.lld-22 a.o", load),
        ] {
            assert_eq!(words(line), expected, "{line}");
        }
    }

    #[test]
    fn pipelines_without_room_for_plugins_name_the_pass() {
        let end = |line: &str| words(line).split_once("--lto-newpm-passes=").map(|(_, rest)| rest.to_owned());
        assert_eq!(end("-O0 -flto a.o").as_deref(), Some("thinlto<O0>,nonius-in-link"));
        assert_eq!(end("-O2 -flto=thin -Wl,--lto-O0 a.o").as_deref(), Some("thinlto<O0>,nonius-in-link"));
        assert_eq!(end("-O0 -flto -Xlinker -plugin-opt=O1 a.o"), None);
        assert_eq!(end("-O0 -O1 -flto a.o"), None);
        let chosen = "-flto -fuse-ld=lld -Wl,--lto-newpm-passes=instcombine a.o";
        assert_eq!(end(chosen).as_deref(), Some("instcombine,nonius-in-link"));
    }

    #[test]
    fn caches_of_other_links_are_left_alone() {
        assert!(words("-flto=thin -Wl,--thinlto-cache-dir=/c a.o").contains("--thinlto-cache-dir=/c/nonius-"));
    }
}
