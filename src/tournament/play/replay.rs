//! One deal or match again, with everything that happened in it.

use std::ops::Range;
use std::sync::Arc;

use super::analysis::Analysis;
use super::roster::substitute;
use crate::cards::select::Portable;
use crate::cards::{Card, CardSet};
use crate::game::{Aside, Contract, DealResult, FullGame, Standing, View};
use crate::games::Visitor;
use crate::protocol::DealEnd;
use crate::strategies::{Bot, BuildContext, random};
use crate::strategy::Strategy;
use crate::table::{BySeat, Place, Seat};
use crate::tournament::{FaultAction, Seeds, Tournament, Unit};

/// One move as it was made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MoveRecord {
    /// The seat that decided.
    pub seat: Seat,
    /// The hand whose card or call it is.
    pub hand: &'static str,
    /// The move's text form.
    pub text: String,
    /// How many moves were legal.
    pub legal: u32,
    /// The number of tricks that the card gave away, with all cards known; `None` unless that was asked for and the
    /// play was between two sides.
    pub given_away: Option<u8>,
}

/// One trick: the cards in order, each with its hand, and the hand that won.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TrickRecord {
    /// The cards in the order in which they were played.
    pub plays: Vec<(&'static str, Card)>,
    /// The hand that won.
    pub winner: &'static str,
}

/// Everything that happened in one deal.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DealRecord {
    /// The variant's name.
    pub variant: String,
    /// Its rules.
    pub rules: toml::Table,
    /// The master seed.
    pub seed: u64,
    /// The match's number, if the deal belongs to one.
    pub game: Option<u64>,
    /// The deal's number, in its match if it belongs to one.
    pub deal: u64,
    /// Who deals.
    pub dealer: Seat,
    /// The bots' names, by seat.
    pub seating: Vec<String>,
    /// Whether it was played as the last deal of a match.
    pub last_deal: bool,
    /// The hands as dealt.
    pub hands: Vec<(&'static str, CardSet)>,
    /// The cards that were dealt to places that are not hands.
    pub table: Vec<Aside>,
    /// Remarks on the table, a line each.
    pub remarks: Vec<String>,
    /// All moves in order.
    pub moves: Vec<MoveRecord>,
    /// All tricks in order.
    pub tricks: Vec<TrickRecord>,
    /// The contract, in games that have one.
    pub contract: Option<Contract>,
    /// Tricks won, by hand that played tricks.
    pub tricks_won: Vec<(&'static str, u8)>,
    /// Scores, by seat.
    pub scores: Vec<i32>,
    /// The reasons for the scores, by seat.
    pub reasons: Vec<String>,
    /// Faults of bots outside of the process, with the seat, in order. Where deals are forfeited, the moves are those
    /// of the deal that was played again.
    pub faults: Vec<(Seat, String)>,
    /// Totals before the deal, by seat.
    pub totals_before: Vec<i32>,
    /// Totals after the deal, by seat.
    pub totals_after: Vec<i32>,
    /// By seat, if this deal ended a match: the place, 0 for the winner.
    pub places: Option<Vec<u8>>,
}

impl DealRecord {
    /// Whether its plays were judged with all cards known.
    pub fn is_judged(&self) -> bool {
        self.moves.iter().any(|made| made.given_away.is_some())
    }
}

/// Plays one deal of a variant, or a whole match in a tournament of matches, with `bots` by seat; the deals come as a
/// tournament would play them. With `analyse`, each play is judged with all cards known.
pub fn replay(tournament: &Tournament, variant: usize, number: u64, bots: &[Bot], analyse: bool) -> Vec<DealRecord> {
    let mut records = Vec::new();
    replay_each(tournament, variant, number..number + 1, bots, analyse, &mut |record| records.push(record));
    records
}

/// Replays all deals or matches with these `numbers` as [`replay`] does, and calls `show` with each deal as soon as it
/// is over. The bots are built only once.
pub fn replay_each(
    tournament: &Tournament,
    variant: usize,
    numbers: Range<u64>,
    bots: &[Bot],
    analyse: bool,
    show: &mut dyn FnMut(DealRecord),
) {
    let game = &tournament.variants[variant].game;
    game.visit(Replay { tournament, variant, numbers, bots, analyse, show });
}

struct Replay<'a> {
    tournament: &'a Tournament,
    variant: usize,
    numbers: Range<u64>,
    bots: &'a [Bot],
    analyse: bool,
    show: &'a mut dyn FnMut(DealRecord),
}

impl Visitor for Replay<'_> {
    type Output = ();

    fn visit<G: FullGame>(self, game: &Arc<G>) {
        let Tournament { seed, unit, faults, .. } = self.tournament;
        let name = &self.tournament.variants[self.variant].name;
        let seeds = Seeds::new(*seed, name, game.as_ref(), *unit);
        let context = BuildContext::of(&self.tournament.variants[self.variant]);
        let mut strategies: Vec<_> = self
            .bots
            .iter()
            .map(|bot| bot.spec.build::<G>(&context).expect("the config checked that every bot plays every game"))
            .collect();
        let mut substitute = substitute(&self.tournament.variants[self.variant]);
        let mut analysis = self.analyse.then(Analysis::new);
        let mut deals = 0;
        for number in self.numbers {
            let mut standing = Standing::default();
            let mut over = false;
            while !over {
                let players = Players {
                    strategies: &mut strategies,
                    substitute: substitute.as_mut(),
                    policy: faults.policy,
                    analysis: analysis.as_mut(),
                    deal: deals,
                };
                deals += 1;
                let (mut record, deal_result, counts) = play(game.as_ref(), &seeds, number, &standing, players);
                record.variant.clone_from(name);
                record.seed = *seed;
                record.seating = self.bots.iter().map(|bot| bot.name.clone()).collect();
                standing.add(&deal_result.scores, counts);
                record.totals_after = standing.totals.of(self.bots.len()).to_vec();
                let places = match unit {
                    Unit::Deal => None,
                    Unit::Match => game.ending().places(&standing, &deal_result, self.bots.len()),
                };
                record.places = places.map(|places| places.of(self.bots.len()).to_vec());
                over = *unit == Unit::Deal || record.places.is_some();
                (self.show)(record);
            }
        }
    }
}

