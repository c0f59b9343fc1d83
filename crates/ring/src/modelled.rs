//! The same code over loom's atomics and cells: every order that the memory model allows, and no race.

mod memory {
    use loom::cell::UnsafeCell;
    pub use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
    use std::sync::Arc;

    #[derive(Clone, Debug)]
    pub struct Words(Arc<Vec<UnsafeCell<u64>>>);

    impl Words {
        #[allow(clippy::arc_with_non_send_sync, reason = "loom's cells say if two threads are at one")]
        pub fn of(count: usize) -> Words {
            Words(Arc::new((0..count).map(|_| UnsafeCell::new(0)).collect()))
        }

        pub fn count(&self) -> usize {
            self.0.len()
        }

        pub fn write(&self, at: usize, words: &[u64]) {
            for (cell, word) in self.0[at..].iter().zip(words) {
                // SAFETY: loom says if anybody else is at it.
                cell.with_mut(|cell| unsafe { *cell = *word });
            }
        }

        pub fn read(&self, at: usize) -> u64 {
            // SAFETY: as above.
            self.0[at].with(|cell| unsafe { *cell })
        }
    }
}
#[path = "bell.rs"]
mod bell;
#[path = "ring.rs"]
mod ring;

use bell::Bell;
use loom::sync::Arc;
use loom::thread;
use ring::{Control, Reader, Writer};

/// Three chunks through a ring that holds one or two: payloads, the place where it wraps, and room that comes back.
#[test]
fn what_is_read_was_written() {
    loom::model(|| {
        let words = memory::Words::of(8);
        let control = Arc::new(Control::new());
        let (mut writer, mut reader) = (Writer::new(words.clone()), Reader::new(words));
        let theirs = control.clone();
        let thread = thread::spawn(move || {
            for tag in 0..3 {
                while !writer.push(&theirs, tag, &[&[tag + 10]]) {
                    thread::yield_now();
                }
            }
        });
        for tag in 0..3 {
            let chunk = loop {
                match reader.next(&control).expect("a sound ring") {
                    Some(chunk) => break chunk,
                    None => thread::yield_now(),
                }
            };
            assert_eq!((chunk.tag, chunk.words), (tag, 1));
            assert_eq!(reader.memory().read(chunk.at), tag + 10);
            reader.done(&control, chunk);
        }
        thread.join().unwrap();
    });
}

/// Whoever goes to sleep after it has looked once more is woken.
#[test]
fn no_bell_is_missed() {
    loom::model(|| {
        let words = memory::Words::of(8);
        let (control, bell) = (Arc::new(Control::new()), Arc::new(Bell::new()));
        let (mut writer, mut reader) = (Writer::new(words.clone()), Reader::new(words));
        let (theirs, their_bell) = (control.clone(), bell.clone());
        let thread = thread::spawn(move || {
            assert!(writer.push(&theirs, 5, &[]));
            their_bell.ring()
        });
        bell.arm();
        let sleeps = reader.next(&control).expect("a sound ring").is_none();
        let rang = thread.join().unwrap();
        assert!(!sleeps || rang, "it sleeps, and nobody has rung");
    });
}

/// A writer that sleeps for want of room is woken, though not by every chunk that is read.
#[test]
fn room_wakes_the_writer() {
    loom::model(|| {
        let words = memory::Words::of(8);
        let (control, bell) = (Arc::new(Control::new()), Arc::new(Bell::new()));
        let (mut writer, mut reader) = (Writer::new(words.clone()), Reader::new(words));
        for tag in 0..4 {
            assert!(writer.push(&control, tag, &[]));
        }
        let (theirs, their_bell) = (control.clone(), bell.clone());
        let thread = thread::spawn(move || {
            let mut rang = false;
            while let Some(chunk) = reader.next(&theirs).expect("a sound ring") {
                if reader.done(&theirs, chunk) {
                    rang |= their_bell.ring();
                }
            }
            rang
        });
        bell.arm();
        let sleeps = !writer.push(&control, 4, &[]);
        let rang = thread.join().unwrap();
        assert!(!sleeps || rang, "it sleeps, and nobody has rung");
    });
}
