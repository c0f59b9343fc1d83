//! What reports say about a finding, the same in every format.

mod advice;
mod cause;
mod class;
mod for_inputs;
mod nothing;
mod symptom;

pub(crate) use advice::advice;
pub(crate) use cause::{cause, effect};
pub(crate) use class::{class, folded};
pub(crate) use nothing::nothing_shadowed;
pub(crate) use symptom::{HEAD as SYMPTOMS, symptom};

use crate::numbers::{
    bits_lost, counted, decimal, decimal_of, digits_left, grouped, ideal, integer, is_known_exactly, is_unknown,
    percent, rough, times,
};
use crate::source::Sources;
use nonius_finding::{
    BaselineEntry, BaselineOutcome, Confirmation, Coverage, Finding, Frame, Kind, LeftAloneFor, Location, Loss,
    Observable, ObservedAt, Operand, Report, Unshadowed, Verdict, Worst,
};

/// One line that says what happened: `38 of 53 bits lost in subtraction, seen in output`.
pub fn headline(f: &Finding) -> String {
    let operation = operation(f);
    let bare = clean(&f.operation);
    match f.kind {
        Kind::PrecisionLoss if f.for_inputs.is_some() => for_inputs::headline(f, &operation, &seen(f)),
        Kind::PrecisionLoss => format!("{} lost in {operation}{}", bits_lost(&f.worst), seen(f)),
        Kind::Stage => format!("{} lost in one stage, in {operation}{}", bits_lost(&f.worst), seen(f)),
        Kind::BranchFlip if matches!(bare.as_str(), "fmin" | "fmax") => {
            let operand = |is_first: f64| if is_first == 0.0 { "second" } else { "first" };
            let (taken, ideally) = (operand(f.worst.value), operand(f.worst.shadow));
            format!("{bare} takes its {taken} operand, ideally its {ideally}")
        }
        Kind::BranchFlip if matches!(bare.as_str(), "copysign" | "signbit") => {
            let sign = |is_negative: f64| if is_negative == 0.0 { "positive" } else { "negative" };
            format!("the sign for {bare} is {}, ideally {}", sign(f.worst.value), sign(f.worst.shadow))
        }
        Kind::BranchFlip => {
            format!("{bare} is {}, with ideal operands {}", truth(f.worst.value), truth(f.worst.shadow))
        }
        Kind::CastFlip if bare == "remainder" => {
            let by = "by the quotient beside it";
            format!("{bare} is {}, ideally {} {by}", decimal(f.worst.value), decimal(f.worst.shadow))
        }
        Kind::CastFlip => {
            format!("{bare} gives {}, ideally {}", integer(f.worst.value), integer(f.worst.shadow))
        }
        Kind::Nan => format!("NaN produced in {operation}{}", seen(f)),
        Kind::Inf => format!("infinity produced in {operation}{}", seen(f)),
        Kind::UnstableBranch => unstable(f, &bare),
        Kind::Assertion if f.worst.value == 0.0 => format!("this does not hold: {bare}"),
        Kind::Assertion => format!("whether this holds is not known: {bare}"),
        Kind::LoadMismatch => format!("memory changed behind its shadow, seen in {operation}"),
    }
}

/// A test that inputs near the program's decide otherwise.
fn unstable(f: &Finding, operation: &str) -> String {
    let says = |x: f64| if f.observed_at == ObservedAt::Cast { integer(x) } else { truth(x).to_owned() };
    let jump = match f.worst.radius {
        Some(jump) => format!(", and results differ by up to {} across it", rough(jump)),
        None => String::new(),
    };
    let (here, there) = (says(f.worst.value), says(f.worst.shadow));
    format!("{operation} is {here} here, and can be {there} for inputs of the declared ranges{jump}")
}

/// What a kind means, for lists of kinds.
pub(crate) fn meaning(kind: Kind) -> &'static str {
    match kind {
        Kind::PrecisionLoss => "A value has lost more digits than the threshold allows",
        Kind::BranchFlip => "A comparison or choice comes out otherwise than on ideal values",
        Kind::CastFlip => "A conversion, rounding or quotient gives another integer than the ideal value would",
        Kind::Nan => "A NaN is produced from operands that are none",
        Kind::Inf => "An infinity is produced from finite operands",
        Kind::LoadMismatch => "Memory holds another value than the one stored with its shadow",
        Kind::Stage => "A stage of an iteration loses more accuracy than it may",
        Kind::Assertion => "What the program asserts does not hold, or is not known to",
        Kind::UnstableBranch => "A test goes another way for some inputs of the declared ranges",
    }
}

