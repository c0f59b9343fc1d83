//! Floating-point types, and where they lie inside aggregates.

use crate::llvm::{Kind, Module, Type, Types};
use nonius_abi::Precision;

/// A float, or a vector of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FpType {
    pub precision: Precision,
    /// `None` for a scalar.
    pub lanes: Option<u32>,
}

/// Lanes that fill a register of AVX.
const MANY_FLOATS: u32 = 8;

/// How the shadow of a format is kept in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// The residue, in the format itself.
    Residue,
    /// The ideal, in a wider format. Floats have it alone or in small vectors.
    Wider,
}

impl FpType {
    pub fn of(ty: Type) -> Option<FpType> {
        let (element, lanes) = match ty.kind() {
            Kind::Vector(lanes) => (ty.element(), Some(lanes)),
            _ => (ty, None),
        };
        let precision = match element.kind() {
            Kind::Half => Precision::Half,
            Kind::Bfloat => Precision::Bfloat,
            Kind::Float => Precision::Float,
            Kind::Double => Precision::Double,
            Kind::X87 => Precision::X87,
            Kind::Quad => Precision::Quad,
            _ => return None,
        };
        Some(FpType { precision, lanes })
    }

    pub fn family(self) -> Family {
        match self.precision {
            Precision::Double | Precision::Quad => Family::Residue,
            // In double a single float's ideal costs one operation where its residue costs ten. But of
            // so many the ideals fill two registers, and to widen and narrow them costs more than that.
            Precision::Float if self.lane_count() >= MANY_FLOATS => Family::Residue,
            _ => Family::Wider,
        }
    }

    /// Whether shadows are residues in float.
    pub fn has_float_residues(self) -> bool {
        self.precision == Precision::Float && self.family() == Family::Residue
    }

    pub fn lane_count(self) -> u32 {
        self.lanes.unwrap_or(1)
    }

    /// A type of this shape with another element.
    pub fn shaped(self, element: Type) -> Type {
        self.lanes.map_or(element, |n| element.vector(n))
    }

    /// The type of the values themselves.
    pub fn native(self, types: Types) -> Type {
        self.shaped(element(self.precision, types))
    }

    /// The type of the shadow in a register.
    pub fn shadow(self, types: Types) -> Type {
        self.shaped(match self.precision {
            Precision::X87 | Precision::Quad => types.quad(),
            Precision::Float if self.family() == Family::Residue => types.float(),
            _ => types.double(),
        })
    }

    /// The type of the residue in the plane. A bfloat there is handled as its bits, for not every
    /// system library can convert one.
    pub fn plane(self, types: Types) -> Type {
        self.shaped(match self.precision {
            Precision::Half | Precision::Bfloat => types.i16(),
            other => element(other, types),
        })
    }

    /// Bytes of the shadow in a thread's block.
    pub fn passed_bytes(self) -> u32 {
        let lane = if matches!(self.precision, Precision::X87 | Precision::Quad) { 16 } else { 8 };
        (lane * self.lane_count()).next_multiple_of(16)
    }
}

fn element(precision: Precision, types: Types) -> Type {
    match precision {
        Precision::Half => types.half(),
        Precision::Bfloat => types.bfloat(),
        Precision::Float => types.float(),
        Precision::Double => types.double(),
        Precision::X87 => types.x87(),
        Precision::Quad => types.quad(),
    }
}

/// A float inside a first-class type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub fp: FpType,
    /// The member indices that lead to it; empty for a float itself.
    pub path: Vec<u32>,
    /// Its bytes from the start, as laid out in memory.
    pub offset: u64,
}

/// An aggregate with more floats than this is not tracked in registers.
const MAX_LEAVES: usize = 256;

/// All floats of a type, in order. A large array in a register has none.
pub fn leaves(module: Module, ty: Type) -> Vec<Leaf> {
    let mut found = Vec::new();
    if !collect(module, ty, &mut Vec::new(), 0, &mut found) {
        found.clear();
    }
    found
}

fn collect(module: Module, ty: Type, path: &mut Vec<u32>, offset: u64, found: &mut Vec<Leaf>) -> bool {
    if let Some(fp) = FpType::of(ty) {
        found.push(Leaf { fp, path: path.clone(), offset });
        return found.len() <= MAX_LEAVES;
    }
    let member = |i: u32| match ty.kind() {
        Kind::Struct(_) => (ty.field(i), offset + module.field_offset(ty, i)),
        _ => (ty.element(), offset + u64::from(i) * module.alloc_bytes(ty.element())),
    };
    let count = match ty.kind() {
        Kind::Struct(count) => u64::from(count),
        Kind::Array(count) => count,
        _ => 0,
    };
    if count > MAX_LEAVES as u64 {
        return false;
    }
    (0..count as u32).all(|i| {
        let (ty, offset) = member(i);
        path.push(i);
        let fits = collect(module, ty, path, offset, found);
        path.pop();
        fits
    })
}
