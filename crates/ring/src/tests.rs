use crate::{Chunk, Control, HEAD_WORDS, Reader, Words, Writer};
use proptest::prelude::*;

/// A ring in this process's own memory.
struct Ring {
    control: Control,
    writer: Writer,
    reader: Reader,
    _memory: Vec<u64>,
}

fn ring(count: usize) -> Ring {
    let mut memory = vec![0; count];
    // SAFETY: the vector lives as long as the ring, and is used by nobody else.
    let words = unsafe { Words::new(memory.as_mut_ptr(), count) };
    Ring { control: Control::new(), writer: Writer::new(words), reader: Reader::new(words), _memory: memory }
}

fn taken(reader: &mut Reader, control: &Control) -> Option<(u64, Vec<u64>)> {
    let chunk: Chunk = reader.next(control).expect("a sound ring")?;
    let words = reader.memory().slice(chunk.at, chunk.words).to_vec();
    reader.done(control, chunk);
    Some((chunk.tag, words))
}

proptest! {
    /// Whatever is written and read when, chunks come out as they went in.
    #[test]
    fn chunks_come_in_order(steps in proptest::collection::vec((any::<bool>(), 0usize..14), 1..300)) {
        let mut ring = ring(32);
        let (mut written, mut read) = (0u64, 0u64);
        for (writes, length) in steps {
            if writes {
                let payload: Vec<u64> = (0..length as u64).map(|n| written * 1000 + n).collect();
                let (left, right) = payload.split_at(length / 3);
                written += u64::from(ring.writer.push(&ring.control, written, &[left, right]));
            } else if let Some((tag, words)) = taken(&mut ring.reader, &ring.control) {
                prop_assert_eq!(tag, read);
                prop_assert!(words.iter().enumerate().all(|(n, word)| *word == read * 1000 + n as u64));
                read += 1;
            } else {
                prop_assert_eq!(read, written);
            }
        }
        while taken(&mut ring.reader, &ring.control).is_some() {
            read += 1;
        }
        prop_assert_eq!(read, written);
    }

    /// A program may write anywhere: what is no chunk is refused, and nothing is read beyond the memory.
    #[test]
    fn no_damage_leads_out_of_the_ring(words in proptest::collection::vec(any::<u64>(), 16), small in any::<bool>()) {
        let mut ring = ring(16);
        prop_assert!(ring.writer.push(&ring.control, 0, &[&[1, 2, 3]]));
        let words: Vec<u64> = words.into_iter().map(|word| if small { word % 40 } else { word }).collect();
        ring.reader.memory().write(0, &words);
        for _ in 0..10 {
            let Ok(Some(chunk)) = ring.reader.next(&ring.control) else { break };
            prop_assert!(chunk.at + chunk.words <= 16);
            ring.reader.done(&ring.control, chunk);
        }
    }
}

#[test]
fn a_full_ring_takes_nothing_until_something_is_read() {
    let mut ring = ring(16);
    assert_eq!(ring.writer.most_words(), 16 / 2 - HEAD_WORDS);
    let payload = [7; 6];
    assert!(ring.writer.push(&ring.control, 1, &[&payload]) && ring.writer.push(&ring.control, 2, &[&payload]));
    assert!(!ring.writer.push(&ring.control, 3, &[]));
    assert_eq!(taken(&mut ring.reader, &ring.control), Some((1, payload.to_vec())));
    assert!(ring.writer.push(&ring.control, 3, &[]));
}

/// Two threads, many chunks, a small ring.
#[test]
fn two_threads_hand_over() {
    const CHUNKS: u64 = 200_000;
    let Ring { control, mut writer, mut reader, _memory } = ring(256);
    std::thread::scope(|scope| {
        let control = &control;
        scope.spawn(move || {
            for tag in 0..CHUNKS {
                let payload = [tag; 100];
                while !writer.push(control, tag, &[&payload[..(tag % 100) as usize]]) {
                    std::thread::yield_now();
                }
            }
        });
        for expected in 0..CHUNKS {
            let (tag, words) = loop {
                match taken(&mut reader, control) {
                    Some(chunk) => break chunk,
                    None => std::thread::yield_now(),
                }
            };
            assert_eq!((tag, words.len() as u64), (expected, expected % 100));
            assert!(words.iter().all(|word| *word == expected));
        }
    });
}
