//! No oracle at all: what a machine costs before it shadows anything.

use crate::{Binary, Complex, Dd, Function, Half, Operand, Oracle, Precision};

#[derive(Clone, Copy, Debug, Default)]
pub struct Native;

impl Oracle for Native {
    type Shadow = ();
    #[cfg(target_arch = "x86_64")]
    type Four = ();
    const MEASURES: bool = false;

    fn bits(&self) -> u32 {
        0
    }
    #[inline(always)]
    fn variable(&self) {}
    #[inline(always)]
    fn restart(&mut self, (): &mut (), _: f64) {}
    #[inline(always)]
    fn restart_wide(&mut self, (): &mut (), _: f64, _: f64) {}
    #[inline(always)]
    fn copy(&mut self, (): &mut (), (): &()) {}
    #[inline(always)]
    fn ideal(&self, (): &(), actual: f64) -> Dd {
        Dd::from(actual)
    }
    #[inline(always)]
    fn radius(&self, (): &(), _: f64) -> f64 {
        0.0
    }
    #[inline(always)]
    fn binary(&mut self, _: Binary, (): &mut (), _: Operand<()>, _: Operand<()>, _: f64) {}
    #[inline(always)]
    fn neg(&mut self, (): &mut (), _: Operand<()>) {}
    #[inline(always)]
    fn abs(&mut self, (): &mut (), _: Operand<()>) {}
    #[inline(always)]
    fn sqrt(&mut self, (): &mut (), _: Operand<()>, _: f64) {}
    #[inline(always)]
    fn fma(&mut self, (): &mut (), _: [Operand<()>; 3], _: f64) {}
    #[inline(always)]
    fn convert(&mut self, (): &mut (), _: Operand<()>, _: f64) {}
    #[inline(always)]
    fn rebase(&mut self, (): &mut (), _: f64, _: f64) {}
    #[inline(always)]
    fn forgive(&mut self, (): &mut (), _: f64, _: f64) {}
    #[inline(always)]
    fn shift(&mut self, (): &mut (), _: Operand<()>, _: f64) {}
    #[inline(always)]
    fn function(&mut self, _: Function, (): &mut (), _: &[Operand<()>], _: i64, _: f64, _: Precision) -> bool {
        true
    }
    #[inline(always)]
    fn complex(&mut self, _: Complex, _: Half, (): &mut (), _: &[Operand<()>], _: f64) -> bool {
        true
    }
}
