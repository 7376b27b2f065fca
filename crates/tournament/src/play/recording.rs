//! A deal that is recorded move by move while it is played.

use overtrick_cards::table::{BySeat, Place, Seat};
use overtrick_cards::{Card, CardSet};
use overtrick_game::{Aside, Contract, DealResult, FullGame, IllegalMove, Move, Moves, Setup, Standing, State, View};
use overtrick_strategy::Strategy;
use overtrick_strategy::protocol::{DealEnd, DealKey};

use super::analysis::Analysis;
use super::forfeit::forfeit;
use crate::{Luck, Seeds, Unit};

/// A move as it was made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MoveRecord {
    /// The seat that decided.
    pub seat: Seat,
    /// The hand that the card or call belongs to.
    pub hand: &'static str,
    /// The text form of the move.
    pub text: String,
    /// The number of legal moves.
    pub legal: u32,
    /// The number of tricks that the card gave away, by double-dummy analysis. `None` without an analysis, or
    /// if the play was not between two sides.
    pub given_away: Option<u8>,
}

/// A trick: its cards in order, each with its hand, and the winning hand.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TrickRecord {
    /// The cards in the order in which they were played.
    pub plays: Vec<(&'static str, Card)>,
    /// The hand that won the trick.
    pub winner: &'static str,
}

/// The complete record of a deal.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DealRecord {
    /// The variant's name.
    pub variant: String,
    /// The rules of the variant.
    pub rules: toml::Table,
    /// The master seed, and the secret if there is one.
    pub luck: Luck,
    /// The number of the match, if the deal belongs to a match.
    pub game: Option<u64>,
    /// The number of the deal, counted in its match if it belongs to a match.
    pub deal: u64,
    /// The dealer.
    pub dealer: Seat,
    /// By seat: the name of the bot.
    pub seating: Vec<String>,
    /// Whether it was played as the last deal of a match.
    pub last_deal: bool,
    /// The hands as dealt.
    pub hands: Vec<(&'static str, CardSet)>,
    /// The cards that were dealt to places other than hands.
    pub table: Vec<Aside>,
    /// Remarks on the table, one in each line.
    pub remarks: Vec<String>,
    /// All moves in order.
    pub moves: Vec<MoveRecord>,
    /// All tricks in order.
    pub tricks: Vec<TrickRecord>,
    /// The contract, in games that have contracts.
    pub contract: Option<Contract>,
    /// By hand that played tricks: the tricks won.
    pub tricks_won: Vec<(&'static str, u8)>,
    /// By seat: the score.
    pub scores: Vec<i32>,
    /// By seat: the reason for the score.
    pub reasons: Vec<String>,
    /// The faults of external bots in order, each with its seat. In a forfeited deal, the moves are from the
    /// deal that was played again.
    pub faults: Vec<(Seat, String)>,
    /// By seat: the total before the deal.
    pub totals_before: Vec<i32>,
    /// By seat: the total after the deal.
    pub totals_after: Vec<i32>,
    /// By seat, if the deal ended a match: the place, 0 for the winner.
    pub places: Option<Vec<u8>>,
}

impl DealRecord {
    /// Returns true if the plays were analysed double-dummy.
    pub fn is_judged(&self) -> bool {
        self.moves.iter().any(|made| made.given_away.is_some())
    }

    /// Returns, by seat, the number of tricks given away, also by other hands that the seat played. `None`
    /// without an analysis.
    pub fn given_away(&self) -> Option<Vec<u32>> {
        let by = |seat: usize| {
            let own = self.moves.iter().filter(|made| made.seat.index() == seat);
            own.map(|made| u32::from(made.given_away.unwrap_or_default())).sum()
        };
        self.is_judged().then(|| (0..self.seating.len()).map(by).collect())
    }
}

/// The parts of a record that do not come from the deal.
#[derive(Clone, Copy)]
pub struct Heading<'a> {
    /// The variant's name.
    pub variant: &'a str,
    /// The master seed, and the secret if there is one.
    pub luck: Luck,
    /// By seat: the name of the player.
    pub seating: &'a [String],
}

/// A deal in progress with all its moves so far.
pub struct Recording<'a, G: FullGame> {
    game: &'a G,
    standing: &'a Standing,
    setup: Setup,
    id: u64,
    /// The number of the match, if the deal belongs to a match.
    of_match: Option<u64>,
    deal: u64,
    dealt: State<G::Public>,
    state: State<G::Public>,
    moves: Vec<MoveRecord>,
}

