//! Why a run had no shadows: silence must not be taken for good news.

use super::reason;
use nonius_finding::{LeftAloneFor, Report};

/// Why nothing was shadowed, and what to do about it; nothing to say if something was.
pub(crate) fn nothing_shadowed(report: &Report) -> Option<String> {
    let c = &report.summary.coverage;
    if c.operations_shadowed > 0 {
        return None;
    }
    let left_alone: Vec<String> = c
        .left_alone
        .iter()
        .map(|left| format!("functions {} are left alone ({})", reason(left.reason), remedy(left.reason)))
        .collect();
    Some(match left_alone.as_slice() {
        [] => "nothing was shadowed: no floating-point operation of code that Nonius compiled ran. The compiler works out \
               what has only constants to go by (try -O0), and other code is not seen"
            .to_owned(),
        reasons => format!("nothing was shadowed: {}", reasons.join("; ")),
    })
}

fn remedy(reason: LeftAloneFor) -> &'static str {
    match reason {
        LeftAloneFor::Strict => {
            "build without -ftrapping-math, -frounding-math, -ffp-model=strict and '#pragma STDC FENV_ACCESS ON' to have \
             them shadowed"
        }
        LeftAloneFor::Marked => "NONIUS_IGNORE or #[nonius::ignore] asks for it",
        LeftAloneFor::Option => "--nonius-only-... or --nonius-skip-... asks for it",
        LeftAloneFor::Unsupported => "please report it",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_finding::{LeftAlone, Program};

    #[test]
    fn every_kind_of_nothing_has_its_reason() {
        let mut report = Report::new(Program::default(), "residue");
        assert!(nothing_shadowed(&report).unwrap().contains("try -O0"));
        let c = &mut report.summary.coverage;
        (c.functions_run, c.operations) = (1, 4);
        c.left_alone.push(LeftAlone { reason: LeftAloneFor::Strict, functions: 1, names: vec!["f".into()] });
        let words = nothing_shadowed(&report).unwrap();
        assert!(words.starts_with("nothing was shadowed: functions with strict") && words.contains("-ftrapping-math"));
        report.summary.coverage.left_alone.clear();
        report.summary.coverage.operations_shadowed = 1;
        assert_eq!(nothing_shadowed(&report), None);
    }
}
