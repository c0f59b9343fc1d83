//! One program under test: compiled by plain clang and by Nonius with the same flags, run, and compared.

use super::emit::{Source, emit};
use super::evaluate::Observed;
use super::judge::{Expected, expected};
use super::program::{Place, Program};
use crate::run::wait;
use anyhow::{Context, Result};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

/// Far above what a program needs.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// The line after which a program under Nonius prints its statistics.
const STATISTICS: &str = "sites that were looked at: reported, passed, place";

/// Who compiles, and with what.
#[derive(Clone, Debug)]
pub struct Setup {
    pub nonius: PathBuf,
    pub flags: &'static [&'static str],
}

/// Sets of flags, of which each program gets one.
pub const FLAGS: &[&[&str]] = &[
    &["-O0"],
    &["-O1"],
    &["-O2"],
    &["-O3"],
    &["-Os"],
    &["-O2", "-march=native"],
    &["-O3", "-march=native"],
    &["-O2", "-march=native", "-ffp-contract=off"],
    &["-O2", "-ffp-contract=fast"],
    &["-O3", "-ffp-contract=fast", "-march=native"],
    &["-O2", "-ffast-math"],
    &["-O3", "-ffast-math", "-march=native"],
    &["-O1", "-fno-math-errno", "-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math"],
];

/// Whether the compiler may do algebra.
pub fn is_fast(flags: &[&str]) -> bool {
    flags.iter().any(|f| f.ends_with("-math") && !f.starts_with("-fno-"))
}

/// Whether results may differ from what the operations of the source say one by one.
pub fn may_rearrange(flags: &[&str]) -> bool {
    let fuses = flags.contains(&"-march=native") && !flags.contains(&"-ffp-contract=off");
    fuses || is_fast(flags)
}

/// What differs from what must be.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// A compiler failed, or the program left no report.
    Broken(String),
    /// Output or status are not those of plain clang.
    Changed(String),
    FalsePositive(Wrong),
    FalseNegative(Wrong),
    /// Our own evaluation of the program is not what plain clang computes.
    Oracle(String),
}

/// An observation with a wrong verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrong {
    pub id: usize,
    pub line: u32,
    pub place: Place,
    pub value: f64,
    pub ideal: f64,
    pub noise: f64,
}

impl Failure {
    /// Failures of one kind are taken for the same while a program is cut.
    pub fn is_like(&self, other: &Failure) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// How many observations were judged how.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub found: usize,
    pub silent: usize,
    pub close: usize,
    pub unresolved: usize,
    pub excluded: usize,
}

impl Counts {
    fn add(&mut self, verdict: Expected) {
        *match verdict {
            Expected::Found => &mut self.found,
            Expected::Silent => &mut self.silent,
            Expected::Close => &mut self.close,
            Expected::Unresolved => &mut self.unresolved,
            Expected::Excluded => &mut self.excluded,
        } += 1;
    }

    pub fn merge(&mut self, other: Counts) {
        self.found += other.found;
        self.silent += other.silent;
        self.close += other.close;
        self.unresolved += other.unresolved;
        self.excluded += other.excluded;
    }
}

#[derive(Debug, Default)]
pub struct Outcome {
    pub failures: Vec<Failure>,
    pub counts: Counts,
}

