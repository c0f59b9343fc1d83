//! Classes of findings, and what is folded.

use crate::numbers::{counted, grouped};
use nonius_finding::{Class, Finding, Folded, Tier, Worst, are_nearly_equal, is_threshold_on_residual};

/// Why a finding need not be looked at first; nothing if it has no class. Of what was printed no evidence says that it does
/// no harm.
pub(crate) fn class(f: &Finding) -> Option<String> {
    if Tier::of(f) == Tier::Output {
        return None;
    }
    let text = match f.class? {
        Class::Residual => {
            let share = f.worst.left.map(|left| -left.log2()).filter(|bits| bits.is_finite() && *bits >= 1.0);
            let size = share.map(|bits| format!(" (2^{bits:.0} times as large)")).unwrap_or_default();
            format!(
                "a residual: it is what rounding left of a sum of far larger terms{size}, and ideally next to nothing is left"
            )
        }
        Class::ToleranceTest => format!("a tolerance test: {}", tolerance(&f.worst)),
        Class::Choice => {
            "a choice: it keeps the greater or the less of its sides, which are alike in their first three digits"
                .to_owned()
        }
        Class::Assertion => {
            "an equality in an assertion: where it does not hold, the program or the test ends".to_owned()
        }
        Class::OnPurpose => "on purpose, by what the program does with it".to_owned(),
    };
    Some(text)
}

fn tolerance(worst: &Worst) -> &'static str {
    if are_nearly_equal(worst) {
        "ideally the sides are equal but for a few units in the last place"
    } else if is_threshold_on_residual(worst) {
        "one side is what rounding left of far larger terms, the other a threshold for it"
    } else if worst.left.is_some() {
        "both sides are what rounding left of far larger terms"
    } else {
        "where the sides are not equal, their difference is compared"
    }
}

/// What is folded, in lines: `12 residuals folded; all=1 shows them`.
pub(crate) fn folded(folded: &[(Folded, u64)]) -> Vec<String> {
    let classes: Vec<String> = folded.iter().filter_map(|(why, count)| of_class(*why, *count)).collect();
    let count = |wanted| folded.iter().filter(|(why, _)| *why == wanted).map(|(_, count)| count).sum::<u64>();
    let (stored, out_of_focus) = (count(Folded::Stored), count(Folded::OutOfFocus));
    let them = |count| if count == 1 { "it" } else { "them" };
    let mut lines = Vec::new();
    if !classes.is_empty() {
        let of_classes = folded.iter().filter(|(why, _)| matches!(why, Folded::Class(_))).map(|(_, count)| count).sum();
        lines.push(format!("{} folded; all=1 shows {}", classes.join(", "), them(of_classes)));
    }
    if stored > 0 {
        let what =
            format!("{} stored, passed or returned and never seen to reach an output", counted(stored, "wrong value"));
        lines.push(format!("{what}, folded; all=1 shows {}", them(stored)));
    }
    if out_of_focus > 0 {
        lines.push(format!(
            "{} out of focus; focus=all shows {}",
            counted(out_of_focus, "finding"),
            them(out_of_focus)
        ));
    }
    lines
}

fn of_class(why: Folded, count: u64) -> Option<String> {
    let Folded::Class(class) = why else { return None };
    Some(match class {
        Class::Residual => counted(count, "residual"),
        Class::ToleranceTest => counted(count, "tolerance test"),
        Class::Choice if count == 1 => "1 choice of one of two that are alike".to_owned(),
        Class::Choice => format!("{} choices of one of two that are alike", grouped(count)),
        Class::Assertion if count == 1 => "1 equality in an assertion".to_owned(),
        Class::Assertion => format!("{} equalities in assertions", grouped(count)),
        Class::OnPurpose => format!("{} on purpose", grouped(count)),
    })
}
