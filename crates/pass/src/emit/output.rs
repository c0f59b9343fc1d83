//! Output that goes by address: the floats that Rust's formatters and Fortran's runtime read from
//! memory.

use super::{Emitter, Shadow};
use crate::fp::FpType;
use crate::llvm::Value;
use nonius_abi::site::Observed;

impl Emitter<'_> {
    /// Behind a store, or before a call, that hands a float to a formatter.
    pub fn visit_formatted(&mut self, i: Value) {
        let Some(&formatted) = self.formats.get(&i) else { return };
        let fp = FpType { precision: formatted.precision, lanes: None };
        self.check_memory(fp, formatted.pointer, i);
        self.count_call(true);
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
