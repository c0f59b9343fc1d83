//! The table of options: each key once, with its default and what it does.

use super::input::{Declared, Uncertainty};
use super::{Color, Constants, TasksMode, Values};
use nonius_finding::Focus;
use nonius_oracle::Spec;
use std::path::PathBuf;
use std::str::FromStr;

/// An option.
#[derive(Debug)]
pub struct Key {
    pub name: &'static str,
    /// As it would be typed.
    pub default: &'static str,
    pub help: &'static str,
    /// The function that reads its values.
    reader: &'static str,
    /// Sets it from text, or says what was expected.
    pub set: fn(&mut Values, &str) -> Result<(), String>,
}

impl Key {
    /// What stands for the value in help; none for a switch, which can stand alone.
    pub fn value(&self) -> Option<&'static str> {
        match self.reader {
            "switch" => None,
            "path" => Some("FILE"),
            "threshold" | "floor" => Some("ERROR"),
            "oracle" => Some("ORACLE"),
            "mebibytes" => Some("MIB"),
            "seconds" => Some("SECONDS"),
            "percent" => Some("PERCENT"),
            "color" => Some("WHEN"),
            "constants" | "tasks" => Some("HOW"),
            "inputs" => Some("INPUTS"),
            "uncertainty" => Some("SIZE"),
            _ => Some("N"),
        }
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.name == other.name
    }
}

macro_rules! keys {
    ($($name:ident = $default:literal, $parse:path, $help:literal;)*) => {
        /// All options, in the order that help lists them.
        pub const KEYS: &[Key] = &[$(Key {
            name: stringify!($name),
            default: $default,
            help: $help,
            reader: stringify!($parse),
            set: |values, text| {
                values.$name = $parse(text)?;
                Ok(())
            },
        }),*];
    };
}

