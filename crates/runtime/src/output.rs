//! Where reports go: text to stderr or a file, JSON to a file. What cannot be written is told
//! on stderr, and the program's status stays.

use crate::options::{Color, Options};
use crate::say::{has_stderr, say, to_stderr};
use crate::{fork, start};
use nonius_finding::{Finding, Report};
use nonius_report::text::{TextOptions, render};
use nonius_report::{ColorChoice, Sources, create};
use std::fs::File;
use std::io::{IsTerminal, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

/// Where the program was started: paths are shown relative to it, and the program may leave it.
static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// When it was.
static STARTED: OnceLock<SystemTime> = OnceLock::new();

pub fn start() {
    let _ = STARTED.set(SystemTime::now());
    if let Ok(folder) = std::env::current_dir() {
        let _ = FOLDER.set(folder);
    }
}

/// Where the program was started.
pub fn folder() -> Option<PathBuf> {
    FOLDER.get().cloned()
}

/// Writes the report to the file that `report=` names.
pub fn json(report: &Report, options: &Options) {
    let Some(path) = options.report.as_deref().map(of_this_process) else { return };
    let text = nonius_report::json::write(report).map_err(|error| error.to_string());
    let written = text.and_then(|text| write_own(&path, report, text.as_bytes()).map_err(|error| error.to_string()));
    let advice = "%p in report= gives each process its own, 'nonius run' or 'nonius report' makes one of all";
    let said = || options.quiet || SAID.swap(true, Ordering::Relaxed);
    match written {
        Ok(Before::Nothing) => {}
        Ok(Before::Replaced(theirs)) if !said() => {
            say!("{} had the report of '{theirs}', which this one replaces; {advice}", path.display());
        }
        Ok(Before::Moved(theirs, to)) if !said() => {
            say!("{} had the report of '{theirs}', which is in {} now; {advice}", path.display(), to.display());
        }
        Ok(_) => {}
        Err(error) => {
            say!("error: cannot write the report to {}: {error}; set report= to another file", path.display())
        }
    }
}

/// That somebody else's report was there.
static SAID: AtomicBool = AtomicBool::new(false);

/// Whose report was in the file.
enum Before {
    /// Nobody's, or that of the same program with the same arguments.
    Nothing,
    /// That of the same program with other arguments, which had ended.
    Replaced(String),
    /// Another process's, and where it is kept.
    Moved(String, PathBuf),
}

/// Writes the file. It has the newest report; one of another program, or of a process that ran at the same time, is moved
/// out of the way.
fn write_own(path: &Path, report: &Report, text: &[u8]) -> std::io::Result<Before> {
    let mut file = locked(path)?;
    let status = file.metadata()?;
    if !status.is_file() {
        return file.write_all(text).map(|()| Before::Nothing);
    }
    let earlier = STARTED.get().zip(status.modified().ok()).is_none_or(|(started, written)| written <= *started);
    let own = &report.program;
    let before = match nonius_report::json::program(path).filter(|theirs| theirs.pid != own.pid) {
        Some(theirs) if earlier && theirs.path == own.path && theirs.args == own.args => Before::Nothing,
        Some(theirs) if earlier && theirs.path == own.path => Before::Replaced(theirs.name()),
        Some(theirs) => {
            let to = with_pid(path, theirs.pid);
            std::fs::rename(path, &to)?;
            create::write(path, text)?;
            return Ok(Before::Moved(theirs.name(), to));
        }
        None => Before::Nothing,
    };
    file.set_len(0)?;
    file.write_all(text).map(|()| before)
}

/// The file, once nobody else looks at it or writes it.
fn locked(path: &Path) -> std::io::Result<File> {
    // Whoever waited for a file that was moved meanwhile takes the new one.
    const TRIES: usize = 16;
    for _ in 0..TRIES {
        let file = create::append(path)?;
        let status = file.metadata()?;
        if !status.is_file() {
            return Ok(file);
        }
        file.lock()?;
        if std::fs::symlink_metadata(path).is_ok_and(|now| now.ino() == status.ino()) {
            return Ok(file);
        }
    }
    Err(std::io::Error::other("other processes move it all the time"))
}

/// Prints the report.
pub fn text(report: &Report, options: &Options) {
    let log = options.log_path.as_deref().map(of_this_process);
    if log.is_none() && !has_stderr() {
        return;
    }
    let terminal = log.is_none() && std::io::stderr().is_terminal();
    let text_options = TextOptions {
        color: color(options.color, terminal),
        width: width(terminal),
        limit: Some(options.max_findings),
        selection: options.selection(),
        stats: options.stats || options.verbose,
        report_path: options.report.as_deref().map(|path| of_this_process(path).display().to_string()),
    };
    let text = render(report, &mut sources(), &text_options);
    let Some(log) = log else { return lines(&text) };
    // The first report of a process starts the file anew, later ones add to it.
    static BEGUN: AtomicBool = AtomicBool::new(false);
    let begun = BEGUN.swap(true, Ordering::Relaxed);
    let file = if begun { create::append(&log) } else { create::create(&log) };
    if let Err(error) = file.and_then(|mut file| file.write_all(text.as_bytes())) {
        say!("error: cannot write to {}: {error}; set log_path= to another file", log.display());
        to_stderr(text.as_bytes());
    }
}

/// Where source lines come from.
pub fn sources() -> Sources {
    let folder = folder();
    // Lines that the user may not read must not come by way of a program that may.
    if start::is_privileged() { Sources::hidden(folder) } else { Sources::new(folder) }
}

/// What the report will call a finding, but for its number among others of that name.
pub fn id_of(finding: Finding) -> String {
    let mut alone = [finding];
    nonius_report::identify(&mut alone, &mut sources());
    let [finding] = alone;
    finding.id
}

/// A finding in a line, by the name that the report will give it.
pub fn in_a_line(finding: Finding) -> String {
    let mut alone = [finding];
    nonius_report::identify(&mut alone, &mut sources());
    nonius_report::line::of_finding(&alone[0], &sources())
}

/// Prints text on stderr, in lines that fit if it is a terminal.
pub fn lines(text: &str) {
    match std::io::stderr().is_terminal() {
        true => to_stderr(nonius_report::wrap::fit(text, width(true)).as_bytes()),
        false => to_stderr(text.as_bytes()),
    }
}

/// `%p` is the process id. Without it, a forked child must not overwrite its parent's file.
pub fn of_this_process(path: &Path) -> PathBuf {
    let pid = fork::reported();
    match path.to_str() {
        Some(text) if text.contains("%p") => PathBuf::from(text.replace("%p", &pid.to_string())),
        _ if fork::is_child() => with_pid(path, pid),
        _ => path.to_owned(),
    }
}

fn with_pid(path: &Path, pid: u32) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(format!(".{pid}"));
    PathBuf::from(path)
}

fn color(wanted: Color, terminal: bool) -> ColorChoice {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    match wanted {
        Color::Always => ColorChoice::Always,
        Color::Auto if terminal && !dumb && !set("NO_COLOR") => ColorChoice::Always,
        _ => ColorChoice::Never,
    }
}

fn width(terminal: bool) -> usize {
    const USUAL: usize = 120;
    let mut size = ::libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: `size` is room for what the request writes.
    let known = unsafe { ::libc::ioctl(::libc::STDERR_FILENO, ::libc::TIOCGWINSZ, &raw mut size) } == 0;
    if terminal && known && size.ws_col > 0 { size.ws_col.into() } else { USUAL }
}
