//! Changes to the fields of recordings: to their tables and their events, which are written again.

use crate::random::Random;
use nonius_abi::Precision;
use nonius_abi::code::{Block, Call, Callee, Code, Constant, Edge, Function, Kind, Move, Operand, Source, Step};
use nonius_abi::event::{CONTROL, Consumer, EventError, Module, Note, header};
use nonius_abi::site::NONE;
use nonius_abi::table::Table;
use nonius_recording::Writer;

/// A recording, taken apart.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    pub modules: Vec<Module>,
    pub chunks: Vec<(u32, Vec<u64>)>,
}

impl Consumer for Parts {
    fn module(&mut self, module: Module) -> Result<(), EventError> {
        self.modules.push(module);
        Ok(())
    }

    fn events(&mut self, thread: u32, words: &[u64]) {
        self.chunks.push((thread, words.to_vec()));
    }

    fn finish(&mut self) {}
}

impl Parts {
    pub fn of(bytes: &[u8]) -> Option<Parts> {
        let mut parts = Parts::default();
        nonius_recording::read(bytes, &mut parts).ok()?;
        Some(parts)
    }

    /// As a file.
    pub fn written(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes);
        for module in &self.modules {
            // The writer takes everything.
            let _ = writer.module(module.clone());
        }
        self.chunks.iter().for_each(|(thread, words)| writer.events(*thread, words));
        writer.finish();
        drop(writer);
        bytes
    }

    pub fn change(&mut self, random: &mut Random) {
        for _ in 0..=random.below(3) {
            match random.below(8) {
                0..=3 => self.change_code(random),
                4 => self.change_sites(random),
                5 => self.change_modules(random),
                _ => self.change_events(random),
            }
        }
    }

    fn change_code(&mut self, random: &mut Random) {
        if let Some(module) = random.pick_mut(&mut self.modules) {
            change_code(&mut module.code, random);
            module.addresses.resize(module.code.functions.len(), 0x1000);
        }
    }

    fn change_sites(&mut self, random: &mut Random) {
        if let Some(module) = random.pick_mut(&mut self.modules) {
            change_table(&mut module.sites, random);
        }
    }

    fn change_modules(&mut self, random: &mut Random) {
        let next = self.modules.last().map_or(0, |m| m.base + m.code.blocks.len() as u32);
        match random.below(4) {
            0 if self.modules.len() < 6 => {
                let Some(module) = self.modules.first().cloned() else { return };
                self.modules.push(Module { base: next, ..module });
            }
            1 => {
                if let Some(module) = random.pick_mut(&mut self.modules) {
                    module.base = random.word(module.base);
                }
            }
            _ => {
                let Some(module) = random.pick_mut(&mut self.modules) else { return };
                if let Some(address) = random.pick_mut(&mut module.addresses) {
                    *address = u64::from(random.word(*address as u32));
                }
            }
        }
    }

    fn change_events(&mut self, random: &mut Random) {
        let blocks = self.modules.last().map_or(0, |m| m.base + m.code.blocks.len() as u32);
        let sizes: Vec<u32> = self.modules.iter().flat_map(|m| &m.code.blocks).map(|b| b.words).collect();
        let count = self.chunks.len();
        let Some((thread, words)) = random.pick_mut(&mut self.chunks) else { return };
        let at = random.below(words.len() + 1);
        match random.below(8) {
            0..=2 => {
                if let Some(word) = words.get_mut(at) {
                    *word = value(random, *word);
                }
            }
            3 => {
                // A whole event of some block.
                let block = random.below(blocks as usize + 1) as u32;
                let size = sizes.get(block as usize).copied().unwrap_or(1).min(64);
                let event = std::iter::once(header(random.below(4) as u32 * 64, block));
                let event: Vec<u64> = event.chain((0..size).map(|_| value(random, 0))).collect();
                words.splice(at..at, event);
            }
            4 => {
                let note = CONTROL + random.below(Note::ALL.len() + 1) as u32;
                words.splice(at..at, [header(0, note), value(random, 0)]);
            }
            5 => words.truncate(at),
            6 => {
                let part = words[at..(at + 40).min(words.len())].to_vec();
                words.extend(part);
                words.truncate(2000);
            }
            _ => *thread = random.word(*thread),
        }
        if random.once_in(10) && count < 8 {
            let again = random.pick(&self.chunks).clone();
            self.chunks.push(again);
        }
    }
}

