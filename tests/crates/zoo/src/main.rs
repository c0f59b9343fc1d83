fn main() {
    let x = std::hint::black_box(1e15);
    println!("{} {} {}", zoo::difference(x), env!("ZOO_BUILD"), cfg!(nightly));
}
