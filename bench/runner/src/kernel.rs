//! The kernels, each described by the comment that opens its source (in Fortran, of course, with `!`):
//!
//! ```c
//! // Matrix product: C = alpha A B + beta C.
//! // bench: group=dense size=250x50 quick=120x50 sweep=160x12,240x12
//! ```
//!
//! | key | meaning |
//! |---|---|
//! | `group` | where it stands in the tables |
//! | `size`, `quick` | problem size and repetitions of a normal and of a quick run |
//! | `sweep` | problems of growing size, for cost against size |
//! | `types` | `none` for a program without floats, `double` for double alone; otherwise it is built for double and for float |
//! | `flags` | more flags for the compiler |
//! | `threads` | threads that it is run with |

use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Groups in the order of the tables.
const GROUPS: [&str; 13] = [
    "dense", "solver", "stencil", "mining", "sum", "signal", "physics", "branchy", "classes", "threads", "light",
    "fortran", "rust",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub n: u64,
    pub reps: u64,
    pub threads: u64,
}

impl Problem {
    pub fn arguments(&self) -> [String; 3] {
        [self.n.to_string(), self.reps.to_string(), self.threads.to_string()]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RealType {
    Double,
    Float,
    /// The program has no floats to speak of.
    None,
}

impl RealType {
    pub fn name(self) -> &'static str {
        match self {
            Self::Double => "double",
            Self::Float => "float",
            Self::None => "none",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    pub name: String,
    pub summary: String,
    pub path: PathBuf,
    pub group: String,
    pub types: Vec<RealType>,
    pub size: Problem,
    pub quick: Problem,
    pub sweep: Vec<Problem>,
    pub flags: Vec<String>,
    pub threads: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cpp,
    Fortran,
    Rust,
}

impl Language {
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "c" => Some(Self::C),
            "cpp" => Some(Self::Cpp),
            "f90" => Some(Self::Fortran),
            "rs" => Some(Self::Rust),
            _ => None,
        }
    }

    /// Whether clang compiles it, and so nsan can.
    pub fn is_of_clang(self) -> bool {
        matches!(self, Self::C | Self::Cpp)
    }
}

impl Kernel {
    pub fn language(&self) -> Language {
        Language::of(&self.path).unwrap_or(Language::C)
    }

    pub fn problem(&self, quick: bool) -> Problem {
        if quick { self.quick } else { self.size }
    }
}

/// All kernels of a folder, by group and name.
pub fn load_all(folder: &Path) -> Result<Vec<Kernel>> {
    let entries = fs::read_dir(folder)
        .with_context(|| format!("cannot read {}: run './x bench' at the root of the repository", folder.display()))?;
    let mut kernels = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if Language::of(&path).is_some() {
            let text = fs::read_to_string(&path)?;
            kernels.push(parse(&path, &text).with_context(|| format!("in {}", path.display()))?);
        }
    }
    kernels.sort_by_key(|k| (GROUPS.iter().position(|g| *g == k.group), k.name.clone()));
    Ok(kernels)
}

fn parse(path: &Path, text: &str) -> Result<Kernel> {
    let mut lines = text.lines();
    let language = Language::of(path).unwrap_or(Language::C);
    let comment = if language == Language::Fortran { "! " } else { "// " };
    let mut opening = || lines.next().and_then(|l| l.strip_prefix(comment));
    let summary = opening().context("no comment says what it is")?;
    let directive = opening().and_then(|l| l.strip_prefix("bench: ")).context("no 'bench:' in line 2")?;
    let stem = path.file_stem().context("a file without a name")?.to_string_lossy().into_owned();
    // The same kernel stands there in C.
    let name = match language {
        Language::C | Language::Cpp => stem,
        Language::Fortran => format!("{stem}-fortran"),
        Language::Rust => format!("{stem}-rust"),
    };
    let unset = Problem { n: 0, reps: 0, threads: 1 };
    let mut kernel = Kernel {
        name,
        summary: summary.into(),
        path: path.into(),
        group: String::new(),
        types: vec![RealType::Double, RealType::Float],
        size: unset,
        quick: unset,
        sweep: Vec::new(),
        flags: Vec::new(),
        threads: 1,
    };
    for word in directive.split_whitespace() {
        let (key, value) = word.split_once('=').with_context(|| format!("'{word}' is not key=value"))?;
        set(&mut kernel, key, value)?;
    }
    for problem in [&mut kernel.size, &mut kernel.quick] {
        problem.threads = kernel.threads;
        if problem.n == 0 {
            bail!("size= or quick= is missing");
        }
    }
    Ok(kernel)
}

