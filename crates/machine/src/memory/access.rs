//! Loads and stores. Doubles on a page that has held nothing shorter, which are nearly all, have a way of their own.

use super::unit::tag;
use super::{DOUBLES, Memory, grain};
use crate::register::Register;
use crate::walk_four::Avx2;
use nonius_abi::Precision;
use nonius_oracle::Oracle;

impl<S> Memory<S> {
    /// Fetches what was stored at the address, if it was this value.
    #[inline(always)]
    pub fn load<O: Oracle<Shadow = S>>(
        &self,
        avx2: Option<Avx2>,
        address: u64,
        format: Precision,
        value: f64,
        out: &mut Register<S>,
        oracle: &mut O,
    ) -> bool {
        if format == Precision::Double
            && let Some((unit, at)) = self.find_double(address)
        {
            let Some(unit) = self.units.get(unit) else { return false };
            return unit.fetch(avx2, at, tag(address, format, DOUBLES), value.to_bits(), out, oracle);
        }
        self.load_any(address, format, value, out, oracle)
    }

    /// From a page of cells of any size, or none.
    #[inline(never)]
    fn load_any<O: Oracle<Shadow = S>>(
        &self,
        address: u64,
        format: Precision,
        value: f64,
        out: &mut Register<S>,
        oracle: &mut O,
    ) -> bool {
        let Some(place) = self.find(address) else { return false };
        let Some(unit) = self.units.get(place.unit) else { return false };
        unit.fetch(None, place.at, tag(address, format, place.grain), value.to_bits(), out, oracle)
    }

    /// The same of four doubles in a row. `false` also if they lie on two pages.
    #[inline(always)]
    pub fn load_four<O: Oracle<Shadow = S>>(
        &self,
        avx2: Option<Avx2>,
        address: u64,
        values: &[u64; 4],
        out: &mut [Register<S>; 4],
        oracle: &mut O,
    ) -> bool {
        let Some((unit, at)) = self.find_double(address) else { return false };
        let Some(unit) = self.units.get(unit) else { return false };
        unit.fetch_four(avx2, at, tag(address, Precision::Double, DOUBLES), values, out, oracle)
    }

    /// Keeps four doubles in a row. `false`: nothing is kept, for there is no room for them yet, or not in one place.
    #[inline(always)]
    pub fn store_four<O: Oracle<Shadow = S>>(&mut self, address: u64, from: &[Register<S>; 4], oracle: &mut O) -> bool {
        let Some((unit, at)) = self.find_double(address) else { return false };
        let Some(unit) = self.units.get_mut(unit) else { return false };
        unit.keep_four(at, tag(address, Precision::Double, DOUBLES), from, oracle)
    }

    #[inline(always)]
    pub fn store<O: Oracle<Shadow = S>>(
        &mut self,
        address: u64,
        format: Precision,
        from: &Register<S>,
        oracle: &mut O,
    ) {
        if format == Precision::Double
            && let Some((unit, at)) = self.find_double(address)
            && let Some(unit) = self.units.get_mut(unit)
            && unit.keep(at, tag(address, format, DOUBLES), from, oracle)
        {
            return;
        }
        self.store_any(address, format, from, oracle);
    }

    /// To a page of cells of any size, or none.
    #[inline(never)]
    fn store_any<O: Oracle<Shadow = S>>(
        &mut self,
        address: u64,
        format: Precision,
        from: &Register<S>,
        oracle: &mut O,
    ) {
        if let Some(place) = self.find(address).filter(|place| place.grain <= grain(format))
            && let Some(unit) = self.units.get_mut(place.unit)
            && unit.keep(place.at, tag(address, format, place.grain), from, oracle)
        {
            return;
        }
        self.store_anew(address, format, from, oracle);
    }

    /// A store to a page that is not there yet, has cells that are too large, or no room for errors so far.
    #[cold]
    #[inline(never)]
    fn store_anew<O: Oracle<Shadow = S>>(
        &mut self,
        address: u64,
        format: Precision,
        from: &Register<S>,
        oracle: &mut O,
    ) {
        if self.find(address).is_none() && !self.page(address, grain(format)) {
            return;
        }
        if self.find(address).is_some_and(|place| place.grain > grain(format)) {
            self.refine(address, grain(format), oracle);
        }
        let Some(place) = self.find(address) else { return };
        let Some(unit) = self.units.get_mut(place.unit) else { return };
        let tag = tag(address, format, place.grain);
        if !unit.keep(place.at, tag, from, oracle) {
            unit.make_room(place.at, oracle);
            unit.keep(place.at, tag, from, oracle);
        }
    }
}
