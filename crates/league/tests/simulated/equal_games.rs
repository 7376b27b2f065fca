//! A league and uniform line-ups after equal numbers of games.

use overtrick_cards::SeedSource;
use overtrick_league::{GroupPlan, League, LeagueQuestion, LeagueSettings};

use crate::made_up::MadeUp;
use crate::parallel;

/// The numbers of games after which the orders are compared.
const LOOKS: [u64; 8] = [200, 800, 3_200, 12_800, 51_200, 204_800, 819_200, 3_276_800];

/// The number of bots that the question asks for.
const TOP: usize = 5;

/// The shares of pairs in the wrong order: of those with one of the best, and of all.
#[derive(Clone, Copy, Default)]
struct RankingError {
    of_top: f64,
    of_all: f64,
}

/// Returns the errors of an order of bots, given the true rank of each bot from 0.
fn ranking_error(order: &[usize], ranks: &[usize]) -> RankingError {
    let (mut wrong_of_top, mut wrong, mut of_top, mut all) = (0.0, 0.0, 0.0, 0.0);
    for (place, &bot) in order.iter().enumerate() {
        for &after in &order[place + 1..] {
            let is_wrong = f64::from(u8::from(ranks[after] < ranks[bot]));
            let is_of_top = f64::from(u8::from(ranks[after].min(ranks[bot]) < TOP));
            all += 1.0;
            wrong += is_wrong;
            of_top += is_of_top;
            wrong_of_top += is_of_top * is_wrong;
        }
    }
    RankingError { of_top: wrong_of_top / of_top, of_all: wrong / all }
}

/// Returns thirty bots in a random order, so that ties are in a random order, too.
fn shuffled(seed: u64) -> MadeUp {
    let mut made_up = MadeUp::ladder(30, seed);
    let mut stream = SeedSource::new(seed, "league", "test order").stream(0, 0);
    for last in (1..30).rev() {
        made_up.skills.swap(last, stream.random_below(last as u64 + 1) as usize);
    }
    made_up
}

/// Returns the rank of each bot by skill, from 0.
fn ranks(made_up: &MadeUp) -> Vec<usize> {
    let is_better = |skill: f64| made_up.skills.iter().filter(|&&other| other > skill).count();
    made_up.skills.iter().map(|&skill| is_better(skill)).collect()
}

/// Returns the errors of a league at the looks.
fn of_league(made_up: &MadeUp) -> Vec<RankingError> {
    let settings = LeagueSettings { group_deals: 1, ..made_up.settings(LeagueQuestion::Top(TOP)) };
    let mut errors = Vec::new();
    for look in LOOKS {
        // A limit of games changes only the last round.
        let limited = LeagueSettings { most_games: Some(look), ..settings.clone() };
        let mut league = League::new(limited).unwrap();
        while made_up.play_round(&mut league) {}
        let order: Vec<usize> = league.standings().iter().map(|standing| standing.bot).collect();
        errors.push(ranking_error(&order, &ranks(made_up)));
    }
    errors
}

/// Returns the errors of uniform line-ups at the looks: every deal is played by all bots, at random tables.
fn of_uniform(made_up: &MadeUp) -> Vec<RankingError> {
    let bots = made_up.skills.len();
    let size = made_up.shape.size;
    let seeds = SeedSource::new(made_up.seed, "league", "test uniform");
    let plan = League::new(made_up.settings(LeagueQuestion::Best)).unwrap().plan().unwrap();
    let mut sums = vec![0i64; bots];
    let (mut errors, mut games, mut number) = (Vec::new(), 0, 0);
    while errors.len() < LOOKS.len() {
        let mut order: Vec<usize> = (0..bots).collect();
        let mut stream = seeds.stream(number, 0);
        for last in (1..bots).rev() {
            order.swap(last, stream.random_below(last as u64 + 1) as usize);
        }
        let line_ups: Vec<Vec<usize>> = order.chunks(size).map(<[usize]>::to_vec).collect();
        games += (line_ups.len() * made_up.shape.games) as u64;
        if games > LOOKS[errors.len()] {
            let mut order: Vec<usize> = (0..bots).collect();
            order.sort_by_key(|&bot| -sums[bot]);
            errors.push(ranking_error(&order, &ranks(made_up)));
        }
        let group = GroupPlan { number, deals: number..number + 1, line_ups, ..plan.groups[0].clone() };
        for (line_up, points) in group.line_ups.iter().zip(made_up.play(&group)) {
            let total: i64 = points.iter().sum();
            for (&bot, points) in line_up.iter().zip(points) {
                sums[bot] += size as i64 * points - total;
            }
        }
        number += 1;
    }
    errors
}

/// Returns the mean errors at the looks.
fn means(runs: &[Vec<RankingError>]) -> Vec<RankingError> {
    let mut means = vec![RankingError::default(); LOOKS.len()];
    for errors in runs {
        for (mean, error) in means.iter_mut().zip(errors) {
            mean.of_top += error.of_top / runs.len() as f64;
            mean.of_all += error.of_all / runs.len() as f64;
        }
    }
    means
}

#[test]
fn errors_are_shares_of_pairs() {
    let truth: Vec<usize> = (0..30).collect();
    assert_eq!((ranking_error(&truth, &truth).of_top, ranking_error(&truth, &truth).of_all), (0.0, 0.0));
    let reverse: Vec<usize> = (0..30).rev().collect();
    assert_eq!((ranking_error(&reverse, &truth).of_top, ranking_error(&reverse, &truth).of_all), (1.0, 1.0));
    let mut exchanged = truth.clone();
    exchanged.swap(4, 5);
    assert_eq!(ranking_error(&exchanged, &truth).of_all, 1.0 / 435.0);
    assert_eq!(ranking_error(&exchanged, &truth).of_top, 1.0 / 135.0);
}

#[test]
#[ignore = "long: leagues and uniform line-ups at equal games"]
fn the_errors_of_a_league_and_of_uniform_line_ups() {
    let runs = 40;
    let league = means(&parallel::each(runs, |seed| of_league(&shuffled(9_000 + seed))));
    let uniform = means(&parallel::each(runs, |seed| of_uniform(&shuffled(9_000 + seed))));
    println!("| games | top five: league | uniform | all: league | uniform |\n|---|---|---|---|---|");
    let (mut of_league, mut of_uniform) = (0.0, 0.0);
    for ((games, league), uniform) in LOOKS.iter().zip(&league).zip(&uniform) {
        let shares = [league.of_top, uniform.of_top, league.of_all, uniform.of_all].map(|share| 100.0 * share);
        println!("| {games} | {:.2}% | {:.2}% | {:.2}% | {:.2}% |", shares[0], shares[1], shares[2], shares[3]);
        of_league += league.of_top;
        of_uniform += uniform.of_top;
    }
    let percent = 100.0 / LOOKS.len() as f64;
    println!("mean over the looks: {:.2}% {:.2}%", percent * of_league, percent * of_uniform);
    // Before bots are dropped, the designs are the same. While many are left, uniform line-ups order them better.
    assert!(of_league < 1.15 * of_uniform, "averaged over the looks, for the question that was asked");
    let last = LOOKS.len() - 1;
    assert!(league[last].of_top < uniform[last].of_top, "late, for the question that was asked");
}
