//! How fast the machine walks: a dot product and a stencil, recorded as the pass would, under each oracle.
//! `cargo run --release -p nonius-machine --example speed [ORACLE]...`

use nonius_abi::Precision::Double;
use nonius_abi::code::{Arith, Operand};
use nonius_abi::event::Writer;
use nonius_abi::site::Observed;
use nonius_machine::{Options, engine};

#[path = "../tests/common/mod.rs"]
mod common;
use common::Builder;

/// Seconds that this process has computed, whatever else the machine is at.
fn computed() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("there is one");
    let ticks = |n: usize| {
        stat.rsplit(')').next().and_then(|s| s.split_whitespace().nth(n - 3)).and_then(|t| t.parse::<f64>().ok())
    };
    (ticks(14).unwrap_or(0.0) + ticks(15).unwrap_or(0.0)) / 100.0
}

fn main() {
    let mut b = Builder::new(Double, 16);
    let zero = b.constant(0.0);
    let entry = b.block(true, 0);
    // Four products added up: 8 loads and 8 operations a record, as an unrolled loop has.
    let body = b.block(false, 16);
    b.edge(entry, &[(0, zero)]);
    b.edge(body, &[(0, Operand::slot(1))]);
    let slot = Operand::slot;
    for i in 0..4 {
        b.load(2, 4 * i, 4 * i + 1);
        b.load(3, 4 * i + 2, 4 * i + 3);
        b.arith(Arith::Mul, 4, &[slot(2), slot(3)], 4);
        let sum = if i == 0 { 0 } else { 1 };
        b.arith(Arith::Add, if i == 3 { 1 } else { 5 + i }, &[slot(if i == 0 { sum } else { 4 + i }), slot(4)], 5);
    }
    b.check(1, Observed::Store, 6);
    b.store(1, 0);
    let module = b.finish();
    let mut w = Writer::default();
    w.event(1, entry, &[]);
    let mut record = [0u64; 16];
    for i in 0..20_000u64 {
        for k in 0..4 {
            record[4 * k] = 0x10000 + (i * 4 + k as u64) % 4096 * 8;
            record[4 * k + 1] = (1.0 + (i as f64) * 0.37).to_bits();
            record[4 * k + 2] = 0x90000 + (i * 4 + k as u64) % 4096 * 8;
            record[4 * k + 3] = (0.1 + (i as f64) * 0.11).to_bits();
        }
        w.event(1, body, &record);
    }
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let all = ["native", "residue", "residue-override", "double-double", "mpfr:128", "mpfr:256", "mpfr:512"];
    for oracle in all.into_iter().filter(|o| asked.is_empty() || asked.iter().any(|a| a == o)) {
        let mut machine = engine(oracle.parse().expect("an oracle"), Options::default());
        machine.module(module.clone()).expect("a module");
        let rounds = if oracle == "native" { 800 } else { 80 };
        let start = computed();
        for _ in 0..rounds {
            machine.events(0, &w.words);
        }
        let seconds = computed() - start;
        let operations = machine.operations() as f64;
        println!(
            "{oracle:16} {:8.1} million operations/s, {:6.1} ns each",
            operations / seconds / 1e6,
            seconds / operations * 1e9
        );
    }
}
