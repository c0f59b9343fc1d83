//! Results as bytes, for the process that waits.

use super::{Asked, Key, Result, Side};
use crate::report::{Lost, Unstable};
use nonius_finding::{Example, InputValue, Location, Range};
use nonius_verdict::verdict::Seen;
use nonius_zonotope::wire::{Sink, Source};
use std::collections::BTreeMap;

fn bytes(sink: &mut Sink, bytes: &[u8]) {
    sink.word(bytes.len() as u64);
    sink.0.extend_from_slice(bytes);
}

fn read_bytes(source: &mut Source<'_>) -> Option<Vec<u8>> {
    let length = usize::try_from(source.word()?).ok()?;
    let (first, rest) = source.0.split_at_checked(length)?;
    source.0 = rest;
    Some(first.to_vec())
}

/// What a path hands over: results, why it is not all, unstable tests, and the paths that it followed itself.
pub struct Handed {
    pub results: Vec<Result>,
    pub incomplete: Vec<String>,
    pub unstable: Vec<(u32, Unstable)>,
    pub losses: Vec<(u32, Lost)>,
    pub paths: u64,
    pub one_path: u64,
    /// Of tests that floats and reals went apart at.
    pub sites: BTreeMap<u64, u32>,
}

pub fn write(handed: &Handed) -> Vec<u8> {
    let Handed { results, incomplete, unstable, losses, paths, one_path, sites } = handed;
    let mut sink = Sink::default();
    sink.word(sites.len() as u64);
    for (&test, &site) in sites {
        sink.word(test);
        sink.word(u64::from(site));
    }
    sink.word(results.len() as u64);
    for result in results {
        let (test, side) = result.tag.unwrap_or((0, Side::Both));
        sink.word(test);
        sink.word(side as u64);
        bytes(&mut sink, &result.knowledge);
        sink.word(result.values.len() as u64);
        for (key, value) in &result.values {
            match key {
                Key::Cell(address, size) => {
                    sink.word(0);
                    sink.word(*address);
                    sink.word(u64::from(*size));
                }
                Key::Slot(slot) => {
                    sink.word(2);
                    sink.word(u64::from(*slot));
                }
                Key::Fits => sink.word(3),
                Key::Bounds(asked, occurrence, size) => {
                    sink.word(1);
                    bytes(&mut sink, asked.name.as_bytes());
                    bytes(&mut sink, asked.file.as_bytes());
                    sink.word(u64::from(asked.line));
                    sink.word(*occurrence);
                    sink.word(u64::from(*size));
                }
            }
            bytes(&mut sink, value);
        }
    }
    sink.word(incomplete.len() as u64);
    incomplete.iter().for_each(|why| bytes(&mut sink, why.as_bytes()));
    sink.word(unstable.len() as u64);
    for (site, u) in unstable {
        sink.word(u64::from(*site));
        sink.word(u.count);
        u.operands.iter().for_each(|&x| sink.double(x));
        sink.word(u.outcome as u64);
        sink.word(u.other as u64);
        sink.word(u64::from(u.is_cast) | u64::from(u.is_explored) << 1);
        sink.double(u.jump);
        u.ranges.iter().for_each(|r| [r.lo, r.hi].iter().for_each(|&x| sink.double(x)));
        example(&mut sink, u.example.as_ref());
    }
    sink.word(losses.len() as u64);
    for (site, lost) in losses {
        write_lost(&mut sink, *site, lost);
    }
    sink.word(*paths);
    sink.word(*one_path);
    sink.0
}

fn key(source: &mut Source<'_>) -> Option<Key> {
    match source.word()? {
        0 => return Some(Key::Cell(source.word()?, source.word()? as u8)),
        2 => return Some(Key::Slot(source.word()? as u32)),
        3 => return Some(Key::Fits),
        _ => {}
    }
    let mut text = || Some(String::from_utf8_lossy(&read_bytes(source)?).into_owned());
    let (name, file) = (text()?, text()?);
    let asked = Asked { name, file, line: source.word()? as u32 };
    Some(Key::Bounds(asked, source.word()?, source.word()? as u8))
}

