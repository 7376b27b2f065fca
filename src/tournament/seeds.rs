//! From the number of a deal to its cards, its dealer and everybody's luck.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cards::{SeedSource, Stream};
use crate::game::{Game, Setup, Standing, State};
use crate::table::{BySeat, Seat};

/// What is simulated.
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
    /// The word for several.
    pub const fn plural(self) -> &'static str {
        match self {
            Unit::Deal => "deals",
            Unit::Match => "matches",
        }
    }
}

/// Where the luck of one variant comes from. The cards depend on the master seed, the deck and the deal's id alone; a
/// strategy's stream on the seed, the variant, the deal's id and the seat.
pub struct Seeds {
    unit: Unit,
    seats: usize,
    cards: SeedSource,
    lots: SeedSource,
    strategies: SeedSource,
}

impl Seeds {
    /// The luck of `game` under the name `variant`.
    pub fn new<G: Game>(master: u64, variant: &str, game: &G, unit: Unit) -> Seeds {
        Seeds {
            unit,
            seats: game.layout().seats,
            cards: SeedSource::new(master, "cards", game.layout().deck.name()),
            lots: SeedSource::new(master, "first dealer", variant),
            strategies: SeedSource::new(master, "strategy", variant),
        }
    }

    /// What is simulated.
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

    /// Who deals, and whether it is the last deal: the deal passes to the left from deal to deal, in single deals from
    /// number to number.
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

    /// The deal of this id in place of another, whose memory it takes.
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
