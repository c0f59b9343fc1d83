//! The book's source as mdbook takes it, and the book.
//!
//! Three things differ from `docs/`: what is generated from the code stands where `{{generated NAME}}` does, a block that is
//! a file has the file's name above it, and links to files of the repository that are no pages become their names.

use super::blocks::file_of;
use super::reference;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Component, Path};
use std::process::Command;

/// Writes the book's source to a folder.
pub fn stage(project: &Path, folder: &Path) -> Result<()> {
    let docs = project.join("docs");
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    let source = folder.join("src");
    copy_others(&docs, &source)?;
    fs::copy(docs.join("book/book.toml"), folder.join("book.toml"))?;
    for page in std::iter::once("SUMMARY.md".into()).chain(super::pages(&docs)?) {
        let text =
            fs::read_to_string(docs.join(&page)).with_context(|| format!("docs/{} is missing", page.display()))?;
        let text = reference::expand(&text, project)?;
        let depth = page.components().count() - 1;
        let text: Vec<String> = text.lines().map(|line| named(&within(line, depth))).collect();
        let target = source.join(&page);
        fs::create_dir_all(target.parent().context("a page lies in a folder")?)?;
        fs::write(target, text.join("\n") + "\n")?;
    }
    Ok(())
}

/// Pictures, schema and style.
fn copy_others(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let target = to.join(path.file_name().context("an entry has a name")?);
        if path.is_dir() {
            copy_others(&path, &target)?;
        } else if path.extension().is_some_and(|e| e != "md" && e != "toml") {
            fs::copy(&path, target)?;
        }
    }
    Ok(())
}

/// The name of a block's file, above it.
fn named(line: &str) -> String {
    match line.trim_start().strip_prefix("```").and_then(file_of) {
        Some(name) => {
            let language = line.trim_start().trim_start_matches('`').split_whitespace().next().unwrap_or_default();
            format!("<div class=\"file-name\">{name}</div>\n\n```{language}")
        }
        None => line.to_owned(),
    }
}

/// A line whose links lead out of `docs` only as text.
fn within(line: &str, depth: usize) -> String {
    let mut parts = line.split("](");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let target = part.split_once(')').filter(|(target, _)| !target.contains("://") && leads_out(target, depth));
        text = match (target, text.rfind('[')) {
            (Some((_, rest)), Some(open)) => format!("{}{}{rest}", &text[..open], &text[open + 1..]),
            _ => format!("{text}]({part}"),
        };
    }
    text
}

fn leads_out(target: &str, depth: usize) -> bool {
    let ups = Path::new(target).components().take_while(|c| *c == Component::ParentDir).count();
    ups > depth
}

/// Has mdbook make the pages of a staged book; returns their folder.
pub fn build(folder: &Path) -> Result<std::path::PathBuf> {
    let output = Command::new("mdbook").arg("build").arg(folder).output();
    let output = output.context("mdbook is missing: './x setup --tests' installs it")?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    if !output.status.success() || said.contains("WARN") || said.contains("ERROR") {
        bail!("mdbook complains:\n{said}");
    }
    Ok(folder.join("html"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_out_of_the_book_become_text() {
        assert_eq!(within("see [the kernels](../bench/kernels), [b](b.md).", 0), "see the kernels, [b](b.md).");
        assert_eq!(
            within("see [b](../b.md) and [x](https://x.example/).", 1),
            "see [b](../b.md) and [x](https://x.example/)."
        );
        assert_eq!(named("```c file=a.c"), "<div class=\"file-name\">a.c</div>\n\n```c");
        assert_eq!(named("```console"), "```console");
    }
}
