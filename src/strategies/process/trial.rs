//! A bot outside the process on trial: deals side by side with it in every seat.

use std::time::{Duration, Instant};

use super::Session;
use crate::cards::SeedSource;
use crate::game::{FullGame, Move, Setup, Standing, State, View};
use crate::protocol::{Asked, DealEnd, DealStart, Decision, Fault, Message};
use crate::table::Seat;

/// A trial's deals depend on this seed and their numbers alone, however many decisions go into a message.
const SEED: u64 = 1;

/// The deals of a game that bots are tried on, by number.
pub struct Trial<'a, G: FullGame> {
    game: &'a G,
    cards: SeedSource,
    seeds: SeedSource,
}

/// The results of a trial.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Played {
    /// By deal, in the order given: the moves made in it.
    pub moves: Vec<Vec<Move>>,
    /// By message: the number of its decisions, and the time until all were answered.
    pub waits: Vec<(usize, Duration)>,
    /// Illegal moves, each with the number of its deal and of the move; the first legal move was made instead.
    pub illegal: Vec<(u64, usize, Fault)>,
    /// The fault that ended the trial early; the session cannot be used any longer then.
    pub end: Option<Fault>,
}

impl Played {
    /// The number of decisions that were asked for.
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
    /// The view of the seat that is to decide.
    fn view<'v>(&'v self, game: &'v G, standing: &'v Standing) -> View<'v, G> {
        View::new(game, &self.state, standing, self.state.table.seat_to_move())
    }
}

impl<'a, G: FullGame> Trial<'a, G> {
    /// A trial under the name of the variant.
    pub fn new(game: &'a G, variant: &str) -> Trial<'a, G> {
        let rng = |purpose| SeedSource::new(SEED, purpose, variant);
        Trial { game, cards: rng("trial cards"), seeds: rng("trial seeds") }
    }

    fn deal(&self, number: u64) -> Course<G> {
        let dealer = Seat::new((number % self.game.layout().seats as u64) as usize);
        let setup = Setup { dealer, last_deal: number % 2 == 1 };
        let dealt = self.game.deal(setup, &mut self.cards.stream(number, 0));
        Course { number, dealt, state: dealt, moves: Vec::new() }
    }

    /// The seed of the next decision of a deal: the same whatever other deals are in flight.
    fn seed(&self, course: &Course<G>) -> u32 {
        let place = course.number << 8 | course.moves.len() as u64;
        self.seeds.stream(place, 0).next_u64() as u32
    }

    /// Tells the bot of the deal from each of its seats, if it wishes to know.
    fn tell(&self, session: &mut Session, mut message: impl FnMut(Seat) -> Message<'static>) {
        if session.hello().deals {
            Seat::all(self.game.layout().seats).for_each(|seat| session.tell_later(&message(seat)));
        }
    }

    /// Plays the deals of these numbers side by side, with up to `batch` decisions in a message. The bot has been told
    /// of the variant.
    pub fn play(&self, session: &mut Session, deals: impl IntoIterator<Item = u64>, batch: usize) -> Played {
        let standing = Standing::default();
        let mut courses: Vec<Course<G>> = deals.into_iter().map(|number| self.deal(number)).collect();
        for Course { number, dealt, .. } in &courses {
            let view = |seat| View::new(self.game, dealt, &standing, seat);
            self.tell(session, |seat| Message::Deal(DealStart::of(&view(seat), *number)));
        }
        let mut played = Played::default();
        let mut id = 0;
        'over: loop {
            let mut going: Vec<&mut Course<G>> =
                courses.iter_mut().filter(|course| !self.game.is_over(&course.state)).collect();
            if going.is_empty() {
                break;
            }
            for chunk in going.chunks_mut(batch) {
                let start = Instant::now();
                let decision = |(course, id): (&&mut Course<G>, u64)| {
                    Decision::of(
                        &course.view(self.game, &standing),
                        self.game.legal(&course.state),
                        id,
                        course.number,
                        self.seed(course),
                    )
                };
                let mut asked = Asked::new(chunk.iter().zip(id..).map(decision).collect());
                id += chunk.len() as u64;
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
                    let Course { number, dealt, state, .. } = &**course;
                    if self.game.is_over(state) {
                        self.tell(session, |seat| Message::End(DealEnd::of(self.game, dealt, state, seat, *number)));
                    }
                }
            }
        }
        played.moves = courses.into_iter().map(|course| course.moves).collect();
        played
    }
}
