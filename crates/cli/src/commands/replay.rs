//! `nonius replay`.

use super::run::{keep, print_text};
use crate::exit::Status;
use crate::progress::Show;
use anyhow::{Result, bail};
use nonius_driver::{OPTIONS, RuntimeOptions};
use std::env;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A recorded file and flags, in any order.
pub fn replay(words: &[OsString]) -> Result<Status> {
    let mut options = RuntimeOptions::inherit(env::var_os(OPTIONS));
    let mut show = Show::default();
    let mut files = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if word == "--oracle" {
            let Some(name) = rest.next() else { bail!("--oracle needs a name, such as mpfr:256") };
            options.set("oracle", name);
        } else if let Some(text) = word.to_str().and_then(|w| w.strip_prefix("--progress=")) {
            show = Show::read(text)?;
        } else if word.as_bytes().starts_with(b"--") && word != "--" {
            options.read_flag(word)?;
        } else if word != "--" {
            files.push(word);
        }
    }
    let [file] = files[..] else { bail!("one recorded file is needed: nonius replay FILE [--oracle=X]") };
    let report = show.during(false, |progress| nonius_driver::replay(Path::new(file), &options, progress))?;
    let report_path = keep(&report, &options, std::process::id())?;
    if !options.is_on("quiet") {
        print_text(&report, &options, report_path, None)?;
    }
    let fails = nonius_finding::failing(&report, crate::terminal::selection(&options)) > 0;
    Ok(if fails { Status::Findings } else { Status::Clean })
}