impl<'a, G: FullGame> Recording<'a, G> {
    /// Starts the deal that follows `standing` in deal or match `number`.
    pub fn new(game: &'a G, seeds: &Seeds, number: u64, standing: &'a Standing) -> Recording<'a, G> {
        Recording::with(game, seeds, number, standing, seeds.setup(game, number, standing))
    }

    /// Starts the deal that follows `standing` in deal or match `number`, with another setup.
    pub fn with(game: &'a G, seeds: &Seeds, number: u64, standing: &'a Standing, setup: Setup) -> Recording<'a, G> {
        let id = seeds.deal_id(number, standing);
        let dealt = seeds.deal(game, id, setup);
        let of_match = (seeds.unit() == Unit::Match).then_some(number);
        let deal = of_match.map_or(number, |_| u64::from(standing.deals));
        Recording { game, standing, setup, id, of_match, deal, dealt, state: dealt, moves: Vec::new() }
    }

    /// Returns the id of the deal, from which its random numbers follow.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Returns true if the deal is over.
    pub fn is_over(&self) -> bool {
        self.game.is_over(&self.state)
    }

    /// Returns the seat that decides now, and its legal moves.
    pub fn question(&self) -> (Seat, Moves) {
        (self.state.table.seat_to_move(), self.game.legal(&self.state))
    }

    /// Returns the move that a text stands for in this position.
    pub fn read_move(&self, text: &str) -> Option<Move> {
        self.game.read_move(&self.state, text)
    }

    /// Returns the view of a seat.
    pub fn view(&self, seat: Seat) -> View<'_, G> {
        View::new(self.game, &self.state, self.standing, seat)
    }

    /// Returns the state of the deal, including hidden cards.
    pub(super) fn state(&self) -> &State<G::Public> {
        &self.state
    }

    /// Returns the hands as dealt, with their names.
    pub fn hands(&self) -> Vec<(&'static str, CardSet)> {
        let hand = |(name, hand)| (name, self.game.dealt_hand(&self.dealt, hand));
        self.game.hand_names().map(hand).collect()
    }

    /// Makes a move, which is analysed double-dummy if there is an `analysis`.
    ///
    /// # Errors
    /// If the move is illegal; then nothing has changed.
    pub fn make(&mut self, chosen: Move, analysis: Option<&mut Analysis>) -> Result<(), IllegalMove> {
        let before = self.state;
        self.game.play(&mut self.state, chosen)?;
        self.moves.push(MoveRecord {
            seat: before.table.seat_to_move(),
            hand: self.game.layout().hands[before.table.hand_to_move().index()],
            text: self.game.move_text(&before, chosen).unwrap_or_default(),
            legal: self.game.legal(&before).len(),
            given_away: analysis.and_then(|analysis| analysis.given_away(self.game, &before, chosen)),
        });
        Ok(())
    }

    /// Returns to the deal before the first move.
    pub fn restart(&mut self) {
        self.state = self.dealt;
        self.moves.clear();
    }

    /// Announces the deal to the strategy of a seat, if it is external.
    pub fn begins(&self, seat: Seat, strategy: &mut dyn Strategy<G>, key: DealKey) {
        if let Some(bot) = strategy.external() {
            bot.deal_begins(&View::new(self.game, &self.dealt, self.standing, seat), key);
        }
    }

    /// Reports the end of the deal to the strategy of a seat, if it is external.
    pub fn ends(&self, seat: Seat, strategy: &mut dyn Strategy<G>, key: DealKey) {
        if let Some(bot) = strategy.external() {
            bot.deal_ends(DealEnd::of(self.game, &self.dealt, &self.state, seat, key.id(seat)));
        }
    }

    /// Returns the record of the finished deal, and its result for a match. Seats that have `forfeited` the
    /// deal get the lowest score.
    ///
    /// The last value is whether the deal counts towards the length of a match.
    pub fn finish(
        &self,
        heading: Heading<'_>,
        faults: Vec<(Seat, String)>,
        forfeited: BySeat<bool>,
    ) -> (DealRecord, DealResult, bool) {
        let (game, state) = (self.game, &self.state);
        let layout = game.layout();
        let name = |hand: Place| layout.hands[hand.index()];
        let tricks = state.table.tricks().into_iter().map(|trick| TrickRecord {
            plays: trick.plays.iter().map(|play| (name(play.hand), play.card)).collect(),
            winner: name(trick.winner.expect("the deal is over")),
        });
        let in_play: Vec<Place> = state.table.circle().collect();
        let tricks_won = (game.hand_names().filter(|(_, hand)| in_play.contains(hand)))
            .map(|(name, hand)| (name, state.table.tricks_won(hand)));
        let mut deal_result = DealResult::of(game, state);
        let forfeited = forfeit(game, forfeited, &mut deal_result.scores);
        let after = self.standing.totals.zip(deal_result.scores).map(|(total, score)| total + score);
        let record = DealRecord {
            variant: heading.variant.to_owned(),
            rules: toml::Table::try_from(game.rules()).expect("rules are plain values"),
            luck: heading.luck,
            game: self.of_match,
            deal: self.deal,
            dealer: self.setup.dealer,
            seating: heading.seating.to_vec(),
            last_deal: self.setup.last_deal,
            hands: self.hands(),
            table: game.asides(&self.dealt, state),
            remarks: game.remarks(&self.dealt, self.deal),
            tricks: tricks.collect(),
            contract: game.contract(state),
            tricks_won: tricks_won.collect(),
            scores: deal_result.scores.of(layout.seats).to_vec(),
            reasons: (game.reasons(state).into_iter().zip(Seat::all(layout.seats)))
                .map(|(reason, seat)| if forfeited[seat] { "forfeited the deal".to_owned() } else { reason })
                .collect(),
            faults,
            totals_before: self.standing.totals.of(layout.seats).to_vec(),
            totals_after: after.of(layout.seats).to_vec(),
            places: None,
            moves: self.moves.clone(),
        };
        (record, deal_result, game.counts(state))
    }
}
