//! What a bot from outside is told in place of a deal's number.

use std::hash::Hasher;

use overtrick_cards::table::Seat;
use siphasher::sip::SipHasher24;

/// A number that stands for one game of one deal and is never told: what is told of it follows from it one way only
/// (SipHash-2-4, Aumasson & Bernstein 2012). So nobody can tell from what they were told which other game has the same
/// cards, nor what the next random number will be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DealKey(u64);

/// What is made of a key; every use has another number.
#[derive(Clone, Copy)]
enum Use {
    Id = 1,
    Seed = 2,
    Audit = 3,
    Order = 4,
}

impl DealKey {
    /// The key of the game that these words name, under a key of 128 bits.
    pub fn of(key: [u8; 16], words: &[u64]) -> DealKey {
        let mut hasher = SipHasher24::new_with_key(&key);
        words.iter().for_each(|&word| hasher.write_u64(word));
        DealKey(hasher.finish())
    }

    /// The number by which a bot at `seat` knows the deal: below 2^53, so that every language can hold it.
    pub fn id(self, seat: Seat) -> u64 {
        self.draw(Use::Id, seat, 0) >> 11
    }

    /// The random number that goes with the decision of `seat` after `step` calls and plays.
    pub fn seed(self, seat: Seat, step: usize) -> u32 {
        (self.draw(Use::Seed, seat, step) >> 32) as u32
    }

    /// Whether the decision of `seat` after `step` calls and plays is among a `share` of all.
    pub fn is_audited(self, seat: Seat, step: usize, share: f64) -> bool {
        (self.draw(Use::Audit, seat, step) >> 11) as f64 / (1u64 << 53) as f64 <= share && share > 0.0
    }

    /// A number to put games in order by.
    pub fn order(self) -> u64 {
        self.draw(Use::Order, Seat::Seat0, 0)
    }

    fn draw(self, purpose: Use, seat: Seat, step: usize) -> u64 {
        let mut hasher = SipHasher24::new_with_keys(self.0, purpose as u64);
        hasher.write_u64((step * 4 + seat.index()) as u64);
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_differs_by_game_seat_and_step() {
        let keys: Vec<DealKey> = (0..50).map(|number| DealKey::of([7; 16], &[number, 1])).collect();
        let mut ids: Vec<u64> = keys.iter().flat_map(|key| Seat::ALL.map(|seat| key.id(seat))).collect();
        assert!(ids.iter().all(|&id| id < 1 << 53));
        let mut seeds: Vec<u32> = Seat::ALL
            .into_iter()
            .flat_map(|seat| (0..60).map(move |step| (seat, step)))
            .map(|(seat, step)| keys[0].seed(seat, step))
            .collect();
        let (of_ids, of_seeds) = (ids.len(), seeds.len());
        ids.sort_unstable();
        ids.dedup();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!((ids.len(), seeds.len()), (of_ids, of_seeds));
        assert_ne!(DealKey::of([8; 16], &[0, 1]), keys[0]);
    }

    #[test]
    fn about_the_share_that_was_asked_for_is_audited() {
        let count = |share: f64| {
            let key = |number: u64| DealKey::of([7; 16], &[number]);
            (0..10_000).filter(|&number| key(number).is_audited(Seat::Seat1, 3, share)).count()
        };
        assert_eq!((count(0.0), count(1.0)), (0, 10_000));
        // Four standard deviations either way.
        assert!((60..=140).contains(&count(0.01)), "{}", count(0.01));
    }
}
