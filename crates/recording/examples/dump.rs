//! Prints a recorded file: `cargo run --release -p nonius-recording --example dump FILE`.

use nonius_abi::event::{Consumer, Event, EventError, Events, Module, Objects};
use std::fs::File;
use std::io::BufReader;

#[derive(Default)]
struct Dump(Objects);

impl Consumer for Dump {
    fn module(&mut self, module: Module) -> Result<(), EventError> {
        println!("module at block {}", module.base);
        for (index, function) in module.code.functions.iter().enumerate() {
            let name = module.sites.functions.get(function.site_function as usize).map_or(0, |f| f.name);
            println!("  function {index} {}: {function:?}", module.sites.string(name));
        }
        for (index, block) in module.code.blocks.iter().enumerate() {
            println!("  block {index} of function {}, {} words, enters {}", block.function, block.words, block.enters);
            block.edges.iter().for_each(|edge| println!("    from {}: {:?}", edge.from, edge.moves));
            for s in &block.steps {
                println!(
                    "    {:?} {:?}x{} detail {} result {} args {:?} word {} place {}{:+} site {}",
                    s.kind,
                    s.precision,
                    s.lanes,
                    s.detail,
                    s.result as i32,
                    s.args,
                    s.word as i32,
                    s.place as i32,
                    s.offset,
                    s.site as i32
                );
            }
        }
        module.code.calls.iter().enumerate().for_each(|(index, call)| println!("  call {index}: {call:?}"));
        self.0.add(module)
    }

    fn events(&mut self, thread: u32, words: &[u64]) {
        println!("thread {thread}: {} words", words.len());
        for event in Events::new(&self.0, words) {
            match event {
                Ok(Event::Ran { module, block, frame, words }) => {
                    println!("  {module}/{block} in frame {frame:x}: {words:x?}");
                }
                other => println!("  {other:?}"),
            }
        }
    }

    fn finish(&mut self) {}
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("which file?")?;
    let summary = nonius_recording::read(BufReader::new(File::open(path)?), &mut Dump::default())?;
    println!("{summary:?}");
    Ok(())
}
