//! Finds the tests: each source file under `fire/`, `clean/` and `transparent/`, and each folder
//! there that holds a `main` in one of the languages.

use crate::annotation::{self, Annotation};
use crate::directive::Directives;
use crate::language::Language;
use crate::level::{self, Level};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Must report what is annotated.
    Fire,
    /// Must report nothing, or what is folded.
    Clean,
    /// Must behave as without Nonius.
    Transparent,
}

const FOLDERS: &[(&str, Kind)] = &[("fire", Kind::Fire), ("clean", Kind::Clean), ("transparent", Kind::Transparent)];

/// One test of the corpus, to be run at each of its levels.
#[derive(Debug)]
pub struct Case {
    /// Path below `tests/`, without the extension.
    pub name: String,
    pub kind: Kind,
    /// The source with the directives.
    pub main: PathBuf,
    pub directives: Directives,
    pub annotations: Vec<Annotation>,
    pub levels: Vec<Level>,
    /// Text of each source by file name, for messages.
    pub sources: Vec<(String, String)>,
}

/// All tests below `root`, in the order of their names.
pub fn find(root: &Path) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for (folder, kind) in FOLDERS {
        let mut mains = Vec::new();
        collect(&root.join(folder), &mut mains)?;
        mains.sort();
        for main in mains {
            let shown = main.display().to_string();
            cases.push(read_case(root, *kind, main).with_context(|| shown)?);
        }
    }
    Ok(cases)
}

fn collect(folder: &Path, mains: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let paths = entries.map(|e| Ok(e?.path())).collect::<Result<Vec<_>>>()?;
    if let Some(main) = paths.iter().find(|p| p.file_stem().is_some_and(|s| s == "main")) {
        mains.push(main.clone());
        return Ok(());
    }
    for path in paths {
        if path.is_dir() {
            collect(&path, mains)?;
        } else if Language::of(&path).is_some() {
            mains.push(path);
        }
    }
    Ok(())
}

fn read_case(root: &Path, kind: Kind, main: PathBuf) -> Result<Case> {
    let text = fs::read_to_string(&main)?;
    let directives = Directives::parse(&text)?;
    let mut sources = vec![(file_name(&main), text)];
    for part in &directives.parts {
        let path = main.with_file_name(&part.source);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        sources.push((file_name(&path), text));
    }
    let mut annotations = Vec::new();
    for (name, text) in &sources {
        annotations.extend(annotation::parse(name, text)?);
    }
    check_annotations(kind, &annotations)?;
    let c_family = matches!(Language::of(&main), Some(Language::C | Language::Cpp));
    let name = case_name(root, &main);
    let levels = match (directives.levels.as_slice(), kind) {
        ([], Kind::Transparent) if c_family => defaults(&[level::TRANSPARENT_LEVELS, lto_levels(&name)].concat()),
        ([], Kind::Transparent) => defaults(level::FEWER_TRANSPARENT_LEVELS),
        ([], _) if c_family => defaults(level::FINDING_LEVELS),
        ([], _) => defaults(level::FEWER_FINDING_LEVELS),
        (chosen, _) => chosen.to_vec(),
    };
    for name in annotations.iter().flat_map(|a| &a.levels) {
        if levels.iter().all(|l| l.name != name) {
            bail!("an annotation names level `{name}`, at which the test does not run");
        }
    }
    Ok(Case { name, kind, main, directives, annotations, levels, sources })
}

/// What a test may announce: in `clean/` findings of a class that do not reach the output, and so are folded.
fn check_annotations(kind: Kind, annotations: &[Annotation]) -> Result<()> {
    let is_class = |class: &str| class != "none";
    let is_folded = |a: &Annotation| a.class.as_deref().is_some_and(is_class) && a.place.as_deref() != Some("output");
    let has = |wanted: &dyn Fn(&Annotation) -> bool| annotations.iter().filter(|a| !a.optional).any(wanted);
    match kind {
        Kind::Fire if !has(&|_| true) => bail!("a fire test has annotations"),
        Kind::Clean if has(&|a| !is_folded(a)) => bail!("a clean test announces nothing but what is folded"),
        Kind::Transparent if has(&|_| true) => bail!("a transparent test has no annotations"),
        _ => Ok(()),
    }
}

/// By the name, so that a new program leaves the others' levels as they are.
fn lto_levels(name: &str) -> &'static [&'static str] {
    let sum: usize = name.bytes().map(usize::from).sum();
    level::LTO_LEVELS[sum % level::LTO_LEVELS.len()]
}

fn defaults(names: &[&str]) -> Vec<Level> {
    names.iter().filter_map(|n| level::by_name(n)).collect()
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// `fire/cancellation/cosine`; a folder's test has the folder's name.
fn case_name(root: &Path, main: &Path) -> String {
    let path = main.strip_prefix(root).unwrap_or(main).with_extension("");
    let path = if path.ends_with("main") { path.parent().unwrap_or(&path).to_path_buf() } else { path };
    path.display().to_string()
}

impl Case {
    /// A source line without blanks around it, and without its annotations.
    pub fn line(&self, file: &str, line: u32) -> &str {
        let text = self.sources.iter().find(|(name, _)| name == file).map_or("", |(_, text)| text);
        let line = (line as usize).checked_sub(1).and_then(|n| text.lines().nth(n)).unwrap_or("");
        line.split(annotation::mark(file).as_str()).next().unwrap_or("").trim()
    }
}
