//! A trial of an external bot, which plays several deals in parallel, in every seat.

use std::time::{Duration, Instant};

use overtrick_cards::SeedSource;
use overtrick_cards::table::Seat;
use overtrick_game::{FullGame, Move, Setup, Standing, State, View};
use overtrick_strategy::protocol::{Asked, DealEnd, DealKey, DealStart, Fault, Message};

use super::Session;

/// The seed of all trials. Deals depend on it and their numbers alone, not on the size of messages.
const SEED: u64 = 1;

/// The deals of a game on which bots are tried, by number.
pub struct Trial<'a, G: FullGame> {
    game: &'a G,
    cards: SeedSource,
}

/// The results of a trial.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Played {
    /// The moves made in each deal, in the order given.
    pub moves: Vec<Vec<Move>>,
    /// The number of decisions in each message, and the time until all were answered.
    pub waits: Vec<(usize, Duration)>,
    /// Illegal moves, each with the numbers of its deal and of the move. The first legal move was made instead.
    pub illegal: Vec<(u64, usize, Fault)>,
    /// The fault that ended the trial early. The session cannot be used any longer then.
    pub end: Option<Fault>,
}

impl Played {
    /// Returns the number of decisions that were asked for.
    pub fn decisions(&self) -> usize {
        self.waits.iter().map(|(count, _)| count).sum()
    }
}

/// A deal on trial.
struct Course<G: FullGame> {
    number: u64,
    dealt: State<G::Public>,
    state: State<G::Public>,
    moves: Vec<Move>,
}

impl<G: FullGame> Course<G> {
    /// Returns the key from which the bot's numbers for the deal follow.
    fn key(&self) -> DealKey {
        DealKey::of([SEED as u8; 16], &[self.number])
    }

    /// Returns the view of the seat that decides.
    fn view<'v>(&'v self, game: &'v G, standing: &'v Standing) -> View<'v, G> {
        View::new(game, &self.state, standing, self.state.table.seat_to_move())
    }
}

impl<'a, G: FullGame> Trial<'a, G> {
    /// Returns a trial in a game. The cards follow from the name of the variant.
    pub fn new(game: &'a G, variant: &str) -> Trial<'a, G> {
        Trial { game, cards: SeedSource::new(SEED, "trial cards", variant) }
    }

    fn deal(&self, number: u64) -> Course<G> {
        let setup = Setup::single(self.game, number, number % 2 == 1);
        let dealt = self.game.deal(setup, &mut self.cards.stream(number, 0));
        Course { number, dealt, state: dealt, moves: Vec::new() }
    }

    /// Queues a message for each of the bot's seats, if the bot wants messages about deals.
    fn tell(&self, session: &mut Session, mut message: impl FnMut(Seat) -> Message<'static>) {
        if session.hello().deals {
            Seat::all(self.game.layout().seats).for_each(|seat| session.tell_later(&message(seat)));
        }
    }

    /// Plays the deals with these numbers in parallel, with up to `batch` decisions in a message.
    ///
    /// The bot must know the variant.
    pub fn play(&self, session: &mut Session, deals: impl IntoIterator<Item = u64>, batch: usize) -> Played {
        let standing = Standing::default();
        let mut courses: Vec<Course<G>> = deals.into_iter().map(|number| self.deal(number)).collect();
        for course in &courses {
            let (view, key) = (|seat| View::new(self.game, &course.dealt, &standing, seat), course.key());
            self.tell(session, |seat| Message::Deal(DealStart::of(&view(seat), key.id(seat))));
        }
        let mut played = Played::default();
        let (mut id, mut asked) = (0, Asked::default());
        'over: loop {
            let mut going: Vec<&mut Course<G>> =
                courses.iter_mut().filter(|course| !self.game.is_over(&course.state)).collect();
            if going.is_empty() {
                break;
            }
            for chunk in going.chunks_mut(batch) {
                let start = Instant::now();
                asked.begin(id);
                id += chunk.len() as u64;
                for course in chunk.iter() {
                    let (view, key) = (course.view(self.game, &standing), course.key());
                    let (deal, seed) = (key.id(view.seat()), key.seed(view.seat(), view.step()));
                    asked.add(&view, self.game.legal(&course.state), deal, seed);
                }
                let answered = session.ask(&mut asked);
                played.waits.push((chunk.len(), start.elapsed()));
                if let Err(fault) = answered {
                    played.end = Some(fault);
                    break 'over;
                }
                for (nth, course) in chunk.iter_mut().enumerate() {
                    let legal = self.game.legal(&course.state);
                    let chosen =
                        asked.chosen(nth, &course.view(self.game, &standing), legal).expect("no answer is missing");
                    let chosen = chosen.unwrap_or_else(|fault| {
                        played.illegal.push((course.number, course.moves.len(), fault));
                        legal.iter().next().expect("a deal that goes on has a legal move")
                    });
                    self.game.play_unchecked(&mut course.state, chosen);
                    course.moves.push(chosen);
                    let (key, Course { dealt, state, .. }) = (course.key(), &**course);
                    if self.game.is_over(state) {
                        self.tell(session, |seat| {
                            Message::End(DealEnd::of(self.game, dealt, state, seat, key.id(seat)))
                        });
                    }
                }
            }
        }
        played.moves = courses.into_iter().map(|course| course.moves).collect();
        played
    }
}
