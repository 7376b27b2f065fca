//! Plays a deal to its end from any point, with or without a bot that shadows another.

use overtrick_cards::Stream;
use overtrick_cards::select::Portable;
use overtrick_cards::table::{BySeat, Seat};
use overtrick_game::{Game, Move, Standing, State, View};
use overtrick_games::{OpenGame, OpenPublic};
use overtrick_strategy::ids::BotId;
use overtrick_strategy::pick;
use overtrick_strategy::protocol::{DealEnd, DealKey};
use overtrick_strategy::{Batch, Notes, Pending, Strategy};

use super::forfeit::forfeit;
use super::situation::{Situation, situation};
use crate::Seeds;

/// A deal and the bots that play it.
#[derive(Clone, Copy)]
pub(super) struct Sitting<'a> {
    pub number: u64,
    /// The deal before the first move.
    pub dealt: &'a State<OpenPublic>,
    /// By seat: its bot.
    pub bots: BySeat<BotId>,
}

impl Sitting<'_> {
    /// Returns the same deal with another bot in all seats of a bot.
    pub fn with(&self, [one, other]: [BotId; 2]) -> Self {
        Sitting { bots: self.bots.map(|bot| if bot == one { other } else { bot }), ..*self }
    }
}

/// A finished game.
pub(super) struct Played {
    /// The moves since the point from which it was played.
    pub moves: Vec<Move>,
    pub scores: BySeat<i32>,
    /// The kind of its contract, as an index.
    pub contract: Option<u8>,
}

/// A game played while a bot shadowed another.
pub(super) struct Shadowed {
    pub played: Played,
    /// In the order of the deal.
    pub differences: Vec<Difference>,
    /// The number of decisions at which the shadow was asked.
    pub decisions: u64,
}

/// A decision at which the shadow would have chosen differently.
pub(super) struct Difference {
    /// The index of the move.
    pub at: usize,
    pub would: Move,
    pub situation: Situation,
    /// The position after the shadow's choice, from which the shadow can play on.
    pub after: Point,
}

/// A point of a deal from which it can be played to its end.
#[derive(Clone)]
pub(super) struct Point {
    state: State<OpenPublic>,
    streams: BySeat<Stream>,
    /// By seat: whether its bot has forfeited the deal.
    forfeited: BySeat<bool>,
}

/// A bot that shadows another while a deal is played.
struct ShadowBot {
    bot: BotId,
    /// By seat: whether the shadowed bot sits there.
    seats: BySeat<bool>,
    /// The key by which it knows the deal.
    key: DealKey,
    /// Separate random streams, so that asking it does not change the game.
    streams: BySeat<Stream>,
    differences: Vec<Difference>,
    decisions: u64,
}

impl ShadowBot {
    /// Forgets the deal, which starts again with these streams.
    fn begin_again(&mut self, streams: &BySeat<Stream>) {
        self.streams = streams.clone();
        self.differences.clear();
        self.decisions = 0;
    }
}

struct Asked {
    /// The index of the move.
    at: usize,
    /// The choice of the bot to move.
    chosen: Move,
    /// By seat: whether its bot has forfeited the deal.
    forfeited: BySeat<bool>,
}

/// The bots of a thread, and the game that they play.
pub(super) struct Bots<'a> {
    pub game: &'a OpenGame,
    pub seeds: &'a Seeds,
    pub seats: usize,
    /// Whether a bot with a fault forfeits the deal.
    pub forfeits: bool,
    /// By bot; after the last, the substitute for bots that forfeit a deal.
    pub strategies: Vec<Box<dyn Strategy<OpenGame>>>,
    pub faults: u64,
}

