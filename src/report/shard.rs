//! Which of a run's deal or match numbers there are: all, or those of a shard.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Which part of the deal or match numbers a run plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which one, counted from 1.
    pub number: u32,
    /// Of how many.
    pub of: u32,
}

impl Shard {
    /// The numbers that it plays of all from 0 to `numbers`.
    pub fn range(self, numbers: u64) -> Range<u64> {
        let bound = |part: u32| (u128::from(numbers) * u128::from(part) / u128::from(self.of)) as u64;
        bound(self.number - 1)..bound(self.number)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.number, self.of)
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if 1 <= number && number <= of => Ok(Shard { number, of }),
            _ => Err("write it as 3/8: the third of eight".to_owned()),
        }
    }
}

/// The numbers that tallies are of. Ledgers hold it: a whole run and a shard are written as `Option<Shard>` would be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Extent {
    /// All of them.
    Whole,
    /// A shard's.
    Shard(Shard),
}

impl From<Option<Shard>> for Extent {
    fn from(shard: Option<Shard>) -> Extent {
        shard.map_or(Extent::Whole, Extent::Shard)
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Extent::Whole => out.write_str("the whole run"),
            Extent::Shard(shard) => write!(out, "shard {shard}"),
        }
    }
}

/// Shards by name: `shard 1/3`, `shards 1/3, 3/3`.
pub fn named(shards: &[Shard]) -> String {
    let noun = if shards.len() == 1 { "shard" } else { "shards" };
    let names: Vec<String> = shards.iter().map(Shard::to_string).collect();
    format!("{noun} {}", names.join(", "))
}

impl Extent {
    /// From the first number to the last.
    pub fn span(&self, numbers: u64) -> Range<u64> {
        match self {
            Extent::Whole => 0..numbers,
            Extent::Shard(shard) => shard.range(numbers),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_runs_and_shards_are_written_as_an_option_would_be() {
        for shard in [None, Some(Shard { number: 3, of: 8 })] {
            let bytes = postcard::to_stdvec(&shard).unwrap();
            assert_eq!(postcard::to_stdvec(&Extent::from(shard)).unwrap(), bytes);
        }
    }
}
