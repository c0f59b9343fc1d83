//! Medians, means and spreads of small samples.

/// The middle value; of an even number, the mean of the middle two. NaN of nothing.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[middle],
        _ => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

/// The geometric mean, which is the right one for ratios. `None` of nothing.
pub fn geometric_mean(ratios: impl IntoIterator<Item = f64>) -> Option<f64> {
    let logs: Vec<f64> = ratios.into_iter().filter(|r| r.is_finite() && *r > 0.0).map(f64::ln).collect();
    if logs.is_empty() {
        return None;
    }
    Some((logs.iter().sum::<f64>() / logs.len() as f64).exp())
}

/// How far apart the samples lie, against their median: a measure of the machine's unrest.
pub fn relative_spread(values: &[f64]) -> f64 {
    let (low, high) = values.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), v| (l.min(*v), h.max(*v)));
    (high - low) / median(values.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median([3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median([4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median([]).is_nan());
    }

    #[test]
    fn geometric_means() {
        assert!((geometric_mean([1.0, 100.0]).unwrap() - 10.0).abs() < 1e-12);
        assert_eq!(geometric_mean([]), None);
        assert!((geometric_mean([f64::NAN, 5.0]).unwrap() - 5.0).abs() < 1e-12);
    }

    #[test]
    fn spreads() {
        assert!((relative_spread(&[1.0, 2.0, 3.0]) - 1.0).abs() < 1e-12);
    }
}
