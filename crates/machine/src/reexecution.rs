//! Oracles that take several executions: the same events go into a fresh machine each time, and one analysis counts.
//!
//! | oracle | executions |
//! |---|---|
//! | `auto` | finer and finer ones, until nothing is open (`escalation`) |
//! | `residue-override` | as `nonius_oracle::residue_override::resolve` says; the last one counts |
//! | others | one |

use crate::escalation::{Fed, Settled, escalated};
use crate::machine::{Analysis, Engine, Machine, engine};
use crate::options::Options;
use nonius_oracle::residue_override::{Resolution, resolve};
use nonius_oracle::{ResidueOverride, Spec};
use std::sync::Arc;

/// What `oracle` makes of events that `feed` hands to a machine, as often as it takes and at most `most_executions`
/// times. `None`: there was no time even for the first execution.
pub fn executed<E>(
    oracle: Spec,
    options: &Options,
    most_executions: u32,
    mut feed: impl FnMut(&mut dyn Engine) -> Result<Fed, E>,
) -> Result<Option<Settled>, E> {
    if oracle == Spec::ResidueOverride {
        let analysis = overridden(options, most_executions, feed)?;
        return Ok(analysis.map(|analysis| Settled { analysis, oracle }));
    }
    let first = oracle.first();
    let mut machine = engine(first, options.clone());
    if feed(&mut *machine)? == Fed::Late {
        return Ok(None);
    }
    let coarse = Settled { analysis: machine.analysis(), oracle: first };
    drop(machine);
    let may_go_on = oracle.reexecutes() && most_executions > 1;
    Ok(Some(if may_go_on { escalated(options, coarse, feed)? } else { coarse }))
}

/// Residue override. `None`: there was no time to come to the end.
fn overridden<E>(
    options: &Options,
    most_executions: u32,
    mut feed: impl FnMut(&mut dyn Engine) -> Result<Fed, E>,
) -> Result<Option<Analysis>, E> {
    let mut last = None;
    let resolved = resolve(
        |plan| {
            // One machine at a time has its memory.
            last = None;
            let mut machine = Machine::new(ResidueOverride::new(Arc::new(plan.clone())), options.clone(), 0);
            if feed(&mut machine).map_err(Some)? == Fed::Late {
                return Err(None);
            }
            let outcome = machine.core.oracle.take_outcome();
            last = Some(machine);
            Ok(outcome)
        },
        most_executions,
    );
    match (resolved, last) {
        (Ok(resolution), Some(mut machine)) => {
            let mut analysis = machine.analysis();
            analysis.notes.extend(note(&resolution));
            Ok(Some(analysis))
        }
        (Err(Some(error)), _) => Err(error),
        _ => Ok(None),
    }
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
