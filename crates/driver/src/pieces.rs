//! Finds the plugin, the runtime and the header that belong to this program.
//!
//! Either all lie where the build leaves them (`target/release/`, the header in the sources), or
//! where the installation puts them (`PREFIX/bin/nonius`, `PREFIX/lib/nonius/`, `PREFIX/include/`).

use crate::environment::{Environment, HOME};
use std::path::{self, Path, PathBuf};
use thiserror::Error;

pub const PLUGIN: &str = "libnonius_pass.so";
pub const RUNTIME: &str = "libnonius_rt.so";
pub const HEADER: &str = "nonius.h";

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("cannot find {name} (looked in {}): {fix}", list(.looked))]
pub struct MissingPiece {
    name: &'static str,
    looked: Vec<PathBuf>,
    fix: String,
}

fn list(folders: &[PathBuf]) -> String {
    folders.iter().map(|f| f.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// Where the pieces are looked for.
#[derive(Debug, Clone)]
pub struct Pieces {
    libraries: Vec<PathBuf>,
    headers: Vec<PathBuf>,
    fix: String,
}

impl Pieces {
    pub fn of(environment: &Environment) -> Self {
        match &environment.home {
            // The program will look for the runtime from wherever it is started.
            Some(home) => Self::at_home(&path::absolute(home).unwrap_or_else(|_| home.into())),
            None => Self::around(&environment.executable),
        }
    }

    fn at_home(home: &Path) -> Self {
        Self {
            libraries: vec![home.to_owned(), home.join("lib/nonius")],
            headers: vec![home.join("include"), home.to_owned()],
            fix: format!("set {HOME} to the folder that holds it, or unset it"),
        }
    }

    fn around(executable: &Path) -> Self {
        let folder = executable.parent().unwrap_or(Path::new("/"));
        let prefix = folder.parent().unwrap_or(Path::new("/"));
        // For target/release, `prefix` is target and the sources are one up.
        let sources = prefix.parent().filter(|root| root.join("x").is_file() && prefix.ends_with("target"));
        let fix = match sources {
            Some(root) => format!("run '{} build'", root.join("x").display()),
            None => format!("run './x install --prefix {}' in the sources of Nonius", prefix.display()),
        };
        let mut headers = vec![prefix.join("include")];
        headers.extend(sources.map(|root| root.join("include")));
        Self { libraries: vec![folder.to_owned(), prefix.join("lib/nonius")], headers, fix }
    }

    pub fn plugin(&self) -> Result<PathBuf, MissingPiece> {
        self.find(PLUGIN, &self.libraries)
    }

    pub fn runtime(&self) -> Result<PathBuf, MissingPiece> {
        self.find(RUNTIME, &self.libraries)
    }

    /// The folder of `nonius.h`.
    pub fn include_folder(&self) -> Result<PathBuf, MissingPiece> {
        let mut header = self.find(HEADER, &self.headers)?;
        header.pop();
        Ok(header)
    }

    fn find(&self, name: &'static str, folders: &[PathBuf]) -> Result<PathBuf, MissingPiece> {
        folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file()).ok_or_else(|| MissingPiece {
            name,
            looked: folders.to_vec(),
            fix: self.fix.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn touch(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }

    #[test]
    fn found_beside_the_program_and_in_the_sources() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let release = root.join("target/release");
        touch(&root.join("x"));
        touch(&release.join(PLUGIN));
        touch(&root.join("include/nonius.h"));
        let pieces = Pieces::around(&release.join("nonius"));
        assert_eq!(pieces.plugin(), Ok(release.join(PLUGIN)));
        assert_eq!(pieces.include_folder(), Ok(root.join("include")));
        let error = pieces.runtime().unwrap_err().to_string();
        assert!(error.ends_with(&format!("run '{} build'", root.join("x").display())), "{error}");
    }

    #[test]
    fn found_where_installed() {
        let prefix = tempfile::tempdir().unwrap();
        let prefix = prefix.path();
        touch(&prefix.join("lib/nonius/libnonius_rt.so"));
        touch(&prefix.join("include/nonius.h"));
        let pieces = Pieces::around(&prefix.join("bin/nonius"));
        assert_eq!(pieces.runtime(), Ok(prefix.join("lib/nonius/libnonius_rt.so")));
        assert_eq!(pieces.include_folder(), Ok(prefix.join("include")));
        let error = pieces.plugin().unwrap_err().to_string();
        assert!(error.contains(&format!("install --prefix {}", prefix.display())), "{error}");
    }

    #[test]
    fn the_variable_decides_alone() {
        let home = tempfile::tempdir().unwrap();
        touch(&home.path().join(PLUGIN));
        let environment = Environment {
            home: Some(home.path().into()),
            executable: "/usr/bin/nonius".into(),
            ..Environment::default()
        };
        let pieces = Pieces::of(&environment);
        assert_eq!(pieces.plugin(), Ok(home.path().join(PLUGIN)));
        assert!(pieces.runtime().unwrap_err().to_string().contains("NONIUS_HOME"));
    }
}
