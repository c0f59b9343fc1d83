fn variance(xs: &[f32]) -> f32 {
    let n = xs.len() as f32;
    let mean = xs.iter().sum::<f32>() / n;
    let squares = xs.iter().map(|x| x * x).sum::<f32>() / n;
    squares - mean * mean
}
