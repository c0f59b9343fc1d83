//! Strings: whatever their bytes are, their shadows go with them.

use super::{string_bytes, wrap};
use crate::moved::{clear, copy};

type Text = *const u8;
type Buffer = *mut u8;

wrap! {
    strdup(from: Text) -> Buffer as to => {
        // SAFETY: the result is null or a string.
        copy(to as usize, from as usize, unsafe { string_bytes(to) });
    };
    strndup(from: Text, most: usize) -> Buffer as to => {
        // SAFETY: the result is null or a string.
        copy(to as usize, from as usize, unsafe { string_bytes(to) });
        let _ = most;
    };
    strcpy(to: Buffer, from: Text) -> Buffer as result => {
        // SAFETY: `strcpy` has just written a string to `to`.
        copy(to as usize, from as usize, unsafe { string_bytes(to) });
    };
    stpcpy(to: Buffer, from: Text) -> Buffer as end => {
        copy(to as usize, from as usize, end as usize - to as usize + 1);
    };
    strncpy(to: Buffer, from: Text, bytes: usize) -> Buffer as result => {
        padded(to, from, bytes);
    };
    stpncpy(to: Buffer, from: Text, bytes: usize) -> Buffer as end => {
        padded(to, from, bytes);
    };
    strcat(to: Buffer, from: Text) -> Buffer as result => {
        appended(to, from, usize::MAX);
    };
    strncat(to: Buffer, from: Text, most: usize) -> Buffer as result => {
        appended(to, from, most);
    };
    __strcpy_chk(to: Buffer, from: Text, room: usize) -> Buffer as result => {
        // SAFETY: the function has just written a string to `to`.
        copy(to as usize, from as usize, unsafe { string_bytes(to) });
    };
    __strncpy_chk(to: Buffer, from: Text, bytes: usize, room: usize) -> Buffer as result => {
        padded(to, from, bytes);
    };
    __strcat_chk(to: Buffer, from: Text, room: usize) -> Buffer as result => {
        appended(to, from, usize::MAX);
    };
    __strncat_chk(to: Buffer, from: Text, most: usize, room: usize) -> Buffer as result => {
        appended(to, from, most);
    };
}

/// `bytes` bytes were written: the string, then zeros.
fn padded(to: Buffer, from: Text, bytes: usize) {
    // SAFETY: the function that ran before has read the same bytes of `from`.
    let length = unsafe { ::libc::strnlen(from.cast(), bytes) };
    copy(to as usize, from as usize, length);
    clear(to as usize + length, bytes - length);
}

/// The string at `to` now ends with that at `from`, or with its first `most` bytes.
fn appended(to: Buffer, from: Text, most: usize) {
    // SAFETY: `to` is a string that the function before has made longer by what it read of `from`.
    let (whole, added) = unsafe { (::libc::strlen(to.cast()), ::libc::strnlen(from.cast(), most)) };
    let start = to as usize + whole.saturating_sub(added);
    copy(start, from as usize, added);
    clear(start + added, 1);
}
