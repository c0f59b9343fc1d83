//! The code table as bytes: little-endian u32 words, lists with their length in front.
//!
//! ```text
//! magic "NONIUSC\x01" | abi version |
//! functions: count, then 3 words each: site function, slots, local
//! blocks:    count, then each: function, enters, words, meets,
//!            edges: count, then each: from, moves: count, then 3 words each: to, from, lanes
//!            steps: count, then 10 words each: kind|precision|lanes, detail, result, a, b, c,
//!                   word, place, offset, site
//! calls:     count, then each: callee kind, callee, arguments: count, operands
//! lists:     count, then each: count, operands
//! constants: count, then 5 words each: precision, bits
//! unrecorded: a word
//! ```
//! A reader trusts nothing: a count is believed only as far as the words behind it reach.

use super::{Block, Call, Callee, Code, Constant, Edge, Function, Kind, Move, Operand, Step};
use crate::{ABI_VERSION, Precision};

pub const MAGIC: [u8; 8] = *b"NONIUSC\x01";

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum CodeError {
    #[error("the code table is cut off after {have} bytes")]
    Truncated { have: usize },
    #[error("this is no Nonius code table")]
    Magic,
    #[error("the object was built by a Nonius of ABI {found}, this one is ABI {ABI_VERSION}: rebuild the object")]
    Version { found: u32 },
    #[error("the code table is corrupt: {what}")]
    Corrupt { what: &'static str },
    #[error("the code table is corrupt: it has {lanes} lanes, more than any program of its length")]
    TooLarge { lanes: u64 },
}

impl Code {
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer(MAGIC.to_vec());
        w.word(ABI_VERSION);
        w.list(&self.functions, |w, f| w.words(&[f.site_function, f.slots, u32::from(f.local)]));
        w.list(&self.blocks, Writer::block);
        w.list(&self.calls, |w, call| {
            w.words(&match call.callee {
                Callee::Here(index) => [0, index],
                Callee::Named(name) => [1, name],
                Callee::Address => [2, 0],
            });
            w.list(&call.arguments, |w, o| w.word(o.0));
        });
        w.list(&self.lists, |w, list| w.list(list, |w, o| w.word(o.0)));
        w.list(&self.constants, |w, c| {
            w.word(c.precision as u32);
            w.0.extend_from_slice(&c.bits.to_le_bytes());
        });
        w.word(self.unrecorded);
        w.0
    }

    pub fn parse(bytes: &[u8]) -> Result<Code, CodeError> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(CodeError::Magic)?;
        let mut r = Reader { bytes: rest, whole: bytes.len() };
        let found = r.word()?;
        if found != ABI_VERSION {
            return Err(CodeError::Version { found });
        }
        let code = Code {
            functions: r.list(3, |r| {
                let [site_function, slots, local] = r.words()?;
                Ok(Function { site_function, slots, local: local != 0 })
            })?,
            blocks: r.list(6, Reader::block)?,
            calls: r.list(3, Reader::call)?,
            lists: r.list(1, Reader::operands)?,
            constants: r.list(5, Reader::constant)?,
            unrecorded: r.word()?,
        };
        code.validate()?;
        Ok(code)
    }
}

struct Writer(Vec<u8>);

impl Writer {
    fn word(&mut self, x: u32) {
        self.0.extend_from_slice(&x.to_le_bytes());
    }

    fn words(&mut self, words: &[u32]) {
        words.iter().for_each(|&x| self.word(x));
    }

    fn list<T>(&mut self, items: &[T], mut put: impl FnMut(&mut Writer, &T)) {
        self.word(items.len() as u32);
        items.iter().for_each(|item| put(self, item));
    }

