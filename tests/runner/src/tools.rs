//! Where the programs under test are.

use anyhow::{Context, Result, bail};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::TempDir;

/// The folder `tests/`.
pub fn tests_root() -> Result<PathBuf> {
    Ok(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?)
}

/// `$NONIUS`, or what `./x build` leaves.
pub fn nonius_binary(root: &Path) -> Result<PathBuf> {
    let binary = std::env::var_os("NONIUS").map_or_else(|| root.join("../target/release/nonius"), PathBuf::from);
    match binary.canonicalize() {
        Ok(binary) => Ok(binary),
        Err(error) => bail!("no nonius at {}: {error}; build it ('./x build') or set NONIUS", binary.display()),
    }
}

/// A compiler beside `nonius`, for build tools that take a blank in its path for its end: by way of a link then.
pub fn compiler(nonius: &Path, name: &str) -> PathBuf {
    let own = nonius.with_file_name(name);
    if !own.to_string_lossy().contains(' ') {
        return own;
    }
    static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));
    let link = FOLDER.path().join(name);
    match std::os::unix::fs::symlink(&own, &link) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => panic!("{}: {error}", link.display()),
        _ => link,
    }
}

/// The compiler plugin that belongs to a `nonius` binary.
pub fn pass_plugin(nonius: &Path) -> Result<PathBuf> {
    const NAME: &str = "libnonius_pass.so";
    let folder = nonius.parent().context("nonius lies in no folder")?;
    let places = [folder.join(NAME), folder.join("../lib/nonius").join(NAME)];
    match places.iter().find(|p| p.is_file()) {
        Some(plugin) => Ok(plugin.clone()),
        None => bail!("no {NAME} beside {}: build it ('./x build')", nonius.display()),
    }
}
