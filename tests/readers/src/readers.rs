//! The readers, each with valid inputs to begin from and the words that it knows.

use crate::Outcome;
use crate::fields::{Parts, change_code};
use crate::random::Random;
use nonius_abi::code::Code;
use nonius_abi::table::{Outline, Table};
use nonius_finding::{Baseline, Program, Report, Suppressions};
use nonius_machine::{Options, engine};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

/// Changes fields of an input; `None` if it cannot be decoded.
pub type Change = fn(&[u8], &mut Random) -> Option<Vec<u8>>;

/// Something that reads bytes from outside.
pub struct Reader {
    pub name: &'static str,
    /// Its part of the time, in hundredths.
    pub share: u64,
    /// Valid inputs.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// What it knows.
    pub words: &'static [&'static [u8]],
    /// Where inputs have fields.
    pub change: Option<Change>,
    /// Reads, and says what came of it. Panics where it must not.
    pub read: fn(&[u8]) -> Outcome,
}

const EVENTS: [&[u8]; 6] = [
    include_bytes!("../../replay/clock.events"),
    include_bytes!("../../replay/nan.events"),
    include_bytes!("../../replay/quadratic.events"),
    include_bytes!("../../replay/stages.events"),
    include_bytes!("../../replay/threads.events"),
    include_bytes!("../../replay/variance.events"),
];

const OPTION_WORDS: &[&[u8]] = &[
    b"threshold=",
    b"digits=",
    b"bits=",
    b"ulps=",
    b"rel=",
    b"2^-19",
    b"1e-6",
    b"standard",
    b"floor=",
    b"check_store=",
    b"report=",
    b"'",
    b"\"",
    b":",
    b"oracle=",
    b"mpfr:",
    b"double-double",
    b"residue",
    b"native",
    b"machine_mib=",
    b"exitcode=",
    b"color=",
    b"always",
    b"max_findings=",
    b"help=1",
    b"\xc3\xa9",
    b"1048577",
    b"nan",
    b"inf",
];
const SUPPRESSION_WORDS: &[&[u8]] = &[
    b"precision-loss",
    b"*:",
    b":function=",
    b":file=",
    b":module=",
    b"resume=",
    b"shadow",
    b"value",
    b"#",
    b"\n",
    b"nan",
    b"inf",
    b"branch-flip",
    b"*",
    b"?",
    b"**?*",
];
const NAME_WORDS: &[&[u8]] = &[
    b"_ZN",
    b"_Z",
    b"E",
    b"St",
    b"S_",
    b"S0_",
    b"T_",
    b"I",
    b"J",
    b"Dp",
    b"X",
    b"_R",
    b"Nv",
    b"C",
    b"M",
    b"B_",
    b"B0_",
    b"_Q",
    b"P",
    b"F",
    b"17h0123456789abcdef",
    b"3foo",
    b"9999999999",
    b"K",
    b"PK",
    b"R",
    b"sr",
    b"Ut_",
    b"UlvE_",
];
const JSON_WORDS: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b":",
    b",",
    b"null",
    b"true",
    b"-1",
    b"1e999",
    b"18446744073709551616",
    b"\\u0000",
    b"\\ud800",
    b"\"findings\"",
    b"\"schema\"",
    b"\"nan\"",
    b"\"-inf\"",
    b"1.5",
];

const BASELINE_WORDS: &[&[u8]] =
    &[b"nonius-baseline/1", b"\n", b" nan ", b" inf", b"# ", b"-2", b"\xef\xbb\xbf", b"\r"];

pub const READERS: &[Reader] = &[
    Reader {
        name: "recordings",
        share: 34,
        seeds: recordings,
        words: &[],
        change: Some(recording_fields),
        read: recording,
    },
    Reader {
        name: "code tables",
        share: 12,
        seeds: code_tables,
        words: &[],
        change: Some(code_fields),
        read: code_table,
    },
    Reader { name: "site tables", share: 12, seeds: site_tables, words: &[], change: None, read: site_table },
    Reader { name: "reports", share: 6, seeds: reports, words: JSON_WORDS, change: None, read: report },
    Reader {
        name: "suppressions",
        share: 8,
        seeds: suppression_files,
        words: SUPPRESSION_WORDS,
        change: None,
        read: suppressions,
    },
    Reader { name: "baselines", share: 4, seeds: baselines, words: BASELINE_WORDS, change: None, read: baseline },
    Reader { name: "options", share: 4, seeds: option_texts, words: OPTION_WORDS, change: None, read: options },
    Reader { name: "response files", share: 6, seeds: response_files, words: &[], change: None, read: response_file },
    Reader { name: "file notes", share: 6, seeds: file_notes, words: &[], change: None, read: file_note },
    Reader { name: "names", share: 8, seeds: names, words: NAME_WORDS, change: None, read: name },
];

