//! A process that can write no file but its reports, by Landlock: for programs that changed nothing, where there are no
//! namespaces. Should they write after all, the call fails.

use super::{Cannot, Refused};
use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetStatus, Scope,
};
use std::path::Path;

/// Takes this process's right to write, but in `run` and to devices.
pub fn enter(run: &Path) -> Result<(), Refused> {
    let status = restrict(run).cannot("forbid writing (Landlock)")?;
    match status {
        RulesetStatus::NotEnforced => Err(Refused("the kernel cannot forbid writing (Landlock)".to_owned())),
        _ => Ok(()),
    }
}

fn restrict(run: &Path) -> Result<RulesetStatus, Box<dyn std::error::Error>> {
    // What the first kernels with Landlock cannot forbid is forbidden where it can be.
    let writes = AccessFs::from_write(ABI::V3);
    let rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(writes)?
        .scope(Scope::from_all(ABI::V6))?
        .create()?
        .add_rule(PathBeneath::new(PathFd::new(run)?, writes))?
        .add_rule(PathBeneath::new(PathFd::new("/dev")?, AccessFs::WriteFile))?;
    Ok(rules.restrict_self()?.ruleset)
}
