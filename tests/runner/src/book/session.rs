//! The blocks of one page, done one after the other in a folder of its own.

use super::blocks::{Block, What, blocks, commands};
use super::matching::matches;
use anyhow::{Context, Result};
use std::fs;
use std::ops::Range;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Begins the line that comes before what a command prints; no command prints it by chance.
const MARK: &str = "\u{1}nonius book\u{1}";

/// What a command printed where its page says something else.
#[derive(Debug)]
pub struct Difference {
    pub command: String,
    /// The lines of the page that tell it.
    pub told: Range<usize>,
    pub printed: Vec<String>,
}

/// Does everything that a page shows; returns where it is not as told.
pub fn differences(page: &str, nonius: &Path) -> Result<Vec<Difference>> {
    let lines: Vec<&str> = page.lines().collect();
    let folder = TempDir::with_prefix("book-")?;
    let prefix = installed(nonius)?;
    let mut found = Vec::new();
    for block in blocks(page) {
        match &block.what {
            What::File(name) => write(folder.path(), name, &lines[block.lines.clone()])?,
            What::Console => found.extend(typed(&lines, &block, folder.path(), prefix.path())?),
        }
    }
    Ok(found)
}

/// What an installation has, as links: `$PREFIX` of the pages.
fn installed(nonius: &Path) -> Result<TempDir> {
    let prefix = TempDir::with_prefix("prefix-")?;
    symlink(nonius.parent().context("nonius lies in no folder")?, prefix.path().join("bin"))?;
    let shared = prefix.path().join("share/nonius");
    fs::create_dir_all(&shared)?;
    let project = super::project()?;
    symlink(project.join("include"), prefix.path().join("include"))?;
    for name in ["cmake", "examples"] {
        symlink(project.join(name), shared.join(name))?;
    }
    Ok(prefix)
}

fn write(folder: &Path, name: &str, lines: &[&str]) -> Result<()> {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().context("a file lies in a folder")?)?;
    fs::write(&path, lines.join("\n") + "\n").with_context(|| format!("cannot write {}", path.display()))
}

fn typed(page: &[&str], block: &Block, folder: &Path, prefix: &Path) -> Result<Vec<Difference>> {
    let commands = commands(page, block);
    // The mark's printf must leave $? as it was.
    let line = |text: &str| format!("(s=$?; echo '{MARK}'; exit $s)\n{text}\n");
    let script: String = commands.iter().map(|c| line(&c.text)).collect();
    let printed = shell(&script, folder, prefix)?;
    let parts: Vec<&str> = printed.split(&format!("{MARK}\n")).skip(1).collect();
    let mut found = Vec::new();
    for (at, command) in commands.iter().enumerate() {
        let text = parts.get(at).with_context(|| format!("the shell ended before '{}'", command.text))?;
        let printed: Vec<&str> = text.lines().collect();
        if !matches(&page[command.output.clone()], &printed) {
            let printed = printed.iter().map(|line| line.trim_end().to_owned()).collect();
            found.push(Difference { command: command.text.clone(), told: command.output.clone(), printed });
        }
    }
    Ok(found)
}

/// What bash prints, both streams as they come, as in a terminal.
fn shell(script: &str, folder: &Path, prefix: &Path) -> Result<String> {
    let path = format!("{}/bin:{}", prefix.display(), std::env::var("PATH").unwrap_or_default());
    let mut bash = Command::new("bash");
    bash.args(["-c", &format!("exec 2>&1\n{script}")]).current_dir(folder).stdin(Stdio::null());
    bash.env("PATH", path).env("PREFIX", prefix).env("BROWSER", "true").env("LC_ALL", "C.UTF-8").env("COLUMNS", "120");
    bash.env("XDG_STATE_HOME", folder.join(".state")).env("CCACHE_DIR", folder.join(".ccache"));
    for name in ["NONIUS_OPTIONS", "NONIUS_HOME", "NONIUS_CLANG", "CC", "CXX", "CARGO_TARGET_DIR", "MAKEFLAGS", "CI"] {
        bash.env_remove(name);
    }
    let left = bash.output().context("bash does not start")?;
    let text = String::from_utf8_lossy(&left.stdout).into_owned();
    let text = text.replace(&prefix.display().to_string(), "PREFIX");
    Ok(text.replace(&format!("{}/", folder.canonicalize()?.display()), ""))
}

/// The page with what was printed in place of what was told.
pub fn blessed(page: &str, differences: &[Difference]) -> String {
    let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
    for difference in differences.iter().rev() {
        lines.splice(difference.told.clone(), difference.printed.clone());
    }
    lines.join("\n") + "\n"
}

/// In words, for a test that fails.
pub fn complaint(page: &Path, text: &str, difference: &Difference) -> String {
    let told: Vec<&str> = text.lines().skip(difference.told.start).take(difference.told.len()).collect();
    format!(
        "{}:{}: '{}' is said to print\n{}\nand prints\n{}\n",
        page.display(),
        difference.told.start,
        difference.command,
        told.join("\n"),
        difference.printed.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "```txt file=a/b.txt\nhello\n```\n\n```console\n$ cat a/b.txt\nhello\n$ false\n$ echo $?; pwd | wc -l\n0\n1\n```\n";

    #[test]
    fn a_page_is_typed_and_put_right() {
        let found = differences(PAGE, Path::new("/usr/bin/nonius")).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].printed, ["1", "1"]);
        let right = blessed(PAGE, &found);
        assert!(differences(&right, Path::new("/usr/bin/nonius")).unwrap().is_empty(), "{right}");
    }
}