/// What is told of an input: two that differ in digits only are told the same.
fn told(result: Result<u64, String>) -> Outcome {
    let mut hasher = DefaultHasher::new();
    match result {
        Ok(size) => (true, size.min(64)).hash(&mut hasher),
        Err(text) => text.chars().filter(|c| c.is_ascii_alphabetic()).take(14).for_each(|c| c.hash(&mut hasher)),
    }
    hasher.finish()
}

fn recordings() -> Vec<Vec<u8>> {
    // Shortened: what is tried often should be small.
    EVENTS.iter().map(|bytes| shortened(bytes)).collect()
}

fn shortened(bytes: &[u8]) -> Vec<u8> {
    let mut parts = Parts::of(bytes).expect("a valid recording");
    parts.chunks.truncate(6);
    parts.chunks.iter_mut().for_each(|(_, words)| words.truncate(120));
    parts.written()
}

fn recording_fields(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let mut parts = Parts::of(bytes)?;
    parts.change(random);
    Some(parts.written())
}

fn recording(bytes: &[u8]) -> Outcome {
    const ORACLES: [&str; 6] = ["double-double", "residue", "residue-override", "native", "mpfr:100", "mpfr:128"];
    let which = bytes.iter().fold(bytes.len(), |sum, &b| sum.wrapping_mul(31).wrapping_add(b.into()));
    let spec = ORACLES[which % ORACLES.len()].parse().expect("an oracle");
    let mut machine = engine(spec, Options { most_bytes: 1 << 20, ..Options::default() });
    let read = nonius_recording::read(bytes, &mut *machine);
    let analysis = machine.analysis();
    told(read.map(|summary| summary.words + 64 * analysis.findings.len() as u64).map_err(|e| e.to_string()))
}

fn code_tables() -> Vec<Vec<u8>> {
    let parts = EVENTS.iter().filter_map(|bytes| Parts::of(bytes));
    parts.flat_map(|parts| parts.modules).map(|module| module.code.encode()).filter(|b| b.len() < 8000).collect()
}

fn code_fields(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let mut code = Code::parse(bytes).ok()?;
    for _ in 0..=random.below(3) {
        change_code(&mut code, random);
    }
    Some(code.encode())
}

fn code_table(bytes: &[u8]) -> Outcome {
    told(Code::parse(bytes).map_err(|e| e.to_string()).map(|code| {
        // What was taken is written as it was read, and is taken again.
        let again = code.encode();
        assert_eq!(Code::parse(&again).as_ref(), Ok(&code));
        code.size().lanes / 64
    }))
}

fn site_tables() -> Vec<Vec<u8>> {
    let parts = EVENTS.iter().filter_map(|bytes| Parts::of(bytes));
    parts.flat_map(|parts| parts.modules).map(|module| module.sites.encode()).filter(|b| b.len() < 4000).collect()
}

fn site_table(bytes: &[u8]) -> Outcome {
    if let Ok(outline) = Outline::read(bytes) {
        (0..8).for_each(|site| _ = outline.kinds(bytes, site));
    }
    told(Table::parse(bytes).map_err(|e| e.to_string()).map(|table| {
        assert_eq!(Table::parse(&table.encode()).as_ref(), Ok(&table));
        table.sites.len() as u64
    }))
}

fn reports() -> Vec<Vec<u8>> {
    let report = |bytes: &&[u8]| {
        let mut machine = engine("mpfr:256".parse().ok()?, Options::default());
        nonius_recording::read(*bytes, &mut *machine).ok()?;
        let mut report = Report::new(Program::default(), "mpfr:256");
        machine.analysis().into_report(&mut report, &Suppressions::default());
        report.operations.truncate(2);
        report.observables.truncate(2);
        Some(nonius_report::json::write(&report).ok()?.into_bytes())
    };
    EVENTS.iter().filter_map(report).collect()
}

fn report(bytes: &[u8]) -> Outcome {
    told(nonius_report::json::parse(bytes, "a.json").map_err(|e| e.to_string()).map(|r| r.findings.len() as u64))
}

fn suppression_files() -> Vec<Vec<u8>> {
    let text = "precision-loss:function=lerp*  # below a pixel\n*:module=libcblas.so*  # not ours\n\
        nan:function=parse(char const*) resume=value # missing input\nbranch-flip:file=sort/median.c # either\n\
        *:at=src/a.c:12 # known\nnan:id=911954a041da-2 # known\ninf:frame=test/* # tests\n";
    text.lines().map(|line| line.as_bytes().to_vec()).chain([text.as_bytes().to_vec()]).collect()
}

