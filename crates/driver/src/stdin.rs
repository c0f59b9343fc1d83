//! Standard input for two runs: what the first one reads is kept for the second.
//!
//! A file is simply opened again where it stood. A pipe is copied on its way. A terminal cannot be asked twice: the
//! second run finds its input empty.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::SystemTime;

/// What becomes of standard input.
#[derive(Debug)]
pub enum RepeatableInput {
    /// A file, from this position on, and when it was last changed.
    File(File, u64, Option<SystemTime>),
    /// Copied to this file while the program reads it.
    Copy(File),
    /// A terminal, or nothing.
    Nothing,
}

impl RepeatableInput {
    /// To be called before the first run.
    pub fn new(folder: &Path) -> io::Result<RepeatableInput> {
        let input = io::stdin();
        if input.is_terminal() {
            return Ok(RepeatableInput::Nothing);
        }
        let Ok(owned) = input.as_fd().try_clone_to_owned() else { return Ok(RepeatableInput::Nothing) };
        let mut file = File::from(owned);
        if file.metadata().is_ok_and(|m| m.is_file()) {
            let position = file.stream_position()?;
            // The second run must not share the first one's position.
            let again = File::open("/proc/self/fd/0");
            return Ok(again.map_or(RepeatableInput::Nothing, |file| {
                let changed = changed(&file);
                RepeatableInput::File(file, position, changed)
            }));
        }
        let copy = File::options().read(true).write(true).create_new(true).open(folder.join("stdin"))?;
        Ok(RepeatableInput::Copy(copy))
    }

    /// What the first run gets.
    pub fn first(&self) -> Stdio {
        match self {
            RepeatableInput::Copy(_) => Stdio::piped(),
            _ => Stdio::inherit(),
        }
    }

    /// Feeds the first run, if its input is copied. Ends when the program does, or the input.
    pub fn feed(&self, child: &mut Child) {
        let (RepeatableInput::Copy(copy), Some(mut pipe)) = (self, child.stdin.take()) else { return };
        let Ok(mut copy) = copy.try_clone() else { return };
        // Not waited for: it may sit in a read for which no input will ever come.
        thread::spawn(move || {
            let mut input = io::stdin().lock();
            let mut buffer = [0; 1 << 16];
            while let Ok(count @ 1..) = input.read(&mut buffer) {
                if copy.write_all(&buffer[..count]).is_err() || pipe.write_all(&buffer[..count]).is_err() {
                    break;
                }
            }
        });
    }

    /// Whether there was nothing to read.
    pub fn is_empty(&self) -> bool {
        match self {
            RepeatableInput::File(..) => false,
            RepeatableInput::Copy(file) => file.metadata().is_ok_and(|status| status.len() == 0),
            RepeatableInput::Nothing => true,
        }
    }

    /// Whether the first run, or somebody else meanwhile, has changed the file that it read.
    pub fn has_changed(&self) -> bool {
        matches!(self, RepeatableInput::File(file, _, before) if changed(file) != *before)
    }

    /// What the second run gets.
    pub fn second(&self) -> Stdio {
        let (file, position) = match self {
            RepeatableInput::File(file, position, _) => (file, *position),
            RepeatableInput::Copy(file) => (file, 0),
            RepeatableInput::Nothing => return Stdio::null(),
        };
        let again = file.try_clone().and_then(|mut file| file.seek(SeekFrom::Start(position)).map(|_| file));
        again.map_or(Stdio::null(), Stdio::from)
    }
}

fn changed(file: &File) -> Option<SystemTime> {
    file.metadata().and_then(|status| status.modified()).ok()
}
