//! Reports that the user names: files, and folders of them.

use anyhow::{Context, Result, bail};
use nonius_driver::combine;
use nonius_finding::Report;
use nonius_report::json;
use std::fs;
use std::path::{Path, PathBuf};

/// One report of all; each finding says which program it is of.
pub fn read_all(paths: &[PathBuf]) -> Result<Report> {
    let mut files = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => files.extend(in_folder(path)?),
            false => files.push(path.clone()),
        }
    }
    let reports: Vec<Report> = files.iter().map(|path| json::read(path)).collect::<Result<_, _>>()?;
    combine(reports).context("no report was named")
}

/// What a folder has, sorted: `nonius.json`, `nonius.json.1234`, `1234.json`.
fn in_folder(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.retain(|path| path.is_file() && is_report(path));
    files.sort();
    if files.is_empty() {
        bail!("there is no report in {}: reports end in .json", folder.display());
    }
    Ok(files)
}

fn is_report(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let numbered = name.rsplit_once('.').filter(|(_, number)| number.bytes().all(|b| b.is_ascii_digit()));
    let name = numbered.map_or(&*name, |(name, _)| name);
    name.ends_with(".json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_finding::Program;

    #[test]
    fn folders_are_read_whole() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(read_all(&[folder.path().to_owned()]).unwrap_err().to_string().starts_with("there is no report in "));
        let text = json::write(&Report::new(Program::default(), "residue")).unwrap();
        for name in ["a.json", "a.json.17", "notes.txt"] {
            fs::write(at(name), &text).unwrap();
        }
        let whole = read_all(&[folder.path().to_owned(), at("notes.txt")]).unwrap();
        assert_eq!(whole.notes, ["3 processes reported"]);
        fs::write(at("b.json"), "{}").unwrap();
        assert!(read_all(&[folder.path().to_owned()]).unwrap_err().to_string().contains("b.json"));
    }
}
