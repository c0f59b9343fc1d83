//! The carrier of shadows across MPI ranks: C sources (`mpi/`) that are compiled against the `mpi.h` of the library that a
//! program is linked with, since no two libraries have the same ABI, and linked into the program. The object is kept in
//! the user's cache.

mod fortran;
mod routines;
mod rust;

pub(crate) use fortran::{link_words as fortran_link_words, modules as fortran_modules};
pub(crate) use rust::rust_words;

use crate::item::{self, Item};
use crate::response_file::Word;
use crate::toolchain::ToolchainError;
use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;
use thiserror::Error;

macro_rules! sources {
    ($($name:literal),*) => {
        &[$(($name, include_str!(concat!("../../../mpi/", $name)))),*]
    };
}

const MAIN: &str = "nonius_mpi.c";
const SOURCES: &[(&str, &str)] = sources![
    "nonius_mpi.h",
    "nonius_mpi.c",
    "layout.c",
    "shadows.c",
    "companion.c",
    "sends.c",
    "receives.c",
    "requests.c",
    "persistent.c",
    "moves.c",
    "exchanges.c",
    "reductions.c",
    "nonblocking.c",
    "neighbours.c",
    "restarted.c",
    "windows.c",
    "packing.c",
    "fortran.c"
];
/// What is made of the table of routines.
const STAND_INS: &str = "stand_ins.c";
const HEADER: &str = "mpi.h";

/// Where Debian and others have the header, if the command does not say.
const MPICH_FOLDERS: &[&str] = &["/usr/include/x86_64-linux-gnu/mpich", "/usr/include/mpich-x86_64"];
const OPEN_MPI_FOLDERS: &[&str] =
    &["/usr/lib/x86_64-linux-gnu/openmpi/include", "/usr/include/openmpi-x86_64", "/usr/include"];

