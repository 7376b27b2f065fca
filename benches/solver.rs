//! How long the solver takes for a deal, from its lead to the number of tricks, with nothing known beforehand: full
//! deals of 52 cards to four hands, with DDS on the same deals if the feature `dds` is on; Chameleon's ten cards for
//! three; Euchre's five cards for three.
//!
//! `cargo bench --profile dist --bench solver`, or `cargo bench --profile dist --features dds --bench solver`

use std::time::Instant;

use overtrick::cards::{Card, CardSet, Deck, Order, Pack, Rank, SeedSource, Strain, Stream, Suit};
use overtrick::game::Game;
use overtrick::games::chameleon::{Chameleon, ChameleonRules};
use overtrick::games::euchre::{Euchre, EuchreRules};
use overtrick::search::solver::{Position, Ranking, Solver};

#[cfg(feature = "dds")]
#[path = "../tests/it/fixtures/dds.rs"]
mod dds;

const FULL: u64 = 60;
const TEN_CARDS: u64 = 300;
const FIVE_CARDS: u64 = 3000;
const MEMORY: usize = 64 << 20;

fn rng(deals: &str, number: u64) -> Stream {
    SeedSource::new(20_261_121, "bench", deals).stream(number, 0)
}

/// Times in microseconds.
#[derive(Default)]
struct Times(Vec<f64>);

impl Times {
    fn take<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = work();
        self.0.push(start.elapsed().as_secs_f64() * 1e6);
        done
    }

    fn median(&mut self) -> f64 {
        self.0.sort_by(f64::total_cmp);
        self.0[self.0.len() / 2]
    }

    fn show(&mut self, what: &str) {
        let median = self.median();
        let mean = self.0.iter().sum::<f64>() / self.0.len() as f64;
        println!("{what:<46} median {median:>10.1} us   mean {mean:>10.1} us");
    }
}

fn full_deals(solver: &mut Solver) {
    for trump in Suit::ALL.map(Some).into_iter().chain([None]) {
        let name = Strain::from(trump).name();
        let order = Order::with_trumps(trump, Card::suit, |card| card.rank().map_or(0, Rank::strength));
        let ranking = Ranking::of(&order, CardSet::EMPTY).expect("an order with one trump suit or none");
        let mut own = Times::default();
        #[cfg(feature = "dds")]
        let (mut other, mut theirs) = (Times::default(), dds_bridge::Solver::default());
        for number in 0..FULL {
            let mut rng = rng("full", number);
            let mut pack = Pack::new(Deck::Full52.cards(), &mut rng);
            let hands = [pack.take(13), pack.take(13), pack.take(13), pack.take(13)];
            let leader = number as usize % 4;
            let sides: Vec<(CardSet, bool)> =
                hands.iter().enumerate().map(|(hand, &cards)| (cards, hand % 2 == leader % 2)).collect();
            let tricks = own.take(|| {
                let position = Position::new(&sides, leader, &[], &ranking).expect("a deal");
                solver.forget();
                solver.tricks(&position)
            });
            #[cfg(feature = "dds")]
            {
                let question = dds::question(&hands, leader, trump);
                assert_eq!(tricks, other.take(|| dds::answer(&mut theirs, &question)), "deal {number}");
            }
            std::hint::black_box(tricks);
        }
        own.show(&format!("52 cards, four hands, {name}"));
        #[cfg(feature = "dds")]
        {
            other.show(&format!("DDS on the same deals, {name}"));
            println!("{:<46} {:.2} times as long in the median", "", own.median() / other.median());
        }
    }
}

/// Deals for three hands, of which one in turn plays against the others.
fn for_three(solver: &mut Solver, deals: u64, deck: Deck, cards: u32, orders: &[&Order], fewest: bool, what: &str) {
    let rankings: Vec<Ranking> =
        orders.iter().map(|order| Ranking::of(order, CardSet::EMPTY).expect("an order of two sides")).collect();
    let mut times = Times::default();
    for number in 0..deals {
        let mut rng = rng(what, number);
        let mut pack = Pack::new(deck.cards(), &mut rng);
        let alone = number as usize % 3;
        let hands: Vec<(CardSet, bool)> = (0..3).map(|hand| (pack.take(cards), hand == alone)).collect();
        let ranking = &rankings[number as usize % rankings.len()];
        let leader = number as usize / 3 % 3;
        std::hint::black_box(times.take(|| {
            let mut position = Position::new(&hands, leader, &[], ranking).expect("a deal");
            if fewest {
                position = position.to_lose();
            }
            solver.forget();
            solver.tricks(&position)
        }));
    }
    times.show(what);
}

fn main() {
    let mut solver = Solver::new(MEMORY);
    let chameleon = Chameleon::new(ChameleonRules::default()).expect("default rules");
    let euchre = Euchre::new(EuchreRules::default()).expect("default rules");
    let bowers = Suit::ALL.map(|suit| euchre.order_of(suit));
    for_three(&mut solver, FIVE_CARDS, Deck::Short32, 5, &bowers, false, "Euchre, five cards, three hands");
    let trumps = Suit::ALL.map(|suit| chameleon.order_of(Some(suit)));
    for_three(&mut solver, TEN_CARDS, Deck::Short32, 10, &trumps, false, "Chameleon, ten cards, three hands");
    let none = [chameleon.order_of(None)];
    for_three(&mut solver, TEN_CARDS, Deck::Short32, 10, &none, false, "the same at no trump");
    for_three(&mut solver, TEN_CARDS, Deck::Short32, 10, &none, true, "the same to lose");
    full_deals(&mut solver);
}
