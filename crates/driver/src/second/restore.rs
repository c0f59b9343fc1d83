//! Makes files what they were before the first run, in a layer.

use super::{Cannot, Refused, shown};
use crate::files::{Changes, State};
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

/// `layers` are the devices of folders where that may be done: anywhere else it would be the user's own files.
pub fn restore(changes: &Changes, layers: &[u64], privileged: bool) -> Result<(), Refused> {
    // What was not there goes first, since what was may be in its place; folders come before what is in them.
    let (absent, present): (Vec<_>, Vec<_>) = changes.before.iter().partition(|(_, state)| **state == State::Absent);
    for (path, state) in absent.into_iter().chain(present) {
        let Some(folder) = path.parent() else { continue };
        let device = match fs::metadata(folder) {
            Ok(status) => status.dev(),
            Err(_) if *state == State::Absent => continue,
            Err(error) => return Err(error).cannot(&format!("restore {}", shown(path))),
        };
        if !layers.contains(&device) {
            return Err(Refused(format!("{} is on a file system that cannot be covered", shown(path))));
        }
        set(path, state, privileged).cannot(&format!("restore {}", shown(path)))?;
    }
    Ok(())
}

fn set(path: &Path, state: &State, privileged: bool) -> io::Result<()> {
    let now = fs::symlink_metadata(path).ok();
    let is_folder = now.as_ref().is_some_and(fs::Metadata::is_dir);
    match (state, &now) {
        (State::Folder(_), Some(_)) if is_folder => {}
        (_, Some(_)) if is_folder => fs::remove_dir_all(path)?,
        (_, Some(_)) => fs::remove_file(path)?,
        (_, None) => {}
    }
    match state {
        State::Absent => {}
        State::Link(target) => symlink(target, path)?,
        State::Folder(mode) => {
            if !is_folder {
                fs::create_dir(path)?;
            }
            fs::set_permissions(path, fs::Permissions::from_mode(*mode))?;
        }
        State::File { copy, mode } => {
            fs::copy(copy, path)?;
            if let Some(now) = now.filter(|_| privileged) {
                std::os::unix::fs::chown(path, Some(now.uid()), Some(now.gid()))?;
            }
            let changed = fs::metadata(copy)?.modified()?;
            fs::File::options().write(true).open(path)?.set_modified(changed)?;
            fs::set_permissions(path, fs::Permissions::from_mode(*mode))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn what_was_there_is_there_again() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("made/deep")).unwrap();
        fs::write(at("made/deep/x"), "1").unwrap();
        fs::write(at("changed"), "after").unwrap();
        fs::create_dir(at("turned")).unwrap();
        fs::write(at("copy"), "before").unwrap();
        let file = State::File { copy: at("copy"), mode: 0o640 };
        let before: Vec<(PathBuf, State)> = vec![
            (at("made"), State::Absent),
            (at("never/was"), State::Absent),
            (at("changed"), file.clone()),
            (at("turned"), file.clone()),
            (at("gone"), State::Folder(0o750)),
            (at("gone/within"), file),
            (at("link"), State::Link("changed".into())),
        ];
        let changes = Changes { before: before.into_iter().collect(), ..Changes::default() };
        assert!(restore(&changes, &[], false).unwrap_err().0.contains("cannot be covered"));
        assert_eq!(fs::read_to_string(at("changed")).unwrap(), "after");
        let device = fs::metadata(folder.path()).unwrap().dev();
        restore(&changes, &[device], false).unwrap();
        for name in ["changed", "turned", "gone/within", "link"] {
            assert_eq!(fs::read_to_string(at(name)).unwrap(), "before", "{name}");
        }
        let times = [at("copy"), at("changed")].map(|path| fs::metadata(path).unwrap().modified().unwrap());
        assert_eq!(times[0], times[1]);
        assert_eq!(fs::metadata(at("changed")).unwrap().mode() & 0o777, 0o640);
        assert_eq!(fs::metadata(at("gone")).unwrap().mode() & 0o777, 0o750);
        assert!(!at("made").exists() && fs::symlink_metadata(at("link")).unwrap().is_symlink());
    }
}
