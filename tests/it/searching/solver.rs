//! The solver against plain minimax, which plays every card that may be played and remembers nothing: in deals of every
//! variant that are played at random to their last few tricks, and in positions that no game has.

use std::path::Path;
use std::sync::Arc;

use crate::fixtures::{each_variant, stream};
use overtrick::cards::{Card, CardSet, Deck, Order, Stream, Suit};
use overtrick::game::{FullGame, Game, Move, Setup, State};
use overtrick::games::euchre::{Euchre, EuchreRules};
use overtrick::games::whist::{DummyWhist, WhistRules};
use overtrick::games::{Variant, Visitor};
use overtrick::search::solver::{Position, PositionError, Ranking, Solver};
use overtrick::table::Seat;
use overtrick::toml_source::Source;

const MEMORY: usize = 1 << 20;

/// The tricks that `side` wins on the whole when both sides play as well as can be; `fewest`: it wants few.
fn minimax<G: FullGame>(game: &G, state: &State<G::Public>, side: Seat, fewest: bool) -> u8 {
    if game.is_over(state) {
        return won(state, side);
    }
    let values = values(game, state, side, fewest).into_iter().map(|(_, value)| value);
    let own = state.table.seat_to_move() == side;
    if own == fewest { values.min().unwrap() } else { values.max().unwrap() }
}

fn values<G: FullGame>(game: &G, state: &State<G::Public>, side: Seat, fewest: bool) -> Vec<(Card, u8)> {
    let value = |chosen: Move| {
        let mut next = *state;
        game.play_unchecked(&mut next, chosen);
        (chosen.to_card(), minimax(game, &next, side, fewest))
    };
    game.legal(state).iter().map(value).collect()
}

/// The tricks won by the hands that a seat plays.
fn won<P>(state: &State<P>, side: Seat) -> u8 {
    let table = &state.table;
    table.circle().filter(|&hand| table.decider(hand) == side).map(|hand| table.tricks_won(hand)).sum()
}

/// Plays a deal at random until `left` cards are left to be played, or to its end.
fn play_down<G: FullGame>(game: &G, rng: &mut Stream, left: usize) -> State<G::Public> {
    let seats = game.layout().seats as u64;
    let setup = Setup {
        dealer: Seat::new(rng.random_below(seats) as usize),
        last_deal: rng.random_below(4) == 0,
        ..Setup::default()
    };
    let mut state = game.deal(setup, rng);
    loop {
        let table = &state.table;
        let cards: u32 = table.circle().map(|hand| table.at(hand).len()).sum();
        if game.is_over(&state) || game.order(&state).is_some() && cards as usize <= left {
            return state;
        }
        let legal: Vec<Move> = game.legal(&state).iter().collect();
        // Calls are made in a hurry, so that many kinds of contracts come up.
        let chosen = legal[rng.random_below(legal.len() as u64) as usize];
        game.play_unchecked(&mut state, chosen);
    }
}

struct Endgames<'a> {
    name: &'a str,
    deals: u64,
}

impl Visitor for Endgames<'_> {
    /// How many endgames there were.
    type Output = u64;

    fn visit<G: FullGame>(self, game: &Arc<G>) -> u64 {
        let game = game.as_ref();
        let mut solver = Solver::new(MEMORY);
        let mut checked = 0;
        for number in 0..self.deals {
            let mut rng = stream(self.name, number);
            let seats = game.layout().seats as u64;
            let left = 1 + rng.random_below(12) as usize;
            let state = play_down(game, &mut rng, left);
            if game.is_over(&state) {
                continue;
            }
            let order = game.order(&state).unwrap();
            let Some(ranking) = Ranking::of(order, game.anytime(&state.public)) else { continue };
            let (side, fewest) = (Seat::new(rng.random_below(seats) as usize), rng.random_below(3) == 0);
            let table = &state.table;
            let mut position = Position::of(table, &ranking, |hand| table.decider(hand) == side);
            if fewest {
                position = position.to_lose();
            }
            let already = won(&state, side);
            let expected: Vec<(Card, u8)> =
                values(game, &state, side, fewest).into_iter().map(|(card, value)| (card, value - already)).collect();
            let own = table.seat_to_move() == side;
            let values = expected.iter().map(|&(_, value)| value);
            let best = if own == fewest { values.min() } else { values.max() }.unwrap();
            let about = format!("{} {number}: {:?} {side:?} fewest {fewest}", self.name, table.tricks());
            for solver in [&mut solver, &mut Solver::new(MEMORY)] {
                assert_eq!(solver.moves(&position), expected, "{about}");
                assert_eq!(solver.tricks(&position), best, "{about}");
            }
            checked += 1;
        }
        checked
    }
}

