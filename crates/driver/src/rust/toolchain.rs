//! Which rustc it is, and whether the plugin fits it.

use crate::toolchain::LLVM_VERSION;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use thiserror::Error;

/// A toolchain that is known to carry the right LLVM.
const SUGGESTED: &str = "1.95.0";
pub(super) const TARGET: &str = "x86_64-unknown-linux-gnu";

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RustToolchainError {
    #[error("cannot run {rustc}: {why}. Install Rust as https://rustup.rs says, or set RUSTC to where it is")]
    Missing { rustc: String, why: String },
    #[error(
        "rustc {release} carries LLVM {llvm}, the plugin is built for LLVM {LLVM_VERSION}: use a toolchain that fits \
         ('rustup toolchain install {SUGGESTED}', then 'cargo +{SUGGESTED} nonius ...')"
    )]
    Llvm { release: String, llvm: String },
    #[error("this is rustc for {host}: Nonius works on {TARGET} only")]
    Host { host: String },
}

/// What `rustc -vV` says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RustToolchain {
    pub rustc: OsString,
    pub release: String,
    pub llvm: String,
    pub host: String,
}

impl RustToolchain {
    /// Asks `rustc`, and checks that the plugin can be loaded into it.
    pub fn ask(rustc: &OsStr) -> Result<Self, RustToolchainError> {
        let missing = |why: String| RustToolchainError::Missing { rustc: rustc.to_string_lossy().into_owned(), why };
        let output =
            Command::new(rustc).arg("-vV").stdin(Stdio::null()).output().map_err(|error| missing(error.to_string()))?;
        if !output.status.success() {
            return Err(missing(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
        }
        Self::of_version(rustc, &String::from_utf8_lossy(&output.stdout)).checked()
    }

    fn of_version(rustc: &OsStr, text: &str) -> Self {
        let field = |name: &str| {
            let line = text.lines().find_map(|l| l.strip_prefix(name)?.strip_prefix(": "));
            line.unwrap_or("unknown").trim().to_owned()
        };
        Self { rustc: rustc.to_owned(), release: field("release"), llvm: field("LLVM version"), host: field("host") }
    }

    fn checked(self) -> Result<Self, RustToolchainError> {
        if self.host != TARGET {
            return Err(RustToolchainError::Host { host: self.host });
        }
        let major: Option<u32> = self.llvm.split('.').next().and_then(|n| n.parse().ok());
        if major != Some(LLVM_VERSION) {
            return Err(RustToolchainError::Llvm { release: self.release, llvm: self.llvm });
        }
        Ok(self)
    }

    /// The rustdoc of the same toolchain.
    pub fn rustdoc(&self) -> Option<PathBuf> {
        let output = Command::new(&self.rustc).args(["--print", "sysroot"]).stdin(Stdio::null()).output().ok()?;
        let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()).join("bin/rustdoc");
        path.is_file().then_some(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(release: &str, llvm: &str, host: &str) -> Result<RustToolchain, RustToolchainError> {
        let text = format!(
            "rustc {release} (abc 2026-04-14)\nbinary: rustc\nhost: {host}\nrelease: {release}\nLLVM version: {llvm}\n"
        );
        RustToolchain::of_version(OsStr::new("rustc"), &text).checked()
    }

    #[test]
    fn the_plugin_fits_one_llvm_and_one_host() {
        assert_eq!(version("1.95.0", "22.1.2", TARGET).unwrap().release, "1.95.0");
        let error = version("1.85.0", "19.1.7", TARGET).unwrap_err().to_string();
        assert!(error.contains("rustc 1.85.0 carries LLVM 19.1.7") && error.contains("cargo +1.95.0"), "{error}");
        assert!(version("1.95.0", "22.1.2", "aarch64-apple-darwin").is_err());
        assert!(version("1.95.0", "unknown", TARGET).is_err());
    }

    #[test]
    fn a_rustc_that_is_not_there_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let rustc = folder.path().join("no such rustc");
        let error = RustToolchain::ask(rustc.as_os_str()).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot run {}: ", rustc.display())), "{error}");
    }
}
