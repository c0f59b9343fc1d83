//! A view of the file system of the process's own: every folder is covered by an overlay whose upper half is in memory.
//!
//! What cannot be covered is closed for writing. Root needs a mount namespace for that; others need a user namespace
//! around it, in which they are themselves. There the owners of other files are not known, and the kernel copies no file
//! or folder of such an owner to the upper half: the folders that the program will need are made there beforehand.

use super::{Cannot, Layer, Refused, mounts, restore};
use crate::files::Changes;
use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;
use rustix::mount::{MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags};
use rustix::thread::{CapabilitySet, UnshareFlags};
use std::ffi::CString;
use std::fs;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Enters the view, and makes the files in it what they were before the first run. `run` stays as it is.
pub fn enter(run: &Path, changes: &Changes, layer: Layer) -> Result<(), Refused> {
    let here = std::env::current_dir().cannot("find the working folder")?;
    let privileged = namespaces(layer.network)?;
    rustix::mount::mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)
        .cannot("make mounts private")?;
    let mounts = mounts::all()?;
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
    let chosen = rustix::mount::open_tree(CWD, run, flags).cannot("keep the folder for reports")?;
    memory(run, layer.bytes)?;
    for mount in &mounts {
        mount.close()?;
    }
    let needed = needed(&here, changes);
    let covers: Vec<Cover> = (0..)
        .zip(mounts::folders(&mounts))
        .filter_map(|(number, folder)| Cover::new(number, folder, &needed, privileged).transpose())
        .collect::<Result<_, _>>()?;
    rustix::mount::move_mount(&chosen, "", CWD, run, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)
        .cannot("keep the folder for reports")?;
    // The terminal is the first run's.
    if Path::new("/dev/tty").exists() {
        rustix::mount::mount_bind("/dev/null", "/dev/tty").cannot("hide the terminal")?;
    }
    restore::restore(changes, &covers.iter().map(|cover| cover.device).collect::<Vec<_>>(), privileged)?;
    std::env::set_current_dir(&here).cannot("go to the working folder")?;
    if privileged { Ok(()) } else { hand_on() }
}

/// Folders where the program may write: where the first run did, and, for programs that it did not see, the usual ones.
fn needed(here: &Path, changes: &Changes) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        changes.before.keys().filter_map(|path| path.parent()).map(Path::to_owned).collect();
    let usual = [Some(here.to_owned()), Some(std::env::temp_dir()), std::env::var_os("HOME").map(PathBuf::from)];
    folders.extend(usual.into_iter().flatten().filter_map(|folder| folder.canonicalize().ok()));
    folders.sort();
    folders.dedup();
    folders
}

/// Whether this user may mount without a user namespace.
fn namespaces(network: bool) -> Result<bool, Refused> {
    let mut flags = UnshareFlags::NEWNS | UnshareFlags::NEWPID | UnshareFlags::NEWIPC | UnshareFlags::NEWUTS;
    flags.set(UnshareFlags::NEWNET, !network);
    if unshare(flags).is_ok() {
        return Ok(true);
    }
    let (user, group) = (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw());
    unshare(flags | UnshareFlags::NEWUSER).cannot("make a user namespace")?;
    let write =
        |name: &str, text: String| fs::write(format!("/proc/self/{name}"), text).cannot("set up a user namespace");
    write("setgroups", "deny".to_owned())?;
    write("uid_map", format!("{user} {user} 1"))?;
    write("gid_map", format!("{group} {group} 1"))?;
    Ok(false)
}

#[expect(deprecated, reason = "not safe with CLONE_FILES only, which is not among the flags")]
fn unshare(flags: UnshareFlags) -> Result<(), Errno> {
    rustix::thread::unshare(flags)
}