keys! {
    threshold = "standard", threshold, "error that is reported: a relative error (1e-6, 2^-19), digits=N, bits=N or ulps=N that must survive or may be lost; standard is 2^-19, eased for short formats";
    floor = "0", floor, "absolute error below which nothing is reported, in the program's units; 0 is off";
    check_store = "1", switch, "check values stored to memory";
    check_return = "1", switch, "check values that functions return";
    check_argument = "1", switch, "check values passed to functions";
    check_output = "1", switch, "check values that are printed";
    check_branch = "1", switch, "check comparisons";
    check_cast = "1", switch, "check conversions to integers";
    check_nan = "1", switch, "report operations that make a NaN of operands that are none";
    check_inf = "1", switch, "report operations that make an infinity of finite operands";
    check_load = "0", switch, "report memory that was changed behind the shadow's back";
    resume = "0", switch, "let the shadow go on from the program's value after a finding: later values are judged as if that had been right";
    constants = "rounded", constants, "what literals and other constants of the program stand for: rounded, a number within half an ulp of them, so that what hangs on that is left open, or exact, themselves";
    suppressions = "", path, "file of findings to leave out";
    baseline = "", path, "file of findings that were there before, by 'nonius baseline': they are counted, and only others fail";
    report = "", path, "write the report as JSON to this file; %p becomes the process id";
    log_path = "", path, "write the text to this file instead of stderr; %p becomes the process id";
    oracle = "", oracle, "measure under the event engine against this arithmetic: auto (as many bits as it takes), mpfr:BITS, double-double, residue, residue-override or native; or bound it for all inputs of a range (zonotope), or estimate it by N runs rounded at random (stochastic:N); none is the inline engine";
    zero_bits = "4096", bits, "an ideal that an oracle of more bits than these cannot tell from 0 counts as 0, and two that it cannot tell apart are equal";
    symbols = "512", symbols, "noise symbols that a form may have under oracle=zonotope; beyond them the least important become one, and bounds wider";
    paths = "1000", paths, "paths that oracle=zonotope may follow beside the program's own where a test can go more than one way; 0 follows none, and beyond it the report says that it is incomplete";
    inputs = "", inputs, "inputs of oracle=zonotope by function and float parameter, from 1: 'f(1) in [0, 2]; g(3) in [-1, 1]'";
    uncertainty = "", uncertainty, "what oracle=zonotope takes floats that the program reads (scanf, strtod, fread) to be off by: 1ulp, relative=X or absolute=X; none takes them as exact";
    split = "1", split, "parts that oracle=zonotope cuts the range of each input into, and follows each: bounds get sharper, and paths more";
    seed = "1", seed, "where the random rounding of oracle=stochastic begins: the same seed gives the same run";
    machine_mib = "2048", mebibytes, "memory that the event engine's machine may take for all that grows with the run, in MiB; beyond it the oldest is dropped, and the report says so";
    machine_process = "1", switch, "walk the event engine's events in a process beside the program, which reports if the program is killed; where there can be none, under halt, debug and abstract execution the program's own threads do it, as always with 0";
    tasks = "marked", tasks, "what the event engine looks at each by itself, from the program's own values: marked, the parts that the program marks (docs/tasks.md), the whole run if it marks none; auto, calls of functions that take long; off, nothing, the run is one";
    jobs = "", jobs, "threads that walk tasks; as many as there are cores unless it says something else";
    reexecutions = "20", executions, "executions that residue-override may take, the first included";
    record_mib = "4096", mebibytes, "most that a file of events may take on disk, in MiB, be it of record= or for executing the run again (oracle=auto, residue-override); the report says what is missing";
    record = "", path, "write the run's events to this file, for 'nonius replay'; %p becomes the process id";
    files = "", path, "write what was at the paths that the program changes to this file, and copies of files beside it; 'nonius run' asks for it before it runs a program twice";
    deadline = "", seconds, "end the program after so many seconds, with its report; 'nonius run' sets it for a second run";
    confirm_time = "", seconds, "seconds that a second run of 'nonius run', or executing a run again, may take, 0 for no limit; none is 100 times the first run and at least 60 s";
    counter = "", path, "keep the number of operations that the event engine has walked in this file, in 8 bytes; %p becomes the process id";
    machines = "", path, "a file that the machine's process holds a lock on while it may have something to tell, its own number behind the name; 'nonius run' waits for it; %p becomes the process id";
    exitcode = "", status, "exit status of a program with findings, instead of its own; of 'nonius run', instead of 1";
    min_coverage = "0", percent, "'nonius run', 'nonius check' and 'cargo nonius' fail, with status 2, if less than this percentage of the operations was shadowed";
    halt = "0", switch, "stop at the first finding, with exitcode or 1";
    debug = "0", switch, "stop in the debugger at the first finding at each site";
    focus = "all", focus, "findings that are shown and count: output (what reached an output), decisions (and what decided a comparison or conversion) or all; the JSON report has all";
    all = "0", switch, "show what is folded too: classes of findings that do no harm, and what was stored and never seen to reach an output; it counts either way";
    max_findings = "20", number, "findings that are printed; the JSON report has all";
    max_stacks = "20", count, "stacks that are walked at a site in search of the worst";
    max_frames = "32", number, "frames that are shown of a stack";
    color = "auto", color, "color the text: auto, always or never";
    stats = "0", switch, "print how often each site was looked at and reported";
    verbose = "0", switch, "print a summary even if nothing was found";
    quiet = "0", switch, "print nothing; for use with report";
    help = "0", switch, "list the options";
}

fn switch(text: &str) -> Result<bool, String> {
    match text {
        "1" | "true" | "yes" | "on" => Ok(true),
        "0" | "false" | "no" | "off" => Ok(false),
        _ => Err("0 or 1".to_owned()),
    }
}

fn threshold(text: &str) -> Result<nonius_numerics::Threshold, String> {
    text.parse().map_err(|_| "a relative error (1e-6, 2^-19), digits=6, bits=30, ulps=1000 or standard".to_owned())
}

fn floor(text: &str) -> Result<f64, String> {
    f64::from_str(text).ok().filter(|x| x.is_finite() && *x >= 0.0).ok_or("a number, 0 for none".to_owned())
}

fn path(text: &str) -> Result<Option<PathBuf>, String> {
    Ok((!text.is_empty()).then(|| PathBuf::from(text)))
}

fn oracle(text: &str) -> Result<Option<Spec>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    Spec::from_str(text).map(Some).map_err(|error| format!("an oracle: {error}"))
}

