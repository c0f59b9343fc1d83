//! `nonius replay`.

use crate::arguments;
use crate::deliver::deliver;
use crate::exit::{Run, Status};
use crate::flags::{Flags, REPLAY};
use anyhow::{Result, bail};
use nonius_driver::project;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A recorded file and flags, in any order.
pub fn replay(words: &[OsString]) -> Result<Status> {
    if arguments::ask_for_help(words) {
        return arguments::help("replay");
    }
    let mut flags = Flags::inherit()?;
    let mut files: Vec<&OsString> = Vec::new();
    let mut rest = words;
    while let [word, after @ ..] = rest {
        if word == "--" {
            files.extend(after);
            break;
        }
        if word.as_bytes().starts_with(b"-") && !word.as_bytes().starts_with(b"--") {
            bail!("there is no option {}; before a file of that name put '--'", word.display());
        }
        let taken = flags.take(rest, REPLAY)?;
        files.extend((taken == 0).then_some(word));
        rest = &rest[taken.max(1)..];
    }
    let [file] = files[..] else { bail!("one recorded file is needed: nonius replay FILE [--oracle X]") };
    project::use_suppressions(&mut flags.options);
    let mut report =
        flags.show.during(false, |progress| nonius_driver::replay(Path::new(file), &flags.options, progress))?;
    super::baseline::hold_against(&mut report, &flags.options)?;
    deliver(&report, &flags, std::process::id())?;
    let values = flags.options.values()?;
    let findings = nonius_finding::failing(&report, values.selection()) > 0;
    Ok(Run { findings, failed: report.stopped.is_some(), exitcode: values.exitcode, ..Run::default() }.status())
}
