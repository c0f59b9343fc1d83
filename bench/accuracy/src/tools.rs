//! The compilers.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Clone, Debug)]
pub struct Tools {
    pub nonius: PathBuf,
    pub clang: PathBuf,
}

impl Tools {
    /// `$NONIUS`, or what `./x build` leaves in `folder`.
    pub fn find(folder: &Path) -> Result<Tools> {
        let nonius = std::env::var_os("NONIUS").map_or_else(|| folder.join("nonius"), PathBuf::from);
        if !nonius.is_file() {
            bail!("there is no {}: run './x build', or set NONIUS", nonius.display());
        }
        Ok(Tools { nonius: nonius.canonicalize()?, clang: PathBuf::from("clang-22") })
    }

    /// What `--version` says of Nonius and of clang.
    pub fn versions(&self) -> Result<(String, String)> {
        Ok((version(&self.nonius)?, version(&self.clang)?))
    }
}

fn version(program: &Path) -> Result<String> {
    let output = Command::new(program).arg("--version").output();
    let output = output.with_context(|| format!("cannot start {}: run './x build'", program.display()))?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().trim().to_owned())
}
