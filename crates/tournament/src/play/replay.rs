//! Plays a deal or a match again, and records everything in it.

use std::ops::Range;

use overtrick_cards::select::Portable;
use overtrick_cards::table::{BySeat, Seat};
use overtrick_external::BuildContext;
use overtrick_game::{DealResult, FullGame, Game, Standing};
use overtrick_games::{OpenGame, Variant};
use overtrick_strategies::Bot;
use overtrick_strategy::Strategy;
use overtrick_strategy::ids::BotId;
use overtrick_strategy::pick;
use overtrick_strategy::protocol::DealKey;

use super::analysis::Analysis;
use super::recording::{DealRecord, Heading, Recording};
use super::roster::substitute;
use crate::{FaultAction, Seeds, Tournament, Unit};

/// Plays one deal of a variant, or a whole match in a tournament of matches, with `bots` by seat.
///
/// The deals are those that the tournament plays. With `analyse`, each play gets a double-dummy analysis.
pub fn replay(tournament: &Tournament, variant: usize, number: u64, bots: &[Bot], analyse: bool) -> Vec<DealRecord> {
    let mut records = Vec::new();
    replay_each(tournament, variant, number..number + 1, bots, analyse, &mut |record| records.push(record));
    records
}

/// Replays all deals or matches with these `numbers` as [`replay`] does. Calls `show` with each deal as soon
/// as it is over.
///
/// The bots are built only once.
pub fn replay_each(
    tournament: &Tournament,
    variant: usize,
    numbers: Range<u64>,
    bots: &[Bot],
    analyse: bool,
    show: &mut dyn FnMut(DealRecord),
) {
    let (variant, game) = tournament.variants[variant].erased();
    Replay { tournament, variant, numbers, bots, analyse, show }.play(&game);
}

struct Replay<'a> {
    tournament: &'a Tournament,
    /// The variant, with its game type-erased.
    variant: Variant,
    numbers: Range<u64>,
    bots: &'a [Bot],
    analyse: bool,
    show: &'a mut dyn FnMut(DealRecord),
}

impl Replay<'_> {
    fn play(self, game: &OpenGame) {
        let Tournament { unit, faults, .. } = self.tournament;
        let luck = self.tournament.luck();
        let name = &self.variant.name;
        let seeds = Seeds::new(luck, name, game, *unit);
        let context = BuildContext::of(&self.variant);
        let build = |bot: &Bot| bot.spec.build(&context).expect("the config checked that every bot plays every game");
        let mut strategies: Vec<Box<dyn Strategy<OpenGame>>> = self.bots.iter().map(build).collect();
        let mut substitute = substitute(&self.variant);
        let mut analysis = self.analyse.then(Analysis::new);
        let mut bots = BySeat::default();
        for (seat, bot) in Seat::ALL.into_iter().zip(self.bots) {
            let known = self.tournament.bots.iter().position(|known| known.name == bot.name);
            bots[seat] = known.map_or(BotId::LAST, BotId::new);
        }
        let seating: Vec<String> = self.bots.iter().map(|bot| bot.name.clone()).collect();
        let heading = Heading { variant: name, luck, seating: &seating };
        for number in self.numbers {
            let mut standing = Standing::default();
            let mut over = false;
            while !over {
                let players = Players {
                    strategies: &mut strategies,
                    substitute: substitute.as_mut(),
                    policy: faults.policy,
                    analysis: analysis.as_mut(),
                    key: seeds.deal_key(number, &standing, bots),
                };
                let recording = Recording::new(game, &seeds, number, &standing);
                let (mut record, deal_result, counts) = play(recording, &seeds, heading, players);
                standing.add(&deal_result.scores, counts);
                let places = match unit {
                    Unit::Deal => None,
                    Unit::Match => game.ending().places(&standing, &deal_result, game.layout().teams()),
                };
                record.places = places.map(|places| places.of(self.bots.len()).to_vec());
                over = *unit == Unit::Deal || record.places.is_some();
                (self.show)(record);
            }
        }
    }
}

/// The players of a deal, and the analysis of their plays.
struct Players<'a, G> {
    /// By seat: the strategies.
    strategies: &'a mut [Box<dyn Strategy<G>>],
    /// The strategy that plays on for bots that have forfeited the deal.
    substitute: &'a mut dyn Strategy<G>,
    policy: FaultAction,
    /// The analysis of the plays, if it is wanted.
    analysis: Option<&'a mut Analysis>,
    /// The key that external bots get for the deal.
    key: DealKey,
}

fn play<G: FullGame>(
    mut recording: Recording<'_, G>,
    seeds: &Seeds,
    heading: Heading<'_>,
    mut players: Players<'_, G>,
) -> (DealRecord, DealResult, bool) {
    let mut streams = seeds.streams(recording.id());
    let mut faults = Vec::new();
    let mut forfeited = BySeat::<bool>::default();
    for (seat, strategy) in Seat::ALL.into_iter().zip(players.strategies.iter_mut()) {
        recording.begins(seat, strategy.as_mut(), players.key);
    }
    while !recording.is_over() {
        let (seat, legal) = recording.question();
        let view = recording.view(seat);
        let strategy =
            if forfeited[seat] { &mut *players.substitute } else { players.strategies[seat.index()].as_mut() };
        let chosen = match strategy.try_choose(&view, legal, &mut streams[seat]) {
            Ok(chosen) => chosen,
            Err(fault) => {
                faults.push((seat, fault.to_string()));
                if players.policy == FaultAction::ForfeitDeal {
                    forfeited[seat] = true;
                    streams = seeds.streams(recording.id());
                    recording.restart();
                    continue;
                }
                pick(legal, &mut streams[seat], Portable)
            }
        };
        if let Err(error) = recording.make(chosen, players.analysis.as_deref_mut()) {
            panic!("seat {} of deal {} made an illegal move: {error}", seat.index(), recording.id());
        }
    }
    for (seat, strategy) in Seat::ALL.into_iter().zip(players.strategies.iter_mut()) {
        recording.ends(seat, strategy.as_mut(), players.key);
    }
    recording.finish(heading, faults, forfeited)
}
