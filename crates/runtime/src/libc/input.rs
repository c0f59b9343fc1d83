//! Input: what comes from outside has no shadows.

use super::{string_bytes, wrap};
use crate::moved::clear;
use ::libc::{FILE, c_char, c_int, iovec, msghdr, off_t, size_t, sockaddr, socklen_t, ssize_t};
use std::ffi::c_void;

wrap! {
    read(fd: c_int, to: *mut c_void, bytes: size_t) -> ssize_t as got => received(to, got);
    pread(fd: c_int, to: *mut c_void, bytes: size_t, at: off_t) -> ssize_t as got => received(to, got);
    pread64(fd: c_int, to: *mut c_void, bytes: size_t, at: off_t) -> ssize_t as got => received(to, got);
    readv(fd: c_int, parts: *const iovec, count: c_int) -> ssize_t as got => {
        // SAFETY: the call before took the same `parts`.
        unsafe { scattered(parts, count as usize, got) }
    };
    preadv(fd: c_int, parts: *const iovec, count: c_int, at: off_t) -> ssize_t as got => {
        // SAFETY: the call before took the same `parts`.
        unsafe { scattered(parts, count as usize, got) }
    };
    recv(fd: c_int, to: *mut c_void, bytes: size_t, flags: c_int) -> ssize_t as got => {
        // With MSG_TRUNC the result may be more than what was written.
        received(to, got.min(bytes as ssize_t))
    };
    recvfrom(
        fd: c_int, to: *mut c_void, bytes: size_t, flags: c_int, address: *mut sockaddr, length: *mut socklen_t,
    ) -> ssize_t as got => {
        received(to, got.min(bytes as ssize_t))
    };
    recvmsg(fd: c_int, message: *mut msghdr, flags: c_int) -> ssize_t as got => {
        if got > 0 {
            // SAFETY: the call succeeded, so `message` is a message with its parts.
            unsafe { scattered((*message).msg_iov, (*message).msg_iovlen, got) }
        }
    };
    fread(to: *mut c_void, size: size_t, count: size_t, stream: *mut FILE) -> size_t as got => {
        items(to, size, count, got)
    };
    fread_unlocked(to: *mut c_void, size: size_t, count: size_t, stream: *mut FILE) -> size_t as got => {
        items(to, size, count, got)
    };
    fgets(to: *mut c_char, most: c_int, stream: *mut FILE) -> *mut c_char as line => text(line);
    fgets_unlocked(to: *mut c_char, most: c_int, stream: *mut FILE) -> *mut c_char as line => text(line);
    gets(to: *mut c_char) -> *mut c_char as line => text(line);
    getline(to: *mut *mut c_char, room: *mut size_t, stream: *mut FILE) -> ssize_t as got => {
        // SAFETY: the call before wrote a line of `got` bytes and its end to `*to`.
        unsafe { line(to, got) }
    };
    getdelim(to: *mut *mut c_char, room: *mut size_t, delimiter: c_int, stream: *mut FILE) -> ssize_t as got => {
        // SAFETY: the call before wrote a line of `got` bytes and its end to `*to`.
        unsafe { line(to, got) }
    };
    __read_chk(fd: c_int, to: *mut c_void, bytes: size_t, room: size_t) -> ssize_t as got => received(to, got);
    __pread_chk(fd: c_int, to: *mut c_void, bytes: size_t, at: off_t, room: size_t) -> ssize_t as got => {
        received(to, got)
    };
    __recv_chk(fd: c_int, to: *mut c_void, bytes: size_t, room: size_t, flags: c_int) -> ssize_t as got => {
        received(to, got.min(bytes as ssize_t))
    };
    __fread_chk(to: *mut c_void, room: size_t, size: size_t, count: size_t, stream: *mut FILE) -> size_t as got => {
        items(to, size, count, got)
    };
    __fgets_chk(to: *mut c_char, room: size_t, most: c_int, stream: *mut FILE) -> *mut c_char as line => text(line);
}

fn received(to: *mut c_void, got: ssize_t) {
    if got > 0 {
        clear(to as usize, got as usize);
    }
}

/// An item that came in only in part is not counted, but was written.
fn items(to: *mut c_void, size: usize, count: usize, got: usize) {
    clear(to as usize, size.saturating_mul(count.min(got.saturating_add(1))));
}

fn text(line: *mut c_char) {
    // SAFETY: a result of the fgets family is null or a string.
    clear(line as usize, unsafe { string_bytes(line.cast()) });
}

/// # Safety
/// If `got` is not negative, `to` points to a pointer to a line of `got` bytes.
unsafe fn line(to: *mut *mut c_char, got: ssize_t) {
    if got >= 0 {
        // SAFETY: as this function demands.
        clear(unsafe { *to } as usize, got as usize + 1);
    }
}

/// # Safety
/// If `got` is positive, `parts` points to `count` valid parts.
unsafe fn scattered(parts: *const iovec, count: usize, got: ssize_t) {
    let mut left = got.max(0) as usize;
    for index in 0..count {
        if left == 0 {
            return;
        }
        // SAFETY: as this function demands; `index` is below `count`.
        let part = unsafe { &*parts.add(index) };
        let bytes = part.iov_len.min(left);
        clear(part.iov_base as usize, bytes);
        left -= bytes;
    }
}
