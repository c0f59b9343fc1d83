//! `./x docs`: builds the book; with `--bless`, puts what its commands print into its pages first.

use anyhow::{Result, bail};
use nonius_tests::book::{links, pages, project, session, stage};
use nonius_tests::tools::{nonius_binary, tests_root};
use std::fs;
use std::path::Path;

const USAGE: &str = "usage: ./x docs [--bless [PAGE...]]\n\n\
    Builds the book into target/book/html. With --bless its commands are run, and pages that say something else are\n\
    put right: look at what that changes. PAGE is a part of a page's name.\n";

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let project = project()?;
    match words.first().map(String::as_str) {
        None => {}
        Some("--bless") => bless(&project, &words[1..])?,
        Some("--help" | "-h") => {
            print!("{USAGE}");
            return Ok(());
        }
        Some(other) => bail!("unknown option '{other}'\n{USAGE}"),
    }
    let folder = project.join("target/book");
    stage::stage(&project, &folder)?;
    let html = stage::build(&folder)?;
    let broken = links::broken(&html)?;
    if !broken.is_empty() {
        bail!("links that lead nowhere:\n  {}", broken.join("\n  "));
    }
    println!("{}", html.join("index.html").display());
    Ok(())
}

fn bless(project: &Path, names: &[String]) -> Result<()> {
    let docs = project.join("docs");
    let nonius = nonius_binary(&tests_root()?)?;
    for page in pages(&docs)? {
        let name = page.display().to_string();
        if !names.is_empty() && !names.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let path = docs.join(&page);
        let text = fs::read_to_string(&path)?;
        let found = session::differences(&text, &nonius)?;
        if !found.is_empty() {
            fs::write(&path, session::blessed(&text, &found))?;
            println!("{name}: {} put right", found.len());
        }
    }
    Ok(())
}