/// A word of an event: a float that matters, an address, or anything.
fn value(random: &mut Random, old: u64) -> u64 {
    const FLOATS: [f64; 10] =
        [0.0, -0.0, 1.0, 0.1, 1e16, 1e300, 5e-324, f64::INFINITY, f64::NAN, -1.7976931348623157e308];
    match random.below(8) {
        0 | 1 => random.pick(&FLOATS).to_bits(),
        2 => old ^ 1 << random.below(64),
        3 => old.wrapping_add(8),
        4 => 0x7fff_0000_0000 + 4 * random.below(4096) as u64,
        5 => random.below(200) as u64,
        6 => u64::MAX - random.below(64) as u64,
        _ => random.bits(),
    }
}

pub fn change_code(code: &mut Code, random: &mut Random) {
    let (functions, calls, lists) = (code.functions.len(), code.calls.len(), code.lists.len());
    let blocks = code.blocks.len();
    match random.below(16) {
        0 => {
            if let Some(Function { slots, local, site_function }) = random.pick_mut(&mut code.functions) {
                match random.below(3) {
                    0 => *slots = random.word(*slots),
                    1 => *local = !*local,
                    _ => *site_function = random.word(*site_function),
                }
            }
        }
        1 => {
            if let Some(Call { callee, arguments }) = random.pick_mut(&mut code.calls) {
                if random.once_in(2) {
                    *callee = match random.below(3) {
                        0 => Callee::Here(random.below(functions + 1) as u32),
                        1 => Callee::Named(random.below(8) as u32),
                        _ => Callee::Address,
                    };
                } else {
                    change_operands(arguments, random);
                }
            }
        }
        2 => {
            if let Some(list) = random.pick_mut(&mut code.lists) {
                change_operands(list, random);
            }
        }
        3 => {
            if let Some(Constant { precision, bits }) = random.pick_mut(&mut code.constants) {
                *bits = u128::from(value(random, *bits as u64)) << (64 * random.below(2));
                *precision = *random.pick(&Precision::ALL);
            }
        }
        4 => {
            if let Some(block) = random.pick_mut(&mut code.blocks) {
                change_edges(block, random, blocks);
            }
        }
        5 => {
            if let Some(block) = random.pick_mut(&mut code.blocks) {
                match random.below(3) {
                    0 => block.words = random.word(block.words),
                    1 => block.enters = !block.enters,
                    _ => block.function = random.below(functions + 1) as u32,
                }
            }
        }
        6 if blocks < 64 => {
            if let Some(block) = code.blocks.get(random.below(blocks)).cloned() {
                code.blocks.push(block);
            }
        }
        _ => {
            if let Some(block) = random.pick_mut(&mut code.blocks) {
                change_steps(block, random, calls.max(lists));
            }
        }
    }
}

fn operand(random: &mut Random, old: Operand) -> Operand {
    let near = match old.source() {
        Source::Slot(n) | Source::Constant(n) => n,
        Source::Nothing => 0,
    };
    let index = if random.once_in(8) { random.word(near) } else { near.wrapping_add(random.below(5) as u32) };
    // Beyond this, operands have no such name.
    let index = index & 0x3fff_ffff;
    match random.below(5) {
        0 => Operand::NOTHING,
        1 => Operand::constant(index),
        _ => Operand::slot(index),
    }
}

fn change_operands(list: &mut Vec<Operand>, random: &mut Random) {
    let at = random.below(list.len() + 1);
    match random.below(3) {
        0 => list.insert(at, operand(random, Operand::NOTHING)),
        1 => list.truncate(at),
        _ => {
            if let Some(place) = list.get_mut(at) {
                *place = operand(random, *place);
            }
        }
    }
}

