//! `nonius run`.

use super::confirm::{self, Second};
use super::{baseline, many};
use crate::deliver::deliver;
use crate::exit::{self, Status};
use crate::flags::{Flags, RUN};
use crate::progress::Show;
use crate::{arguments, coverage};
use anyhow::{Context, Result, anyhow, bail};
use nonius_driver::{Part, Ran, RepeatableInput, combine, project, silent_ranks};
use nonius_finding::{Report, failing};
use nonius_report::json;
use std::ffi::OsString;

/// Flags, then the program, then its arguments.
pub fn run(words: &[OsString]) -> Result<Status> {
    let mut flags = Flags::inherit()?;
    if arguments::ask_for_help(words) {
        return arguments::help("run");
    }
    let rest = flags.take_leading(words, RUN)?;
    let [program, args @ ..] = rest else { bail!("no program to run: nonius run [OPTIONS] PROGRAM [ARGUMENTS]") };
    project::use_suppressions(&mut flags.options);
    let doubt = format!("was {} built with 'nonius cc'?", program.to_string_lossy());
    run_and_report(program, args, &flags, &doubt)
}

/// Runs a program, has its findings confirmed, and delivers the report. `doubt` is what to ask the user if there is none.
pub fn run_and_report(program: &OsString, args: &[OsString], flags: &Flags, doubt: &str) -> Result<Status> {
    let options = &flags.options;
    let asked = options.get("oracle").is_some_and(|oracle| !oracle.is_empty());
    let confirm = flags.confirm.oracle().filter(|_| !asked);
    // Before the program runs for hours.
    baseline::check(options)?;
    let folder = nonius_driver::private_folder().context("cannot make a temporary folder")?;
    let input = match confirm {
        Some(_) => Some(RepeatableInput::new(folder.path()).context("cannot keep standard input for a second run")?),
        None => None,
    };
    let ran = match &input {
        Some(input) => nonius_driver::run_keeping(program, args, options, input)?,
        None if asked => flags.show.during(true, |progress| nonius_driver::run(program, args, options, progress))?,
        None => nonius_driver::run(program, args, options, None)?,
    };
    if let Some(failure) = ran.failure() {
        eprintln!("nonius: {} {failure}", program.to_string_lossy());
    }
    conclude(&ran, flags, || {
        let second = match (confirm, &input) {
            (Some(oracle), Some(input)) => {
                let (asked, limit) = (flags.confirm.is_asked(), confirm::limit(options, &ran)?);
                let (first, only, repeats, is_alone) = (&ran, None, true, false);
                Some(Second { program, args, options, oracle, input, first, repeats, is_alone, only, limit, asked })
            }
            _ => None,
        };
        let Some(mut report) = made_one(ran.parts()?, second.as_ref(), &ran, flags.show) else {
            return Err(no_report(program, &ran, doubt));
        };
        baseline::hold_against(&mut report, options)?;
        deliver(&report, flags, ran.pid)?;
        Ok(Some(report))
    })
}

/// Why findings of MPI ranks are not confirmed.
const OF_RANKS: &str = "not confirmed: shadows cross MPI ranks under the inline engine only, and a second run would lose them \
                        at every message";

/// One report of all programs of a run, confirmed if there is to be a second one.
pub fn made_one(parts: Vec<Part>, second: Option<&Second>, ran: &Ran, show: Show) -> Option<Report> {
    let ended = ran.ended_from_outside();
    let was_wanted = second.is_some();
    let unconfirmed = was_wanted.then_some(ended).flatten();
    let is_of_ranks = parts.iter().any(|part| part.report.program.ranks.is_some_and(|ranks| ranks > 1));
    let second = second.filter(|_| ended.is_none() && !is_of_ranks);
    let silent = silent_ranks(&parts.iter().map(|part| &part.report.program).collect::<Vec<_>>());
    let mut report = match second.filter(|_| many::is_of_several(&parts, ran)) {
        Some(second) => many::confirm(parts, second, show)?,
        None => {
            let mut report = combine(parts.into_iter().map(|part| part.report))?;
            report.program.exit = ran.status.code();
            if let Some(second) = second.filter(|_| confirm::is_wanted(&report)) {
                second.confirm(&mut report, show);
            }
            report
        }
    };
    report.program.exit = ran.status.code();
    if let Some(why) = unconfirmed.filter(|_| confirm::is_wanted(&report)) {
        report.notes.push(format!("not confirmed: {why}, and no second run would end there"));
    }
    report.notes.extend(silent);
    if was_wanted && ended.is_none() && is_of_ranks && confirm::is_wanted(&report) {
        report.notes.push(OF_RANKS.to_owned());
    }
    report.notes.extend(ran.unreadable.iter().map(|why| format!("what a process had found is lost: {why}")));
    Some(report)
}

/// The status of a run, by how the program ended and what becomes of its reports. Errors of the latter are told here: they
/// do not hide that the program failed.
pub fn conclude(ran: &Ran, flags: &Flags, report: impl FnOnce() -> Result<Option<Report>>) -> Result<Status> {
    let values = flags.options.values()?;
    let mut run = exit::Run { program: exit::of_program(ran.status), exitcode: values.exitcode, ..Default::default() };
    match report() {
        Ok(None) => {}
        Ok(Some(report)) => {
            run.findings = failing(&report, values.selection()) > 0;
            let too_little = coverage::too_little(&report, values.min_coverage);
            run.failed = report.stopped.is_some() || too_little.is_some();
            too_little.iter().for_each(exit::tell);
            // Stopped at a finding, it ended as Nonius told it to.
            if values.halt && run.findings && run.program == values.exitcode.unwrap_or(1) {
                run.program = 0;
            }
        }
        Err(error) => {
            run.failed = true;
            exit::tell(&error);
        }
    }
    Ok(run.status())
}

fn no_report(program: &OsString, ran: &Ran, doubt: &str) -> anyhow::Error {
    let shown = program.to_string_lossy();
    match ran.status.code() {
        Some(0) => anyhow!("{shown} wrote no report: {doubt}"),
        // The runtime ends a program that has wrong options of its own, and says why.
        Some(_) => anyhow!("{shown} wrote no report; if nothing above tells why, {doubt}"),
        None => match &ran.unreadable {
            Some(why) => anyhow!("{shown} wrote no report before it was ended, and what it had found is lost: {why}"),
            None => anyhow!("{shown} wrote no report before it was ended; {doubt}"),
        },
    }
}

/// What all processes of the run reported.
pub fn read(ran: &Ran) -> Result<Option<Report>> {
    let reports: Vec<Report> = ran.reports()?.iter().map(|path| json::read(path)).collect::<Result<_, _>>()?;
    Ok(combine(reports).map(|mut report| {
        report.program.exit = ran.status.code();
        report
    }))
}