/// Checks endgames of this many deals of each variant, of which more than `least` must come to an endgame.
fn check_endgames(deals: u64, least: u64) {
    let mut without = Vec::new();
    let mut check = |variant: &Variant| {
        let checked = variant.game.visit(Endgames { name: &variant.name, deals });
        if checked == 0 { without.push(variant.name.clone()) } else { assert!(checked > least, "{}", variant.name) }
    };
    each_variant(&mut check);
    let rules = "name = \"anytime\"\nbase = \"dummy-whist-jokers\"\n[rules]\nnt-joker-play = \"any-time\"";
    let source = Source::parse(Path::new("anytime.toml"), rules.to_owned()).unwrap();
    check(&Variant::from_table(&source, &[], source.table()).unwrap());
    // Trumps that depend on the rank led, and the highest card of any suit.
    let other = |name: &String| name == "dumbo" || name.starts_with("colour-blind");
    assert!(without.len() == 6 && without.iter().all(other), "{without:?}");
}

#[test]
fn a_few_endgames_of_every_variant() {
    check_endgames(24, 8);
}

#[test]
#[ignore = "long: endgames of 120 deals of every variant"]
fn endgames_of_every_variant() {
    check_endgames(120, 80);
}

/// A position that no game has, and plain minimax of it.
#[derive(Clone)]
struct Plain<'a> {
    order: &'a Order,
    anytime: CardSet,
    hands: Vec<(CardSet, bool)>,
    fewest: bool,
    leader: usize,
    trick: Vec<Card>,
}

impl Plain<'_> {
    fn turn(&self) -> usize {
        (self.leader + self.trick.len()) % self.hands.len()
    }

    /// The cards that may be played.
    fn legal(&self) -> Vec<Card> {
        let hand = self.hands[self.turn()].0;
        // The first card that sets a suit.
        let led = self.trick.iter().map(|&card| self.order.follow(card)).find(|suit| !suit.is_empty());
        let must = led.is_some_and(|suit| !hand.is_disjoint(suit));
        hand.iter().filter(|&card| !must || (led.unwrap() | self.anytime).contains(card)).collect()
    }

    /// Plays a card; how many tricks that wins for the side.
    fn play(&mut self, card: Card) -> u8 {
        let turn = self.turn();
        self.hands[turn].0 -= CardSet::of(card);
        self.trick.push(card);
        let count = self.hands.len();
        if self.trick.len() < count {
            return 0;
        }
        let led = self.trick.iter().copied().find(|&card| !self.order.follow(card).is_empty()).unwrap_or(card);
        let strength = |step: &usize| self.order.strength(led, self.trick[*step]);
        let winner = (self.leader + (0..count).max_by_key(strength).unwrap()) % count;
        self.leader = winner;
        self.trick.clear();
        u8::from(self.hands[winner].1)
    }

    fn values(&self) -> Vec<(Card, u8)> {
        let value = |card| {
            let mut next = self.clone();
            let won = next.play(card);
            (card, won + next.value())
        };
        self.legal().into_iter().map(value).collect()
    }

    fn value(&self) -> u8 {
        let values = self.values().into_iter().map(|(_, value)| value);
        let own = self.hands[self.turn()].1;
        (if own == self.fewest { values.min() } else { values.max() }).unwrap_or(0)
    }
}