fn status(text: &str) -> Result<Option<u8>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    u8::from_str(text).map(Some).map_err(|_| "a status from 0 to 255".to_owned())
}

fn percent(text: &str) -> Result<f64, String> {
    let percent = f64::from_str(text.trim_end_matches('%')).ok().filter(|p| (0.0..=100.0).contains(p));
    percent.ok_or("a percentage, from 0 to 100".to_owned())
}

fn number(text: &str) -> Result<usize, String> {
    usize::from_str(text).map_err(|_| "a number from 0".to_owned())
}

fn bits(text: &str) -> Result<u32, String> {
    u32::from_str(text).ok().filter(|bits| (1..=1 << 16).contains(bits)).ok_or("bits, from 1 to 65536".to_owned())
}

fn symbols(text: &str) -> Result<usize, String> {
    let symbols = usize::from_str(text).ok().filter(|n| (2..=65_536).contains(n));
    symbols.ok_or("a number of symbols, from 2 to 65536".to_owned())
}

fn paths(text: &str) -> Result<u32, String> {
    u32::from_str(text).ok().filter(|n| *n <= 1_000_000).ok_or("a number of paths, from 0 to 1000000".to_owned())
}

fn inputs(text: &str) -> Result<Vec<Declared>, String> {
    let all = text.split(';').map(str::trim).filter(|t| !t.is_empty());
    all.map(|one| Declared::parse(one).ok_or("FUNCTION(N) in [LO, HI], N from 1, and ';' before the next".to_owned()))
        .collect()
}

fn uncertainty(text: &str) -> Result<Option<Uncertainty>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    Uncertainty::parse(text).map(Some).ok_or("1ulp (or another number of them), relative=X or absolute=X".to_owned())
}

fn split(text: &str) -> Result<u32, String> {
    u32::from_str(text).ok().filter(|n| (1..=1000).contains(n)).ok_or("a number of parts, from 1 to 1000".to_owned())
}

fn seed(text: &str) -> Result<u64, String> {
    u64::from_str(text).map_err(|_| "a number from 0".to_owned())
}

fn mebibytes(text: &str) -> Result<u64, String> {
    let mebibytes = u64::from_str(text).ok().filter(|m| (1..=1 << 20).contains(m));
    mebibytes.ok_or("mebibytes, from 1 to 1048576".to_owned())
}

fn tasks(text: &str) -> Result<TasksMode, String> {
    match text {
        "marked" => Ok(TasksMode::Marked),
        "auto" => Ok(TasksMode::Auto),
        "off" => Ok(TasksMode::Off),
        _ => Err("marked, auto or off".to_owned()),
    }
}

fn jobs(text: &str) -> Result<Option<usize>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let jobs = usize::from_str(text).ok().filter(|n| (1..=1024).contains(n));
    jobs.map(Some).ok_or("a number of threads, from 1 to 1024".to_owned())
}

fn executions(text: &str) -> Result<u32, String> {
    let executions = u32::from_str(text).ok().filter(|&n| n > 0);
    executions.ok_or("a number of executions, 1 or more: the first is one".to_owned())
}

fn seconds(text: &str) -> Result<Option<f64>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let seconds = f64::from_str(text).ok().filter(|s| s.is_finite() && *s >= 0.0 && *s < 1e9);
    seconds.map(Some).ok_or("a number of seconds".to_owned())
}

fn count(text: &str) -> Result<u32, String> {
    u32::from_str(text).map_err(|_| "a number from 0".to_owned())
}

fn color(text: &str) -> Result<Color, String> {
    match text {
        "auto" => Ok(Color::Auto),
        "always" => Ok(Color::Always),
        "never" => Ok(Color::Never),
        _ => Err("auto, always or never".to_owned()),
    }
}

fn focus(text: &str) -> Result<Focus, String> {
    text.parse().map_err(|_| "output, decisions or all".to_owned())
}

fn constants(text: &str) -> Result<Constants, String> {
    match text {
        "rounded" => Ok(Constants::Rounded),
        "exact" => Ok(Constants::Exact),
        _ => Err("rounded or exact".to_owned()),
    }
}
