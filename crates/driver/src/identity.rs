//! What decides on the code that a wrapper makes, beside its command line: for caches, which see that line alone.
//!
//! `CCACHE_COMPILERCHECK='%compiler% --nonius-identity'` has ccache ask for it.

use crate::compiler::{CompileError, Language};
use crate::environment::Environment;
use crate::pieces::Pieces;
use std::fs;
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Nonius, the plugin, the compiler and what this CPU lets shadows use, in lines.
pub fn of(language: Language, env: &Environment) -> Result<String, CompileError> {
    let plugin = Pieces::of(env).plugin()?;
    let compiler = language.compiler(env)?;
    let fast = std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma");
    Ok(format!(
        "nonius {}\nplugin {}\ncompiler {}\navx2 and fma: {fast}\n",
        env!("CARGO_PKG_VERSION"),
        stamp(&plugin),
        stamp(&compiler)
    ))
}

/// A file by its path, size and time: another one has another.
fn stamp(path: &Path) -> String {
    let found = fs::metadata(path).and_then(|m| Ok((m.len(), m.modified()?)));
    let stamp = found.and_then(|(bytes, time)| {
        let time = time.duration_since(UNIX_EPOCH).map_err(io::Error::other)?;
        Ok(format!("{bytes} bytes of {}", time.as_nanos()))
    });
    format!("{} {}", path.display(), stamp.unwrap_or_else(|error| error.to_string()))
}
