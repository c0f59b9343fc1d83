//! Which file systems there are, and which folders of them can be covered.

use super::{Cannot, Refused, unescaped};
use rustix::mount::{MountFlags, mount, mount_bind, mount_remount};
use std::fs;
use std::path::{Path, PathBuf};

/// A mounted file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    pub point: PathBuf,
    kind: String,
    flags: MountFlags,
}

impl Mount {
    /// A line of `/proc/self/mountinfo`.
    fn read(line: &[u8]) -> Option<Mount> {
        let words: Vec<&[u8]> = line.split(|b| *b == b' ').collect();
        let dash = words.iter().position(|word| *word == b"-")?;
        let options = str::from_utf8(words.get(5)?).ok()?;
        let flags = options.split(',').map(flag).fold(MountFlags::empty(), |all, flag| all | flag);
        let kind = String::from_utf8_lossy(words.get(dash + 1)?).into_owned();
        Some(Mount { point: unescaped(words.get(4)?), kind, flags })
    }

    /// Whether people keep files there.
    fn is_storage(&self) -> bool {
        let others = [
            "proc",
            "sysfs",
            "devtmpfs",
            "devpts",
            "cgroup",
            "cgroup2",
            "mqueue",
            "debugfs",
            "tracefs",
            "securityfs",
            "pstore",
            "bpf",
            "configfs",
            "fusectl",
            "hugetlbfs",
            "binfmt_misc",
            "autofs",
            "efivarfs",
            "nsfs",
            "rpc_pipefs",
            "selinuxfs",
        ];
        !self.flags.contains(MountFlags::RDONLY) && !others.contains(&self.kind.as_str())
    }

    /// From here on nothing can be written there.
    pub fn close(&self) -> Result<(), Refused> {
        let open = ["devpts", "proc"].contains(&self.kind.as_str()) || self.flags.contains(MountFlags::RDONLY);
        match mount_remount(&self.point, MountFlags::BIND | MountFlags::RDONLY | self.flags, "") {
            _ if open => Ok(()),
            // Hidden by another, or not for this user: then it cannot be written either.
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOENT | rustix::io::Errno::ACCESS) => Ok(()),
            result => result.cannot(&format!("protect {}", self.point.display())),
        }
    }
}

fn flag(word: &str) -> MountFlags {
    match word {
        "ro" => MountFlags::RDONLY,
        "nosuid" => MountFlags::NOSUID,
        "nodev" => MountFlags::NODEV,
        "noexec" => MountFlags::NOEXEC,
        "noatime" => MountFlags::NOATIME,
        "nodiratime" => MountFlags::NODIRATIME,
        "relatime" => MountFlags::RELATIME,
        _ => MountFlags::empty(),
    }
}

pub fn all() -> Result<Vec<Mount>, Refused> {
    let table = fs::read("/proc/self/mountinfo").cannot("see what is mounted")?;
    Ok(table.split(|b| *b == b'\n').filter_map(Mount::read).collect())
}

/// A folder with file systems mounted below is covered by what is in it, unless that is too much: then it stays closed.
const MOST_ENTRIES: usize = 100;

/// The folders to cover: no file system is mounted below any of them.
pub fn folders(mounts: &[Mount]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for mount in mounts.iter().filter(|mount| mount.is_storage()) {
        collect(&mount.point, mounts, &mut found);
    }
    found.sort();
    found.dedup();
    found
}

fn collect(folder: &Path, mounts: &[Mount], found: &mut Vec<PathBuf>) {
    if !mounts.iter().any(|mount| mount.point != folder && mount.point.starts_with(folder)) {
        // One file can be mounted over another.
        return found.extend(folder.is_dir().then(|| folder.to_owned()));
    }
    let Ok(entries) = fs::read_dir(folder) else { return };
    let entries = entries.filter_map(Result::ok).filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    if entries.len() <= MOST_ENTRIES {
        let chosen = entries.iter().filter(|entry| !mounts.iter().any(|mount| mount.point == **entry));
        chosen.for_each(|entry| collect(entry, mounts, found));
    }
}

/// What `/proc` shows is the namespace that this process is in. The kernel's own settings there are everybody's.
pub fn processes() -> Result<(), Refused> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("proc", "/proc", "proc", flags, None).cannot("mount /proc")?;
    for path in ["/proc/sys", "/proc/sysrq-trigger"].into_iter().filter(|path| Path::new(path).exists()) {
        mount_bind(path, path).cannot("protect the kernel's settings")?;
        mount_remount(path, MountFlags::BIND | MountFlags::RDONLY | flags, "")
            .cannot("protect the kernel's settings")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let line = b"36 35 98:0 / /a\\040b rw,nosuid,relatime shared:1 - ext4 /dev/root rw";
        let mount = Mount::read(line).unwrap();
        assert_eq!((mount.point.to_str(), mount.is_storage()), (Some("/a b"), true));
        assert_eq!(mount.flags, MountFlags::NOSUID | MountFlags::RELATIME);
        assert_eq!(Mount::read(b"36 35"), None);
        assert!(!Mount::read(b"1 1 0:1 / /proc rw - proc proc rw").unwrap().is_storage());
        assert!(!Mount::read(b"1 1 0:1 / /x ro - ext4 x rw").unwrap().is_storage());
    }

    #[test]
    fn folders_with_file_systems_below_are_taken_apart() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("plain/deep")).unwrap();
        fs::create_dir_all(at("home/user/mine")).unwrap();
        fs::create_dir_all(at("home/other")).unwrap();
        let mount = |point: PathBuf, kind: &str| Mount { point, kind: kind.to_owned(), flags: MountFlags::empty() };
        let mounts = [mount(at(""), "ext4"), mount(at("home/user"), "nfs"), mount(at("home/gone"), "proc")];
        assert_eq!(folders(&mounts), [at("home/other"), at("home/user"), at("plain")]);
    }
}
