//! Abstract execution: the events of one run, walked on domains instead of numbers.
//!
//! ```text
//! events --walk--> frames, memory: a domain's value beside each float --requests--> bounds
//!                        |
//!                        +-- tests --> outcomes that are possible --> unstable tests
//! ```
//! A second, small walker over the same code tables, generic over a [`Domain`]: zonotopes bound what a float can be for all
//! inputs of a range, stochastic rounding estimates how many digits a few runs have in common.
//!
//! What has no domain (results of code that was not recorded, memory that changed behind the events) is *unknown*: its
//! bounds are everything, never a guess. Integers have no domain: what the program makes of a float's bits by integer
//! operations is taken as it was in this run.
//!
//! Source: "Runtime abstract interpretation for numerical accuracy and robustness", sections 4.2 and 4.3.

#![forbid(unsafe_code)]

mod domain;
mod engine;
mod frames;
mod meeting;
mod memory;
mod paths;
mod report;
mod samples;
mod stochastic;
mod walk;
mod zonotope;

pub use engine::engine;
