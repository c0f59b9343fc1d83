//! Who called a small function: by the inlining chain, then by the stack.

use nonius_abi::site::{Loc, NONE};
use nonius_abi::table::{Builder, Table};
use nonius_finding::{Frame, Location};
use nonius_verdict::describe::caller;

/// Positions in `main`, in `length` (large) and `less` (small) inlined there, and in `less` by itself.
fn table() -> (Table, [u32; 4]) {
    let mut b = Builder::default();
    let [file, main, length, less] = ["v.h", "main", "length", "less"].map(|s| b.string(s));
    let mut at =
        |function, line, inlined_at, is_small| b.loc(Loc { file, function, line, column: 1, inlined_at, is_small });
    let in_main = at(main, 30, NONE, false);
    let in_length = at(length, 20, in_main, false);
    let in_less = at(less, 10, in_length, true);
    let alone = at(less, 10, NONE, true);
    (b.finish(), [in_main, in_length, in_less, alone])
}

fn frame(function: &str, line: u32) -> Frame {
    Frame { function: function.into(), file: "v.h".into(), line, column: 1, ..Frame::default() }
}

#[test]
fn the_first_caller_that_is_not_small() {
    let (table, [in_main, in_length, in_less, alone]) = table();
    let place = |function: &str, line| Some(Location::new("v.h", line, 1, function));
    assert_eq!(caller(&table, in_main, &[]), None);
    assert_eq!(caller(&table, in_length, &[]), None);
    assert_eq!(caller(&table, in_less, &[]), place("length", 20));
    let stack = [frame("less", 10), frame("less", 11), frame("main", 31)];
    assert_eq!(caller(&table, alone, &stack), place("main", 31));
    // A stack that is not of this function tells nothing.
    assert_eq!(caller(&table, alone, &stack[2..]), None);
    assert_eq!(caller(&table, alone, &stack[..1]), None);
    assert_eq!(caller(&table, NONE, &stack), None);
}