/// The operation in words that can follow "in": arithmetic needs no article, the rest does.
fn operation(f: &Finding) -> String {
    let name = clean(&f.operation);
    match name.as_str() {
        "" | "operation" => "an unknown operation".to_owned(),
        "atomic update" => format!("an {name}"),
        "load" | "parameter" | "choice" | "call" => format!("a {name}"),
        _ if name.starts_with("conversion") => format!("a {name}"),
        _ => match name.strip_prefix("call ") {
            Some(callee) => format!("the call of {callee}"),
            None => name,
        },
    }
}

fn truth(x: f64) -> &'static str {
    match x {
        0.0 => "false",
        1.0 => "true",
        _ => "undecided",
    }
}

/// `, seen in output`; empty where the observable is the operation itself.
fn seen(f: &Finding) -> String {
    observable(f.observed_at).map(|place| format!(", seen in {place}")).unwrap_or_default()
}

/// The observable in words that can follow "seen in".
pub(crate) fn observable(at: ObservedAt) -> Option<&'static str> {
    match at {
        ObservedAt::Return => Some("a return value"),
        ObservedAt::Argument => Some("an argument"),
        ObservedAt::Store => Some("a store"),
        ObservedAt::Output => Some("output"),
        ObservedAt::Branch => Some("a comparison"),
        ObservedAt::Cast => Some("a conversion to integer"),
        ObservedAt::Api => Some("a check that the program asked for"),
        ObservedAt::Operation => None,
    }
}

/// What was seen, in lines: values, error, how often.
pub(crate) fn facts(f: &Finding) -> Vec<String> {
    if f.kind == Kind::Assertion {
        let values = f.values.iter().map(|value| clean(value));
        return values.chain([occurrences(f)]).chain(f.confirmation.as_ref().map(confirmation)).collect();
    }
    // What is only possible has no values.
    let has_values = f.for_inputs.as_ref().is_none_or(|about| about.example.is_some() || f.kind != Kind::PrecisionLoss);
    let shown = values(f).into_iter().chain(operands(&f.worst)).chain(error(f));
    let mut lines: Vec<_> = shown.filter(|_| has_values).collect();
    lines.extend(for_inputs::lines(f));
    lines.push(occurrences(f));
    lines.extend(class(f));
    lines.extend(symptom::inherited(f));
    lines.extend(f.confirmation.as_ref().map(confirmation));
    lines
}

/// What the oracle of a second run says.
pub(crate) fn confirmation(c: &Confirmation) -> String {
    let oracle = clean(&c.oracle);
    // Of a NaN there is none.
    let error = match c.relative_error {
        f64::INFINITY => ": an infinite relative error".to_owned(),
        x if x == 0.0 || x.is_nan() => String::new(),
        x => format!(": a relative error of {}", rough(x)),
    };
    match c.verdict {
        Verdict::Confirmed => format!("confirmed by {oracle} in a second run{error}"),
        Verdict::Corrected => {
            let first = c.first_error.map(|x| format!(", where the first run had {}", rough(x))).unwrap_or_default();
            format!("corrected by {oracle} in a second run{error}{first}")
        }
        Verdict::Refuted => {
            let error = if error.is_empty() { ": no error".to_owned() } else { format!("{error} at most") };
            format!("refuted by {oracle} in a second run{error} in {} looked at", counted(c.count, "value"))
        }
        Verdict::NotFollowed => {
            let values = counted(c.count, "value");
            format!(
                "not followed by {oracle}: on the way to {values} is code that the second run does not see (a library, \
                 or a function that is not recorded)"
            )
        }
        Verdict::OpenByConstants => format!(
            "open: by {oracle} in a second run, constants that were rounded decide on {} (constants=exact takes them as \
             they are)",
            counted(c.count, "value")
        ),
        Verdict::Open => {
            format!("open: {oracle} does not know the ideal of {} well enough to say", counted(c.count, "value"))
        }
        Verdict::NotReached => {
            format!(
                "not reached in time: the second run, under {oracle}, was ended before (confirm_time= sets its time)"
            )
        }
        Verdict::NotReproduced => {
            format!(
                "not reproduced: the second run, under {oracle}, did not come by here (is the program deterministic?)"
            )
        }
    }
}