    fn block(&mut self, block: &Block) {
        self.words(&[block.function, u32::from(block.enters), block.words, block.meets]);
        self.list(&block.edges, |w, edge| {
            w.word(edge.from);
            w.list(&edge.moves, |w, m| w.words(&[m.to, m.from.0, m.lanes]));
        });
        self.list(&block.steps, |w, s| {
            let kinds = s.kind as u32 | (s.precision as u32) << 8 | u32::from(s.lanes) << 16;
            let [a, b, c] = s.args.map(|o| o.0);
            w.words(&[kinds, s.detail, s.result, a, b, c, s.word, s.place, s.offset as u32, s.site]);
        });
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    whole: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], CodeError> {
        let (head, rest) = self.bytes.split_first_chunk().ok_or(CodeError::Truncated { have: self.whole })?;
        self.bytes = rest;
        Ok(*head)
    }

    fn word(&mut self) -> Result<u32, CodeError> {
        self.take().map(u32::from_le_bytes)
    }

    fn words<const N: usize>(&mut self) -> Result<[u32; N], CodeError> {
        let mut all = [0; N];
        for word in &mut all {
            *word = self.word()?;
        }
        Ok(all)
    }

    /// A list whose items have at least `item_words` words, so that a wrong count allocates nothing.
    fn list<T>(
        &mut self,
        item_words: usize,
        mut get: impl FnMut(&mut Self) -> Result<T, CodeError>,
    ) -> Result<Vec<T>, CodeError> {
        let count = self.word()? as usize;
        if count > self.bytes.len() / (4 * item_words) {
            return Err(CodeError::Truncated { have: self.whole });
        }
        (0..count).map(|_| get(self)).collect()
    }

    fn operands(&mut self) -> Result<Vec<Operand>, CodeError> {
        self.list(1, |r| r.word().map(Operand))
    }

    fn block(&mut self) -> Result<Block, CodeError> {
        let [function, enters, words, meets] = self.words()?;
        let edges = self.list(2, |r| {
            let from = r.word()?;
            let moves = r.list(3, |r| {
                let [to, from, lanes] = r.words()?;
                Ok(Move { to, from: Operand(from), lanes })
            })?;
            Ok(Edge { from, moves })
        })?;
        let steps = self.list(10, Reader::step)?;
        Ok(Block { function, enters: enters != 0, words, meets, edges, steps })
    }

    fn step(&mut self) -> Result<Step, CodeError> {
        let [kinds, detail, result, a, b, c, word, place, offset, site] = self.words()?;
        let [kind, precision, low, high] = kinds.to_le_bytes();
        let kind = Kind::from_u8(kind).ok_or(CodeError::Corrupt { what: "a step of unknown kind" })?;
        let precision = Precision::from_u8(precision).ok_or(CodeError::Corrupt { what: "an unknown format" })?;
        let lanes = u16::from_le_bytes([low, high]);
        let args = [a, b, c].map(Operand);
        Ok(Step { kind, precision, lanes, detail, result, args, word, place, offset: offset as i32, site })
    }

    fn call(&mut self) -> Result<Call, CodeError> {
        let callee = match self.words()? {
            [0, index] => Callee::Here(index),
            [1, name] => Callee::Named(name),
            [2, _] => Callee::Address,
            _ => return Err(CodeError::Corrupt { what: "a callee of unknown kind" }),
        };
        Ok(Call { callee, arguments: self.operands()? })
    }

    fn constant(&mut self) -> Result<Constant, CodeError> {
        let precision = u8::try_from(self.word()?).ok().and_then(Precision::from_u8);
        let precision = precision.ok_or(CodeError::Corrupt { what: "an unknown format" })?;
        Ok(Constant { precision, bits: u128::from_le_bytes(self.take()?) })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Arith, NO_MEETING, Source};
    use super::*;
    use crate::site::NONE;
    use proptest::prelude::*;

