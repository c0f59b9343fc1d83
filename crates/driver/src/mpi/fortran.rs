//! MPI's Fortran modules. Those that come with a library are of the compiler that it was built with, mostly gfortran,
//! and flang can read none of them; nor can it read Open MPI's `mpif.h`. So Nonius has modules of its own, over the
//! `mpif.h` of the library whose folder a command names, and compiles them when they are first needed. They are kept in
//! the user's cache, by the text of `mpif.h`.

use super::routines::{self, HANDLES};
use super::{Link, cache};
use crate::environment::Environment;
use crate::response_file::Word;
use crate::toolchain::{self, ToolchainError};
use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;
use thiserror::Error;

const TEMPLATE: &str = include_str!("../../../../mpi/modules.f90");
const HEADER: &str = "mpif.h";
const SOURCE: &str = "modules.f90";
const ARCHIVE: &str = "libnonius_mpi_fortran.a";
/// Headers that include one another go no deeper.
const MAX_DEPTH: usize = 4;

/// What programs link that use MPI from Fortran.
const FORTRAN_LIBRARIES: &[&str] = &["mpi_mpifh", "mpichfort"];

/// Why there are no modules.
#[derive(Debug, Error)]
pub(crate) enum NoModules {
    #[error("cannot write MPI's Fortran modules: {0}")]
    Write(#[from] io::Error),
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    #[error("MPI's Fortran modules do not compile with {header}:\n{messages}")]
    Compile { header: PathBuf, messages: String },
}

/// A folder with the modules, and what holds it if there is no cache.
pub(crate) type Modules = (PathBuf, Option<TempDir>);

/// Words for the end of a link, and what holds what they name if there is no cache.
pub(crate) type Linked = (Vec<OsString>, Option<TempDir>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Library {
    Mpich,
    OpenMpi,
}

/// `mpif.h` with all that it includes.
#[derive(Debug)]
struct Interface {
    library: Library,
    path: PathBuf,
    text: String,
}

impl Interface {
    /// `None` if there is none, or of a library that is not known.
    fn read(folder: &Path) -> Option<Interface> {
        let path = folder.join(HEADER);
        let text = flattened(folder, HEADER, MAX_DEPTH)?;
        let library = if text.contains("OMPI_MAJOR_VERSION") {
            Library::OpenMpi
        } else if text.contains("/MPIPRIV1/") {
            Library::Mpich
        } else {
            return None;
        };
        Some(Interface { library, path, text: without_128(&text) })
    }

    /// The first that a command's folders or the system's have.
    fn find(link: &Link) -> Option<Interface> {
        link.headers.iter().find_map(|folder| Interface::read(folder))
    }

    fn has(&self, name: &str) -> bool {
        self.text.to_ascii_uppercase().contains(&format!("({}=", name.to_ascii_uppercase()))
    }
}

fn flattened(folder: &Path, name: &str, depth: usize) -> Option<String> {
    let bytes = fs::read(folder.join(name)).ok()?;
    let mut text = String::new();
    for line in String::from_utf8_lossy(&bytes).lines() {
        let included = line.trim().strip_prefix("include '").and_then(|rest| rest.strip_suffix('\''));
        match included {
            Some(name) if depth > 0 => text += &flattened(folder, name, depth - 1)?,
            _ => text += line,
        }
        text.push('\n');
    }
    Some(text)
}

/// Without the sizes of 128-bit numbers: to flang they are of a kind that is not there, and cannot be told apart.
fn without_128(text: &str) -> String {
    let mut kept = String::new();
    let mut is_out = false;
    for line in text.lines() {
        let word = line.trim().to_ascii_lowercase();
        let is_of_128 = word.contains("mpi_sizeof_complex128_") || word.contains("mpi_sizeof_real128_");
        is_out |= is_of_128 && word.starts_with("subroutine");
        if !is_out {
            kept += line;
            kept.push('\n');
        }
        is_out &= !(is_of_128 && word.starts_with("end subroutine"));
    }
    kept
}

/// The folder to look for modules and `mpif.h` in, if a command names one of an MPI library.
pub(crate) fn modules(words: &[Word], env: &Environment) -> Option<Result<Modules, NoModules>> {
    let interface = Interface::find(&Link::read(words))?;
    Some(interface.built(env))
}

/// What links the procedures of the modules: the archive, and again the library that they call. What is not called is
/// not linked.
pub(crate) fn link_words(words: &[Word], env: &Environment) -> Option<Result<Linked, NoModules>> {
    let mut link = Link::read(words);
    let library = *FORTRAN_LIBRARIES.iter().find(|library| link.all.contains(**library))?;
    let main = if library == "mpichfort" { "mpich" } else { "mpi" };
    link.headers.extend(link.places(main));
    let interface = Interface::find(&link)?;
    Some(interface.built(env).map(|(folder, held)| {
        let archive = folder.join(ARCHIVE).into_os_string();
        (vec!["-Xlinker".into(), archive, format!("-l{library}").into(), format!("-l{main}").into()], held)
    }))
}

impl Interface {
    fn built(&self, env: &Environment) -> Result<Modules, NoModules> {
        let flang = toolchain::find_flang(env)?;
        let name = format!("mpi-fortran-{:016x}", self.key(&flang));
        let cache = cache().filter(|folder| fs::create_dir_all(folder).is_ok());
        if let Some(path) = cache.as_ref().map(|folder| folder.join(&name)).filter(|path| path.is_dir()) {
            return Ok((path, None));
        }
        let folder = match &cache {
            Some(cache) => tempfile::Builder::new().prefix("mpi-fortran-new-").tempdir_in(cache)?,
            None => crate::run::private_folder()?,
        };
        self.build(folder.path(), &flang, env)?;
        let Some(path) = cache.map(|cache| cache.join(name)) else {
            return Ok((folder.path().to_owned(), Some(folder)));
        };
        // Another build may have been faster: its folder holds the same.
        match fs::rename(folder.path(), &path) {
            Ok(()) => drop(folder.keep()),
            Err(error) if !path.is_dir() => return Err(error.into()),
            Err(_) => {}
        }
        Ok((path, None))
    }

    fn build(&self, folder: &Path, flang: &Path, env: &Environment) -> Result<(), NoModules> {
        fs::write(folder.join(HEADER), &self.text)?;
        fs::write(folder.join(SOURCE), self.source())?;
        let mut compiler = Command::new(flang);
        compiler.args(["-O1", "-fPIC", "-w", "-c", SOURCE, "-o", "modules.o"]);
        self.run(compiler.current_dir(folder))?;
        let mut archiver = Command::new(toolchain::find_llvm_tool("llvm-ar", env)?);
        self.run(archiver.args(["rcs", ARCHIVE, "modules.o"]).current_dir(folder))?;
        fs::remove_file(folder.join("modules.o"))?;
        Ok(())
    }

    fn run(&self, command: &mut Command) -> Result<(), NoModules> {
        let output = command.stdin(Stdio::null()).output()?;
        if output.status.success() {
            return Ok(());
        }
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(NoModules::Compile { header: self.path.clone(), messages })
    }

    /// All that decides on the modules.
    fn key(&self, flang: &Path) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.text, self.library, flang, self.source()).hash(&mut hasher);
        fs::metadata(flang).map(|m| (m.len(), m.modified().ok())).ok().hash(&mut hasher);
        hasher.finish()
    }

