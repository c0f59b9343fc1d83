//! `stats=1`: for each site that was looked at, how often, with what outcome.
//!
//! A site is looked at when a value gets past the check in the program's own code, so values that
//! are clearly right are not counted.

use crate::exit::Tables;
use crate::say::say;
use crate::sites;
use crate::tallies::Which;

pub fn print(tables: &mut Tables) {
    say!("sites that were looked at: reported, passed, place");
    for module in sites::modules() {
        let Some(table) = tables.of(module) else { continue };
        for (index, site) in table.sites.iter().enumerate() {
            for which in [Which::Main, Which::Infinity] {
                let Some(tally) = module.tallies.of(index as u32, which) else { continue };
                if tally.count() + tally.passed() > 0 {
                    let place = table.loc(site.seen).or_else(|| table.loc(site.at));
                    let (file, line, column) = place.map_or(("", 0, 0), |l| (table.string(l.file), l.line, l.column));
                    let observed = format!("{:?} of {:?}", site.observed, site.op).to_lowercase();
                    say!("{:>12} {:>12}  {file}:{line}:{column} {observed}", tally.count(), tally.passed());
                }
            }
        }
    }
}
