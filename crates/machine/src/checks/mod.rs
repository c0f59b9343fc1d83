//! The analyses, a file each. All work on what the walk hands them and keep what they found for `findings`.

pub mod constants;
pub mod flips;
pub mod found;
pub mod nonfinite;
pub mod precision;
pub mod records;
pub mod requests;
pub mod roots;
pub mod samples;
pub mod stages;
pub mod statistics;