    fn source(&self) -> String {
        let named: Vec<(&str, String)> = routines::named_handles().filter(|(_, name)| self.has(name)).collect();
        let hidden: Vec<&str> = named.iter().map(|(_, name)| name.as_str()).chain(SENTINELS.iter().copied()).collect();
        let all =
            |of: &dyn Fn(&str) -> String| hidden.iter().map(|name| of(name)).collect::<Vec<_>>().join(", &\n    ");
        let handles = |of: &dyn Fn(&str) -> String| HANDLES.iter().map(|(_, handle)| of(handle)).collect::<String>();
        let names = |prefix: &str| HANDLES.iter().map(|(_, h)| format!("{prefix}{h}")).collect::<Vec<_>>().join(", ");
        let constants = named.iter().map(|(handle, name)| {
            format!("  type({handle}), parameter :: {} = {handle}({})\n", name, else_named(name))
        });
        let sizes: Vec<String> = SIZES.iter().map(|(of, bytes)| size_procedure(of, bytes)).collect();
        let size_names: Vec<String> = SIZES.iter().map(|(of, bytes)| size_name(of, bytes)).collect();
        let (generics, pointers) = routines::pointers();
        let text = self.text.to_ascii_uppercase();
        let has = |words: &str| text.contains(words);
        TEMPLATE
            .replace("@SIZES@", &size_names.join(", &\n      "))
            .replace("@SIZE_PROCEDURES@", &sizes.concat())
            .replace("@GENERICS@", &generics)
            .replace("@POINTERS@", &pointers)
            .replace("@USE_SIZES@", if has("INTERFACE MPI_SIZEOF") { "" } else { "  use nonius_mpi_sizes\n" })
            .replace("@ADDRESSES@", if has("MPI_AINT_ADD") { "" } else { ADDRESSES })
            .replace("@INTERFACES@", &routines::interfaces())
            .replace("@NAMED_ELSE@", &all(&|name| format!("{} => {name}", else_named(name))))
            .replace("@ELSE@", &all(&|name| else_named(name)))
            .replace("@TYPES@", &handles(&handle_type))
            .replace("@STATUS@", self.library.status())
            .replace("@NAMED@", &constants.collect::<String>())
            .replace("@SENTINELS@", self.library.sentinels())
            .replace("@EQUALS@", &names("is_same_"))
            .replace("@UNEQUALS@", &names("is_other_"))
            .replace("@COMPARISONS@", &handles(&comparison))
            .replace("@WRAPPERS@", &routines::wrappers())
            .replace("@UNCALLABLE@", &routines::uncallable())
            .replace("@RENAMES@", &routines::renames())
    }
}

/// Variables of `mpif.h` that `mpi_f08` has with another type.
const SENTINELS: &[&str] = &["MPI_STATUS_IGNORE", "MPI_STATUSES_IGNORE"];