/// The players of a deal, and who judges their plays.
struct Players<'a, G> {
    /// By seat: the strategies.
    strategies: &'a mut [Box<dyn Strategy<G>>],
    /// The strategy that plays on for bots that have forfeited the deal.
    substitute: &'a mut dyn Strategy<G>,
    policy: FaultAction,
    /// The analysis that judges the plays, if that was asked for.
    analysis: Option<&'a mut Analysis>,
    /// The number by which bots outside of the process know the deal.
    deal: u64,
}

fn play<G: FullGame>(
    game: &G,
    seeds: &Seeds,
    number: u64,
    standing: &Standing,
    mut players: Players<'_, G>,
) -> (DealRecord, DealResult, bool) {
    let layout = game.layout();
    let name = |hand: Place| layout.hands[hand.index()];
    let setup = seeds.setup(game, number, standing);
    let id = seeds.deal_id(number, standing);
    let dealt = seeds.deal(game, id, setup);
    let mut streams = seeds.streams(id);
    let mut state = dealt;
    let mut moves = Vec::new();
    let mut faults = Vec::new();
    let mut forfeited = BySeat::<bool>::default();
    for seat in Seat::all(layout.seats) {
        let strategy = &mut players.strategies[seat.index()];
        if strategy.is_external() {
            strategy.deal_begins(&View::new(game, &dealt, standing, seat), players.deal);
        }
    }
    while !game.is_over(&state) {
        let seat = state.table.seat_to_move();
        let legal = game.legal(&state);
        let view = View::new(game, &state, standing, seat);
        let strategy =
            if forfeited[seat] { &mut *players.substitute } else { players.strategies[seat.index()].as_mut() };
        let chosen = match strategy.try_choose(&view, legal, &mut streams[seat]) {
            Ok(chosen) => chosen,
            Err(fault) => {
                faults.push((seat, fault.to_string()));
                if players.policy == FaultAction::ForfeitDeal {
                    forfeited[seat] = true;
                    (state, streams) = (dealt, seeds.streams(id));
                    moves.clear();
                    continue;
                }
                random::pick(legal, &mut streams[seat], Portable)
            }
        };
        moves.push(MoveRecord {
            seat,
            hand: name(state.table.hand_to_move()),
            text: game.move_text(&state, chosen).unwrap_or_default(),
            legal: legal.len(),
            given_away: players.analysis.as_mut().and_then(|analysis| analysis.given_away(game, &state, chosen)),
        });
        if let Err(error) = game.play(&mut state, chosen) {
            panic!("seat {} of deal {number} made an illegal move: {error}", seat.index());
        }
    }
    for seat in Seat::all(layout.seats) {
        let strategy = &mut players.strategies[seat.index()];
        if strategy.is_external() {
            strategy.deal_ends(DealEnd::of(game, &dealt, &state, seat, players.deal));
        }
    }
    let tricks = state.table.tricks().into_iter().map(|trick| TrickRecord {
        plays: trick.plays.iter().map(|play| (name(play.hand), play.card)).collect(),
        winner: name(trick.winner.expect("the deal is over")),
    });
    let in_play: Vec<Place> = state.table.circle().collect();
    let tricks_won = (game.hand_names().filter(|(_, hand)| in_play.contains(hand)))
        .map(|(name, hand)| (name, state.table.tricks_won(hand)));
    let mut deal_result = DealResult::of(game, &state);
    for seat in Seat::all(layout.seats).filter(|&seat| forfeited[seat]) {
        deal_result.scores[seat] = *game.score_range().start();
    }
    let record = DealRecord {
        variant: String::new(),
        rules: toml::Table::try_from(game.rules()).expect("rules are plain values"),
        seed: 0,
        game: (seeds.unit() == Unit::Match).then_some(number),
        deal: if seeds.unit() == Unit::Match { u64::from(standing.deals) } else { number },
        dealer: setup.dealer,
        seating: Vec::new(),
        last_deal: setup.last_deal,
        hands: game.hand_names().map(|(name, hand)| (name, game.dealt_hand(&dealt, hand))).collect(),
        table: game.asides(&dealt, &state),
        remarks: game.remarks(&dealt, if seeds.unit() == Unit::Match { u64::from(standing.deals) } else { number }),
        moves,
        tricks: tricks.collect(),
        contract: game.contract(&state),
        tricks_won: tricks_won.collect(),
        scores: deal_result.scores.of(layout.seats).to_vec(),
        reasons: (game.reasons(&state).into_iter().zip(Seat::all(layout.seats)))
            .map(|(reason, seat)| if forfeited[seat] { "forfeited the deal".to_owned() } else { reason })
            .collect(),
        faults,
        totals_before: standing.totals.of(layout.seats).to_vec(),
        totals_after: Vec::new(),
        places: None,
    };
    (record, deal_result, game.counts(&state))
}
