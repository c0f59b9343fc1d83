//! Prints a recorded run, step by step: `cargo run --release -p nonius-machine --example dump FILE`.

use nonius_abi::event::{Consumer, Event, EventError, Events, Module, Objects};

struct Dump(Objects);

impl Consumer for Dump {
    fn module(&mut self, module: Module) -> Result<(), EventError> {
        self.0.add(module)
    }

    fn events(&mut self, thread: u32, words: &[u64]) {
        for event in Events::new(&self.0, words) {
            match event {
                Ok(Event::Ran { module, block, frame, words }) => self.ran(thread, module, block, frame, words),
                other => println!("{other:?}"),
            }
        }
    }

    fn finish(&mut self) {}
}

impl Dump {
    fn ran(&self, thread: u32, module: usize, index: u32, frame: u32, words: &[u64]) {
        let module = &self.0.modules()[module];
        let block = &module.code.blocks[index as usize];
        let function = &module.code.functions[block.function as usize];
        let name = module.sites.functions.get(function.site_function as usize).map_or(0, |f| f.name);
        println!(
            "thread {thread} frame {frame:x} block {index} of {}{}",
            module.sites.string(name),
            if block.enters { " enters" } else { "" }
        );
        for edge in &block.edges {
            println!("    edge from {}: {:?}", edge.from, edge.moves);
        }
        for s in &block.steps {
            let at = |i: u32| {
                words.get(i as usize).map(|&w| format!(" [{i}]={w:#x}={:e}", f64::from_bits(w))).unwrap_or_default()
            };
            println!(
                "    {:?} {:?} x{} %{} = {:?} detail {} offset {}{}{}",
                s.kind,
                s.precision,
                s.lanes,
                s.result as i32,
                s.args,
                s.detail,
                s.offset,
                at(s.word),
                at(s.place)
            );
        }
    }
}

fn main() {
    let path = std::env::args_os().nth(1).expect("a recorded file");
    let file = std::fs::File::open(path).expect("it can be read");
    println!("{:?}", nonius_recording::read(file, &mut Dump(Objects::default())));
}
