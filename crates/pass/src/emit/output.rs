//! Output that goes by address: the floats that Rust's formatters and Fortran's runtime read from
//! memory.

use super::{Emitter, Shadow};
use crate::fp::FpType;
use crate::llvm::{Builder, Value};
use crate::sites::{self, Origin};
use crate::tables::Tables;
use nonius_abi::Precision;
use nonius_abi::fortran::{self, Input, Made, Rearrangement, Reduction};
use nonius_abi::hooks::id;
use nonius_abi::site::{Observed, Op};

/// Tells the runtime, behind the call, that an array was copied in another order.
pub fn rearranged(b: &Builder, tables: &Tables, how: Rearrangement, arguments: &[Value]) {
    let (null, zero) = (b.types.ptr().zero(), b.types.i64().zero());
    let number = |n: Value| if n.ty() == b.types.i64() { n } else { b.sext(n, b.types.i64()) };
    let (mask, field, number) = match how {
        Rearrangement::Transpose => (null, null, zero),
        Rearrangement::Spread => (null, null, number(arguments[2])),
        Rearrangement::Pack => (arguments[2], null, zero),
        Rearrangement::Unpack => (arguments[2], arguments[3], zero),
        Rearrangement::CircularShift => (null, null, number(arguments[2])),
        Rearrangement::EndOffShift => (null, arguments[3], number(arguments[2])),
    };
    let (hook, ty) = tables.hook(id::__nonius_fortran_rearranged);
    let how = b.types.i32().const_int(how as u64);
    b.call(hook, ty, &[how, arguments[0], arguments[1], mask, field, number]);
}

/// What hooks take of a call that makes an array: how, where to, of what, and along which dimension.
pub fn made_arguments(b: &Builder, made: &Made, arguments: &[Value]) -> Option<[Value; 5]> {
    let null = b.types.ptr().zero();
    let (&to, &from) = (arguments.first()?, arguments.get(made.from)?);
    let second = made.second.map_or(Some(null), |at| arguments.get(at).copied())?;
    let dimension = made.dimension.map_or(Some(b.types.i32().zero()), |at| arguments.get(at).copied())?;
    Some([b.types.i32().const_int(made.how as u64), to, from, second, dimension])
}

impl Emitter<'_> {
    /// Behind a store, or before a call, that hands a float to a formatter.
    pub fn visit_formatted(&mut self, i: Value) {
        let Some(&formatted) = self.formats.get(&i) else { return };
        let fp = FpType { precision: formatted.precision, lanes: None };
        self.check_memory(fp, formatted.pointer, i);
        self.count_call();
    }

    /// A function of flang's runtime that works on arrays; `false` if this is none.
    pub fn visit_fortran(&mut self, i: Value, name: &str) -> bool {
        let arguments = i.arguments();
        if name == fortran::OUTPUT_ARRAY && arguments.len() == 2 {
            self.b.before(i);
            let i32_type = self.b.types.i32();
            let mut site = |precision| {
                let origin = Origin::new(Op::Load, None);
                let index = sites::site(&mut self.tables.sites, &origin, precision, Observed::Output, i, self.index);
                i32_type.const_int(u64::from(index))
            };
            let (float, double) = (site(Precision::Float), site(Precision::Double));
            let (hook, ty) = self.tables.hook(id::__nonius_fortran_output);
            self.b.call(hook, ty, &[self.tables.table(), float, double, arguments[1]]);
            return true;
        }
        let is_copy_back = name == fortran::COPY_BACK;
        if (is_copy_back || fortran::COPIES.contains(&name)) && arguments.len() >= 2 {
            if is_copy_back {
                self.b.before(i);
            }
            let (hook, ty) = self.tables.hook(id::__nonius_fortran_copied);
            self.b.call(hook, ty, &[arguments[0], arguments[1]]);
            return true;
        }
        if let Some(how) = Rearrangement::by_name(name).filter(|_| arguments.len() >= 4) {
            rearranged(&self.b, self.tables, how, &arguments);
            return true;
        }
        if let Some((input, at)) = Input::by_name(name).filter(|(_, at)| *at < arguments.len()) {
            self.read(input, arguments[at]);
            return true;
        }
        if let Some(arguments) = Made::by_name(name).and_then(|made| made_arguments(&self.b, &made, &arguments)) {
            let (hook, ty) = self.tables.hook(id::__nonius_fortran_made);
            let lost = self.b.call(hook, ty, &arguments);
            self.lose_some(name, lost);
            return true;
        }
        if fortran::is_not_followed(name) {
            self.lose_some(name, self.b.types.i64().const_int(1));
            return true;
        }
        match (Reduction::by_name(name), FpType::of(i.ty())) {
            (Some(reduction), Some(fp)) if arguments.len() >= 4 => self.reduced(i, fp, reduction, &arguments),
            _ => return false,
        }
        true
    }

    /// Floats came from outside, to an address or an array: whatever was there before, they have no error.
    fn read(&mut self, input: Input, to: Value) {
        match input {
            Input::Scalar(bytes) => {
                let (hook, ty) = self.tables.hook(id::__nonius_clear);
                self.b.call(hook, ty, &[to, self.b.types.i64().const_int(bytes)]);
            }
            Input::Array => {
                let (hook, ty) = self.tables.hook(id::__nonius_fortran_read);
                self.b.call(hook, ty, &[to]);
            }
        }
    }

    fn reduced(&mut self, i: Value, fp: FpType, reduction: Reduction, arguments: &[Value]) {
        let null = self.b.types.ptr().zero();
        let b = if reduction == Reduction::Dot { arguments[1] } else { null };
        // (a, file, line, dim, mask)
        let mask = arguments.get(4).copied().unwrap_or(null);
        let kind = self.b.types.i32().const_int(reduction as u64);
        let (hook, ty) = self.tables.hook(id::__nonius_fortran_reduced);
        let value = self.to_double(i);
        let residue = self.b.call(hook, ty, &[kind, arguments[0], b, mask, value]);
        let shadow = if fp.precision == Precision::Double { residue } else { self.b.fadd(value, residue) };
        self.count_call();
        self.shadows.set(i, 0, Shadow::Known(shadow));
    }

    /// Checks a float where it lies.
    fn check_memory(&mut self, fp: FpType, pointer: Value, i: Value) {
        let align = fp.precision.store_bytes();
        let value = self.b.load(fp.native(self.b.types), pointer, align);
        let shadow = self.load_shadow(value, fp, pointer, align, i);
        let checked = self.check(value, fp, Shadow::Known(shadow), Observed::Output, i);
        self.store_shadow(value, fp, checked, pointer, align);
    }
}
