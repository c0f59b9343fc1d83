//! Paths as a build service has them: from the root of what it checked out, wherever below it the report is made.

use crate::source::Sources;
use std::path::{Component, Path, PathBuf};

/// The path of a file in the repository, or as the report has it if it is not in there.
pub(crate) fn path(file: &str, sources: &Sources, root: Option<&Path>) -> String {
    let short = crate::sarif::plain(sources.short_path(file));
    let (Some(root), Some(base)) = (root, sources.base()) else { return short.to_owned() };
    let whole = normal(&base.join(short));
    whole.strip_prefix(root).ok().and_then(Path::to_str).unwrap_or(short).to_owned()
}

/// Without `.` and `..`, by the names alone.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(out.pop()),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_begin_at_the_root() {
        let sources = Sources::new(Some("/home/me/repo/build".into()));
        let at = |file: &str, root: Option<&str>| path(file, &sources, root.map(Path::new));
        assert_eq!(at("a.c", Some("/home/me/repo")), "build/a.c");
        assert_eq!(at("../src/./a.c", Some("/home/me/repo")), "src/a.c");
        assert_eq!(at("/home/me/repo/src/a.c", Some("/home/me/repo")), "src/a.c");
        assert_eq!(at("/usr/include/math.h", Some("/home/me/repo")), "/usr/include/math.h");
        assert_eq!(at("./a.c", None), "a.c");
    }
}