    fn sample() -> Code {
        let double = |kind| Step { site: 0, ..Step::new(kind, Precision::Double, 1) };
        let load = Step { result: 0, place: 0, word: 1, offset: -8, ..double(Kind::Load) };
        let add = Step {
            result: 1,
            detail: Arith::Add as u32,
            args: [Operand::slot(0), Operand::constant(0), Operand::NOTHING],
            ..double(Kind::Arith)
        };
        let edge = Edge { from: 0, moves: vec![Move { to: 2, from: Operand::slot(0), lanes: 2 }] };
        Code {
            functions: vec![Function { site_function: 0, slots: 4, local: true }],
            blocks: vec![
                Block { function: 0, enters: true, words: 2, meets: NO_MEETING, edges: vec![], steps: vec![load, add] },
                Block {
                    function: 0,
                    enters: false,
                    words: 0,
                    meets: 3,
                    edges: vec![edge],
                    steps: vec![double(Kind::Return)],
                },
            ],
            calls: vec![Call { callee: Callee::Named(3), arguments: vec![Operand::slot(1)] }],
            lists: vec![vec![Operand::slot(1)]],
            constants: vec![Constant { precision: Precision::Double, bits: u128::from(1.5f64.to_bits()) }],
            unrecorded: 2,
        }
    }

    #[test]
    fn a_table_reads_back_as_written() {
        let code = sample();
        assert_eq!(Code::parse(&code.encode()), Ok(code));
    }

    #[test]
    fn operands_come_apart_as_put_together() {
        assert_eq!(Operand::slot(7).source(), Source::Slot(7));
        assert_eq!(Operand::constant(7).source(), Source::Constant(7));
        assert_eq!(Operand::NOTHING.source(), Source::Nothing);
    }

    #[test]
    fn indices_out_of_bounds_are_refused() {
        let refused = |change: fn(&mut Code)| {
            let mut code = sample();
            change(&mut code);
            let error = Code::parse(&code.encode()).expect_err("a table that is wrong");
            assert!(matches!(error, CodeError::Corrupt { .. } | CodeError::TooLarge { .. }), "{error}");
        };
        refused(|c| c.blocks[0].steps[1].lanes = 0);
        refused(|c| c.functions[0].slots = 1 << 30);
        refused(|c| c.blocks[1].edges[0].moves[0].lanes = 0);
        refused(|c| {
            let again = c.blocks[1].edges[0].moves[0].clone();
            c.blocks[1].edges[0].moves.push(Move { to: again.to + 1, lanes: 1, ..again });
        });
        refused(|c| c.lists[0] = vec![Operand::slot(4)]);
        refused(|c| c.blocks[0].steps[0].word = 2);
        refused(|c| c.blocks[0].steps[0].place = NONE);
        refused(|c| c.blocks[0].steps[1].result = 4);
        refused(|c| c.blocks[0].steps[1].detail = 99);
        refused(|c| c.blocks[0].steps[1].args[0] = Operand::constant(1));
        refused(|c| c.blocks[0].function = 1);
        refused(|c| c.blocks[1].edges[0].from = 2);
        refused(|c| c.blocks[1].edges[0].moves[0].lanes = u32::MAX);
        refused(|c| c.blocks[1].steps[0].detail = 1);
        refused(|c| c.calls[0].callee = Callee::Here(1));
    }

    #[test]
    fn foreign_and_cut_tables_are_told_apart() {
        let bytes = sample().encode();
        assert_eq!(Code::parse(b"ELF"), Err(CodeError::Magic));
        assert!(matches!(Code::parse(&bytes[..bytes.len() - 1]), Err(CodeError::Truncated { .. })));
        let mut newer = bytes;
        newer[8] = 99;
        assert_eq!(Code::parse(&newer), Err(CodeError::Version { found: 99 }));
    }

    proptest! {
        #[test]
        fn no_damage_makes_the_reader_panic(at in 0usize..400, value: u8, cut in 0usize..400) {
            let mut bytes = sample().encode();
            let len = bytes.len();
            bytes[at % len] = value;
            bytes.truncate(len - cut % len);
            let _ = Code::parse(&bytes);
        }
    }
}
