//! The best of twenty settings of one parameter, compared with uniform line-ups with the same confidence sequences.

use overtrick_cards::SeedSource;
use overtrick_league::confidence_sequence::{DifferenceMoments, half_width};
use overtrick_league::{GroupPlan, League, LeagueQuestion, LeagueSettings};

use crate::made_up::{MadeUp, TABLE, TABLE_OF_TWO};
use crate::parallel;

/// The resolution as a part of the value by which the best is ahead of the worst.
const RESOLUTION: f64 = 0.01;

/// Returns settings of a parameter for the table.
fn grid(seed: u64, is_of_two: bool) -> MadeUp {
    let shape = if is_of_two { TABLE_OF_TWO } else { TABLE };
    MadeUp { shape, chance: 0.4, shared: 0.8, ..MadeUp::grid(20, seed) }
}

/// Returns the resolution in points a game.
fn resolution(values: &[f64]) -> f64 {
    let best = values.iter().copied().fold(f64::MIN, f64::max);
    let worst = values.iter().copied().fold(f64::MAX, f64::min);
    RESOLUTION * (best - worst)
}

/// Returns whether the best is found up to the resolution, and the number of games.
fn of_league(made_up: &MadeUp) -> (bool, u64) {
    let values = made_up.values();
    let resolution = resolution(&values);
    let settings = LeagueSettings { resolution, ..made_up.settings(LeagueQuestion::Best) };
    let league = made_up.play_league(settings);
    (is_best(league.outcome().bots[0], &values, resolution), league.spent().games)
}

fn is_best(bot: usize, values: &[f64], resolution: f64) -> bool {
    values.iter().all(|&value| value <= values[bot] + resolution + 1e-12)
}

/// The same of uniform line-ups: all bots play all deals at random tables until the question is answered.
fn of_uniform(made_up: &MadeUp) -> (bool, u64) {
    let values = made_up.values();
    let resolution = resolution(&values);
    let settings = made_up.settings(LeagueQuestion::Best);
    let bots = settings.bots;
    let unit = (made_up.shape.size - 1) as f64 * made_up.shape.seats_a_bot() * settings.group_deals as f64;
    let level = settings.error / (bots - 1) as f64;
    let seeds = SeedSource::new(made_up.seed, "league", "test uniform");
    let plan = League::new(settings.clone()).unwrap().plan().unwrap();
    let mut margins: Vec<Vec<f64>> = vec![Vec::new(); bots];
    let (mut games, mut number, mut next_look) = (0, 0, 64);
    loop {
        let mut order: Vec<usize> = (0..bots).collect();
        let mut stream = seeds.stream(number, 0);
        for last in (1..bots).rev() {
            order.swap(last, stream.random_below(last as u64 + 1) as usize);
        }
        let mut line_ups: Vec<Vec<usize>> = order.chunks(made_up.shape.size).map(<[usize]>::to_vec).collect();
        let missing = made_up.shape.size - line_ups[line_ups.len() - 1].len();
        line_ups.last_mut().unwrap().extend(&order[..missing]);
        games += line_ups.len() as u64 * made_up.shape.games as u64 * settings.group_deals;
        let deals = number * settings.group_deals..(number + 1) * settings.group_deals;
        let group = GroupPlan { number, deals, line_ups, ..plan.groups[0].clone() };
        for (line_up, points) in group.line_ups.iter().zip(made_up.play(&group)) {
            let total: i64 = points.iter().sum();
            for (&bot, points) in line_up.iter().zip(points) {
                if margins[bot].len() as u64 == number {
                    margins[bot].push((made_up.shape.size as i64 * points - total) as f64 / unit);
                }
            }
        }
        number += 1;
        if number == next_look {
            next_look += (next_look / 16).max(16);
            if let Some(bot) = best_by(&margins, level, resolution) {
                return (is_best(bot, &values, resolution), games);
            }
        }
    }
}

/// Returns the bot with the highest mean, if no other is certainly more than the resolution better.
fn best_by(margins: &[Vec<f64>], level: f64, resolution: f64) -> Option<usize> {
    let sum = |margins: &Vec<f64>| margins.iter().sum::<f64>();
    let best = (0..margins.len()).max_by(|&one, &other| sum(&margins[one]).total_cmp(&sum(&margins[other])))?;
    for (bot, of_bot) in margins.iter().enumerate() {
        if bot == best {
            continue;
        }
        let all: Vec<f64> = of_bot.iter().zip(&margins[best]).map(|(one, other)| one - other).collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        let differences = DifferenceMoments {
            groups: all.len() as u64,
            different: all.iter().filter(|difference| **difference != 0.0).count() as u64,
            mean,
            squares: all.iter().map(|difference| (difference - mean).powi(2)).sum(),
            cubes: all.iter().map(|difference| (difference - mean).powi(3)).sum(),
            largest: 10.0,
        };
        if half_width(&differences, level).is_none_or(|half| mean + half > resolution) {
            return None;
        }
    }
    Some(best)
}

#[test]
#[ignore = "long: grids of settings, compared with uniform line-ups"]
fn the_best_setting_takes_a_third_of_the_games_of_uniform_line_ups() {
    println!("| table | leagues | wrong | uniform wrong | games | uniform |\n|---|---|---|---|---|---|");
    for is_of_two in [false, true] {
        let runs = 30;
        let league = parallel::each(runs, |seed| of_league(&grid(seed, is_of_two)));
        let uniform = parallel::each(runs, |seed| of_uniform(&grid(seed, is_of_two)));
        let wrong = |runs: &[(bool, u64)]| runs.iter().filter(|(is_right, _)| !is_right).count();
        let games = |runs: &[(bool, u64)]| runs.iter().map(|(_, games)| games).sum::<u64>() / runs.len() as u64;
        let table = if is_of_two { 2 } else { 3 };
        println!(
            "| {table} | {runs} | {} | {} | {} | {} |",
            wrong(&league),
            wrong(&uniform),
            games(&league),
            games(&uniform)
        );
        // Six or more of 30 have a probability of 0.3% at an error rate of 5%.
        assert!(wrong(&league) <= 5 && wrong(&league) <= wrong(&uniform).max(1));
        assert!(games(&league) * 3 <= games(&uniform));
    }
}