/// The value and its ideal; nothing where the headline has said it all.
fn values(f: &Finding) -> Option<String> {
    let w = &f.worst;
    let (value_name, shadow_name) = match f.kind {
        _ if flips(f.kind) || f.kind == Kind::UnstableBranch => return None,
        Kind::Nan | Kind::Inf if w.shadow.is_nan() => return None,
        Kind::LoadMismatch => ("loaded", "stored"),
        _ => ("value", "ideal"),
    };
    // Of NaN and infinities the second form says nothing new, and of an ideal it would say more than is known.
    let with_hex = |is_exact: bool, decimal: String, hex: &str| {
        if is_exact { format!("{decimal} ({})", clean(hex)) } else { decimal }
    };
    let is_exact = w.shadow.is_finite() && is_known_exactly(w.shadow, w.radius);
    Some(format!(
        "{value_name} {}, {shadow_name} {}",
        with_hex(w.value.is_finite(), decimal_of(w.value, w.precision), &w.value_hex),
        with_hex(is_exact, ideal(w.shadow, w.radius), &w.shadow_hex)
    ))
}

/// How wrong, and what that leaves; nothing where no error was measured.
fn error(f: &Finding) -> Option<String> {
    let w = &f.worst;
    if matches!(f.kind, Kind::Nan | Kind::Inf | Kind::LoadMismatch) || w.relative_error == 0.0 {
        return None;
    }
    let relative = match w.relative_error {
        x if x.is_nan() => "relative error unknown".to_owned(),
        _ if is_unknown(w.shadow, w.radius) && !flips(f.kind) => at_least(w),
        f64::INFINITY => "relative error infinite (the ideal is 0)".to_owned(),
        x => format!("relative error {}", rough(x)),
    };
    let ulps = if w.ulps.is_finite() && w.ulps != 0.0 { format!(", {} ulps", rough(w.ulps)) } else { String::new() };
    // What flips is right or wrong, however many digits its operands have.
    let digits = if flips(f.kind) { String::new() } else { format!(": {}", digits_left(w)) };
    Some(format!("{relative}{ulps}{digits}"))
}

/// The relative error of a value whose ideal is only known to be small: what it is if the ideal is as large as it can be.
fn at_least(w: &Worst) -> String {
    let largest = w.shadow.abs() + w.radius.unwrap_or_default();
    let least = (w.value.abs() - largest) / largest;
    if least > 0.0 { format!("relative error at least {}", rough(least)) } else { "relative error unknown".to_owned() }
}

/// Kinds whose `value` is an outcome and not the number that is wrong.
fn flips(kind: Kind) -> bool {
    matches!(kind, Kind::BranchFlip | Kind::CastFlip)
}

/// Whether two texts show the same number.
fn is_same_number(a: &str, b: &str) -> bool {
    a == b || a.parse::<f64>().is_ok_and(|a| Ok(a) == b.parse::<f64>())
}

fn operands(w: &Worst) -> Option<String> {
    let one = |o: &Operand| {
        let (value, ideal) = (decimal_of(o.value, w.precision), ideal(o.shadow, o.radius));
        match o.shadow - o.value {
            0.0 => value,
            more if more.is_nan() || !is_same_number(&value, &ideal) => format!("{value} (ideal {ideal})"),
            // As far as the ideal's digits are known they are the same.
            more if more > 0.0 => format!("{value} (ideal more by {})", rough(more)),
            less => format!("{value} (ideal less by {})", rough(-less)),
        }
    };
    match w.operands.as_slice() {
        [] => None,
        [single] => Some(format!("operand {}", one(single))),
        several => Some(format!("operands {}", several.iter().map(one).collect::<Vec<_>>().join(" and "))),
    }
}

/// `seen 1,024 times, in region 'solve'; finding 68f40ab8840f`.
fn occurrences(f: &Finding) -> String {
    let region = f.region.as_ref().map(|r| format!(", in region '{}'", clean(r))).unwrap_or_default();
    let tests: Vec<String> = f.tests.iter().map(|test| format!("'{}'", clean(test))).collect();
    let place = match tests.as_slice() {
        [] if f.thread > 0 => format!(", worst in thread {}", f.thread),
        [] => String::new(),
        [test] => format!(", in test {test}"),
        several => format!(", in tests {}", several.join(", ")),
    };
    let (programs, ranks) = (programs(&f.programs), ranks(&f.ranks));
    format!("seen {}{region}{place}{programs}{ranks}; finding {}", times(f.count), clean(&f.id))
}

