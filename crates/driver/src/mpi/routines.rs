//! `mpi/routines.txt`: what the routines of MPI take, and what is made of it for Fortran.
//!
//! ```text
//!  routines.txt --> interfaces of `mpi` | wrappers of `mpi_f08` | C functions that Open MPI's Fortran symbols become
//! ```

use std::fmt::Write;

const TABLE: &str = include_str!("../../../../mpi/routines.txt");

/// The derived types of handles, as the table and as Fortran and C call them.
pub(super) const HANDLES: &[(&str, &str)] = &[
    ("comm", "MPI_Comm"),
    ("group", "MPI_Group"),
    ("type", "MPI_Datatype"),
    ("op", "MPI_Op"),
    ("req", "MPI_Request"),
    ("win", "MPI_Win"),
    ("file", "MPI_File"),
    ("info", "MPI_Info"),
    ("msg", "MPI_Message"),
    ("errh", "MPI_Errhandler"),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    In,
    Out,
    Changed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Choice,
    Pointer,
    Weights,
    Integer,
    IntegerOut,
    Integers,
    Index,
    Indices,
    Address,
    AddressOut,
    Addresses,
    Offset,
    OffsetOut,
    Count,
    Logical,
    LogicalOut,
    Logicals,
    Characters,
    Strings,
    Status,
    Statuses,
    Procedure,
    /// One handle of this type.
    Handle(&'static str, Use),
    /// As many of them as this says.
    Handles(&'static str, &'static str),
}

impl Kind {
    /// The table is a part of this program, and a test reads all of it.
    fn of(word: &'static str) -> Option<Kind> {
        let kinds = [
            ("c", Kind::Choice),
            ("p", Kind::Pointer),
            ("w", Kind::Weights),
            ("i", Kind::Integer),
            ("io", Kind::IntegerOut),
            ("ia", Kind::Integers),
            ("ix", Kind::Index),
            ("ixa", Kind::Indices),
            ("a", Kind::Address),
            ("ao", Kind::AddressOut),
            ("aa", Kind::Addresses),
            ("f", Kind::Offset),
            ("fo", Kind::OffsetOut),
            ("n", Kind::Count),
            ("l", Kind::Logical),
            ("lo", Kind::LogicalOut),
            ("la", Kind::Logicals),
            ("s", Kind::Characters),
            ("sa", Kind::Strings),
            ("st", Kind::Status),
            ("st[]", Kind::Statuses),
            ("fn", Kind::Procedure),
        ];
        if let Some((_, kind)) = kinds.into_iter().find(|(name, _)| *name == word) {
            return Some(kind);
        }
        let end = word.find(['!', '+', '[']).unwrap_or(word.len());
        let (_, handle) = HANDLES.iter().find(|(name, _)| *name == &word[..end])?;
        match &word[end..] {
            "" => Some(Kind::Handle(handle, Use::In)),
            "!" => Some(Kind::Handle(handle, Use::Out)),
            "+" => Some(Kind::Handle(handle, Use::Changed)),
            count => Some(Kind::Handles(handle, count.strip_prefix('[')?.strip_suffix(']')?)),
        }
    }

    /// The declaration of a dummy argument; of handles and status what `mpi` has, or `mpi_f08`.
    fn fortran(self, name: &str, is_f08: bool) -> String {
        // Without `target`, flang takes it for granted that nothing keeps the address of a buffer.
        let ignored = |what: &str| format!("    !dir$ ignore_tkr({what}) {name}\n    integer, target :: {name}\n");
        let declared = |of: &str| format!("    {of}\n");
        match self {
            Kind::Choice => ignored("tkr"),
            Kind::Pointer => declared(&format!("type(c_ptr) :: {name}")),
            Kind::Weights => ignored("r"),
            Kind::Integer | Kind::IntegerOut | Kind::Index => declared(&format!("integer :: {name}")),
            Kind::Integers | Kind::Indices => declared(&format!("integer :: {name}(*)")),
            Kind::Address | Kind::AddressOut => declared(&format!("integer(MPI_ADDRESS_KIND) :: {name}")),
            Kind::Addresses => declared(&format!("integer(MPI_ADDRESS_KIND) :: {name}(*)")),
            Kind::Offset | Kind::OffsetOut => declared(&format!("integer(MPI_OFFSET_KIND) :: {name}")),
            Kind::Count => declared(&format!("integer(MPI_COUNT_KIND) :: {name}")),
            Kind::Logical | Kind::LogicalOut => declared(&format!("logical :: {name}")),
            Kind::Logicals => declared(&format!("logical :: {name}(*)")),
            Kind::Characters => declared(&format!("character(len=*) :: {name}")),
            Kind::Strings => declared(&format!("character(len=*) :: {name}(*)")),
            Kind::Procedure => declared(&format!("external :: {name}")),
            Kind::Status if is_f08 => declared(&format!("type(MPI_Status) :: {name}")),
            Kind::Statuses if is_f08 => declared(&format!("type(MPI_Status) :: {name}(*)")),
            Kind::Status => declared(&format!("integer :: {name}(MPI_STATUS_SIZE)")),
            Kind::Statuses => declared(&format!("integer :: {name}(MPI_STATUS_SIZE, *)")),
            Kind::Handle(of, _) if is_f08 => declared(&format!("type({of}) :: {name}")),
            Kind::Handles(of, _) if is_f08 => declared(&format!("type({of}) :: {name}(*)")),
            Kind::Handle(..) => declared(&format!("integer :: {name}")),
            Kind::Handles(..) => declared(&format!("integer :: {name}(*)")),
        }
    }
}

#[derive(Debug)]
struct Argument {
    name: &'static str,
    kind: Kind,
}

/// A routine, without its prefix `MPI_`.
#[derive(Debug)]
struct Routine {
    name: &'static str,
    /// Whether the carrier stands in for it.
    is_carried: bool,
    arguments: Vec<Argument>,
}

fn lines() -> impl Iterator<Item = &'static str> {
    TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn routines() -> impl Iterator<Item = Routine> {
    lines().filter(|line| !line.starts_with(['=', '-'])).map(|line| {
        let mut words = line.split(' ');
        let name = words.next().unwrap_or_default();
        let arguments = words.filter_map(|word| {
            let (name, kind) = word.split_once(':')?;
            Some(Argument { name, kind: Kind::of(kind)? })
        });
        let is_carried = name.starts_with('*');
        Routine { name: name.trim_start_matches('*'), is_carried, arguments: arguments.collect() }
    })
}

/// Named handles: their type, and their name with `MPI_`.
pub(super) fn named_handles() -> impl Iterator<Item = (&'static str, String)> {
    lines().filter_map(|line| line.strip_prefix("= ")).flat_map(|line| {
        let mut words = line.split(' ');
        let key = words.next().unwrap_or_default();
        let handle = HANDLES.iter().find(|(name, _)| *name == key).map_or("", |(_, handle)| handle);
        words.map(move |name| (handle, format!("MPI_{name}")))
    })
}

impl Routine {
    fn dummies(&self) -> String {
        self.arguments.iter().map(|a| format!("{}, ", a.name)).collect::<Vec<_>>().join("&\n      ") + "ierror"
    }

    fn declarations(&self, is_f08: bool) -> String {
        self.arguments.iter().map(|a| a.kind.fortran(a.name, is_f08)).collect()
    }

    /// Whether it returns a pointer, which `mpi` has as `type(c_ptr)` and as an integer.
    fn returns_pointer(&self) -> bool {
        self.arguments.iter().any(|argument| argument.kind == Kind::Pointer)
    }

    fn interface(&self) -> String {
        let (name, dummies, declarations) = (self.name, self.dummies(), self.declarations(false));
        format!(
            "  subroutine MPI_{name}({dummies})\n    import\n{declarations}    integer :: ierror\n  \
             end subroutine MPI_{name}\n"
        )
    }

    /// Over the routine of the same name of `mpif.h`.
    fn wrapper(&self) -> String {
        let mut actual = String::new();
        let (name, dummies, declarations) = (self.name, self.dummies(), self.declarations(true));
        for argument in &self.arguments {
            let part = if matches!(argument.kind, Kind::Handle(..)) { "%MPI_VAL" } else { "" };
            let _ = write!(actual, "{}{part}, &\n      ", argument.name);
        }
        format!(
            "  subroutine MPI_{name}_f08({dummies})\n{declarations}    integer, optional :: ierror\n    \
             integer :: outcome\n    external :: MPI_{name}\n    call MPI_{name}({actual}outcome)\n    \
             if (present(ierror)) ierror = outcome\n  end subroutine\n"
        )
    }
}

/// Interface bodies for the module `mpi`.
pub(super) fn interfaces() -> String {
    routines().filter(|routine| !routine.returns_pointer()).map(|routine| routine.interface()).collect()
}

/// Generic procedures for the module `mpi`, and the interfaces of what they are over.
pub(super) fn pointers() -> (String, String) {
    let (mut generics, mut procedures) = (String::new(), String::new());
    for routine in routines().filter(Routine::returns_pointer) {
        let (name, dummies) = (routine.name, routine.dummies());
        let _ = writeln!(generics, "  interface MPI_{name}\n    module procedure {name}_p, {name}_i\n  end interface");
        let pointer = routine.declarations(false);
        let integer = pointer.replace("type(c_ptr)", "integer(MPI_ADDRESS_KIND)");
        for (suffix, declarations) in [("p", pointer), ("i", integer)] {
            let _ = writeln!(
                procedures,
                "  subroutine {name}_{suffix}({dummies})\n{declarations}    integer :: ierror\n    \
                 external :: MPI_{name}\n    call MPI_{name}({dummies})\n  end subroutine"
            );
        }
    }
    (generics, procedures)
}

/// Module procedures `MPI_..._f08`, each over the routine of `mpif.h`.
pub(super) fn wrappers() -> String {
    routines().map(|routine| routine.wrapper()).collect()
}

/// How `mpi_f08` calls the wrappers.
pub(super) fn renames() -> String {
    routines().map(|routine| format!("MPI_{0} => MPI_{0}_f08", routine.name)).collect::<Vec<_>>().join(", &\n    ")
}

/// What `mpi_f08` has not, with the profiling names of all that it has: no program can call these.
pub(super) fn uncallable() -> String {
    let absent = lines().filter_map(|line| line.strip_prefix("- ")).flat_map(|line| line.split(' '));
    let absent = absent.flat_map(|name| [format!("MPI_{name}"), format!("PMPI_{name}")]);
    let names = absent.chain(routines().map(|routine| format!("PMPI_{}", routine.name)));
    names.map(|name| format!("  integer, parameter :: {name} = 0\n")).collect()
}

/// What stands in for Open MPI's own Fortran functions, that call PMPI and go past the carrier.
pub(super) fn stand_ins() -> String {
    routines().filter(|routine| routine.is_carried).map(|routine| routine.stand_in()).collect()
}

/// What a parameter of a stand-in is, what is done before the call and after it, and what the call is given.
#[derive(Default)]
struct Passing {
    parameter: String,
    before: String,
    value: String,
    after: String,
}

impl Passing {
    fn of(argument: &Argument) -> Passing {
        let Argument { name, kind } = argument;
        let plain =
            |of: &str, value: String| Passing { parameter: format!("{of} *{name}"), value, ..Passing::default() };
        let (by_value, as_it_is) = (format!("*{name}"), (*name).to_owned());
        match *kind {
            Kind::Choice => plain("char", format!("choice_of({name})")),
            Kind::Weights => plain("int", format!("weights_of({name})")),
            Kind::Integer => plain("int", by_value),
            Kind::Logical => plain("int", format!("*{name} != 0")),
            Kind::Address => plain("MPI_Aint", by_value),
            Kind::Offset => plain("MPI_Offset", by_value),
            Kind::Pointer | Kind::Characters | Kind::Strings => plain("char", as_it_is),
            Kind::Integers | Kind::IntegerOut | Kind::Logicals => plain("int", as_it_is),
            Kind::AddressOut | Kind::Addresses => plain("MPI_Aint", as_it_is),
            Kind::OffsetOut => plain("MPI_Offset", as_it_is),
            Kind::Count => plain("MPI_Count", as_it_is),
            Kind::Procedure => plain("void", as_it_is),
            Kind::LogicalOut => Passing { after: format!("    *{name} = *{name} != 0;\n"), ..plain("int", as_it_is) },
            Kind::Index => Passing { after: format!("    to_fortran({name}, 1);\n"), ..plain("int", as_it_is) },
            Kind::Indices => {
                Passing { after: format!("    to_fortran({name}, *outcount);\n"), ..plain("int", as_it_is) }
            }
            Kind::Status => plain("int", format!("status_of({name})")),
            Kind::Statuses => plain("int", format!("statuses_of({name})")),
            Kind::Handle(of, Use::In) => plain("int", format!("{of}_f2c(*{name})")),
            Kind::Handle(of, which) => Passing {
                before: format!("    {of} c_{name} = {of}_f2c(*{name});\n"),
                after: match which {
                    Use::Out => format!("    if (outcome == MPI_SUCCESS) *{name} = {of}_c2f(c_{name});\n"),
                    _ => format!("    *{name} = {of}_c2f(c_{name});\n"),
                },
                ..plain("int", format!("&c_{name}"))
            },
            Kind::Handles(of, count) => Passing::array(name, of, count),
        }
    }

    fn array(name: &str, of: &str, count: &str) -> Passing {
        let is_of_comm = matches!(count, "senders" | "peers" | "sources" | "targets");
        let count = match count {
            "senders" => "senders(sendbuf, MPI_Comm_f2c(*comm))".to_owned(),
            count if is_of_comm => format!("{count}(MPI_Comm_f2c(*comm))"),
            count => format!("*{count}"),
        };
        let mut after = String::new();
        if !is_of_comm {
            let _ = writeln!(after, "    for (int i = 0; i < n_{name}; i++) {name}[i] = {of}_c2f(c_{name}[i]);");
        }
        let _ = writeln!(after, "    free(c_{name});");
        Passing {
            parameter: format!("int *{name}"),
            before: format!(
                "    int n_{name} = {count};\n    {of} *c_{name} = room_for(sizeof({of}) * (size_t)n_{name});\n    \
                 for (int i = 0; i < n_{name}; i++) c_{name}[i] = {of}_f2c({name}[i]);\n"
            ),
            value: format!("c_{name}"),
            after,
        }
    }
}

impl Routine {
    fn stand_in(&self) -> String {
        let passings: Vec<Passing> = self.arguments.iter().map(Passing::of).collect();
        let all = |part: fn(&Passing) -> &str| passings.iter().map(part).collect::<String>();
        let mut parameters: Vec<&str> = passings.iter().map(|p| p.parameter.as_str()).collect();
        parameters.push("int *ierror");
        let values: Vec<&str> = passings.iter().map(|p| p.value.as_str()).collect();
        let values = if self.name == "Init" { "NULL, NULL".to_owned() } else { values.join(", ") };
        let values = if self.name == "Init_thread" { format!("NULL, NULL, {values}") } else { values };
        let (name, lower) = (self.name, self.name.to_lowercase());
        format!(
            "STAND_IN({lower}, ({parameters})) {{\n{before}    int outcome = MPI_{name}({values});\n{after}    \
             if (ierror) *ierror = outcome;\n}}\n",
            parameters = parameters.join(", "),
            before = all(|p| &p.before),
            after = all(|p| &p.after)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_table_is_read() {
        for line in lines().filter(|line| !line.starts_with(['=', '-'])) {
            for word in line.split(' ').skip(1) {
                let kind = word.split_once(':').and_then(|(_, kind)| Kind::of(kind));
                assert!(kind.is_some(), "{word} in {line}");
            }
        }
        assert!(named_handles().all(|(handle, _)| !handle.is_empty()));
    }

    #[test]
    fn a_routine_becomes_what_its_line_says() {
        let wait = routines().find(|routine| routine.name == "Waitany").unwrap();
        assert!(wait.is_carried);
        let stand_in = wait.stand_in();
        assert!(stand_in.contains("STAND_IN(waitany, (int *count, int *array_of_requests, int *index, int *status"));
        assert!(stand_in.contains("MPI_Waitany(*count, c_array_of_requests, index, status_of(status))"), "{stand_in}");
        assert!(stand_in.contains("to_fortran(index, 1)"), "{stand_in}");
        let send = routines().find(|routine| routine.name == "Send").unwrap();
        assert!(send.wrapper().contains("comm%MPI_VAL"), "{}", send.wrapper());
        assert!(!send.interface().contains("MPI_Comm"), "{}", send.interface());
    }
}
