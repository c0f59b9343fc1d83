//! The tables and constants of `src/libm/tables/` are what MPFR says they are.
//!
//! This test is also their generator: `NONIUS_BLESS=1 cargo test -p nonius-numerics --test tables` rewrites the files.

use rug::{Assign, Float, Integer, float::Constant};
use std::fmt::Write as _;
use std::path::PathBuf;

const PREC: u32 = 400;

fn big(x: f64) -> Float {
    Float::with_val(PREC, x)
}

fn pi() -> Float {
    Float::with_val(PREC, Constant::Pi)
}

fn ln2() -> Float {
    Float::with_val(PREC, Constant::Log2)
}

/// The leading `n` doubles of an expansion of `x`, each the rounding of what the ones before leave.
fn parts(x: &Float, n: usize) -> Vec<u64> {
    let mut rest = x.clone();
    (0..n)
        .map(|_| {
            let part = rest.to_f64();
            rest -= part;
            part.to_bits()
        })
        .collect()
}

fn hex(bits: u64) -> String {
    let digits = format!("{bits:016x}");
    let groups: Vec<&str> = (0..4).map(|i| &digits[4 * i..4 * i + 4]).collect();
    format!("0x{}", groups.join("_"))
}

fn dd(x: &Float) -> String {
    let p = parts(x, 2);
    format!("dd({}, {})", hex(p[0]), hex(p[1]))
}

fn dd_table(doc: &str, name: &str, entries: &[Float]) -> String {
    let mut text = format!("/// {doc}\npub(crate) static {name}: [Dd; {}] = [\n", entries.len());
    for entry in entries {
        writeln!(text, "    {},", dd(entry)).unwrap();
    }
    text + "];\n"
}

const HEADER: &str = "//! Generated and checked by `tests/tables.rs`: not to be edited by hand.\n\n";
const USE_DD: &str = "use super::dd;\nuse crate::Dd;\n\n";

fn exp_file() -> String {
    let coarse: Vec<Float> = (0..64).map(|i| (big(f64::from(i)) / 64u32).exp2()).collect();
    let fine: Vec<Float> = (-32..32).map(|j| (big(f64::from(j)) / 4096u32 * ln2()).exp_m1()).collect();
    format!(
        "{HEADER}{USE_DD}{}\n{}",
        dd_table("2^(i/64).", "EXP2_COARSE", &coarse),
        dd_table("2^((j-32)/4096) - 1.", "EXP2_FINE", &fine)
    )
}

fn log_file() -> String {
    let mut text = format!("{HEADER}use super::{{LogEntry, dd, log_entry}};\nuse crate::Dd;\n\n");
    text += "/// c near 1/(1 + i/128), with -log(c) up to the square root of 2 and -log(2c) above it.\n";
    text += "pub(crate) static LOG_COARSE: [LogEntry; 129] = [\n";
    for i in 0..=128 {
        let m = 1.0 + f64::from(i) / 128.0;
        let c = (1u32 / big(m)).to_f64();
        let minus_log = -big(if i > 53 { 2.0 * c } else { c }).ln();
        let p = parts(&minus_log, 2);
        writeln!(text, "    log_entry({}, {}, {}),", hex(c.to_bits()), hex(p[0]), hex(p[1])).unwrap();
    }
    text += "];\n\n";
    let fine: Vec<Float> = (-64..=64).map(|j| -(-big(f64::from(j)) / 16384u32).ln_1p()).collect();
    text + &dd_table("-log(1 - (j-64)/2^14).", "LOG_FINE", &fine)
}

fn sine_file() -> String {
    let entries: Vec<Float> = (0..=256u32).map(|j| (pi() * j / 512u32).sin()).collect();
    format!("{HEADER}{USE_DD}{}", dd_table("sin(j pi/512).", "SINE", &entries))
}

fn atan_file() -> String {
    let entries: Vec<Float> = (0..=128).map(|j| (big(f64::from(j)) / 128u32).atan()).collect();
    format!("{HEADER}{USE_DD}{}", dd_table("atan(j/128).", "ATAN", &entries))
}