/// `, on MPI ranks 0, 2-5, 7`: neighbours as a range.
fn ranks(ranks: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &rank in ranks {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(rank) => *last = rank,
            _ => runs.push((rank, rank)),
        }
    }
    let one = |(first, last): &(u32, u32)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}-{last}"),
    };
    let shown = runs.iter().take(MOST_RANKS).map(one).collect::<Vec<_>>().join(", ");
    let more = if runs.len() > MOST_RANKS { " and others" } else { "" };
    match ranks {
        [] => String::new(),
        [_] => format!(", on MPI rank {shown}"),
        _ => format!(", on MPI ranks {shown}{more}"),
    }
}

/// Runs of ranks that are named of one finding.
const MOST_RANKS: usize = 8;

/// Programs that are named of one finding.
const MOST_PROGRAMS: usize = 3;

/// `, in t_roots, t_gap -v and 4 other programs`.
fn programs(names: &[String]) -> String {
    let shown = names.iter().take(MOST_PROGRAMS).map(|name| clean(name)).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST_PROGRAMS) {
        _ if names.is_empty() => String::new(),
        0 => format!(", in {shown}"),
        more => format!(", in {shown} and {}", counted(more as u64, "other program")),
    }
}

/// The run in one line: `3 findings (1 in output), ...`.
pub(crate) fn totals(report: &Report) -> String {
    let in_output = report.findings.iter().filter(|f| f.in_output()).count() as u64;
    let shown = report.findings.len() as u64;
    let output = if in_output > 0 { format!(" ({in_output} in output)") } else { String::new() };
    let mut parts = vec![format!("{}{output}", counted(shown, "finding"))];
    let symptoms: usize = report.findings.iter().map(|f| f.symptoms.len()).sum();
    if symptoms > 0 {
        parts.push(format!("also seen in {}", counted(symptoms as u64, "place")));
    }
    parts.extend(clear(report));
    let is_refuted = |f: &&Finding| f.confirmation.as_ref().is_some_and(|c| c.verdict == Verdict::Refuted);
    let refuted = report.refuted.iter().filter(is_refuted).count();
    for (count, what) in [(refuted, "refuted"), (report.refuted.len() - refuted, "left to constants")] {
        if count > 0 {
            parts.push(format!("{} {what}", grouped(count as u64)));
        }
    }
    if report.baseline.is_some() {
        parts.push(format!("{} in the baseline", grouped(report.known.len() as u64)));
    }
    if report.summary.suppressed > 0 {
        parts.push(format!("{} suppressed", grouped(report.summary.suppressed)));
    }
    parts.push(coverage_line(report));
    parts.join(", ")
}

/// Entries of a baseline that are named.
const MOST_GONE: usize = 10;

/// What a baseline has and the run did not find, in lines.
pub(crate) fn gone(report: &Report) -> Vec<String> {
    let Some(BaselineOutcome { file, gone, .. }) = report.baseline.as_ref().filter(|b| !b.gone.is_empty()) else {
        return Vec::new();
    };
    let one = |e: &BaselineEntry| format!("not found any more: {} {}, {}", clean(&e.id), e.kind, clean(&e.place));
    let mut lines: Vec<String> = gone.iter().take(MOST_GONE).map(one).collect();
    let beyond = gone.len() - lines.len();
    let rest = if beyond > 0 { format!("and {} more; ", grouped(beyond as u64)) } else { String::new() };
    lines.push(format!("{rest}'nonius baseline {} --update' takes them out of the baseline", clean(file)));
    lines
}

/// What it means that nothing was found.
fn clear(report: &Report) -> Option<String> {
    let is_clear = report.findings.is_empty()
        && report.known.is_empty()
        && report.summary.suppressed == 0
        && report.stopped.is_none()
        && report.summary.coverage.operations_shadowed > 0;
    let is_sure = !report.is_open() && !report.is_open_by_constants() && !report.summary.may_have_lost();
    let by = match &report.settled_by {
        Some(oracle) => format!("clear by {}", clean(oracle)),
        None if report.oracle == INLINE => "clear as far as one double can tell".to_owned(),
        None => format!("clear by {}", clean(&report.oracle)),
    };
    (is_clear && is_sure).then_some(by)
}