fn change_edges(block: &mut Block, random: &mut Random, blocks: usize) {
    if block.edges.is_empty() || random.once_in(6) {
        let m = Move { to: random.below(6) as u32, from: operand(random, Operand::slot(0)), lanes: 1 };
        block.edges.push(Edge { from: random.below(blocks + 1) as u32, moves: vec![m] });
        return;
    }
    let Some(edge) = random.pick_mut(&mut block.edges) else { return };
    if random.once_in(6) {
        edge.from = random.below(blocks + 1) as u32;
    } else if random.once_in(4) {
        let m = edge.moves.first().cloned();
        edge.moves.extend(m.map(|m| Move { to: m.to + random.below(4) as u32, ..m }));
    } else if let Some(Move { to, from, lanes }) = random.pick_mut(&mut edge.moves) {
        match random.below(3) {
            0 => *to = random.word(*to),
            1 => *from = operand(random, *from),
            _ => *lanes = random.word(*lanes),
        }
    }
}

fn change_steps(block: &mut Block, random: &mut Random, lists: usize) {
    let words = block.words;
    if random.once_in(8) && !block.steps.is_empty() && block.steps.len() < 200 {
        let (from, to) = (random.below(block.steps.len()), random.below(block.steps.len() + 1));
        let again = block.steps[from].clone();
        block.steps.insert(to, again);
    }
    if random.once_in(16) && !block.steps.is_empty() {
        let at = random.below(block.steps.len());
        block.steps.remove(at);
    }
    let Some(step) = random.pick_mut(&mut block.steps) else { return };
    change_step(step, random, words, lists);
}

fn change_step(step: &mut Step, random: &mut Random, words: u32, lists: usize) {
    // Words of the record, most of them there.
    let word = |random: &mut Random, old| match random.below(4) {
        0 => NONE,
        1 => random.word(old),
        _ => random.below(words as usize + 1) as u32,
    };
    match random.below(10) {
        0 => step.kind = *random.pick(Kind::ALL),
        1 => step.precision = *random.pick(&Precision::ALL),
        2 => {
            step.lanes = if random.once_in(3) { random.word(step.lanes.into()) as u16 } else { random.below(9) as u16 }
        }
        3 => step.detail = if random.once_in(2) { random.below(lists + 40) as u32 } else { random.word(step.detail) },
        4 => step.result = if random.once_in(4) { NONE } else { random.word(step.result) },
        5 | 6 => {
            let n = random.below(3);
            step.args[n] = operand(random, step.args[n]);
        }
        7 => step.word = word(random, step.word),
        8 => step.place = word(random, step.place),
        _ if random.once_in(2) => step.offset = random.word(step.offset as u32) as i32,
        _ => step.site = random.word(step.site),
    }
}

fn change_table(table: &mut Table, random: &mut Random) {
    match random.below(5) {
        0 => {
            if let Some(loc) = random.pick_mut(&mut table.locs) {
                let fields = [&mut loc.file, &mut loc.function, &mut loc.line, &mut loc.column, &mut loc.inlined_at];
                let field = fields.into_iter().nth(random.below(5)).expect("five fields");
                *field = random.word(*field);
            }
        }
        1 | 2 => {
            if let Some(site) = random.pick_mut(&mut table.sites) {
                let fields = [&mut site.at, &mut site.seen, &mut site.name, &mut site.function];
                let field = fields.into_iter().nth(random.below(4)).expect("four fields");
                *field = random.word(*field);
                site.predicate = random.bits() as u8;
                site.precision = *random.pick(&Precision::ALL);
            }
        }
        3 => {
            if let Some(function) = random.pick_mut(&mut table.functions) {
                let fields = [&mut function.name, &mut function.lost_start, &mut function.lost_count];
                let field = fields.into_iter().nth(random.below(3)).expect("three fields");
                *field = random.word(*field);
            }
        }
        _ => {
            if let Some(text) = random.pick_mut(&mut table.strings) {
                *text = (*random.pick(&["_ZN1aIS_E", "_RNvC1a1b", "_QMaPb", "", "\u{0}\u{301}", "%p/../x"])).to_owned();
            }
        }
    }
}