impl Bots<'_> {
    /// Returns the beginning of a deal.
    pub fn beginning(&self, sitting: &Sitting) -> Point {
        Point { state: *sitting.dealt, streams: self.seeds.streams(sitting.number), forfeited: BySeat::default() }
    }

    /// Plays a deal from a point to its end.
    pub fn play(&mut self, sitting: &Sitting, from: Point) -> Played {
        self.play_on(sitting, from, None).played
    }

    /// Plays a deal from its beginning, and asks the second bot at every decision of the first, too.
    pub fn play_shadowed(&mut self, sitting: &Sitting, [one, other]: [BotId; 2]) -> Shadowed {
        let from = self.beginning(sitting);
        let shadow = ShadowBot {
            bot: other,
            seats: sitting.bots.map(|bot| bot == one),
            key: self.key(&sitting.with([one, other])),
            streams: from.streams.clone(),
            differences: Vec::new(),
            decisions: 0,
        };
        self.play_on(sitting, from, Some(shadow))
    }

    /// Plays a deal from a point to its end, and asks the shadow if there is one.
    fn play_on(&mut self, sitting: &Sitting, from: Point, mut shadow: Option<ShadowBot>) -> Shadowed {
        let key = self.key(sitting);
        let mut deal = Pending::new(from.state, Standing::default(), from.streams, sitting.bots);
        let (mut moves, mut forfeited) = (Vec::with_capacity(64), from.forfeited);
        for seat in Seat::all(self.seats) {
            self.begins(sitting.bots[seat], sitting.dealt, seat, key);
            if let Some(shadow) = shadow.as_ref().filter(|shadow| shadow.seats[seat]) {
                self.begins(shadow.bot, sitting.dealt, seat, shadow.key);
            }
        }
        while self.prepare_decision(&mut deal) {
            let Some(chosen) = self.choose(&mut deal, &forfeited, key) else {
                forfeited[deal.seat] = true;
                deal.state = *sitting.dealt;
                deal.streams = self.seeds.streams(sitting.number);
                moves.clear();
                if let Some(shadow) = &mut shadow {
                    shadow.begin_again(&deal.streams);
                }
                continue;
            };
            if let Some(shadow) = shadow.as_mut().filter(|shadow| shadow.seats[deal.seat] && !forfeited[deal.seat]) {
                self.ask_shadow(&mut deal, shadow, Asked { at: moves.len(), chosen, forfeited });
            }
            self.make(&mut deal, chosen, sitting);
            moves.push(chosen);
        }
        for seat in Seat::all(self.seats) {
            self.ends(sitting.bots[seat], sitting.dealt, &deal.state, seat, key);
            if let Some(shadow) = shadow.as_ref().filter(|shadow| shadow.seats[seat]) {
                self.ends(shadow.bot, sitting.dealt, &deal.state, seat, shadow.key);
            }
        }
        let played = self.played(&deal, moves, &forfeited);
        let (differences, decisions) = shadow.map_or((Vec::new(), 0), |shadow| (shadow.differences, shadow.decisions));
        Shadowed { played, differences, decisions }
    }

    /// Returns the key by which external bots know a deal.
    fn key(&self, sitting: &Sitting) -> DealKey {
        self.seeds.deal_key(sitting.number, &Standing::default(), sitting.bots)
    }

    /// Prepares the next decision. Returns false if the deal is over.
    fn prepare_decision(&self, deal: &mut Pending<OpenGame>) -> bool {
        if self.game.is_over(&deal.state) {
            return false;
        }
        deal.legal = self.game.legal(&deal.state);
        deal.seat = deal.state.table.seat_to_move();
        true
    }

    /// Returns the choice of the bot to move; `None` after a fault that forfeits the deal.
    fn choose(&mut self, deal: &mut Pending<OpenGame>, forfeited: &BySeat<bool>, key: DealKey) -> Option<Move> {
        let bot = if forfeited[deal.seat] { self.strategies.len() - 1 } else { deal.bots[deal.seat].index() };
        let chosen = self.ask(bot, deal, key);
        if chosen.is_some() || self.forfeits {
            return chosen;
        }
        Some(pick(deal.legal, &mut deal.streams[deal.seat], Portable))
    }

    /// Asks the shadow of the bot to move, with separate random streams, and notes a different choice.
    fn ask_shadow(&mut self, deal: &mut Pending<OpenGame>, shadow: &mut ShadowBot, asked: Asked) {
        let Asked { at, chosen, forfeited } = asked;
        shadow.decisions += 1;
        std::mem::swap(&mut deal.streams, &mut shadow.streams);
        let answer = self.ask(shadow.bot.index(), deal, shadow.key);
        let would = answer.unwrap_or_else(|| pick(deal.legal, &mut deal.streams[deal.seat], Portable));
        std::mem::swap(&mut deal.streams, &mut shadow.streams);
        if would == chosen {
            return;
        }
        let situation = situation(self.game, &deal.state, chosen, would);
        let mut state = deal.state;
        self.game.play_unchecked(&mut state, would);
        let stream = |seat: Seat| if shadow.seats[seat] { &shadow.streams[seat] } else { &deal.streams[seat] };
        let after = Point { state, streams: BySeat::from_fn(|seat| stream(seat).clone()), forfeited };
        shadow.differences.push(Difference { at, would, situation, after });
    }

    /// Returns the choice of a strategy; `None` after a fault. External bots know the deal by `key`.
    fn ask(&mut self, strategy: usize, deal: &mut Pending<OpenGame>, key: DealKey) -> Option<Move> {
        let mut notes = Notes::default();
        deal.answer = Move::NONE;
        let keys = [key];
        let mut batch = Batch::new(self.game, std::slice::from_mut(deal), &[0], &keys, &mut notes);
        self.strategies[strategy].choose_many(&mut batch);
        let answer = Some(deal.answer).filter(|&answer| answer != Move::NONE);
        self.faults += u64::from(answer.is_none());
        answer
    }

    fn make(&self, deal: &mut Pending<OpenGame>, chosen: Move, sitting: &Sitting) {
        if let Err(error) = self.game.play(&mut deal.state, chosen) {
            panic!("seat {} of deal {} made an illegal move: {error}", deal.seat.index(), sitting.number);
        }
    }

    /// Makes the finished game, in which bots that forfeited get the lowest score.
    fn played(&self, deal: &Pending<OpenGame>, moves: Vec<Move>, forfeited: &BySeat<bool>) -> Played {
        let mut scores = self.game.scores(&deal.state);
        forfeit(self.game, *forfeited, &mut scores);
        Played { moves, scores, contract: self.game.contract_result(&deal.state).map(|result| result.kind) }
    }

    /// Announces a deal to an external bot.
    fn begins(&mut self, bot: BotId, dealt: &State<OpenPublic>, seat: Seat, key: DealKey) {
        if let Some(bot) = self.strategies[bot.index()].external() {
            bot.deal_begins(&View::new(self.game, dealt, &Standing::default(), seat), key);
        }
    }

    /// Reports the end of a deal to an external bot.
    fn ends(&mut self, bot: BotId, dealt: &State<OpenPublic>, over: &State<OpenPublic>, seat: Seat, key: DealKey) {
        if let Some(bot) = self.strategies[bot.index()].external() {
            bot.deal_ends(DealEnd::of(self.game, dealt, over, seat, key.id(seat)));
        }
    }
}