fn two_over_pi_file() -> String {
    const WORDS: u32 = 20;
    let mut x = Float::with_val(64 * WORDS + 200, Constant::Pi);
    x = 2u32 / x;
    let scaled = (x << (64 * WORDS)).to_integer_round(rug::float::Round::Down).unwrap().0;
    let mut text = HEADER.to_owned();
    text += "/// The bits of 2/pi after the point, after two words of zeros that stand for the bits before it.\n";
    writeln!(text, "pub(crate) static TWO_OVER_PI: [u64; {}] = [", WORDS + 2).unwrap();
    text += "    0,\n    0,\n";
    for i in (0..WORDS).rev() {
        let word = Integer::from(&scaled >> (64 * i)).to_u64_wrapping();
        writeln!(text, "    {},", hex(word)).unwrap();
    }
    text + "];\n"
}

fn constants_file() -> String {
    let mut text = format!("{HEADER}use super::dd;\nuse crate::Dd;\n");
    let ten = big(10.0);
    let log10_2 = big(2.0).log10();
    let triple = |text: &mut String, doc: &str, name: &str, x: &Float, n: usize| {
        let list: Vec<String> = parts(x, n).iter().map(|p| format!("f64::from_bits({})", hex(*p))).collect();
        let list = list.join(",\n    ");
        write!(text, "\n/// {doc}\npub(crate) const {name}: [f64; {n}] = [\n    {list},\n];\n").unwrap();
    };
    triple(&mut text, "ln(2)/4096 in parts.", "LN2_4096TH", &(ln2() / 4096u32), 3);
    triple(&mut text, "log10(2)/4096 in parts.", "LOG10_2_4096TH", &(log10_2.clone() / 4096u32), 3);
    triple(&mut text, "pi/512 in parts.", "PI_512TH", &(pi() / 512u32), 4);

    let double = |text: &mut String, doc: &str, name: &str, x: &Float| {
        let bits = hex(x.to_f64().to_bits());
        write!(text, "\n/// {doc}\npub(crate) const {name}: f64 = f64::from_bits({bits});\n").unwrap();
    };
    double(&mut text, "4096/ln(2).", "LN2_4096THS", &(4096u32 / ln2()));
    double(&mut text, "4096/log10(2).", "LOG10_2_4096THS", &(4096u32 / log10_2.clone()));
    double(&mut text, "512/pi.", "PI_512THS", &(512u32 / pi()));
    // 42 bits, so that its product with an exponent is exact.
    let mut ln2_head = Float::with_val(42, 0);
    ln2_head.assign(&ln2());
    let ln2_tail = ln2() - &ln2_head;
    double(&mut text, "ln(2) to 42 bits.", "LN2_HEAD", &ln2_head);

    let pair = |text: &mut String, doc: &str, name: &str, x: &Float| {
        write!(text, "\n/// {doc}\npub(crate) const {name}: Dd = {};\n", dd(x)).unwrap();
    };
    pair(&mut text, "ln(2) - LN2_HEAD.", "LN2_TAIL", &ln2_tail);
    pair(&mut text, "ln(2).", "LN2", &ln2());
    pair(&mut text, "ln(10).", "LN10", &ten.clone().ln());
    pair(&mut text, "1/ln(2).", "LOG2_E", &(1u32 / ln2()));
    pair(&mut text, "1/ln(10).", "LOG10_E", &(1u32 / ten.clone().ln()));
    pair(&mut text, "pi.", "PI", &pi());
    pair(&mut text, "pi/2.", "PI_HALF", &(pi() / 2u32));
    for (name, x) in [("THIRD", 3), ("FIFTH", 5), ("SIXTH", 6), ("TWENTY_FOURTH", 24)] {
        pair(&mut text, &format!("1/{x}."), name, &(1u32 / big(f64::from(x))));
    }
    text
}

fn check(file: &str, expected: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/libm/tables").join(file);
    if std::env::var_os("NONIUS_BLESS").is_some() {
        std::fs::write(&path, expected).unwrap();
    }
    let actual = std::fs::read_to_string(&path).unwrap();
    for (n, (a, e)) in actual.lines().zip(expected.lines()).enumerate() {
        assert_eq!(a, e, "{file}:{}", n + 1);
    }
    assert_eq!(actual.len(), expected.len(), "{file}");
}

#[test]
fn exp() {
    check("exp.rs", &exp_file());
}

#[test]
fn log() {
    check("log.rs", &log_file());
}

#[test]
fn sine() {
    check("sine.rs", &sine_file());
}

#[test]
fn atan() {
    check("atan.rs", &atan_file());
}

#[test]
fn two_over_pi() {
    check("two_over_pi.rs", &two_over_pi_file());
}

#[test]
fn constants() {
    check("constants.rs", &constants_file());
}