/// Builds, runs and compares; `ideals` are the program's observations, or none if it is not judged.
pub fn run(program: &Program, ideals: Option<&HashMap<usize, Observed>>, setup: &Setup) -> Result<Outcome> {
    let dir = tempfile::tempdir()?;
    let source = emit(program, is_fast(setup.flags));
    let path = dir.path().join("program.c");
    fs::write(&path, &source.text)?;
    let mut outcome = Outcome::default();
    let plain = execute(Command::new("clang-22"), &path, setup, dir.path(), "plain")?;
    let mut nonius = Command::new(&setup.nonius);
    nonius.args(["cc", "--nonius-verify"]);
    let shadowed = match execute(nonius, &path, setup, dir.path(), "shadowed") {
        Ok(run) => run,
        Err(error) => {
            outcome.failures.push(Failure::Broken(format!("{error:#}")));
            return Ok(outcome);
        }
    };
    if let Some(difference) = difference(&plain, &shadowed) {
        outcome.failures.push(Failure::Changed(difference));
    }
    if let Some(ideals) = ideals {
        match sites(&dir.path().join("shadowed.err")) {
            Ok(sites) => judge(&source, ideals, &plain, &sites, setup, &mut outcome),
            Err(error) => outcome.failures.push(Failure::Broken(format!("{error:#}"))),
        }
    }
    Ok(outcome)
}

struct Run {
    status: ExitStatus,
    stdout: String,
}

fn execute(mut compiler: Command, source: &Path, setup: &Setup, dir: &Path, name: &str) -> Result<Run> {
    let binary = dir.join(name);
    // Not every libgcc converts bfloats.
    compiler
        .args(setup.flags)
        .args(["-w", "-std=gnu17", "--rtlib=compiler-rt"])
        .arg(source)
        .arg("-o")
        .arg(&binary)
        .arg("-lm");
    crate::ir::succeed(compiler)?;
    let stdout = dir.join(format!("{name}.out"));
    let log = dir.join(format!("{name}.err"));
    let mut child = Command::new(&binary)
        .env("NONIUS_OPTIONS", "stats=1:resume=0:max_stacks=0:color=never")
        .stdin(Stdio::null())
        .stdout(fs::File::create(&stdout)?)
        .stderr(fs::File::create(&log)?)
        .spawn()?;
    let status = wait(&mut child, TIME_LIMIT).with_context(|| name.to_owned())?;
    // Which NaN comes out of two is the code generator's choice.
    let mut stdout = fs::read_to_string(&stdout).context("the output is no text")?.replace("-nan", "nan");
    if setup.flags.contains(&"-fno-signed-zeros") {
        // And so is where it negates, which shadows change; only the sign of a zero tells.
        for (negative, positive) in
            [("-0x0p+0", "0x0p+0"), ("d8000000000000000", "d0000000000000000"), ("f80000000", "f00000000")]
        {
            stdout = stdout.replace(negative, positive);
        }
    }
    Ok(Run { status, stdout })
}

fn difference(plain: &Run, shadowed: &Run) -> Option<String> {
    if plain.status != shadowed.status {
        return Some(format!("{} with clang, {} with Nonius", plain.status, shadowed.status));
    }
    let (a, b): (Vec<&str>, Vec<&str>) = (plain.stdout.lines().collect(), shadowed.stdout.lines().collect());
    let at = (0..a.len().max(b.len())).find(|&i| a.get(i) != b.get(i))?;
    Some(format!("clang prints {:?}, Nonius {:?}", a.get(at), b.get(at)))
}

/// Compares the report with what must be in it.
fn judge(
    source: &Source,
    ideals: &HashMap<usize, Observed>,
    plain: &Run,
    sites: &HashSet<(u32, String)>,
    setup: &Setup,
    outcome: &mut Outcome,
) {
    for (id, value) in plain.stdout.lines().filter_map(observation) {
        let Some(observed) = ideals.get(&id) else { continue };
        let Some((line, place)) = source.lines[id] else { continue };
        let known = &observed.value;
        if !may_rearrange(setup.flags) && !known.excluded && known.is_exact && value != known.actual {
            let difference = format!("line {line}: clang computes {value:e}, the oracle {:e}", known.actual);
            outcome.failures.push(Failure::Oracle(difference));
        }
        let verdict = expected(observed, value);
        outcome.counts.add(verdict);
        let found = sites.contains(&(line, place_name(place).to_owned()));
        let wrong = Wrong { id, line, place, value, ideal: known.ideal.to_f64(), noise: known.noise };
        match (verdict, found) {
            (Expected::Silent, true) => outcome.failures.push(Failure::FalsePositive(wrong)),
            (Expected::Found, false) => outcome.failures.push(Failure::FalseNegative(wrong)),
            _ => {}
        }
    }
}