pub fn read(all: &[u8]) -> Option<Handed> {
    let mut source = Source(all);
    let count = source.word()?;
    let sites = (0..count).map(|_| Some((source.word()?, source.word()? as u32))).collect::<Option<_>>()?;
    let count = source.word()?;
    let mut results = Vec::new();
    for _ in 0..count {
        let (test, side) = (source.word()?, source.word()?);
        let tag = match side {
            0 => None,
            1 => Some((test, Side::Float)),
            _ => Some((test, Side::Real)),
        };
        let knowledge = read_bytes(&mut source)?;
        let values = source.word()?;
        let values = (0..values).map(|_| Some((key(&mut source)?, read_bytes(&mut source)?))).collect::<Option<_>>()?;
        results.push(Result { tag, knowledge, values });
    }
    let count = source.word()?;
    let incomplete = (0..count).map(|_| Some(String::from_utf8_lossy(&read_bytes(&mut source)?).into_owned()));
    let incomplete = incomplete.collect::<Option<Vec<_>>>()?;
    let count = source.word()?;
    let unstable = (0..count).map(|_| read_unstable(&mut source)).collect::<Option<Vec<_>>>()?;
    let count = source.word()?;
    let losses = (0..count).map(|_| read_lost(&mut source)).collect::<Option<Vec<_>>>()?;
    Some(Handed { results, incomplete, unstable, losses, paths: source.word()?, one_path: source.word()?, sites })
}

fn read_unstable(source: &mut Source<'_>) -> Option<(u32, Unstable)> {
    let site = source.word()? as u32;
    let count = source.word()?;
    let operands = [source.double()?, source.double()?];
    let (outcome, other) = (source.word()? as i64, source.word()? as i64);
    let flags = source.word()?;
    let jump = source.double()?;
    let (is_cast, is_explored) = (flags & 1 != 0, flags & 2 != 0);
    let mut range = || Some(Range { lo: source.double()?, hi: source.double()? });
    let ranges = [range()?, range()?];
    let example = read_example(source)?;
    Some((site, Unstable { ranges, count, operands, outcome, other, is_cast, is_explored, jump, example }))
}

fn write_lost(sink: &mut Sink, site: u32, lost: &Lost) {
    sink.word(u64::from(site));
    sink.word(u64::from(lost.blamed));
    sink.word(lost.count);
    sink.double(lost.bound);
    let seen = lost.example.as_ref().map_or([0.0; 4], |(s, _)| [s.value, s.ideal, s.residue, s.radius]);
    seen.iter().for_each(|&x| sink.double(x));
    example(sink, lost.example.as_ref().map(|(_, e)| e));
}

fn read_lost(source: &mut Source<'_>) -> Option<(u32, Lost)> {
    let (site, blamed, count, bound) = (source.word()? as u32, source.word()? as u32, source.word()?, source.double()?);
    let seen =
        Seen { value: source.double()?, ideal: source.double()?, residue: source.double()?, radius: source.double()? };
    let example = read_example(source)?.map(|e| (seen, e));
    Some((site, Lost { blamed, count, bound, example }))
}

fn example(sink: &mut Sink, example: Option<&Example>) {
    sink.word(u64::from(example.is_some()));
    let Some(Example { inputs, value, ideal }) = example else { return };
    sink.double(*value);
    sink.double(*ideal);
    sink.word(inputs.len() as u64);
    for input in inputs {
        bytes(sink, input.name.as_bytes());
        bytes(sink, input.location.file.as_bytes());
        sink.word(u64::from(input.location.line));
        sink.word(input.count);
        sink.double(input.value);
        sink.double(input.ideal);
    }
}

/// `None` where there are no more bytes.
fn read_example(source: &mut Source<'_>) -> Option<Option<Example>> {
    if source.word()? == 0 {
        return Some(None);
    }
    let (value, ideal, count) = (source.double()?, source.double()?, source.word()?);
    let mut inputs = Vec::new();
    for _ in 0..count {
        let mut text = || Some(String::from_utf8_lossy(&read_bytes(source)?).into_owned());
        let (name, file) = (text()?, text()?);
        let location = Location::new(&file, source.word()? as u32, 0, "");
        let (count, value, ideal) = (source.word()?, source.double()?, source.double()?);
        inputs.push(InputValue { name, location, count, value, ideal });
    }
    Some(Some(Example { inputs, value, ideal }))
}