/// The upper halves, in memory. The working folder is there while things are mounted: other paths to it get covered.
fn memory(run: &Path, bytes: Option<u64>) -> Result<(), Refused> {
    let place = run.join("layer");
    fs::create_dir(&place).cannot("make a folder for the layer")?;
    let size = CString::new(format!("size={},mode=700", bytes.unwrap_or_else(half_of_memory))).cannot("say a size")?;
    rustix::mount::mount("tmpfs", &place, "tmpfs", MountFlags::empty(), Some(size.as_c_str()))
        .cannot("mount a layer")?;
    std::env::set_current_dir(&place).cannot("enter the layer")
}

/// Of what is free now.
fn half_of_memory() -> u64 {
    let table = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let free = table.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let free = free.and_then(|text| text.trim().trim_end_matches(" kB").parse::<u64>().ok());
    free.unwrap_or(1 << 20) * 1024 / 2
}

/// A folder that is covered.
struct Cover {
    /// How the folder is told from one that is not.
    device: u64,
}

impl Cover {
    /// None where the file system cannot be covered: there it is closed.
    fn new(number: usize, folder: PathBuf, needed: &[PathBuf], privileged: bool) -> Result<Option<Cover>, Refused> {
        let Ok(lower) = rustix::fs::open(&folder, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()) else {
            return Ok(None);
        };
        let (upper, work) = (PathBuf::from(format!("{number}/upper")), format!("{number}/work"));
        fs::create_dir_all(&work).cannot("make a layer's folder")?;
        imitate(&folder, &upper, privileged)?;
        for path in needed.iter().filter_map(|path| path.strip_prefix(&folder).ok()) {
            let mut within = PathBuf::new();
            for name in path {
                within.push(name);
                if folder.join(&within).is_dir() && !upper.join(&within).exists() {
                    imitate(&folder.join(&within), &upper.join(&within), privileged)?;
                }
            }
        }
        if overlay(&lower, &folder, &upper, &work, privileged).is_err() {
            return Ok(None);
        }
        let device = fs::metadata(&folder).cannot("look at a layer")?.dev();
        Ok(Some(Cover { device }))
    }
}

fn overlay(lower: &OwnedFd, folder: &Path, upper: &Path, work: &str, privileged: bool) -> Result<(), Refused> {
    // By its descriptor: a path can have any letter, and then means something else here.
    let data = format!(
        "lowerdir=/proc/self/fd/{},upperdir={},workdir={work}{}",
        lower.as_raw_fd(),
        upper.display(),
        if privileged { "" } else { ",userxattr" }
    );
    let data = CString::new(data).cannot("name a layer")?;
    rustix::mount::mount("overlay", folder, "overlay", MountFlags::empty(), Some(data.as_c_str()))
        .cannot("mount a layer")
}

/// Makes a folder with the same rights for this user.
fn imitate(folder: &Path, made: &Path, privileged: bool) -> Result<(), Refused> {
    let failed = "make a layer's folder";
    let was = fs::metadata(folder).cannot(failed)?;
    fs::create_dir(made).cannot(failed)?;
    let mut mode = was.mode() & 0o7777;
    if privileged {
        std::os::unix::fs::chown(made, Some(was.uid()), Some(was.gid())).cannot(failed)?;
    } else if was.uid() != rustix::process::getuid().as_raw() && !is_writable(folder) {
        mode &= !0o222;
    }
    fs::set_permissions(made, fs::Permissions::from_mode(mode)).cannot(failed)
}

fn is_writable(folder: &Path) -> bool {
    // A read-only mount answers for all: the right is asked of the mode, which is what counts in the layer.
    matches!(rustix::fs::access(folder, rustix::fs::Access::WRITE_OK), Ok(()) | Err(Errno::ROFS))
}

/// The next process has to mount as well.
fn hand_on() -> Result<(), Refused> {
    let failed = "keep privileges for the next process";
    let mut sets = rustix::thread::capabilities(None).cannot(failed)?;
    sets.inheritable |= CapabilitySet::SYS_ADMIN;
    rustix::thread::set_capabilities(None, sets).cannot(failed)?;
    rustix::thread::configure_capability_in_ambient_set(CapabilitySet::SYS_ADMIN, true).cannot(failed)
}