fn suppressions(bytes: &[u8]) -> Outcome {
    use nonius_finding::{Finding, Kind, Location, ObservedAt, Precision, Worst};
    static FINDING: OnceLock<Finding> = OnceLock::new();
    let finding = FINDING.get_or_init(|| {
        let worst = Worst::new(1.0, f64::NAN, Precision::Double);
        Finding::new(Kind::Nan, ObservedAt::Operation, Location::default(), "division", worst)
    });
    let text = String::from_utf8_lossy(bytes);
    told(Suppressions::parse(&text, "a.supp").map_err(|e| e.to_string()).map(|read| {
        let covered = read.find(finding).is_some();
        read.entries().len() as u64 + u64::from(covered)
    }))
}

fn baselines() -> Vec<Vec<u8>> {
    let texts: [&[u8]; 3] = [
        b"# why\nnonius-baseline/1\n911954a041da precision-loss src/a.c: subtraction in gap\n",
        b"nonius-baseline/1\n911954a041da-2 branch-flip comparison\r\n\n0 nan\n",
        b"nonius-baseline/1\n",
    ];
    texts.map(<[u8]>::to_vec).to_vec()
}

fn baseline(bytes: &[u8]) -> Outcome {
    told(Baseline::parse(bytes, "a.txt").map_err(|e| e.to_string()).map(|read| {
        // What was read is written so that it reads back the same.
        let again = Baseline::parse(read.write().as_bytes(), "a.txt");
        assert_eq!(again.ok().as_ref(), Some(&read));
        read.entries().len() as u64
    }))
}

fn option_texts() -> Vec<Vec<u8>> {
    let texts: [&[u8]; 4] = [
        b"threshold=digits=6:report='/tmp/a b:c.json':exitcode=7 check_load=1:\tcolor=always:",
        b"oracle=mpfr:512:machine_mib=64:halt=1",
        b"stats=1:floor=1e-300:log_path=\"a'b\":suppressions=x",
        b"threshold=2^-19:max_stacks=3:quiet=yes",
    ];
    texts.map(<[u8]>::to_vec).to_vec()
}

fn options(bytes: &[u8]) -> Outcome {
    let text = String::from_utf8_lossy(bytes);
    let mut values = nonius_options::Values::default();
    told(values.apply(&text).map(|()| {
        // Whatever a path holds, it comes back.
        let path = values.report.as_ref().and_then(|p| p.to_str()).unwrap_or_default();
        let mut again = nonius_options::Values::default();
        again.apply(&format!("report={}", nonius_options::quoted(path))).expect("a path in quotes");
        assert_eq!(again.report, values.report);
        text.len() as u64 / 16
    }))
}

fn response_files() -> Vec<Vec<u8>> {
    [&b"-O2 -o 'a b' \"c\\\"d\" e\\ f @nested.rsp\n-lm"[..], b"a\nb\tc", b"\\"].map(<[u8]>::to_vec).to_vec()
}

fn response_file(bytes: &[u8]) -> Outcome {
    let words = nonius_driver::response_words(bytes);
    let longest = words.iter().map(|w| w.len()).max().unwrap_or(0);
    assert!(words.iter().map(|w| w.len()).sum::<usize>() <= bytes.len() + 1);
    told(Ok(words.len() as u64 * 4 + longest as u64 / 8))
}

fn file_notes() -> Vec<Vec<u8>> {
    [&b"a/a b\0\0f/x\0files.7.1.644\0l/z\0to\0u/y\0large\0"[..], b"d/etc/x\x00755\0", b""].map(<[u8]>::to_vec).to_vec()
}

fn file_note(bytes: &[u8]) -> Outcome {
    let mode = |second: &[u8]| nonius_abi::files::mode_of_copy(str::from_utf8(second).ok()?);
    let mut copies = 0;
    let count =
        nonius_abi::files::records(bytes).inspect(|record| copies += u64::from(mode(record.second).is_some())).count();
    told(Ok(count as u64 + 16 * copies))
}

fn names() -> Vec<Vec<u8>> {
    [
        "_ZN2la3dotEPKdS1_i",
        "_ZN3fooIdE3barEv",
        "_ZNSt6vectorIdSaIdEE9push_backERKd",
        "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE",
        "_RNvCs1234_7mycrate3foo",
        "_RINvNtC3std3mem8align_ofdE",
        "_QMlinearPsolve",
        "_QFPinner",
        "main",
    ]
    .map(|name| name.as_bytes().to_vec())
    .to_vec()
}

fn name(bytes: &[u8]) -> Outcome {
    let name = String::from_utf8_lossy(bytes);
    let shown = nonius_verdict::demangle::demangle(&name);
    told(Ok(u64::from(shown != name) * 32 + (shown.len() as u64 / 8).min(31)))
}