fn set(kernel: &mut Kernel, key: &str, value: &str) -> Result<()> {
    match key {
        "group" if GROUPS.contains(&value) => kernel.group = value.into(),
        "group" => bail!("there is no group '{value}'; there are: {}", GROUPS.join(", ")),
        "size" => kernel.size = problem(value)?,
        "quick" => kernel.quick = problem(value)?,
        "sweep" => kernel.sweep = value.split(',').map(problem).collect::<Result<_>>()?,
        "types" if value == "none" => kernel.types = vec![RealType::None],
        "types" if value == "double" => kernel.types = vec![RealType::Double],
        "flags" => kernel.flags = value.split(',').map(str::to_owned).collect(),
        "threads" => kernel.threads = value.parse().with_context(|| format!("threads={value}"))?,
        _ => bail!("'{key}={value}' means nothing here"),
    }
    Ok(())
}

fn problem(text: &str) -> Result<Problem> {
    let (n, reps) = text.split_once('x').with_context(|| format!("'{text}' is not SIZExREPETITIONS"))?;
    let problem = Problem { n: n.parse()?, reps: reps.parse()?, threads: 1 };
    if problem.n == 0 || problem.reps == 0 {
        bail!("'{text}' has a zero");
    }
    Ok(problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Kernel> {
        parse(Path::new("k/gemm.c"), text)
    }

    #[test]
    fn a_directive_sets_what_it_names() {
        let k = parsed(
            "// Product.\n// bench: group=dense size=250x40 quick=120x50 sweep=1x2,3x4 flags=-pthread threads=2\n",
        )
        .unwrap();
        assert_eq!((k.name.as_str(), k.summary.as_str(), k.group.as_str()), ("gemm", "Product.", "dense"));
        assert_eq!(k.size, Problem { n: 250, reps: 40, threads: 2 });
        assert_eq!(k.problem(true), Problem { n: 120, reps: 50, threads: 2 });
        assert_eq!(k.sweep.len(), 2);
        assert_eq!(k.flags, ["-pthread"]);
        assert_eq!(k.types, [RealType::Double, RealType::Float]);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for text in [
            "",
            "// Product.\n",
            "// Product.\n// bench: group=dense size=250x40\n",
            "// Product.\n// bench: group=dense size=250 quick=1x1\n",
            "// Product.\n// bench: group=nowhere size=1x1 quick=1x1\n",
            "// Product.\n// bench: group=dense size=0x1 quick=1x1\n",
            "// Product.\n// bench: color=red size=1x1 quick=1x1\n",
        ] {
            assert!(parsed(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn the_kernels_of_this_repository_are_read() {
        let kernels = load_all(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernels"))).unwrap();
        assert!(kernels.len() >= 30);
        assert_eq!(kernels.iter().filter(|k| k.sweep.len() == 4).count(), 3);
        for language in [Language::Fortran, Language::Rust] {
            assert_eq!(kernels.iter().filter(|k| k.language() == language).count(), 6);
        }
        assert!(kernels.iter().any(|k| k.language() == Language::Cpp));
        assert!(kernels.iter().any(|k| k.types == [RealType::None]));
    }
}
