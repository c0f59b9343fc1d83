//! The project that a command is given in: the suppressions that belong to it.

use crate::runtime_options::RuntimeOptions;
use std::path::{Path, PathBuf};

/// The file's name.
const SUPPRESSIONS: &str = "nonius.supp";

/// Folders from here up to the project's, the one that is under version control. Without one, this folder alone: what lies
/// further up is somebody else's.
fn folders(here: &Path) -> Vec<&Path> {
    let up: Vec<&Path> = here.ancestors().collect();
    let top = up.iter().position(|folder| [".git", ".hg", ".svn"].iter().any(|name| folder.join(name).exists()));
    up[..=top.unwrap_or(0)].to_vec()
}

/// The project's suppressions, if it has any.
pub fn suppressions(here: &Path) -> Option<PathBuf> {
    folders(here).into_iter().map(|folder| folder.join(SUPPRESSIONS)).find(|path| path.is_file())
}

/// Where they go if it has none yet: to the project's own folder.
pub fn new_suppressions(here: &Path) -> PathBuf {
    folders(here).last().copied().unwrap_or(here).join(SUPPRESSIONS)
}

/// Takes the project's suppressions, unless the user names others, or none.
pub fn use_suppressions(options: &mut RuntimeOptions) {
    let found = std::env::current_dir().ok().and_then(|here| suppressions(&here));
    if let Some(path) = found.filter(|_| options.get("suppressions").is_none()) {
        options.set("suppressions", path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_nearest_file_up_to_the_projects_folder_counts() {
        let folder = tempfile::tempdir().unwrap();
        let (top, below) = (folder.path().join("p"), folder.path().join("p/a/b"));
        fs::create_dir_all(&below).unwrap();
        fs::write(folder.path().join(SUPPRESSIONS), "").unwrap();
        assert_eq!(suppressions(&below), None, "no project");
        assert_eq!(new_suppressions(&below), below.join(SUPPRESSIONS));
        fs::create_dir(top.join(".git")).unwrap();
        assert_eq!(suppressions(&below), None, "outside");
        assert_eq!(new_suppressions(&below), top.join(SUPPRESSIONS));
        for place in [&top, &below] {
            fs::write(place.join(SUPPRESSIONS), "").unwrap();
            assert_eq!(suppressions(&below), Some(place.join(SUPPRESSIONS)));
        }
    }
}
