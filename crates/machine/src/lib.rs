//! The shadow machine: walks the events of a run, on the program's values (bit for bit its own) and on shadows side
//! by side, and finds, confirms and explains.
//!
//! ```text
//! events --walk--> registers, shadow memory --checks--> found --findings--> nonius_finding
//!                       |                                 ^
//!                       +---- trail (bounded) ---blame----+
//! ```
//! It is generic over the [`Oracle`](nonius_oracle::Oracle), walks one thread's chunk at a time, and takes a bounded
//! amount of memory however long the run is (`core::Shares`). The same events give the same findings.

#![deny(unsafe_code)]

mod blame;
mod checks;
mod core;
mod escalation;
mod findings;
mod format;
mod inputs;
mod lost;
mod machine;
mod memory;
mod options;
mod program;
mod reexecution;
mod register;
mod request;
mod tasks;
mod thread;
mod threads;
mod trail;
mod walk;
mod walk_checks;
mod walk_four;
mod walk_quick;
mod walk_rare;
mod yields;

pub use escalation::{Fed, Settled, escalated};
pub use format::decode;
pub use inputs::{Asked, Input};
pub use machine::{Analysis, Arrival, Difference, Engine, Look, Machine, engine};
pub use options::{Options, observed};
pub use reexecution::executed;
pub use request::{Cell, Request, Sight};