fn shuffle(pack: &mut [Card], pick: &mut impl FnMut(usize) -> usize) {
    for last in (1..pack.len()).rev() {
        pack.swap(last, pick(last + 1));
    }
}

/// The games whose orders of cards the positions have.
struct Orders {
    whist: DummyWhist,
    euchre: Euchre,
}

impl Orders {
    fn new() -> Orders {
        Orders {
            whist: DummyWhist::new(WhistRules::default()).unwrap(),
            euchre: Euchre::new(EuchreRules::default()).unwrap(),
        }
    }

    /// A random position: two to four hands of a few cards each, after some cards of a trick.
    fn position(&self, pick: &mut impl FnMut(usize) -> usize) -> Plain<'_> {
        let trump = [None, Some(Suit::Clubs), Some(Suit::Diamonds), Some(Suit::Hearts), Some(Suit::Spades)][pick(5)];
        let order = match trump {
            Some(trump) if pick(3) == 0 => self.euchre.order_of(trump),
            _ => self.whist.order_of(trump, pick(2) == 0),
        };
        let count = 2 + pick(3);
        let each = 1 + pick([5, 4, 3][count - 2]);
        // Few suits make many decisions.
        let deck = match pick(3) {
            0 => CardSet::suit(Suit::Spades) | CardSet::suit(Suit::Hearts),
            1 => Deck::Short24.cards(),
            _ => Deck::Full52.cards(),
        };
        let jokers = if order.follow("AS".parse().unwrap()).contains("JC".parse().unwrap()) || pick(2) == 0 {
            CardSet::EMPTY
        } else {
            CardSet::JOKERS
        };
        let anytime = if trump.is_none() && pick(2) == 0 { CardSet::JOKERS } else { CardSet::EMPTY };
        let mut pack: Vec<Card> = deck.iter().collect();
        shuffle(&mut pack, pick);
        // Jokers come in often if there are any.
        pack.truncate(count * each + 2);
        for (card, joker) in pack.iter_mut().zip(jokers.iter()) {
            *card = joker;
        }
        shuffle(&mut pack, pick);
        let hands = (0..count).map(|hand| (pack[hand * each..][..each].iter().copied().collect(), pick(2) == 0));
        let hands = hands.collect();
        let (fewest, leader) = (pick(3) == 0, pick(count));
        let mut plain = Plain { order, anytime, hands, fewest, leader, trick: Vec::new() };
        for _ in 0..pick(count) {
            let legal = plain.legal();
            plain.play(legal[pick(legal.len())]);
        }
        plain
    }
}

/// Compares the solver with plain minimax in the first `count` positions.
fn check_positions(count: u64) {
    let orders = Orders::new();
    let mut solver = Solver::new(MEMORY);
    for number in 0..count {
        let mut rng = stream("positions", number);
        let plain = orders.position(&mut |below: usize| rng.random_below(below as u64) as usize);
        let ranking = Ranking::of(plain.order, plain.anytime).unwrap();
        let mut position = Position::new(&plain.hands, plain.leader, &plain.trick, &ranking).unwrap();
        if plain.fewest {
            position = position.to_lose();
        }
        let about =
            format!("{number}: {:?} led by {} after {:?}, {:?}", plain.hands, plain.leader, plain.trick, plain.fewest);
        let (values, value) = (plain.values(), plain.value());
        // The position is worth what its best cards are; the one asked about is given if it is among them.
        let best: Vec<Card> = values.iter().filter(|&&(_, tricks)| tricks == value).map(|&(card, _)| card).collect();
        for solver in [&mut solver, &mut Solver::new(MEMORY)] {
            assert_eq!(solver.moves(&position), values, "{about}");
            assert_eq!(solver.tricks(&position), value, "{about}");
            assert_eq!(solver.best_within(&position, None, u64::MAX), best.first().copied(), "{about}");
            for card in plain.legal() {
                let wanted = if best.contains(&card) { Some(card) } else { best.first().copied() };
                assert_eq!(solver.best_within(&position, Some(card), u64::MAX), wanted, "{about}, asked about {card}");
            }
        }
    }
}