/// The oracle of the inline engine.
const INLINE: &str = "residue";

/// What the oracle does not know, in lines.
pub(crate) fn doubts(report: &Report, sources: &Sources) -> Vec<String> {
    let oracle = report.settled_by.as_deref().unwrap_or(&report.oracle);
    let (who, what_next) = match oracle {
        INLINE => ("one double".to_owned(), "'nonius run' asks an oracle that does".to_owned()),
        name => (clean(name), more_bits(name)),
    };
    let is_open = values_in_places(report, sources, |o| o.open.saturating_sub(o.undefined))
        .map(|values| format!("open: {values} may be right or wholly wrong, and {who} does not tell: {what_next}"));
    let undefined = values_in_places(report, sources, |o| o.undefined).map(|values| {
        format!(
            "open: {values}: no precision gives an ideal, since on the way something is divided by what is ideally \
             0 (an iteration that goes on after it has converged does that), or a function is asked for what is ideally \
             outside of its domain"
        )
    });
    let by_constants = values_in_places(report, sources, |o| o.open_by_constants).map(|values| {
        format!(
            "open: {values}: how the program's constants, such as 0.1, were rounded decides; constants=exact takes them \
             as they are"
        )
    });
    let underflow = report
        .summary
        .underflow
        .then(|| format!("an operation underflowed: what that lost, {who} does not tell: {what_next}"));
    let sensitive = report.summary.ill_conditioned.then(|| {
        format!("a function is so sensitive to its argument that {who} does not tell its result: {what_next}")
    });
    let outside = report.summary.without_ideal.then(|| {
        format!(
            "the argument of a function is ideally outside of its domain, so that what it gave has no ideal that {who} \
             tells: {what_next}"
        )
    });
    let summary = underflow.into_iter().chain(sensitive).chain(outside);
    is_open.into_iter().chain(undefined).chain(by_constants).chain(summary).collect()
}

/// What to try where an oracle of the event engine leaves verdicts open.
fn more_bits(oracle: &str) -> String {
    match oracle.strip_prefix("mpfr:").and_then(|bits| bits.parse::<u32>().ok()) {
        Some(65_536..) => "no oracle has more bits".to_owned(),
        _ => "oracle=auto takes as many bits as it needs".to_owned(),
    }
}

/// How many values there are of a kind, and where: `3 values in 2 places (a.c:1, a.c:2)`.
fn values_in_places(report: &Report, sources: &Sources, count: impl Fn(&Observable) -> u64) -> Option<String> {
    let open: Vec<_> = report.observables.iter().filter(|o| count(o) > 0).collect();
    let places = open.iter().take(MOST_NAMES).map(|o| position(&o.location, sources));
    let places: Vec<String> = places.chain((open.len() > MOST_NAMES).then(|| "...".to_owned())).collect();
    let values = counted(open.iter().map(|o| count(o)).sum(), "value");
    let in_places = counted(open.len() as u64, "place");
    (!open.is_empty()).then(|| format!("{values} in {in_places} ({})", places.join(", ")))
}

fn coverage_line(report: &Report) -> String {
    let c = &report.summary.coverage;
    if c.functions_run == 0 && c.operations == 0 {
        return "no instrumented function ran".to_owned();
    }
    let functions = counted(c.functions_run, "function");
    let sites = if c.sites > 0 { format!(" at {}", counted(c.sites, "site")) } else { String::new() };
    let share = match c.operations {
        0 => format!("nothing was shadowed: no floating-point operation in {functions} that ran"),
        n => {
            let share = percent(c.operations_shadowed, n);
            format!("{}{sites} in {functions} that ran, {share} shadowed", counted(n, "operation"))
        }
    };
    std::iter::once(share).chain(gaps(c)).collect::<Vec<_>>().join("; ")
}