/// What `stats=1` says: lines and places that were reported at least once. (The report itself makes one finding of all
/// that one operation is seen at.)
fn sites(log: &Path) -> Result<HashSet<(u32, String)>> {
    let text = fs::read_to_string(log).context("the program left no statistics")?;
    let mut lines = text.lines().skip_while(|l| !l.ends_with(STATISTICS));
    lines.next().context("the log has no statistics")?;
    lines
        .map(|line| site(line).with_context(|| format!("not a line of statistics: {line}")))
        .filter_map(Result::transpose)
        .collect()
}

/// `nonius: REPORTED PASSED FILE:LINE:COLUMN PLACE of OPERATION`, if it was reported.
fn site(line: &str) -> Option<Option<(u32, String)>> {
    let mut words = line.split_whitespace().skip(1);
    let reported: u64 = words.next()?.parse().ok()?;
    let position = words.nth(1)?;
    let mut numbers = position.rsplit(':').skip(1);
    let at: u32 = numbers.next()?.parse().ok()?;
    Some((reported > 0).then(|| words.next().map(|place| (at, place.to_owned()))).flatten())
}

fn place_name(place: Place) -> &'static str {
    match place {
        Place::Output => "output",
        Place::Store => "store",
        Place::Argument => "argument",
        Place::Return => "return",
    }
}

/// `ID VALUE`: a number in hexadecimal, or the bits of a double or float.
fn observation(line: &str) -> Option<(usize, f64)> {
    let (id, value) = line.split_once(' ')?;
    let id = id.parse().ok()?;
    let value = match value.as_bytes().first()? {
        b'd' => f64::from_bits(u64::from_str_radix(&value[1..], 16).ok()?),
        b'f' => f64::from(f32::from_bits(u32::from_str_radix(&value[1..], 16).ok()?)),
        _ => hexadecimal(value)?,
    };
    Some((id, value))
}

/// What `%a` prints.
fn hexadecimal(text: &str) -> Option<f64> {
    let (sign, text) = text.strip_prefix('-').map_or((1.0, text), |t| (-1.0, t));
    if text == "inf" {
        return Some(sign * f64::INFINITY);
    }
    if text == "nan" {
        return Some(f64::NAN);
    }
    let (digits, exponent) = text.strip_prefix("0x")?.split_once('p')?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let significand = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()? as f64;
    let exponent: i32 = exponent.parse().ok()?;
    let shift = exponent - 4 * fraction.len() as i32;
    // In two steps: the power alone may lie outside the range.
    let half = shift / 2;
    Some(sign * significand * f64::from(half).exp2() * f64::from(shift - half).exp2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_programs_print() {
        assert_eq!(observation("3 0x1.8p+1"), Some((3, 3.0)));
        assert_eq!(observation("3 -0x1p-1074"), Some((3, -5e-324)));
        assert_eq!(observation("0 0x1.fffffffffffffp+1023"), Some((0, f64::MAX)));
        assert_eq!(observation("7 d3ff8000000000000"), Some((7, 1.5)));
        assert_eq!(observation("7 f3fc00000"), Some((7, 1.5)));
        assert_eq!(observation("7 0x0p+0"), Some((7, 0.0)));
        assert!(observation("9 nan").is_some_and(|(_, x)| x.is_nan()));
        assert_eq!(observation("hello"), None);
    }

    #[test]
    fn reads_statistics() {
        let line = "nonius:            2            1  /a b/program.c:52:5 output of function";
        assert_eq!(site(&line.replace("a b", "a")), Some(Some((52, "output".into()))));
        assert_eq!(site("nonius: 0 1 /a/program.c:52:5 store of add"), Some(None));
        assert_eq!(site("nonius: something else"), None);
    }
}
