//! Makes the recordings in `tests/replay` anew: after a change of the events' format, or of a program there.
//! Look at what changes in the `.expected` files before it is kept.
#![forbid(unsafe_code)]

use anyhow::{Context, Result};
use nonius_tests::replay;
use std::fs;

fn main() -> Result<()> {
    for recorded in replay::all()? {
        let before = fs::read_to_string(recorded.expected()).unwrap_or_default();
        recorded.record().with_context(|| recorded.name.clone())?;
        let after = fs::read_to_string(recorded.expected())?;
        let bytes = fs::metadata(recorded.events())?.len();
        let said = if before == after { "the same findings" } else { "OTHER FINDINGS than before" };
        println!("{}: {bytes} bytes, {said}\n{after}", recorded.name);
    }
    Ok(())
}