/// What was not shadowed, each kind in a clause.
pub fn gaps(c: &Coverage) -> Vec<String> {
    let mut clauses = Vec::new();
    let of = |memory: bool| -> Vec<&Unshadowed> {
        c.unknown.iter().filter(|u| (u.loss == Loss::Memory) == memory && u.count > 0).collect()
    };
    let (values, calls) = (of(false), of(true));
    if !values.is_empty() {
        let came = counted(c.values_lost(), "value");
        clauses.push(format!("{came} came from code without shadows ({})", most(&values)));
    }
    if !calls.is_empty() {
        let given = counted(calls.iter().map(|u| u.count).sum(), "call");
        clauses.push(format!("{given} of code without shadows may have written floats ({})", most(&calls)));
    }
    if c.folded > 0 {
        let (operations, was) = (counted(c.folded, "operation"), if c.folded == 1 { "was" } else { "were" });
        clauses.push(format!("{operations} on constants {was} computed by the compiler and not checked"));
    }
    for left in &c.left_alone {
        let (functions, were) = (counted(left.functions, "function"), if left.functions == 1 { "was" } else { "were" });
        let mut names: Vec<String> = left.names.iter().take(MOST_NAMES).map(|n| clean(n)).collect();
        names.extend((left.functions > names.len() as u64).then(|| "...".to_owned()));
        clauses.push(format!("{functions} {} {were} left alone ({})", reason(left.reason), names.join(", ")));
    }
    clauses
}

/// Names in one clause of the closing line; `stats=1` has more.
const MOST_NAMES: usize = 3;

/// The first few with their counts: `frob in libfoo.so: 3,000, inline asm: 210`.
fn most(unknown: &[&Unshadowed]) -> String {
    let mut parts: Vec<String> =
        unknown.iter().take(MOST_NAMES).map(|u| format!("{}: {}", unshadowed(u), grouped(u.count))).collect();
    if unknown.len() > parts.len() {
        parts.push(format!("{} others", unknown.len() - parts.len()));
    }
    parts.join(", ")
}

/// `frob in libfoo.so`, `arguments of f`.
pub(crate) fn unshadowed(u: &Unshadowed) -> String {
    let name = clean(&u.name);
    let name = if u.loss == Loss::Argument { format!("arguments of {name}") } else { name };
    if u.object.is_empty() { name } else { format!("{name} in {}", clean(&u.object)) }
}

pub(crate) fn reason(reason: LeftAloneFor) -> &'static str {
    match reason {
        LeftAloneFor::Strict => "with strict floating point",
        LeftAloneFor::Marked => "marked in the source",
        LeftAloneFor::Option => "named by an option",
        LeftAloneFor::Unsupported => "that the pass cannot do",
    }
}

/// `file:line:column`, or the function, as far as they are known.
pub fn position(location: &Location, sources: &Sources) -> String {
    if !location.has_line() {
        let function = clean(&location.function);
        return if function.is_empty() { "an unknown place".to_owned() } else { function };
    }
    let path = clean(sources.short_path(&location.file));
    match location.column {
        0 => format!("{path}:{}", location.line),
        column => format!("{path}:{}:{column}", location.line),
    }
}

/// A frame of a stack in one line.
pub(crate) fn frame(frame: &Frame, sources: &Sources) -> String {
    let function = if frame.function.is_empty() { "??".to_owned() } else { clean(&frame.function) };
    let location = Location::new(&frame.file, frame.line, frame.column, "");
    let place = if location.has_line() {
        format!(" at {}", position(&location, sources))
    } else if !frame.module.is_empty() {
        format!(" in {}", clean(sources.short_path(&frame.module)))
    } else if frame.address != 0 {
        format!(" at {:#x}", frame.address)
    } else {
        String::new()
    };
    format!("{function}{place}{}", if frame.inlined { " (inlined)" } else { "" })
}

/// Frames of code that was not instrumented, in one line.
pub(crate) fn foreign_frames(frames: &[Frame], sources: &Sources) -> String {
    let mut modules: Vec<String> = Vec::new();
    for frame in frames.iter().filter(|frame| !frame.module.is_empty()) {
        let path = sources.short_path(&frame.module);
        let name = clean(path.rsplit('/').next().unwrap_or(path));
        if !modules.contains(&name) {
            modules.push(name);
        }
    }
    let of = if modules.is_empty() { String::new() } else { format!(" ({})", modules.join(", ")) };
    format!("{} of code that was not instrumented{of}", counted(frames.len() as u64, "frame"))
}

/// Text from a report, safe to print: control characters and those that reverse the direction of
/// writing are replaced, so that no report can drive a terminal or lie about its own words.
pub fn clean(text: &str) -> String {
    let dangerous = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if dangerous(c) { '\u{fffd}' } else { c }).collect()
}
