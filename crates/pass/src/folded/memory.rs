//! Memory as a program has it that is followed before it is optimized: local variables, arrays and structs, and constant
//! globals, by object and offset. What is not known is not there.

use super::trace::Datum;
use crate::llvm::{Kind, Module, Value};
use std::collections::{BTreeMap, HashMap};

/// An object of more elements is no literal that somebody wrote into a test.
const MOST_LEAVES: usize = 4096;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Object(usize);

#[derive(Default)]
struct Cells {
    /// By offset: how many bytes, and what is there.
    cells: BTreeMap<i64, (i64, Datum)>,
    /// Stretches that were set to 0, from and to.
    zeros: Vec<(i64, i64)>,
    /// Code that is not followed may know its address.
    has_escaped: bool,
}

#[derive(Default)]
pub struct Memory {
    objects: Vec<Cells>,
    globals: HashMap<Value, Object>,
}

impl Memory {
    pub fn new_object(&mut self) -> Object {
        self.objects.push(Cells::default());
        Object(self.objects.len() - 1)
    }

    /// The object of a constant global, with what `leaf` makes of the constants in it.
    pub fn global(&mut self, module: Module, global: Value, leaf: impl Fn(Value) -> Option<Datum>) -> Option<Object> {
        if let Some(object) = self.globals.get(&global) {
            return Some(*object);
        }
        let initializer = global.constant_initializer()?;
        let mut leaves = Vec::new();
        list_leaves(module, initializer, 0, &mut leaves)?;
        let object = self.new_object();
        for (offset, constant) in leaves {
            if let Some(datum) = leaf(constant) {
                self.write(object, offset, module.store_bytes(constant.ty()) as i64, Some(datum));
            }
        }
        self.globals.insert(global, object);
        Some(object)
    }

    pub fn read(&self, object: Object, offset: i64, bytes: i64) -> Option<Datum> {
        self.objects[object.0].cells.get(&offset).filter(|(n, _)| *n == bytes).map(|(_, datum)| *datum)
    }

    pub fn write(&mut self, object: Object, offset: i64, bytes: i64, datum: Option<Datum>) {
        if let Some(Datum::Pointer(pointed, _)) = datum {
            self.escape(pointed);
        }
        self.forget_range(object, offset, bytes);
        if let Some(datum) = datum {
            self.objects[object.0].cells.insert(offset, (bytes, datum));
        }
    }

    pub fn forget_range(&mut self, object: Object, offset: i64, bytes: i64) {
        let end = offset.saturating_add(bytes);
        let Cells { cells, zeros, .. } = &mut self.objects[object.0];
        cells.retain(|at, (n, _)| *at >= end || *at + *n <= offset);
        let left = zeros.iter().flat_map(|(from, to)| [(*from, (*to).min(offset)), ((*from).max(end), *to)]);
        *zeros = left.filter(|(from, to)| from < to).collect();
    }

    pub fn set_to_zero(&mut self, object: Object, offset: i64, bytes: i64) {
        self.forget_range(object, offset, bytes);
        self.objects[object.0].zeros.push((offset, offset.saturating_add(bytes)));
    }

    pub fn is_zero(&self, object: Object, offset: i64, bytes: i64) -> bool {
        self.objects[object.0].zeros.iter().any(|(from, to)| *from <= offset && offset + bytes <= *to)
    }

    pub fn copy(&mut self, to: (Object, i64), from: (Object, i64), bytes: i64) {
        let end = from.1.saturating_add(bytes);
        let cells: Vec<(i64, i64, Datum)> = self.objects[from.0.0]
            .cells
            .range(from.1..end)
            .filter(|(at, (n, _))| *at + n <= end)
            .map(|(at, (n, datum))| (at - from.1 + to.1, *n, *datum))
            .collect();
        let zeros: Vec<(i64, i64)> = self.objects[from.0.0]
            .zeros
            .iter()
            .map(|(start, stop)| ((*start).max(from.1) - from.1 + to.1, (*stop).min(end) - from.1 + to.1))
            .filter(|(start, stop)| start < stop)
            .collect();
        self.forget_range(to.0, to.1, bytes);
        let target = &mut self.objects[to.0.0];
        target.cells.extend(cells.into_iter().map(|(at, n, datum)| (at, (n, datum))));
        target.zeros.extend(zeros);
    }

    /// All of an object, for a parameter by value.
    pub fn copy_of(&mut self, object: Object) -> Object {
        let copy = self.new_object();
        self.objects[copy.0].cells = self.objects[object.0].cells.clone();
        self.objects[copy.0].zeros = self.objects[object.0].zeros.clone();
        copy
    }

    pub fn escape(&mut self, object: Object) {
        self.objects[object.0].has_escaped = true;
    }

    /// Code that is not followed may have written to whatever it knows; constants it cannot change.
    pub fn forget_escaped(&mut self) {
        let constants: Vec<Object> = self.globals.values().copied().collect();
        for (n, object) in self.objects.iter_mut().enumerate() {
            if object.has_escaped && !constants.contains(&Object(n)) {
                object.cells.clear();
                object.zeros.clear();
            }
        }
    }
}

/// The scalars of a constant, by offset. None if there are too many.
fn list_leaves(module: Module, constant: Value, offset: i64, leaves: &mut Vec<(i64, Value)>) -> Option<()> {
    let ty = constant.ty();
    let (count, element_bytes) = match ty.kind() {
        Kind::Struct(count) => (u64::from(count), None),
        Kind::Array(count) => (count, Some(module.alloc_bytes(ty.element()) as i64)),
        _ => {
            leaves.push((offset, constant));
            return (leaves.len() <= MOST_LEAVES).then_some(());
        }
    };
    if count > MOST_LEAVES as u64 {
        return None;
    }
    for n in 0..count as u32 {
        let Some(member) = constant.constant_member(n) else { continue };
        let at = element_bytes.map_or_else(|| module.field_offset(ty, n) as i64, |bytes| bytes * i64::from(n));
        list_leaves(module, member, offset + at, leaves)?;
    }
    Some(())
}
