//! What a rustc command line asks for, as far as Nonius must know it to take part.

use crate::rust::rustc::RustError;
use crate::rust::toolchain::TARGET;
use std::ffi::OsString;
use std::fs;

/// A command line of rustc, read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Request {
    pub crate_name: Option<String>,
    pub target: Option<String>,
    pub proc_macro: bool,
    /// Any option that sets a level of debug information.
    pub debug_level: bool,
    pub incremental: bool,
    pub mangling: bool,
    pub panic_aborts: bool,
    /// Only a question is answered, as for `--version`.
    pub query: bool,
    /// The kinds of output that are asked for.
    emit: Vec<String>,
    codegen: Vec<String>,
    unstable: Vec<String>,
}

impl Request {
    pub fn read(args: &[OsString]) -> Self {
        let mut request = Self { query: args.is_empty(), ..Self::default() };
        let words = expand(args);
        let mut rest = words.iter().map(String::as_str);
        while let Some(word) = rest.next() {
            let (name, joined) = split_option(word);
            let mut value = || joined.map(str::to_owned).or_else(|| rest.next().map(str::to_owned)).unwrap_or_default();
            match name {
                "--crate-name" => request.crate_name = Some(value()),
                "--crate-type" => request.proc_macro |= value() == "proc-macro",
                "--target" => request.target = Some(value()),
                "--print" | "--explain" | "-V" | "-vV" | "--version" | "-h" | "--help" => request.query = true,
                "--emit" => request.emit.extend(value().split(',').map(kind_of_output)),
                "-g" => request.debug_level = true,
                "-C" | "--codegen" => request.codegen.push(value()),
                "-Z" => request.unstable.push(value()),
                _ => {}
            }
        }
        request.read_codegen();
        request
    }

    fn read_codegen(&mut self) {
        for option in &self.codegen {
            let key = option.split_once('=').map_or(option.as_str(), |(key, _)| key);
            match key.replace('_', "-").as_str() {
                "debuginfo" => self.debug_level = true,
                "incremental" => self.incremental = true,
                "symbol-mangling-version" => self.mangling = true,
                "panic" => self.panic_aborts = option.ends_with("=abort"),
                _ => {}
            }
        }
    }

    /// Whether IR comes out, for another compile to optimize again.
    pub fn emits_ir(&self) -> bool {
        self.emit.iter().any(|kind| kind.starts_with("llvm-") || kind == "thin-link-bitcode")
    }

    /// What cannot work, told before it turns into a crash of the program.
    pub fn refuse(&self) -> Result<(), RustError> {
        if self.emits_ir() && self.emit.iter().any(|kind| matches!(kind.as_str(), "link" | "obj" | "asm")) {
            return Err(RustError::Bitcode { option: format!("--emit={}", self.emit.join(",")) });
        }
        if let Some(target) = self.target.as_deref().filter(|target| *target != TARGET) {
            return Err(RustError::Target { target: target.to_owned() });
        }
        for option in &self.codegen {
            let is_static = option.starts_with("target-feature=") && option.contains("+crt-static")
                || matches!(option.as_str(), "relocation-model=static" | "relocation-model=dynamic-no-pic");
            if is_static {
                return Err(RustError::Static { option: format!("-C {option}") });
            }
        }
        match self.unstable.iter().find(|option| option.starts_with("sanitizer=")) {
            Some(option) => Err(RustError::Sanitizer { option: format!("-Z {option}") }),
            None => Ok(()),
        }
    }
}

/// `link=path` asks for `link`.
fn kind_of_output(word: &str) -> String {
    word.split('=').next().unwrap_or_default().to_owned()
}

/// `args` with the lines of `@file` in place of their names.
fn expand(args: &[OsString]) -> Vec<String> {
    let mut words = Vec::new();
    for arg in args.iter().map(|a| a.to_string_lossy()) {
        match arg.strip_prefix('@').and_then(|path| fs::read_to_string(path).ok()) {
            Some(text) => words.extend(text.lines().map(str::to_owned)),
            None => words.push(arg.into_owned()),
        }
    }
    words
}

/// `--name=value`, `-Cvalue` and `-Zvalue` carry their value with them.
fn split_option(word: &str) -> (&str, Option<&str>) {
    if word.starts_with("--") {
        return word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
    }
    for name in ["-C", "-Z"] {
        if let Some(value) = word.strip_prefix(name).filter(|v| !v.is_empty()) {
            return (name, Some(value));
        }
    }
    (word, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Request {
        Request::read(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn command_lines_of_cargo_are_read() {
        let line = "--crate-name geo --edition=2018 src/lib.rs --crate-type lib --emit=dep-info,metadata,link \
                    -C opt-level=3 -C strip=debuginfo --out-dir deps --target x86_64-unknown-linux-gnu -L dependency=deps";
        let request = read(line);
        assert_eq!((request.crate_name.as_deref(), request.target.as_deref()), (Some("geo"), Some(TARGET)));
        assert!(!request.debug_level && !request.proc_macro && !request.query);
        assert!(read("--crate-name m --crate-type proc-macro -Cdebuginfo=2").proc_macro);
        assert!(read("-Cdebuginfo=2").debug_level && read("--codegen=incremental=x a.rs").incremental);
        assert!(read("-vV").query && read("- --crate-name ___ --print=file-names").query);
    }

    #[test]
    fn what_cannot_work_is_refused() {
        for line in [
            "a.rs --target wasm32-unknown-unknown",
            "a.rs --target=aarch64-unknown-linux-gnu",
            "a.rs -C target-feature=+crt-static",
            "a.rs -Crelocation-model=static",
            "a.rs -Zsanitizer=address",
            "a.rs --emit=llvm-bc,link",
            "a.rs --emit=obj --emit llvm-ir=a.ll",
        ] {
            assert!(read(line).refuse().is_err(), "{line}");
        }
        for line in [
            "a.rs",
            "a.rs -C panic=abort -C lto=fat",
            "a.rs --emit=llvm-bc",
            "a.rs --emit=obj,metadata",
            "a.rs --target x86_64-unknown-linux-gnu",
        ] {
            assert!(read(line).refuse().is_ok(), "{line}");
        }
    }
}
