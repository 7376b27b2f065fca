//! Random real numbers.

use overtrick_cards::Stream;

/// Draws a number from 0 to below 1.
pub fn uniform(stream: &mut Stream) -> f64 {
    (stream.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Draws a number from the standard normal distribution (Box & Muller 1958).
pub fn normal(stream: &mut Stream) -> f64 {
    let (radius, angle) = (1.0 - uniform(stream), uniform(stream));
    (-2.0 * libm::log(radius)).sqrt() * libm::cos(std::f64::consts::TAU * angle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_cards::SeedSource;

    #[test]
    fn normal_numbers_have_the_moments_of_the_normal_distribution() {
        let mut stream = SeedSource::new(1, "tune", "test").stream(0, 0);
        let all: Vec<f64> = (0..40_000).map(|_| normal(&mut stream)).collect();
        let moment = |power| all.iter().map(|x: &f64| x.powi(power)).sum::<f64>() / all.len() as f64;
        assert!(moment(1).abs() < 0.02 && (moment(2) - 1.0).abs() < 0.03);
        assert!(moment(3).abs() < 0.08 && (moment(4) - 3.0).abs() < 0.2);
    }
}
