//! The oracle that needs several executions: the same events go into a fresh machine each time, and the last one's
//! analysis counts. Which executions: `nonius_oracle::residue_override::resolve`.

use crate::machine::{Analysis, Engine, Machine};
use crate::options::Options;
use nonius_oracle::ResidueOverride;
use nonius_oracle::residue_override::{Resolution, resolve};
use std::sync::Arc;

/// The analysis of events that `feed` can hand to a machine as often as it takes, at most `most_executions` times, and
/// what `feed` said the last time.
pub fn reexecuted<T, E>(
    options: &Options,
    most_executions: u32,
    mut feed: impl FnMut(&mut dyn Engine) -> Result<T, E>,
) -> Result<(Analysis, T), E> {
    let mut last = None;
    let resolution = resolve(
        |plan| {
            // One machine at a time has its memory.
            last = None;
            let mut machine = Machine::new(ResidueOverride::new(Arc::new(plan.clone())), options.clone(), 0);
            let fed = feed(&mut machine)?;
            let outcome = machine.core.oracle.take_outcome();
            last = Some((machine, fed));
            Ok(outcome)
        },
        most_executions,
    )?;
    let (mut machine, fed) = last.expect("there is at least one execution");
    let mut analysis = machine.analysis();
    analysis.notes.extend(note(&resolution));
    Ok((analysis, fed))
}

/// What the user must know of it.
fn note(resolution: &Resolution) -> Option<String> {
    let &Resolution { executions, settled, open } = resolution;
    if executions == 1 && open == 0 {
        return None;
    }
    let s = |count: u64| if count == 1 { "" } else { "s" };
    let mut text = format!(
        "residue override: {executions} execution{} settled {settled} residue{}",
        s(executions.into()),
        s(settled as u64)
    );
    if open > 0 {
        text += &format!("; {open} residue{} lack what others absorbed: raise reexecutions to look further", s(open));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_note_says_what_it_came_to() {
        let said = |executions, settled, open| note(&Resolution { executions, settled, open });
        assert_eq!(said(1, 0, 0), None);
        assert_eq!(said(4, 3, 0).unwrap(), "residue override: 4 executions settled 3 residues");
        let cut_short = said(3, 1, 2).unwrap();
        assert!(cut_short.contains("settled 1 residue; 2 residues lack"), "{cut_short}");
    }
}
