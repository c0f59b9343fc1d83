//! What other harnesses share with `./x bench`: the kernels and the machine they run on.

#![forbid(unsafe_code)]

pub mod kernel;
pub mod machine;
