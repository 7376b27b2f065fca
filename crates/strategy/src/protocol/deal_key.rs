//! Keys of games, from which external bots get deal numbers and seeds.

use std::hash::Hasher;

use overtrick_cards::table::Seat;
use siphasher::sip::SipHasher24;

/// A secret number for one game of one deal.
///
/// Bots get only numbers that follow from it by a one-way function (SipHash-2-4, Aumasson & Bernstein 2012).
/// From these they can find neither another game with the same cards nor the next random number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DealKey(u64);

/// A use of a key; each use hashes a different number.
#[derive(Clone, Copy)]
enum Use {
    Id = 1,
    Seed = 2,
    Audit = 3,
    Order = 4,
}

impl DealKey {
    /// Returns the key of the game that `words` identify, hashed under the 128-bit `key`.
    pub fn of(key: [u8; 16], words: &[u64]) -> DealKey {
        let mut hasher = SipHasher24::new_with_key(&key);
        words.iter().for_each(|&word| hasher.write_u64(word));
        DealKey(hasher.finish())
    }

    /// Returns the number by which a bot at `seat` knows the deal.
    ///
    /// It is below 2^53, which every language can represent.
    pub fn id(self, seat: Seat) -> u64 {
        self.draw(Use::Id, seat, 0) >> 11
    }

    /// Returns the random number for the decision of `seat` after `step` calls and plays.
    pub fn seed(self, seat: Seat, step: usize) -> u32 {
        (self.draw(Use::Seed, seat, step) >> 32) as u32
    }

    /// Returns whether a decision belongs to the audited `share` (0 to 1) of all decisions.
    ///
    /// It is the decision of `seat` after `step` calls and plays.
    pub fn is_audited(self, seat: Seat, step: usize, share: f64) -> bool {
        (self.draw(Use::Audit, seat, step) >> 11) as f64 / (1u64 << 53) as f64 <= share && share > 0.0
    }

    /// Returns a number by which games are sorted into a random order.
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
        // Four standard deviations to either side.
        assert!((60..=140).contains(&count(0.01)), "{}", count(0.01));
    }
}