/// Why shadows will restart at every message.
#[derive(Debug, Error)]
pub(crate) enum NoCarrier {
    #[error("two MPI libraries are linked ({}): link one", list(.0))]
    Two(BTreeSet<String>),
    #[error("cannot find {HEADER} of {library} (looked in {}): add its folder with -I", folders(.looked))]
    NoHeader { library: String, looked: Vec<PathBuf> },
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    #[error("there is no folder to keep the carrier in: set HOME")]
    NoCache,
    #[error("cannot write the carrier: {0}")]
    Write(#[from] io::Error),
    #[error("the carrier does not compile with {header}:\n{messages}")]
    Compile { header: PathBuf, messages: String },
}

fn list(names: &BTreeSet<String>) -> String {
    names.iter().cloned().collect::<Vec<_>>().join(", ")
}

fn folders(looked: &[PathBuf]) -> String {
    looked.iter().map(|f| f.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// What a command line says of MPI.
#[derive(Debug, Default, PartialEq, Eq)]
struct Link {
    /// `mpi` or `mpich`, or both.
    libraries: BTreeSet<String>,
    /// All that are linked, of MPI or not.
    all: BTreeSet<String>,
    headers: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Link {
    fn read(words: &[Word]) -> Link {
        let mut link = Link::default();
        for item in item::group(words) {
            match item {
                Item::Option { name: "-l", value: Some(library) } => link.add_library(library),
                Item::Option { name: "-I" | "-isystem" | "-idirafter", value: Some(folder) } => {
                    link.headers.push(folder.into());
                }
                Item::Option { name: "-L", value: Some(folder) } => link.folders.push(folder.into()),
                Item::Option { name, .. } => {
                    if let Some(library) = name.strip_prefix("-l") {
                        link.add_library(library);
                    } else if let Some(folder) = name.strip_prefix("-I") {
                        link.headers.push(folder.into());
                    } else if let Some(folder) = name.strip_prefix("-L") {
                        link.folders.push(folder.into());
                    }
                }
                Item::Input(path) => link.add_file(Path::new(path)),
                Item::DoubleDash => {}
            }
        }
        link
    }

    fn add_library(&mut self, name: &str) {
        self.all.insert(name.to_owned());
        if matches!(name, "mpi" | "mpich") {
            self.libraries.insert(name.to_owned());
        }
    }

    fn add_file(&mut self, path: &Path) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return };
        let Some(library) = name.strip_prefix("lib").and_then(|name| Some(name.split_once(".so")?.0)) else { return };
        self.add_library(library);
        if self.libraries.contains(library) {
            self.folders.extend(path.parent().map(Path::to_owned));
        }
    }

    /// Where the header may be: as the command says, beside the library, or where systems have it.
    fn places(&self, library: &str) -> Vec<PathBuf> {
        let beside = self.folders.iter().flat_map(|folder| {
            let real = fs::canonicalize(folder).unwrap_or_else(|_| folder.clone());
            [real.join("../include"), folder.join("../include")]
        });
        let usual = if library == "mpich" { MPICH_FOLDERS } else { OPEN_MPI_FOLDERS };
        self.headers.iter().cloned().chain(beside).chain(usual.iter().map(PathBuf::from)).collect()
    }

    /// The header of the library that is linked; one of another does not do.
    fn header(&self, library: &str) -> Result<PathBuf, NoCarrier> {
        let looked = self.places(library);
        let is_right = |folder: &&PathBuf| {
            let Ok(text) = fs::read_to_string(folder.join(HEADER)) else { return false };
            library != "mpich" || text.contains("MPICH")
        };
        match looked.iter().find(is_right) {
            Some(folder) => Ok(folder.clone()),
            None => Err(NoCarrier::NoHeader { library: library.to_owned(), looked }),
        }
    }
}

/// The object to link, and what it lies in if that goes with the command.
pub(crate) type Carrier = (PathBuf, Option<TempDir>);

/// The carrier for what a command links; `None` if there is no MPI in it.
pub(crate) fn carrier(words: &[Word], clang: &Path) -> Option<Result<Carrier, NoCarrier>> {
    let link = Link::read(words);
    let library = link.libraries.first()?;
    if link.libraries.len() > 1 {
        return Some(Err(NoCarrier::Two(link.libraries)));
    }
    Some(link.header(library).and_then(|folder| built(&folder, clang)))
}

fn built(headers: &Path, clang: &Path) -> Result<Carrier, NoCarrier> {
    let name = format!("mpi-{:016x}.o", key(headers, clang));
    let cache = cache().filter(|folder| fs::create_dir_all(folder).is_ok());
    if let Some(path) = cache.as_ref().map(|folder| folder.join(&name)).filter(|path| path.is_file()) {
        return Ok((path, None));
    }
    let folder = crate::run::private_folder()?;
    for (name, text) in SOURCES {
        fs::write(folder.path().join(name), text)?;
    }
    fs::write(folder.path().join(STAND_INS), routines::stand_ins())?;
    let object = folder.path().join(&name);
    let mut compiler = Command::new(clang);
    compiler.args(["-O2", "-g1", "-fPIC", "-w", "-c", MAIN, "-o"]).arg(&object).arg("-I").arg(headers);
    let output = compiler.current_dir(folder.path()).stdin(Stdio::null()).output()?;
    if !output.status.success() {
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(NoCarrier::Compile { header: headers.join(HEADER), messages });
    }
    match cache.and_then(|cache| moved(&object, &cache.join(&name)).ok()) {
        Some(path) => Ok((path, None)),
        None => Ok((object, Some(folder))),
    }
}

/// Others may make the same at the same time: it appears whole or not at all.
fn moved(object: &Path, to: &Path) -> io::Result<PathBuf> {
    let folder = to.parent().unwrap_or(Path::new("/"));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    io::copy(&mut fs::File::open(object)?, &mut file)?;
    file.persist(to)?;
    Ok(to.to_owned())
}

fn cache() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")))?;
    folder.is_absolute().then(|| folder.join("nonius"))
}

/// All that decides on the object.
fn key(headers: &Path, clang: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    (SOURCES, routines::stand_ins()).hash(&mut hasher);
    headers.hash(&mut hasher);
    clang.hash(&mut hasher);
    let header = fs::metadata(headers.join(HEADER));
    header.map(|m| (m.len(), m.modified().ok())).ok().hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::response_file::expand;
    use std::ffi::OsString;

    fn link(line: &str) -> Link {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        Link::read(&expand(&words))
    }

    #[test]
    fn libraries_are_known_by_name_and_by_path() {
        let read = link("a.o -I/inc -L /lib/openmpi -lmpi -lm -o a");
        assert_eq!(read.libraries, BTreeSet::from(["mpi".to_owned()]));
        assert_eq!((read.headers, read.folders), (vec!["/inc".into()], vec!["/lib/openmpi".into()]));
        let read = link("a.o /usr/lib/libmpich.so.12 -o a");
        assert_eq!(read.libraries, BTreeSet::from(["mpich".to_owned()]));
        assert_eq!(read.folders, [PathBuf::from("/usr/lib")]);
        assert!(link("a.o -lmpi_mpifh -lmpfr -o a").libraries.is_empty());
    }

    #[test]
    fn two_libraries_or_none_of_the_headers_are_told() {
        let words = |line: &str| expand(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        let two = carrier(&words("a.o -lmpi -lmpich"), Path::new("clang")).unwrap().unwrap_err();
        assert!(two.to_string().starts_with("two MPI libraries are linked (mpi, mpich)"), "{two}");
        assert!(carrier(&words("a.o -lm"), Path::new("clang")).is_none());
    }

    #[test]
    fn a_header_of_another_library_does_not_do() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(HEADER), "/* Open MPI */").unwrap();
        let read = Link { headers: vec![folder.path().into()], ..Link::default() };
        assert_eq!(read.header("mpi").unwrap(), folder.path());
        fs::write(folder.path().join(HEADER), "#define MPICH_VERSION").unwrap();
        assert_eq!(read.header("mpich").unwrap(), folder.path());
    }
}
