//! The book: its commands do what it says, its pages are built, its links lead somewhere.

use nonius_tests::book::blocks::{Reason, others};
use nonius_tests::book::{links, pages, project, session, stage};
use nonius_tests::tools::{nonius_binary, tests_root};
use std::fs;

#[test]
fn commands_print_what_the_book_says() {
    let docs = project().unwrap().join("docs");
    let nonius = nonius_binary(&tests_root().unwrap()).unwrap();
    let mut complaints = Vec::new();
    for page in pages(&docs).unwrap() {
        let text = fs::read_to_string(docs.join(&page)).unwrap();
        let found = session::differences(&text, &nonius).unwrap();
        complaints.extend(found.iter().map(|one| session::complaint(&page, &text, one)));
    }
    assert!(complaints.is_empty(), "{}\nif that is as it should be: ./x docs --bless", complaints.join("\n"));
}

/// What is shown and not typed here says who runs it, or why nobody does.
#[test]
fn every_block_is_run_or_says_why_not() {
    let project = project().unwrap();
    let docs = project.join("docs");
    let mut complaints = Vec::new();
    for page in pages(&docs).unwrap() {
        for other in others(&fs::read_to_string(docs.join(&page)).unwrap()) {
            let place = format!("docs/{}:{}", page.display(), other.line);
            match other.reason {
                Some(Reason::NotRun(_)) => {}
                Some(Reason::RunBy(test)) if project.join(&test).is_file() => {}
                Some(Reason::RunBy(test)) => complaints.push(format!("{place}: there is no {test}")),
                None => complaints.push(format!("{place}: neither 'file=', 'console', nor a reason above it")),
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_book_is_built_and_its_links_lead_somewhere() {
    let project = project().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book");
    stage::stage(&project, &book).unwrap();
    let html = stage::build(&book).unwrap();
    let broken = links::broken(&html).unwrap();
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

#[test]
fn every_document_is_in_the_book() {
    let docs = project().unwrap().join("docs");
    let listed = pages(&docs).unwrap();
    for folder in ["", "decisions", "book"] {
        for entry in fs::read_dir(docs.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let page = path.strip_prefix(&docs).unwrap();
            let is_page = path.extension().is_some_and(|e| e == "md") && !page.ends_with("SUMMARY.md");
            assert!(!is_page || listed.iter().any(|p| p == page), "docs/SUMMARY.md lacks {}", page.display());
        }
    }
}
