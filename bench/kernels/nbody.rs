// Gravity between all pairs of bodies in Rust, softened, with leapfrog steps.
// bench: group=rust types=double size=500x280 quick=250x150
#[path = "shared/kernel.rs"]
mod kernel;

struct Bodies {
    x: [Vec<f64>; 3],
    v: [Vec<f64>; 3],
    mass: Vec<f64>,
}

#[inline(never)]
fn accelerate(n: usize, b: &mut Bodies, dt: f64) {
    let [x, y, z] = [&b.x[0][..n], &b.x[1][..n], &b.x[2][..n]];
    let mass = &b.mass[..n];
    for i in 0..n {
        let (mut ax, mut ay, mut az) = (0.0, 0.0, 0.0);
        for j in 0..n {
            let (dx, dy, dz) = (x[j] - x[i], y[j] - y[i], z[j] - z[i]);
            let square: f64 = dx * dx + dy * dy + dz * dz + 0.01;
            let pull = mass[j] / (square * square.sqrt());
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        b.v[0][i] += dt * ax;
        b.v[1][i] += dt * ay;
        b.v[2][i] += dt * az;
    }
}

#[inline(never)]
fn drift(b: &mut Bodies, dt: f64) {
    for (x, v) in b.x.iter_mut().zip(&b.v) {
        for (x, v) in x.iter_mut().zip(v) {
            *x += dt * v;
        }
    }
}

fn main() {
    let mut p = kernel::Problem::of_arguments();
    let n = p.n;
    let mut bodies =
        Bodies { x: [(); 3].map(|()| p.reals(n)), v: [(); 3].map(|()| p.reals(n)), mass: p.reals(n) };
    bodies.mass.iter_mut().for_each(|m| *m /= n as f64);
    for _ in 0..p.reps {
        accelerate(n, &mut bodies, 0.001);
        drift(&mut bodies, 0.001);
    }
    for part in bodies.x.iter().chain(&bodies.v) {
        p.digest(part);
    }
    p.print();
}
