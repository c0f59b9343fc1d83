//! Programs written by hand: a function at a time, with the code that the pass would make of it.
#![allow(dead_code)]

use nonius_abi::Precision;
use nonius_abi::code::{Arith, Block, Call, Callee, Code, Constant, Edge, Function, Kind, Move, Operand, Step};
use nonius_abi::event::{Module, Writer};
use nonius_abi::site::{self, Loc, NONE, Observed, Op, Site};
use nonius_abi::table::Builder as Sites;
use nonius_machine::{Analysis, Engine, Options, engine};

pub struct Builder {
    sites: Sites,
    pub code: Code,
    format: Precision,
    file: u32,
    function: u32,
}

impl Builder {
    /// One function, of `slots` slots.
    pub fn new(format: Precision, slots: u32) -> Builder {
        let mut sites = Sites::default();
        let file = sites.string("a.c");
        let function = sites.string("f");
        sites.string("");
        sites.function(site::Function { name: function, ..Default::default() }, &[]);
        let code = Code { functions: vec![Function { site_function: 0, slots, local: false }], ..Code::default() };
        Builder { sites, code, format, file, function }
    }

    /// Another function; returns its index.
    pub fn function(&mut self, name: &str, slots: u32) -> u32 {
        let index = self.sites.next_function();
        self.function = self.sites.string(name);
        self.sites.function(site::Function { name: self.function, ..Default::default() }, &[]);
        self.code.functions.push(Function { site_function: index, slots, local: true });
        index
    }

    pub fn block(&mut self, enters: bool, words: u32) -> u32 {
        let function = self.code.functions.len() as u32 - 1;
        self.code.blocks.push(Block { function, enters, words, ..Block::default() });
        self.code.blocks.len() as u32 - 1
    }

    pub fn site(&mut self, op: Op, observed: Observed, line: u32, predicate: u8) -> u32 {
        let loc = self.sites.loc(Loc {
            file: self.file,
            function: self.function,
            line,
            column: 1,
            inlined_at: NONE,
            is_small: false,
        });
        let name = self.sites.string("");
        let function = self.code.functions.len() as u32 - 1;
        self.sites.site(Site {
            op,
            precision: self.format,
            observed,
            predicate,
            marks: 0,
            at: loc,
            seen: loc,
            name,
            function,
        })
    }

    pub fn constant(&mut self, value: f64) -> Operand {
        let bits = match self.format {
            Precision::Float => u128::from((value as f32).to_bits()),
            _ => u128::from(value.to_bits()),
        };
        self.code.constants.push(Constant { precision: self.format, bits });
        Operand::constant(self.code.constants.len() as u32 - 1)
    }

    pub fn step(&mut self, step: Step) {
        self.code.blocks.last_mut().unwrap().steps.push(step);
    }

    pub fn blank(&self, kind: Kind) -> Step {
        Step::new(kind, self.format, 1)
    }

    pub fn arith(&mut self, which: Arith, result: u32, args: &[Operand], line: u32) {
        let op = match which {
            Arith::Add => Op::Add,
            Arith::Sub => Op::Sub,
            Arith::Mul => Op::Mul,
            Arith::Div => Op::Div,
            Arith::Sqrt => Op::Sqrt,
            _ => Op::Unknown,
        };
        let site = self.site(op, Observed::Operation, line, 0);
        let mut all = [Operand::NOTHING; 3];
        all[..args.len()].copy_from_slice(args);
        self.step(Step { result, args: all, detail: which as u32, site, ..self.blank(Kind::Arith) });
    }

    pub fn check(&mut self, slot: u32, observed: Observed, line: u32) {
        let site = self.site(Op::Unknown, observed, line, 0);
        self.step(Step {
            args: [Operand::slot(slot), Operand::NOTHING, Operand::NOTHING],
            site,
            ..self.blank(Kind::Check)
        });
    }

    pub fn load(&mut self, result: u32, place: u32, word: u32) {
        self.step(Step { result, place, word, ..self.blank(Kind::Load) });
    }

    pub fn store(&mut self, slot: u32, place: u32) {
        self.step(Step {
            args: [Operand::slot(slot), Operand::NOTHING, Operand::NOTHING],
            place,
            ..self.blank(Kind::Store)
        });
    }

    pub fn value(&mut self, result: u32, word: u32) {
        self.step(Step { result, word, ..self.blank(Kind::Value) });
    }

    pub fn compare(&mut self, x: Operand, y: Operand, predicate: u8, line: u32) {
        let site = self.site(Op::Compare, Observed::Branch, line, predicate);
        let args = [x, y, Operand::NOTHING];
        self.step(Step { args, detail: u32::from(predicate), site, ..self.blank(Kind::Compare) });
    }

    pub fn returns(&mut self, list: Vec<Operand>) {
        self.code.lists.push(list);
        let detail = self.code.lists.len() as u32 - 1;
        self.step(Step { detail, ..self.blank(Kind::Return) });
    }

    pub fn call(&mut self, function: u32, arguments: Vec<Operand>) {
        self.code.calls.push(Call { callee: Callee::Here(function), arguments });
        let detail = self.code.calls.len() as u32 - 1;
        self.step(Step { detail, ..self.blank(Kind::Call) });
    }

    pub fn edge(&mut self, from: u32, moves: &[(u32, Operand)]) {
        let moves = moves.iter().map(|&(to, from)| Move { to, from, lanes: 1 }).collect();
        self.code.blocks.last_mut().unwrap().edges.push(Edge { from, moves });
    }

    pub fn finish(self) -> Module {
        self.code.validate().unwrap();
        let addresses = vec![0; self.code.functions.len()];
        Module { base: 0, sites: self.sites.finish(), code: self.code, addresses }
    }
}

pub fn run(oracle: &str, module: &Module, stream: &Writer) -> Analysis {
    let mut machine = started(oracle, module);
    machine.events(0, &stream.words);
    machine.finish();
    machine.analysis()
}

pub fn started(oracle: &str, module: &Module) -> Box<dyn Engine> {
    let mut machine = engine(oracle.parse().unwrap(), Options { most_bytes: 1 << 24, ..Options::default() });
    machine.module(module.clone()).unwrap();
    machine
}

pub const ORACLES: [&str; 5] = ["mpfr", "mpfr:1000", "double-double", "residue", "residue-override"];
