//! What the compiler wrapper tells the pass, through the environment: `NONIUS_PASS_OPTIONS`,
//! `key=value` pairs between unit separators. The wrapper has checked them; a word that this
//! pass does not know is ignored.

use crate::llvm::Value;

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Globs; when there is any, only functions that match one are instrumented.
    pub only_functions: Vec<String>,
    pub skip_functions: Vec<String>,
    pub skip_files: Vec<String>,
    pub check_loads: bool,
    /// Leave the target's instruction set as it is.
    pub no_avx: bool,
    /// A panic of Rust ends the process without its exit handlers.
    pub panic_aborts: bool,
    /// Have LLVM verify each function after its instrumentation.
    pub verify: bool,
    /// Globs; the pass panics in functions that match one, to show what it then does.
    pub panic_in: Vec<String>,
    /// The module becomes bitcode, and is optimized again before it becomes machine code.
    pub bitcode: bool,
    /// Cold paths stay in their functions, where tests of the pass read them.
    pub cold_inline: bool,
    /// Of one function: the code generator will not optimize it.
    pub unoptimized: bool,
}

impl Options {
    pub fn from_env() -> Options {
        let mut options = Options::default();
        let text = std::env::var("NONIUS_PASS_OPTIONS").unwrap_or_default();
        for (key, value) in text.split('\x1f').filter_map(|pair| pair.split_once('=')) {
            match key {
                "only-functions" => options.only_functions.push(value.into()),
                "skip-functions" => options.skip_functions.push(value.into()),
                "skip-files" => options.skip_files.push(value.into()),
                "check-loads" => options.check_loads = value == "1",
                "no-avx" => options.no_avx = value == "1",
                "panic-aborts" => options.panic_aborts = value == "1",
                "verify" => options.verify = value == "1",
                "panic-in" => options.panic_in.push(value.into()),
                "cold-inline" => options.cold_inline = value == "1",
                "bitcode" => options.bitcode = value == "1",
                _ => {}
            }
        }
        options
    }

    pub fn fail_if_asked(&self, function: Value) {
        let is_asked = !self.panic_in.is_empty() && self.panic_in.iter().any(|g| glob(g, &function.name()));
        assert!(!is_asked, "as --nonius-panic-in asks for");
    }

    /// What instrumentation itself must know, apart from which functions it is for.
    pub fn settings(&self) -> String {
        let all = [("check-loads", self.check_loads), ("no-avx", self.no_avx), ("panic-aborts", self.panic_aborts)];
        all.iter().filter(|(_, on)| *on).map(|(name, _)| *name).collect::<Vec<_>>().join(",")
    }

    /// These options, but for the settings of another compile.
    pub fn with_settings(&self, settings: &str) -> Options {
        let has = |name: &str| settings.split(',').any(|s| s == name);
        Options {
            check_loads: has("check-loads"),
            no_avx: has("no-avx"),
            panic_aborts: has("panic-aborts"),
            ..self.clone()
        }
    }
}

/// Whether `text` matches a glob of `*` and `?`.
pub fn glob(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&c) if c == '?' || c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((star_p, star_t)) => {
                    p = star_p + 1;
                    t = star_t + 1;
                    star = Some((star_p, star_t + 1));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}
