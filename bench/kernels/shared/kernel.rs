//! What every kernel in Rust shares: as kernel.h, with the same inputs and the same digest.

pub struct Problem {
    pub n: usize,
    pub reps: usize,
    noise: u32,
    bits: u64,
    sum: f64,
}

impl Problem {
    pub fn of_arguments() -> Self {
        let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
        let [n, reps, ..] = numbers[..] else {
            eprintln!("usage: kernel N REPS [THREADS]");
            std::process::exit(2);
        };
        Self { n, reps, noise: (n as u32).wrapping_mul(2654435761), bits: 0xcbf29ce484222325, sum: 0.0 }
    }

    fn word(&mut self) -> u32 {
        self.noise = self.noise.wrapping_mul(1664525).wrapping_add(1013904223);
        self.noise
    }

    /// Uniform in [0, 1), with all the bits that the type has.
    pub fn noise(&mut self) -> f64 {
        let high = f64::from(self.word() >> 8) / f64::from(1 << 24);
        high + f64::from(self.word() >> 8) / (1u64 << 48) as f64
    }

    pub fn reals(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.noise()).collect()
    }

    pub fn digest(&mut self, values: &[f64]) {
        for value in values {
            self.bits = (self.bits ^ value.to_bits()).wrapping_mul(0x100000001b3);
        }
        self.sum += values.iter().step_by(values.len() / 256 + 1).map(|v| v.abs()).sum::<f64>();
    }

    pub fn print(&self) {
        println!("{:e} {:016x}", self.sum, self.bits);
    }
}
