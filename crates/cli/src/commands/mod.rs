//! One file a command.

mod baseline;
mod browse;
mod cargo;
mod changes;
mod check;
mod compile;
mod confirm;
mod describe;
mod doctor;
mod explain;
mod many;
mod replay;
mod report;
mod reports;
mod run;
mod suppress;
mod view;

pub use baseline::baseline;
pub use browse::browse;
pub use cargo::cargo_nonius;
pub use check::check;
pub use compile::{compile, compile_rust, llvm_tool};
pub use confirm::Confirm;
pub use describe::{completions, man, version};
pub use doctor::doctor;
pub use explain::explain;
pub use replay::replay;
pub use report::report;
pub use run::run;
pub use suppress::suppress;
pub use view::view;

use std::io::{self, Write};

/// To standard output, whose reader may have gone.
fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
