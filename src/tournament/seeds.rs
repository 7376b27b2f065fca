//! Derives cards, dealer and random numbers from the number of a deal.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cards::{SeedSource, Stream};
use crate::game::{Game, Setup, Standing, State};
use crate::table::{BySeat, Seat};

/// The unit of simulation, of which every line-up plays a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Single deals.
    #[default]
    Deal,
    /// Whole matches, until the variant's rules end them.
    Match,
}

impl Unit {
    /// The plural of the unit's name.
    pub const fn plural(self) -> &'static str {
        match self {
            Unit::Deal => "deals",
            Unit::Match => "matches",
        }
    }
}

/// The random numbers of one variant. Cards depend on the master seed, the deck and the deal's id alone; a strategy's
/// stream depends on the seed, the variant, the deal's id and the seat.
pub struct Seeds {
    unit: Unit,
    seats: usize,
    cards: SeedSource,
    lots: SeedSource,
    strategies: SeedSource,
}

impl Seeds {
    /// The random numbers of `game` under the name `variant`.
    pub fn new<G: Game>(master: u64, variant: &str, game: &G, unit: Unit) -> Seeds {
        Seeds {
            unit,
            seats: game.layout().seats,
            cards: SeedSource::new(master, "cards", game.layout().deck.name()),
            lots: SeedSource::new(master, "first dealer", variant),
            strategies: SeedSource::new(master, "strategy", variant),
        }
    }

    /// Whether single deals or matches are simulated.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// The id of the deal that follows `standing` in deal or match `number`: the number itself for single deals, else
    /// the match's number times 65536 plus the deal's number in the match.
    pub fn deal_id(&self, number: u64, standing: &Standing) -> u64 {
        match self.unit {
            Unit::Deal => number,
            Unit::Match => number << 16 | u64::from(standing.deals),
        }
    }

    /// The dealer, and whether it is the last deal. The deal passes to the left from deal to deal, or from number to
    /// number for single deals.
    #[inline(always)]
    pub fn setup<G: Game>(&self, game: &G, number: u64, standing: &Standing) -> Setup {
        let first = game.first_dealer(|| self.lots.stream(number, 0));
        let (passed, last_deal) = match self.unit {
            Unit::Deal => (number, game.single_deals_are_last()),
            Unit::Match => (u64::from(standing.deals), game.ending().is_last(standing)),
        };
        let dealer = first.left(passed as usize, self.seats);
        Setup { dealer, last_deal }
    }

    /// The deal of this id.
    #[inline(always)]
    pub fn deal<G: Game>(&self, game: &G, id: u64, setup: Setup) -> State<G::Public> {
        game.deal(setup, &mut self.cards.stream(id, 0))
    }

    /// Makes the deal of this id in the memory of another.
    #[inline(always)]
    pub fn deal_again<G: Game>(&self, game: &G, state: &mut State<G::Public>, id: u64, setup: Setup) {
        game.deal_again(state, setup, &mut self.cards.stream(id, 0));
    }

    /// The strategies' streams, by seat.
    #[inline(always)]
    pub fn streams(&self, id: u64) -> BySeat<Stream> {
        BySeat::from_fn(|seat: Seat| self.strategies.stream(id, seat.index()))
    }
}