#[test]
fn a_sample_of_positions_under_every_kind_of_order() {
    check_positions(300);
}

#[test]
#[ignore = "long: 4,000 positions by plain minimax"]
fn positions_of_two_to_four_hands_under_every_kind_of_order() {
    check_positions(4000);
}

fn whist_order() -> Order {
    DummyWhist::new(WhistRules::default()).unwrap().order_of(None, false).clone()
}

#[test]
fn hands_that_make_no_position_are_refused() {
    let ranking = Ranking::of(&whist_order(), CardSet::EMPTY).unwrap();
    let card = |text: &str| text.parse::<Card>().unwrap();
    let hands = |texts: &[&str]| texts.iter().map(|text| (text.parse().unwrap(), true)).collect::<Vec<_>>();
    let problem = |texts: &[&str], trick: &[&str]| {
        let trick: Vec<Card> = trick.iter().map(|text| card(text)).collect();
        Position::new(&hands(texts), 0, &trick, &ranking).map(|_| ()).unwrap_err()
    };
    assert_eq!(problem(&["AS"], &[]), PositionError::Hands(1));
    assert_eq!(problem(&["AS"; 5], &[]), PositionError::Hands(5));
    assert_eq!(problem(&["AS KS", "AS QS"], &[]), PositionError::Twice(card("AS")));
    assert_eq!(problem(&["AS KS", "QS JS"], &["AS"]), PositionError::Twice(card("AS")));
    assert_eq!(problem(&["AS KS", "QS"], &[]), PositionError::Uneven { hand: 1, cards: 1, due: 2, leaders: 2 });
    assert_eq!(problem(&["KS", "QS"], &["AS"]), PositionError::Uneven { hand: 1, cards: 1, due: 2, leaders: 2 });
    assert_eq!(problem(&["KS", "QS"], &["AS", "2S"]), PositionError::TrickOver(2));
    let reneged = PositionError::Reneged { hand: 1, card: card("2D") };
    assert_eq!(problem(&["KS", "QS", "2H 3H"], &["AS", "2D"]), reneged);
    assert!(Position::new(&hands(&["KS", "QD", "2H 3H"]), 0, &[card("AS"), card("2D")], &ranking).is_ok());
}

#[test]
fn a_budget_that_does_not_suffice_gives_nothing() {
    let ranking = Ranking::of(&whist_order(), CardSet::EMPTY).unwrap();
    let mut rng = stream("budget", 0);
    let mut pack = overtrick::cards::Pack::new(Deck::Full52.cards(), &mut rng);
    let hands: Vec<(CardSet, bool)> = (0..4).map(|hand| (pack.take(7), hand % 2 == 0)).collect();
    let position = Position::new(&hands, 0, &[], &ranking).unwrap();
    let mut solver = Solver::new(MEMORY);
    assert_eq!(solver.tricks_within(&position, 3), None);
    assert_eq!(solver.moves_within(&position, 3), None);
    assert_eq!(solver.best_within(&position, None, 3), None);
    let tricks = solver.tricks(&position);
    // How much a budget must be does not depend on what came before, if that is forgotten.
    let least = |solver: &mut Solver| {
        (0..).find_map(|power| {
            solver.forget();
            solver.tricks_within(&position, 1 << power).map(|tricks| (power, tricks))
        })
    };
    let first = least(&mut Solver::new(MEMORY));
    assert_eq!(first.unwrap().1, tricks);
    assert_eq!(least(&mut solver), first);
}
