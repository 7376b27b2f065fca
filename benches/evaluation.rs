//! The cost of a short evaluation from code beyond its deals: many of a few hundred deals, against one long one.

use std::time::Instant;

use overtrick::game::FullGame;
use overtrick::games::Variant;
use overtrick::strategies::{Bot, Register};
use overtrick::tournament::{Evaluation, EvaluationPlayer, PlayedDeal, ResultSink, Schedule, Unit, Window};

/// Deals of a short evaluation: numbers times seatings.
const SHORT: u64 = 50;
const ROUNDS: u64 = 400;

/// Points of the first bot.
#[derive(Default)]
struct Points(i64);

impl ResultSink for Points {
    fn add<G: FullGame>(&mut self, deal: &PlayedDeal<'_, G>) {
        let own = deal.bots.of(2).iter().zip(deal.scores.of(2)).filter(|(bot, _)| bot.index() == 0);
        self.0 += own.map(|(_, &score)| i64::from(score)).sum::<i64>();
    }
}

fn main() {
    println!("variant             bot          long, us a deal   short, us a deal   beyond, us an evaluation");
    for (name, seats) in [("dumbo", 3), ("euchre-32", 3), ("dummy-whist", 3), ("humbug", 2), ("chameleon", 3)] {
        let variant = Variant::preset(name).expect("a variant");
        for bot in ["random", "rule-based"] {
            let bots =
                [bot, "random"].map(|name| Bot::find(name, &[], &Register::default()).expect("a bot").expect("a bot"));
            let chairs: &[Vec<u16>] = if seats == 2 { &[vec![0, 1]] } else { &[vec![0, 0, 1]] };
            let schedule = Schedule::listed(chairs, seats).expect("a schedule");
            let evaluation = Evaluation {
                variant: &variant,
                unit: Unit::Deal,
                seed: 1,
                bots: &bots,
                schedule: &schedule,
                plays_all: true,
            };
            let deals = (SHORT * ROUNDS * schedule.games_a_number() as u64) as f64;
            let (mut long, mut short) = (f64::MAX, f64::MAX);
            let (mut once, mut bit_by_bit) = (Points::default(), Points::default());
            for round in 0..5 {
                let start = Instant::now();
                let mut player = evaluation.player().expect("both play all games");
                player.play(Window::Run.numbers(0..SHORT * ROUNDS), &mut once);
                long = long.min(start.elapsed().as_secs_f64());
                let start = Instant::now();
                for part in 0..ROUNDS {
                    let mut player: Box<dyn EvaluationPlayer<Points>> =
                        evaluation.player().expect("both play all games");
                    player.play(Window::Run.numbers(part * SHORT..(part + 1) * SHORT), &mut bit_by_bit);
                }
                short = short.min(start.elapsed().as_secs_f64());
                assert_eq!(once.0, bit_by_bit.0, "round {round}");
            }
            println!(
                "{name:20}{bot:12}{:16.3}{:19.3}{:27.1}",
                1e6 * long / deals,
                1e6 * short / deals,
                1e6 * (short - long) / ROUNDS as f64
            );
        }
    }
}
