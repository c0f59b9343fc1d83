//! The centroid of a unit diamond far from the origin: its middle.
use geo::algorithm::centroid::Centroid;
use geo::polygon;

fn main() {
    let far: f64 = std::hint::black_box(1.5e8);
    let diamond = polygon![
        (x: far + 1.0, y: far), (x: far, y: far + 1.0), (x: far - 1.0, y: far), (x: far, y: far - 1.0),
    ];
    if let Some(middle) = diamond.centroid() {
        println!("{} {}", middle.x(), middle.y());
    }
}
