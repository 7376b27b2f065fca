//! The deal or match numbers that a run covers: all, those of a shard, or those of the shards that are left.

use std::fmt;
use std::ops::Range;

use overtrick_tournament::Unit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rest of a run that lost some of its shards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Partial {
    /// The shards that were put together, as `1/3`.
    pub shards: Vec<String>,
    /// The first and the last number of each range of deals or matches that they hold.
    pub numbers: Vec<[u64; 2]>,
}

/// A part of the deal or match numbers of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// The shard's number, counted from 1.
    pub number: u32,
    /// The number of shards in the whole run.
    pub of: u32,
}

impl Shard {
    /// Returns the range of numbers that the shard plays, of all below `numbers`.
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
        if let Some((number, of)) = text.split_once('/')
            && let (Ok(number), Ok(of)) = (number.parse(), of.parse())
            && (1..=of).contains(&number)
        {
            return Ok(Shard { number, of });
        }
        Err("write it as 3/8: the third of eight".to_owned())
    }
}

/// The numbers that tallies cover.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Extent {
    /// All numbers.
    Whole,
    /// The numbers of one shard.
    Shard(Shard),
    /// The numbers of several shards, in order, while others are missing.
    Partial(Vec<Shard>),
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
            Extent::Partial(shards) => write!(out, "{} alone", named(shards)),
        }
    }
}

/// Returns the names of shards: `shard 1/3`, `shards 1/3, 3/3`.
pub fn named(shards: &[Shard]) -> String {
    let noun = if shards.len() == 1 { "shard" } else { "shards" };
    let names: Vec<String> = shards.iter().map(Shard::to_string).collect();
    format!("{noun} {}", names.join(", "))
}

impl Extent {
    /// Returns whether such shards can exist: in order, of one run, and not all of it where some are missing.
    pub(super) fn is_possible(&self) -> bool {
        let can_be = |shard: &Shard| (1..=shard.of).contains(&shard.number);
        match self {
            Extent::Whole => true,
            Extent::Shard(shard) => can_be(shard),
            Extent::Partial(shards) => {
                shards.iter().all(can_be)
                    && shards.is_sorted_by(|one, other| one.of == other.of && one.number < other.number)
                    && shards.first().is_some_and(|shard| shards.len() < shard.of as usize)
            }
        }
    }

    /// Returns the covered ranges of the numbers below `numbers`: in order, with gaps between them, and none empty.
    pub fn ranges(&self, numbers: u64) -> Vec<Range<u64>> {
        let shards: Vec<Range<u64>> = match self {
            Extent::Whole => std::iter::once(0..numbers).collect(),
            Extent::Shard(shard) => vec![shard.range(numbers)],
            Extent::Partial(shards) => shards.iter().map(|shard| shard.range(numbers)).collect(),
        };
        let mut ranges: Vec<Range<u64>> = Vec::new();
        for range in shards.into_iter().filter(|range| !range.is_empty()) {
            match ranges.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => ranges.push(range),
            }
        }
        ranges
    }

    /// Returns a note for readers of results that lack shards.
    pub fn note(&self, numbers: u64, unit: Unit) -> Option<String> {
        let Extent::Partial(shards) = self else { return None };
        let ranges = in_words(&self.ranges(numbers));
        let (units, last) = (unit.plural(), numbers - 1);
        Some(format!("of the {units} 0 to {last} only {ranges} are in these results: {}", named(shards)))
    }

    /// Returns the same for programs: the shards, and the first and the last number of each range.
    pub fn partial(&self, numbers: u64) -> Option<Partial> {
        let Extent::Partial(shards) = self else { return None };
        let ranges = self.ranges(numbers).into_iter().map(|range| [range.start, range.end - 1]);
        Some(Partial { shards: shards.iter().map(Shard::to_string).collect(), numbers: ranges.collect() })
    }

    /// Returns the range from the first covered number to the last.
    pub fn span(&self, numbers: u64) -> Range<u64> {
        match self {
            Extent::Whole => 0..numbers,
            Extent::Shard(shard) => shard.range(numbers),
            Extent::Partial(shards) => {
                let (Some(first), Some(last)) = (shards.first(), shards.last()) else { return 0..0 };
                first.range(numbers).start..last.range(numbers).end
            }
        }
    }
}

/// Returns ranges of numbers in words, with the last number included: `0 to 74, 150 to 224`.
fn in_words(ranges: &[Range<u64>]) -> String {
    let words = |range: &Range<u64>| format!("{} to {}", range.start, range.end - 1);
    ranges.iter().map(words).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partial(of: u32, numbers: &[u32]) -> Extent {
        Extent::Partial(numbers.iter().map(|&number| Shard { number, of }).collect())
    }

    #[test]
    fn ranges_have_gaps_where_shards_are_missing() {
        assert_eq!(in_words(&Extent::Whole.ranges(7)), "0 to 6");
        assert_eq!(partial(4, &[1, 2, 4]).ranges(300), [0..150, 225..300]);
        assert_eq!(in_words(&partial(4, &[1, 3]).ranges(300)), "0 to 74, 150 to 224");
        assert_eq!(partial(4, &[2, 3]).span(300), 75..225);
        // With more shards than numbers, some shards have none.
        assert_eq!(in_words(&partial(4, &[1, 2, 4]).ranges(2)), "0 to 1");
        assert_eq!(partial(4, &[1]).ranges(2), []);
    }

    #[test]
    fn results_that_lack_shards_name_the_numbers_that_they_have() {
        let found = partial(4, &[1, 3]);
        let note = "of the deals 0 to 299 only 0 to 74, 150 to 224 are in these results: shards 1/4, 3/4";
        assert_eq!(found.note(300, Unit::Deal).as_deref(), Some(note));
        let wanted = Partial { shards: vec!["1/4".to_owned(), "3/4".to_owned()], numbers: vec![[0, 74], [150, 224]] };
        assert_eq!(found.partial(300), Some(wanted));
        let shard = Extent::Shard(Shard { number: 1, of: 4 });
        assert_eq!((shard.note(300, Unit::Deal), shard.partial(300)), (None, None));
    }

    #[test]
    fn shards_that_cannot_be_put_together_are_impossible() {
        for possible in
            [partial(3, &[1, 3]), partial(2, &[2]), Extent::Shard(Shard { number: 2, of: 2 }), Extent::Whole]
        {
            assert!(possible.is_possible(), "{possible}");
        }
        let of =
            |pairs: &[(u32, u32)]| Extent::Partial(pairs.iter().map(|&(number, of)| Shard { number, of }).collect());
        // Out of order, twice the same, all of them, of two runs, a number too high, none.
        let impossible = [
            of(&[(3, 4), (1, 4)]),
            of(&[(1, 3), (1, 3)]),
            of(&[(1, 2), (2, 2)]),
            of(&[(1, 3), (2, 4)]),
            of(&[(1, 4), (5, 4)]),
            of(&[]),
            Extent::Shard(Shard { number: 3, of: 2 }),
            Extent::Shard(Shard { number: 0, of: 0 }),
        ];
        for extent in impossible {
            assert!(!extent.is_possible(), "{extent:?}");
        }
    }
}
