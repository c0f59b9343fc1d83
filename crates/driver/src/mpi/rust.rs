//! The carrier in a program of Rust's. The program's link is rustc's own, and does not say what its crates link; so the
//! carrier goes into the crate that names the library, which is `mpi-sys` mostly, as an archive that rustc takes in.

use super::{Link, NoCarrier, built, cache, moved};
use crate::environment::Environment;
use crate::toolchain;
use std::ffi::OsString;
use std::process::{Command, Stdio};

/// Words for rustc; none if the crate links no MPI.
pub(crate) fn rust_words(args: &[OsString], env: &Environment) -> Option<Result<Vec<OsString>, NoCarrier>> {
    let link = linked(args);
    let library = link.libraries.first()?;
    if link.libraries.len() > 1 {
        return Some(Err(NoCarrier::Two(link.libraries)));
    }
    Some(archive(&link, library, env))
}

/// `-l KIND:MODIFIERS=NAME:RENAME` and `-L KIND=FOLDER`, joined or not.
fn linked(args: &[OsString]) -> Link {
    let mut link = Link::default();
    let mut words = args.iter().map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        let (option, joined) = word.split_at(word.len().min(2));
        if option != "-l" && option != "-L" {
            continue;
        }
        let value = if joined.is_empty() { words.next().unwrap_or_default().into_owned() } else { joined.to_owned() };
        let value = value.split_once('=').map_or(value.as_str(), |(_, value)| value);
        match option {
            "-l" => link.add_library(value.split(':').next().unwrap_or_default()),
            _ => link.folders.push(value.into()),
        }
    }
    link
}

fn archive(link: &Link, library: &str, env: &Environment) -> Result<Vec<OsString>, NoCarrier> {
    let headers = link.header(library)?;
    let (object, _held) = built(&headers, &toolchain::find_clang(env)?)?;
    let folder = cache().ok_or(NoCarrier::NoCache)?;
    let stem = object.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let archive = folder.join(format!("libnonius_{stem}.a"));
    if !archive.is_file() {
        let private = crate::run::private_folder()?;
        let made = private.path().join("carrier.a");
        let mut archiver = Command::new(toolchain::find_llvm_tool("llvm-ar", env)?);
        let output = archiver.arg("rcs").arg(&made).arg(&object).stdin(Stdio::null()).output()?;
        if !output.status.success() {
            let messages = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(NoCarrier::Compile { header: headers.join(super::HEADER), messages });
        }
        moved(&made, &archive)?;
    }
    let mut place = OsString::from("native=");
    place.push(folder);
    Ok(vec!["-L".into(), place, "-l".into(), format!("static:+whole-archive=nonius_{stem}").into()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn what_a_crate_links_is_read() {
        let link = |line: &str| linked(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        let read = link("--crate-name mpi_sys -L native=/lib/openmpi -l mpi -l dylib=hwloc");
        assert_eq!(read.libraries.into_iter().collect::<Vec<_>>(), ["mpi"]);
        assert_eq!(read.folders, [PathBuf::from("/lib/openmpi")]);
        assert_eq!(link("-ldylib:+verbatim=mpich").libraries.len(), 1);
        assert!(link("--crate-name mpi -L dependency=/deps -l static=rsmpi").libraries.is_empty());
    }
}
