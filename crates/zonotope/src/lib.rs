//! Sound enclosures of what a float can be over a range of inputs, of the real number that it stands for, and of the
//! difference of both.
//!
//! ```text
//! Interval  [lo, hi], every operation rounded outwards
//! Form      c0 + c1 e1 + .. + cn en ± slack, each e in [-1, 1]: an affine form. Forms share symbols, and so cancel
//! Part      a form and an interval that both hold: the number is in their intersection
//! Value     float (interval), real (part), error = float - real (part), relative error (interval)
//! Space     the symbols, where each one came from, and what the path taken so far says of them
//! ```
//! Nothing here depends on the processor's rounding mode: error-free transformations say which way a result was rounded
//! (`rounding`), and MPFR encloses elementary functions.
//!
//! A path's tests are kept as linear constraints on the symbols (`space`): a form is bounded by what it is on the box of its
//! symbols, less what weak duality gains from the constraints. So no symbol is ever replaced, and forms of different paths
//! can be compared symbol by symbol where the paths meet (`join`).
//!
//! Source: Védrine, Jacquemin, Kosmatov, Signoles, "Runtime abstract interpretation for numerical accuracy and robustness";
//! Stolfi and de Figueiredo, "Self-validated numerical methods" (affine arithmetic, Chebyshev forms).

#![forbid(unsafe_code)]

mod arith;
mod bounds;
mod decide;
mod form;
mod function;
mod interval;
mod join;
mod part;
mod rounding;
mod space;
mod value;
pub mod wire;

pub use arith::Rounding;
pub use decide::{EQUAL, Flow, GREATER, LESS, Outcome, Side};
pub use form::{Form, Symbol};
pub use function::enclosure;
pub use interval::Interval;
pub use part::Part;
pub use space::{Constraint, Origin, Space};
pub use value::Value;
