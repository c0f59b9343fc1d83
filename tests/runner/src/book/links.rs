//! Whether the links of a built book lead somewhere.

use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

struct Page {
    anchors: BTreeSet<String>,
    links: Vec<String>,
}

/// Links that lead nowhere, with the pages that they are in. Other sites are not asked.
pub fn broken(folder: &Path) -> Result<Vec<String>> {
    let mut pages: BTreeMap<PathBuf, Page> = BTreeMap::new();
    collect(folder, folder, &mut pages)?;
    let mut found = Vec::new();
    for (path, page) in &pages {
        for link in &page.links {
            if !leads(folder, path, link, &pages) {
                found.push(format!("{}: {link}", path.display()));
            }
        }
    }
    Ok(found)
}

fn collect(root: &Path, folder: &Path, pages: &mut BTreeMap<PathBuf, Page>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            collect(root, &path, pages)?;
        } else if path.extension().is_some_and(|e| e == "html") {
            let text = fs::read_to_string(&path)?;
            let links = values(&text, "href").chain(values(&text, "src")).collect();
            let anchors = values(&text, "id").chain(values(&text, "name")).collect();
            pages.insert(path.strip_prefix(root)?.to_owned(), Page { anchors, links });
        }
    }
    Ok(())
}

/// The values of an attribute.
fn values<'a>(html: &'a str, name: &str) -> impl Iterator<Item = String> + 'a {
    let before = format!(" {name}=\"");
    let mut rest = html;
    std::iter::from_fn(move || {
        rest = rest.split_once(&before)?.1;
        let (value, behind) = rest.split_once('"')?;
        rest = behind;
        Some(value.replace("&amp;", "&"))
    })
}

fn leads(root: &Path, from: &Path, link: &str, pages: &BTreeMap<PathBuf, Page>) -> bool {
    if link.is_empty() || link.contains("://") || link.starts_with("data:") || link.starts_with("mailto:") {
        return true;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match path {
        "" => from.to_owned(),
        _ => normal(&from.parent().unwrap_or(Path::new("")).join(path)),
    };
    match pages.get(&target) {
        Some(page) => anchor.is_empty() || page.anchors.contains(anchor),
        None => root.join(&target).exists(),
    }
}

/// Without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut parts: Vec<Component> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                parts.pop();
            }
            (part, _) => parts.push(part),
        }
    }
    parts.iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_that_lead_nowhere_are_named() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("b")).unwrap();
        let one = r##"<a href="b/two.html#x"> <a href="b/two.html#y"> <a href="#z"> <a href="gone.html"> <a href="https://a.example/">"##;
        fs::write(folder.path().join("one.html"), one).unwrap();
        fs::write(folder.path().join("b/two.html"), r#"<h1 id="x"> <img src="../one.html"> <a href="../../out">"#)
            .unwrap();
        let found = broken(folder.path()).unwrap();
        assert_eq!(found, ["b/two.html: ../../out", "one.html: b/two.html#y", "one.html: #z", "one.html: gone.html"]);
    }
}