const ADDRESSES: &str =
    "  use nonius_mpi_addresses, only: MPI_Aint_add => nonius_aint_add, MPI_Aint_diff => nonius_aint_diff\n";

impl Library {
    fn status(self) -> &'static str {
        match self {
            Library::Mpich => "    integer, private :: low, high\n    integer :: MPI_SOURCE, MPI_TAG, MPI_ERROR\n",
            Library::OpenMpi => {
                "    integer :: MPI_SOURCE, MPI_TAG, MPI_ERROR\n    integer, private :: rest(MPI_STATUS_SIZE - 3)\n"
            }
        }
    }

    /// In the common blocks that `mpif.h` has them in.
    fn sentinels(self) -> &'static str {
        match self {
            Library::Mpich => {
                "  type(MPI_Status) :: MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE(1)\n  \
                 integer, private :: bottom, in_place, errcodes(1)\n  \
                 common /MPIPRIV1/ bottom, in_place, MPI_STATUS_IGNORE\n  \
                 common /MPIPRIV2/ MPI_STATUSES_IGNORE, errcodes\n"
            }
            Library::OpenMpi => {
                "  type(MPI_Status) :: MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE(1)\n  \
                 common /mpi_fortran_status_ignore/ MPI_STATUS_IGNORE\n  \
                 common /mpi_fortran_statuses_ignore/ MPI_STATUSES_IGNORE\n"
            }
        }
    }
}

fn else_named(name: &str) -> String {
    format!("nonius_{}", name.to_ascii_lowercase())
}

fn handle_type(handle: &str) -> String {
    format!("  type, bind(C) :: {handle}\n    integer :: MPI_VAL\n  end type\n")
}

fn comparison(handle: &str) -> String {
    let function = |prefix: &str, operator: &str| {
        format!(
            "  elemental logical function {prefix}{handle}(a, b)\n    type({handle}), intent(in) :: a, b\n    \
             {prefix}{handle} = a%MPI_VAL {operator} b%MPI_VAL\n  end function\n"
        )
    };
    function("is_same_", "==") + &function("is_other_", "/=")
}

/// What `MPI_Sizeof` is asked for: a type, and the bytes of its kind, which for a complex number are those of a part.
const SIZES: &[(&str, &str)] = &[
    ("integer", "1"),
    ("integer", "2"),
    ("integer", "4"),
    ("integer", "8"),
    ("real", "4"),
    ("real", "8"),
    ("real", "10"),
    ("complex", "4"),
    ("complex", "8"),
    ("logical", "1"),
    ("logical", "4"),
    ("logical", "8"),
    ("character", "1"),
];

fn size_name(of: &str, kind: &str) -> String {
    format!("size_of_{of}_{kind}")
}

fn size_procedure(of: &str, kind: &str) -> String {
    let name = size_name(of, kind);
    let length = if of == "character" { "len=*, kind=" } else { "" };
    let bytes = match (of, kind) {
        ("real", "10") => "16".to_owned(),
        ("complex", part) => format!("2 * {part}"),
        (_, bytes) => bytes.to_owned(),
    };
    format!(
        "  subroutine {name}(x, size, ierror)\n    {of}({length}{kind}) :: x(..)\n    integer, intent(out) :: size\n    \
         integer, optional, intent(out) :: ierror\n    size = {bytes}\n    if (present(ierror)) ierror = 0\n  end subroutine\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN_MPI: &str = "      integer OMPI_MAJOR_VERSION\n      include 'handles.h'\n      include 'sizes.h'\n";
    const HANDLES_HEADER: &str = "      parameter (MPI_COMM_WORLD=0)\n      parameter (MPI_BYTE=1)\n";
    const SIZES_HEADER: &str = "      INTERFACE MPI_Sizeof\n      SUBROUTINE MPI_Sizeof_real128_r1(x)\n      x\n      \
                                END SUBROUTINE MPI_Sizeof_real128_r1\n      SUBROUTINE MPI_Sizeof_real32_r1(x)\n      \
                                END SUBROUTINE MPI_Sizeof_real32_r1\n      END INTERFACE\n";

    #[test]
    fn headers_are_read_with_what_they_include() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("mpif.h", OPEN_MPI);
        write("handles.h", HANDLES_HEADER);
        assert!(Interface::read(folder.path()).is_none(), "a header is missing");
        write("sizes.h", SIZES_HEADER);
        let interface = Interface::read(folder.path()).unwrap();
        assert_eq!(interface.library, Library::OpenMpi);
        assert!(interface.text.contains("real32") && !interface.text.contains("real128"), "{}", interface.text);
        assert!(interface.has("MPI_COMM_WORLD") && !interface.has("MPI_COMM_SELF"));
        let source = interface.source();
        assert!(!source.contains('@'), "something was not filled in");
        assert!(source.contains("parameter :: MPI_BYTE = MPI_Datatype(nonius_mpi_byte)"));
        assert!(!source.contains("use nonius_mpi_sizes"), "the header has sizes itself");
        write("mpif.h", "      include 'handles.h'\n");
        assert!(Interface::read(folder.path()).is_none(), "of no library that is known");
    }
}
