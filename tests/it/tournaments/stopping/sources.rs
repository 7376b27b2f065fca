//! Sources of draws: margins of blocks and scores, made up and real.

use overtrick::stats::Scale;
use rand_core::Rng;
use rand_pcg::Pcg64Mcg;
use statrs::distribution::{ContinuousCDF, Exp, Normal};

/// A distribution of integers: equally likely values.
pub struct Source {
    pub name: String,
    pub values: Vec<i64>,
    pub mean: f64,
    pub sd: f64,
    pub spread: u32,
}

impl Source {
    pub fn new(name: &str, values: Vec<i64>, spread: u32) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<i64>() as f64 / n;
        let sd = (values.iter().map(|&x| (x as f64 - mean).powi(2)).sum::<f64>() / n).sqrt();
        Self { name: name.to_owned(), values, mean, sd, spread }
    }

    pub fn counted(name: &str, counts: &[(i64, usize)], spread: u32) -> Self {
        Self::new(name, counts.iter().flat_map(|&(value, count)| vec![value; count]).collect(), spread)
    }

    pub fn continuous(name: &str, quantile: impl Fn(f64) -> f64) -> Self {
        let values = (0..4096).map(|i| (100.0 * quantile((f64::from(i) + 0.5) / 4096.0)).round() as i64);
        Self::new(name, values.collect(), 100)
    }

    /// As the other bot sees it.
    pub fn mirrored(&self) -> Self {
        Self::new(&format!("{}, mirrored", self.name), self.values.iter().map(|x| -x).collect(), self.spread)
    }

    pub fn scale(&self) -> Scale {
        Scale { per_point: 1, spread: self.spread }
    }

    pub fn draw(&self, rng: &mut Pcg64Mcg) -> i64 {
        self.values[(((rng.next_u64() >> 32) * self.values.len() as u64) >> 32) as usize]
    }
}

pub fn normal() -> Source {
    let normal = Normal::new(0.0, 1.0).unwrap();
    Source::continuous("normal", |p| normal.inverse_cdf(p))
}

/// A bot that is three standard deviations ahead.
pub fn far_ahead() -> Source {
    let normal = Normal::new(3.0, 1.0).unwrap();
    Source::continuous("far ahead", |p| normal.inverse_cdf(p))
}

/// Skewness 2, and a mean of one standard deviation.
pub fn exponential() -> Source {
    let exponential = Exp::new(1.0).unwrap();
    Source::continuous("exponential", |p| exponential.inverse_cdf(p))
}

/// Margins of 6,000 blocks of Euchre between the rule-based bot and a copy with one parameter moved by a twentieth:
/// nine in ten are
/// 0. Skewness 1.7, excess kurtosis 20.
#[rustfmt::skip]
pub fn euchre() -> Source {
    Source::counted("Euchre", &[
        (-13, 3), (-12, 3), (-10, 4), (-8, 1), (-7, 19), (-6, 17), (-5, 10), (-4, 91), (-2, 1), (0, 5426), (1, 116), (2, 8), (3, 140),
        (5, 6), (6, 9), (7, 33), (8, 104), (9, 3), (12, 2), (13, 4),
    ], 3)
}

/// The same of Dummy Whist: 49 in fifty are 0. Skewness 2, excess kurtosis 114.
#[rustfmt::skip]
pub fn whist() -> Source {
    Source::counted("Dummy Whist", &[
        (-29, 1), (-23, 2), (-20, 3), (-18, 2), (-17, 9), (-16, 2), (-15, 3), (-14, 1), (-12, 1), (-8, 2), (-6, 1), (-3, 3), (-2, 30),
        (0, 5868), (1, 2), (2, 2), (3, 15), (4, 8), (5, 4), (6, 5), (9, 2), (10, 4), (12, 3), (15, 7), (18, 11), (21, 2), (24, 6),
        (30, 1),
    ], 28)
}

/// A bot that is never worse, and better by a grand slam in one block of `rarity`. Skewness 10 for a hundred, 32 for a
/// thousand.
pub fn slams(rarity: usize) -> Source {
    Source::counted(&format!("28 in 1/{rarity}"), &[(28, 1), (0, rarity - 1)], 28)
}

/// Scores of 18,000 deals of Dumbo. Skewness 1.3.
#[rustfmt::skip]
pub fn dumbo_scores() -> Source {
    Source::counted("Dumbo scores", &[
        (0, 2071), (1, 1377), (2, 2049), (3, 2328), (4, 2332), (5, 1898), (6, 1656), (7, 1133), (8, 428), (9, 170), (10, 52), (11, 620),
        (12, 658), (13, 497), (14, 362), (15, 99), (20, 270),
    ], 20)
}

/// Scores of 36,000 deals of Chameleon.
#[rustfmt::skip]
pub fn chameleon_scores() -> Source {
    Source::counted("Chameleon scores", &[
        (-100, 24), (-64, 45), (-50, 1607), (-49, 61), (-36, 1212), (0, 17982), (2, 109), (3, 276), (4, 2523), (6, 277), (8, 2591),
        (9, 126), (12, 1745), (16, 801), (20, 192), (24, 9), (36, 3110), (49, 463), (50, 2629), (64, 164), (100, 54),
    ], 200)
}
