//! A bot outside the process on trial: deals side by side with it in every seat.

use std::time::{Duration, Instant};

use overtrick_cards::SeedSource;
use overtrick_cards::table::Seat;
use overtrick_game::{FullGame, Move, Setup, Standing, State, View};
use overtrick_strategy::protocol::{Asked, DealEnd, DealKey, DealStart, Fault, Message};

use super::Session;

/// A trial's deals depend on this seed and their numbers alone, however many decisions go into a message.
const SEED: u64 = 1;

/// The deals of a game that bots are tried on, by number.
pub struct Trial<'a, G: FullGame> {
    game: &'a G,
    cards: SeedSource,
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
    /// The key of what the bot is told of the deal.
    fn key(&self) -> DealKey {
        DealKey::of([SEED as u8; 16], &[self.number])
    }

    /// The view of the seat that is to decide.
    fn view<'v>(&'v self, game: &'v G, standing: &'v Standing) -> View<'v, G> {
        View::new(game, &self.state, standing, self.state.table.seat_to_move())
    }
}

impl<'a, G: FullGame> Trial<'a, G> {
    /// A trial under the name of the variant.
    pub fn new(game: &'a G, variant: &str) -> Trial<'a, G> {
        Trial { game, cards: SeedSource::new(SEED, "trial cards", variant) }
    }

    fn deal(&self, number: u64) -> Course<G> {
        let dealer = Seat::new((number % self.game.layout().seats as u64) as usize);
        let setup = Setup { dealer, last_deal: number % 2 == 1 };
        let dealt = self.game.deal(setup, &mut self.cards.stream(number, 0));
        Course { number, dealt, state: dealt, moves: Vec::new() }
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
