//! A term of 1 that 1e16 absorbed goes to the next rank, and is missed there; with an argument there is no such term.

use mpi::traits::*;
use std::hint::black_box;

fn main() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let next = world.process_at_rank((rank + 1) % size);
    let previous = world.process_at_rank((rank + size - 1) % size);
    let large = black_box(1e16);
    let small = black_box(if std::env::args().len() > 1 { 0.0 } else { 1.0 });
    let sent: f64 = large + small;
    let mut got = 0f64;
    mpi::point_to_point::send_receive_into(&sent, &next, &mut got, &previous);
    println!("{}", got - large);
}
