//! The closed vocabularies of a finding. Each word is written once, in the list that also names
//! its variant, so that JSON, suppression files and diagnostics cannot drift apart.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A word that is in none of the lists below.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{word}' is not a {vocabulary}; one of: {}", .expected.join(", "))]
pub struct UnknownWord {
    pub word: String,
    /// What was expected, such as "finding kind".
    pub vocabulary: &'static str,
    pub expected: Vec<&'static str>,
}

macro_rules! words {
    ($(#[$meta:meta])* $name:ident, $vocabulary:literal;
     $($(#[$variant_meta:meta])* $variant:ident = $word:literal,)*) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$variant_meta])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The word as it stands in reports and suppression files.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = UnknownWord;

            fn from_str(word: &str) -> Result<Self, UnknownWord> {
                Self::ALL.iter().copied().find(|w| w.as_str() == word).ok_or_else(|| UnknownWord {
                    word: word.to_owned(),
                    vocabulary: $vocabulary,
                    expected: Self::ALL.iter().map(|w| w.as_str()).collect(),
                })
            }
        }
    };
}

words! {
    /// How values come from code without shadows.
    #[derive(Default)]
    Loss, "loss";
    /// An operation of the program that has no shadow.
    Operation = "operation",
    /// The result of a call.
    #[default]
    Result = "result",
    /// An argument that was handed over without its shadow.
    Argument = "argument",
    /// A load of what code without shadows wrote.
    Load = "load",
    /// A call that was given memory, and may have written to it; calls are counted, not values.
    Memory = "memory",
}

words! {
    /// Why a function with floats is as the compiler made it.
    LeftAloneFor, "reason";
    /// It may look at the exceptions that its operations raise.
    Strict = "strict",
    /// The source says so.
    Marked = "marked",
    /// An option of the compilation says so.
    Option = "option",
    /// The pass cannot do it.
    Unsupported = "unsupported",
}

words! {
    /// What a second engine makes of a finding.
    Verdict, "verdict";
    /// It finds the same, of the same size.
    Confirmed = "confirmed",
    /// It finds an error there too, of another size.
    Corrected = "corrected",
    /// It looked at the same values and finds nothing wrong.
    Refuted = "refuted",
    /// The program did not come by there again.
    NotReproduced = "not-reproduced",
    /// It looked at the same values, but something on their way was computed by code that it does not see.
    NotFollowed = "not-followed",
    /// The second run's time was over before.
    NotReached = "not-reached",
    /// It depends on digits of the ideal that the oracle does not know.
    Open = "open",
    /// It depends on how constants of the program were rounded.
    OpenByConstants = "open-by-constants",
}

words! {
    /// What went wrong.
    Kind, "finding kind";
    /// A value that is observed has lost more digits than the threshold allows.
    PrecisionLoss = "precision-loss",
    /// A comparison or choice came out otherwise than it would on the ideal values.
    BranchFlip = "branch-flip",
    /// A conversion, a rounding function or a quotient gave another integer than the ideal value would.
    CastFlip = "cast-flip",
    /// A NaN was produced from operands that were not NaN.
    Nan = "nan",
    /// An infinity was produced from finite operands.
    Inf = "inf",
    /// Memory holds another value than the one that was stored with its shadow.
    LoadMismatch = "load-mismatch",
    /// A stage of an iteration lost more accuracy than it may.
    Stage = "stage",
    /// A test that some inputs of the declared ranges decide otherwise, as floats or as the reals they stand for.
    UnstableBranch = "unstable-branch",
    /// What the program asserts does not hold, or is not known to.
    Assertion = "assertion",
}

words! {
    /// The observable at which a bad value was seen.
    ObservedAt, "observable";
    Return = "return",
    Argument = "argument",
    Store = "store",
    /// The value left the program: printed, written, sent.
    Output = "output",
    Branch = "branch",
    Cast = "cast",
    /// The program asked, through Nonius's own interface.
    Api = "api",
    /// The operation itself, for non-finite values, which are reported where they originate.
    Operation = "operation",
}

words! {
    /// What a finding is beside its kind, where there is evidence that its error does no harm; see `class`.
    Class, "class";
    /// What a sum of much larger terms left, where ideally 0 or next to it is left: `b - A x`, a norm of it, the change
    /// that an iteration makes at its end.
    Residual = "residual",
    /// A comparison of sides that are equal but for a few ulps, or of a residual with a threshold.
    ToleranceTest = "tolerance-test",
    /// A comparison that keeps the greater or the less of its sides, which are alike in their first digits: either is as
    /// good.
    Choice = "choice",
    /// A comparison for equality whose one outcome ends the program or the test.
    Assertion = "assertion",
    /// A rounding, a NaN or an infinity that the program makes with its eyes open.
    OnPurpose = "on-purpose",
}

words! {
    /// Which findings are shown, and count.
    #[derive(Default)]
    Focus, "focus";
    /// Those that reached an output.
    Output = "output",
    /// Those that reached an output or decided something.
    Decisions = "decisions",
    #[default]
    All = "all",
}

words! {
    /// How much a finding matters. The order is that of weight: `Note < Warning < Error`.
    Severity, "severity";
    Note = "note",
    Warning = "warning",
    Error = "error",
}

impl Severity {
    /// The severity that fits unless an engine knows better: an error is what the user of the
    /// program can see (a wrong output, another branch taken, another integer), a warning is what
    /// may still heal inside the program, a note is context.
    pub const fn usual(kind: Kind, observed_at: ObservedAt) -> Self {
        match (kind, observed_at) {
            (Kind::LoadMismatch, _) => Self::Note,
            (Kind::BranchFlip | Kind::CastFlip, _) => Self::Error,
            (_, ObservedAt::Output | ObservedAt::Api) => Self::Error,
            _ => Self::Warning,
        }
    }
}
