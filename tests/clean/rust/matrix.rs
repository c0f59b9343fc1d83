// A product of matrices kept in vectors of vectors, and in an array.
use std::hint::black_box;

type Matrix = Vec<Vec<f64>>;

fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    let n = b[0].len();
    a.iter().map(|row| (0..n).map(|j| row.iter().zip(b).map(|(x, r)| x * r[j]).sum()).collect()).collect()
}

fn main() {
    let n = black_box(12);
    let a: Matrix = (0..n).map(|i| (0..n).map(|j| f64::from(i * j % 7 + 1) / 7.0).collect()).collect();
    let c = multiply(&a, &multiply(&a, &a));
    println!("{} {}", c[3][5], c.iter().flatten().sum::<f64>());
    let mut small = [[0.0f32; 4]; 4];
    for (i, row) in small.iter_mut().enumerate() {
        for (j, x) in row.iter_mut().enumerate() {
            *x = a[i][j] as f32;
        }
    }
    println!("{small:?}");
}
