//! Games written a second time from their rule texts, slowly and plainly, as a check on the files.
//!
//! Nothing here uses the language or the table: a deal is lists of cards, and a card is two letters.

mod call_break;
mod euchre;
mod hands;
mod hearts;
mod manille;
mod oh_hell;
mod spades;
mod sueca;
mod whist;

pub use hands::{PlainCard, PlainDeal};

use overtrick_cards::table::{BySeat, Place, Seat};
use overtrick_cards::{SeedSource, Stream};
use overtrick_game::{Game, Setup, State};
use overtrick_language::DeclaredGame;

/// A game as its rule text has it. The defaults are plain tricks, in which players must follow suit.
pub trait PlainRules {
    /// Returns the ranks of the deck, lowest first.
    fn ranks(&self) -> &'static str {
        "23456789TJQKA"
    }

    /// Returns the trump suit of a deal.
    fn trump(&self, _deal: &PlainDeal) -> Option<char> {
        None
    }

    /// Returns the player who leads to the first trick.
    fn leader(&self, deal: &PlainDeal) -> usize {
        (deal.dealer + 1) % 4
    }

    /// Returns the number of cards that each passes, and the number of seats to the left that they go.
    fn passing(&self, _deal: &PlainDeal) -> Option<(usize, usize)> {
        None
    }

    /// Returns the bids that a player may make, or none if cards are played.
    fn bids(&self, _deal: &PlainDeal) -> Vec<usize> {
        Vec::new()
    }

    /// Returns the cards that the player whose turn it is may play.
    fn playable(&self, deal: &PlainDeal) -> Vec<PlainCard> {
        deal.following()
    }

    /// Returns the scores of a finished deal.
    fn scores(&self, deal: &PlainDeal) -> [i32; 4];
}

/// Returns the cards of a text.
fn cards(text: &str) -> Vec<PlainCard> {
    let card = |word: &str| {
        let letters: Vec<char> = word.chars().collect();
        (letters[0], letters[1])
    };
    text.split_whitespace().map(card).collect()
}

/// Returns a random number below `size`.
fn below(size: usize, rng: &mut Stream) -> usize {
    usize::try_from(rng.random_below(u64::try_from(size).unwrap())).unwrap()
}

/// Returns the deal of a state as lists of cards.
fn plain_deal(state: &State<<DeclaredGame as Game>::Public>) -> PlainDeal {
    let hands = [Place::Hand0, Place::Hand1, Place::Hand2, Place::Hand3];
    PlainDeal::new(
        state.table.dealer().index(),
        hands.map(|hand| cards(&state.table.at(hand).to_string())),
        state.public.turned().map(|card| cards(&card.to_string())[0]),
        usize::try_from(state.table.at(Place::Hand0).len()).unwrap(),
    )
}

/// Makes a random move in the file's game, whose legal moves must be the ones wanted, and returns its text.
fn make_a_move(
    game: &DeclaredGame,
    state: &mut State<<DeclaredGame as Game>::Public>,
    wanted: &mut [String],
    deal: &PlainDeal,
    rng: &mut Stream,
) -> String {
    let chosen = wanted[below(wanted.len(), rng)].clone();
    make_the_move(game, state, wanted, deal, &chosen)
}

/// Makes a move in the file's game, whose legal moves must be the ones wanted, and returns its text.
fn make_the_move(
    game: &DeclaredGame,
    state: &mut State<<DeclaredGame as Game>::Public>,
    wanted: &mut [String],
    deal: &PlainDeal,
    chosen: &str,
) -> String {
    let text = |made| game.move_text(state, made).unwrap();
    let mut found: Vec<String> = game.legal(state).iter().map(text).collect();
    wanted.sort();
    found.sort();
    assert_eq!(wanted, found, "{deal:?}");
    assert_eq!(state.table.hand_to_move(), Place::hand(Seat::new(deal.turn)), "{deal:?}");
    let made = game.read_move(state, chosen).unwrap();
    game.play(state, made).unwrap();
    chosen.to_owned()
}

/// Returns the place of a deal in its cycle. `all_dealt` is how often all four have dealt before.
fn place(all_dealt: u64, cycle: u64) -> usize {
    // Each round of a cycle is shifted by the sum of the digits of its number, here in base 4, and in no odd cycle.
    assert!(cycle == 4 || cycle % 2 == 1);
    let mut shift = 0;
    let mut round = all_dealt / cycle;
    while cycle == 4 && round > 0 {
        shift += round % 4;
        round /= 4;
    }
    usize::try_from((all_dealt + shift) % cycle).unwrap()
}

/// Plays random deals in the file's game and by the second set of rules, and compares moves, winners and scores.
pub fn assert_agree(game: &DeclaredGame, rules: &impl PlainRules, deals: u64) {
    let seeds = ["cards", "moves"].map(|purpose| SeedSource::new(47, purpose, game.name()));
    for number in 0..deals {
        let mut setup = Setup::single(game, number, false);
        if game.counts_totals() {
            // The same for partners, in games that have them.
            setup.totals =
                BySeat::from_fn(|seat: Seat| (number as i32 * 37 + seat.index() as i32 % 2 * 91) % 700 - 300);
        }
        let mut state = game.deal(setup, &mut seeds[0].stream(number, 0));
        let mut deal = plain_deal(&state);
        deal.totals = setup.totals.into_array();
        deal.place = place(number / 4, u64::from(game.cycle()));
        let mut rng = seeds[1].stream(number, 0);
        deal.turn = (deal.dealer + 1) % 4;
        if let Some((count, steps)) = rules.passing(&deal) {
            while deal.passed.iter().any(|passed| passed.len() < count) {
                let mut wanted: Vec<String> =
                    deal.choices(count).iter().map(|card| format!("pass {}{}", card.0, card.1)).collect();
                let chosen = make_a_move(game, &mut state, &mut wanted, &deal, &mut rng);
                deal.pass(cards(&chosen["pass ".len()..])[0], count, steps);
            }
        }
        if rules.bids(&deal).is_empty() {
            deal.turn = rules.leader(&deal);
        }
        while !deal.is_over() {
            let bids = rules.bids(&deal);
            let playable = if bids.is_empty() { rules.playable(&deal) } else { Vec::new() };
            let texts = bids.iter().map(|bid| format!("bid {bid}"));
            let mut wanted: Vec<String> =
                texts.chain(playable.iter().map(|card| format!("{}{}", card.0, card.1))).collect();
            let chosen = make_a_move(game, &mut state, &mut wanted, &deal, &mut rng);
            match bids.is_empty() {
                true => deal.play(cards(&chosen)[0], rules.ranks(), rules.trump(&deal)),
                false => deal.bid(chosen[4..].parse().unwrap()),
            }
            if deal.tricks.is_empty() && deal.trick.is_empty() && rules.bids(&deal).is_empty() {
                deal.turn = rules.leader(&deal);
            }
        }
        assert!(game.is_over(&state), "deal {number}");
        let won = [0, 1, 2, 3].map(|seat| usize::from(state.table.tricks_won(Place::hand(Seat::new(seat)))));
        assert_eq!(won, [0, 1, 2, 3].map(|player| deal.tricks_of(player)), "deal {number}, {deal:?}");
        assert_eq!(game.scores(&state).into_array(), rules.scores(&deal), "deal {number}, {deal:?}");
    }
}
