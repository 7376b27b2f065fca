//! Derives cards, dealer and random numbers from the number of a deal.

use overtrick_cards::table::BySeat;
use overtrick_cards::{SeedSource, Stream};
use overtrick_game::{Game, Setup, Standing, State};
use overtrick_strategy::ids::BotId;
use overtrick_strategy::protocol::DealKey;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Luck;

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
    /// Returns the plural of the unit's name.
    pub const fn plural(self) -> &'static str {
        match self {
            Unit::Deal => "deals",
            Unit::Match => "matches",
        }
    }
}

/// The source of the cards.
enum CardSource {
    /// The master seed.
    Open(SeedSource),
    /// A key that cannot be derived without the secret.
    Secret([u8; 32]),
}

/// The random numbers of one variant.
///
/// Cards depend only on the tournament's luck, the deck and the id of the deal. A strategy's stream depends
/// on that luck, the variant, the id of the deal and the seat.
pub struct Seeds {
    unit: Unit,
    seats: usize,
    cards: CardSource,
    lots: SeedSource,
    strategies: SeedSource,
    /// The key of all identifiers that external bots get.
    told: [u8; 16],
}

impl Seeds {
    /// Makes the random numbers of `game` under the name `variant`.
    pub fn new<G: Game>(luck: impl Into<Luck>, variant: &str, game: &G, unit: Unit) -> Seeds {
        let (luck, deck) = (luck.into(), game.layout().deck.name());
        let (cards, master) = match luck.secret {
            None => (CardSource::Open(SeedSource::new(luck.seed, "cards", &deck)), luck.seed),
            Some(_) => (CardSource::Secret(luck.key("cards", &deck)), luck.master()),
        };
        Seeds {
            unit,
            seats: game.layout().seats,
            cards,
            told: *luck.key("told", variant).first_chunk().expect("a key has 32 bytes"),
            lots: SeedSource::new(master, "first dealer", variant),
            strategies: SeedSource::new(master, "strategy", variant),
        }
    }

    /// Returns whether single deals or matches are simulated.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Returns the id of the deal that follows `standing` in deal or match `number`.
    ///
    /// For single deals it is the number. In a match it is the match's number times 65536 plus the deal's
    /// number in the match.
    pub fn deal_id(&self, number: u64, standing: &Standing) -> u64 {
        match self.unit {
            Unit::Deal => number,
            Unit::Match => number << 16 | u64::from(standing.deals),
        }
    }

    /// Returns the circumstances of the deal that follows `standing` in deal or match `number`.
    ///
    /// The deal passes to the left from deal to deal, or from number to number for single deals. Single deals go
    /// on in the cycle when each seat has dealt.
    #[inline(always)]
    pub fn setup<G: Game>(&self, game: &G, number: u64, standing: &Standing) -> Setup {
        let first = game.first_dealer(|| self.lots.stream(number, 0));
        let totals = standing.totals;
        match self.unit {
            Unit::Deal => Setup {
                dealer: first.left(number as usize, self.seats),
                last_deal: game.single_deals_are_last(),
                deal: Setup::place_in_cycle(number, self.seats, game.cycle()),
                totals,
            },
            Unit::Match => Setup {
                dealer: first.left(standing.deals as usize, self.seats),
                last_deal: game.ending().is_last(standing),
                deal: standing.deals % game.cycle(),
                totals,
            },
        }
    }

    /// Deals the deal with this id.
    #[inline(always)]
    pub fn deal<G: Game>(&self, game: &G, id: u64, setup: Setup) -> State<G::Public> {
        match &self.cards {
            CardSource::Open(source) => game.deal(setup, &mut source.stream(id, 0)),
            CardSource::Secret(key) => game.deal(setup, &mut Stream::keyed(*key, id)),
        }
    }

    /// Deals the deal with this id into the memory of another.
    #[inline(always)]
    pub fn deal_again<G: Game>(&self, game: &G, state: &mut State<G::Public>, id: u64, setup: Setup) {
        match &self.cards {
            CardSource::Open(source) => game.deal_again(state, setup, &mut source.stream(id, 0)),
            CardSource::Secret(key) => game.deal_again(state, setup, &mut Stream::keyed(*key, id)),
        }
    }

    /// Returns the key that external bots get for a deal: the one that follows `standing` in deal or match
    /// `number`.
    ///
    /// `bots` are the bots by seat.
    pub fn deal_key(&self, number: u64, standing: &Standing, bots: BySeat<BotId>) -> DealKey {
        let [one, two, three, four] = bots.map(|bot| bot.index() as u64).into_array();
        let parts = [self.deal_id(number, standing), one, two, three, four];
        // Keys of smaller tables have always had three bots.
        DealKey::of(self.told, if self.seats > 3 { &parts } else { &parts[..4] })
    }

    /// Returns the streams of the strategies, by seat.
    #[inline(always)]
    pub fn streams(&self, id: u64) -> BySeat<Stream> {
        // Written out: `array::map` stays a loop. Smaller tables have no use for a fourth stream, which takes time
        // to make.
        let stream = |seat: usize| self.strategies.stream(id, seat);
        let (one, two, three) = (stream(0), stream(1), stream(2));
        let four = if self.seats > 3 { stream(3) } else { one.clone() };
        BySeat::full([one, two, three, four])
    }
}
