//! Leagues of thirty bots and the question for the top five.

use overtrick_league::{BotStatus, LeagueQuestion, LeagueSettings};

use crate::made_up::MadeUp;
use crate::parallel;

/// The end of a league of made-up bots.
struct Played {
    is_answered: bool,
    is_right: bool,
    /// The line-ups as a part of those of the round-robin.
    part: f64,
    deals: f64,
    /// The ratings below the truth, above it, and around it, of bots in; the same of bots out.
    ratings: [[u64; 3]; 2],
}

/// The number of deals of a group. Long leagues are quicker to simulate with larger groups.
const GROUP_DEALS: u64 = 16;

/// Plays a league for the top `top` of the bots, who stand in order of value.
fn play(made_up: &MadeUp, top: usize, group_deals: u64) -> Played {
    let settings = LeagueSettings { group_deals, ..made_up.settings(LeagueQuestion::Top(top)) };
    let league = made_up.play_league(settings);
    let outcome = league.outcome();
    let mut bots = outcome.bots.clone();
    bots.sort_unstable();
    let values = made_up.values();
    let mut ratings = [[0; 3]; 2];
    for standing in league.standings() {
        let (low, high) = (standing.rating.low().unwrap(), standing.rating.high().unwrap());
        let value = values[standing.bot];
        let side = if high < value {
            0
        } else if low > value {
            1
        } else {
            2
        };
        ratings[usize::from(!matches!(standing.status, BotStatus::In(_)))][side] += 1;
    }
    Played {
        is_answered: outcome.is_answered,
        is_right: bots.iter().copied().eq(0..top),
        part: league.spent().line_ups as f64 / made_up.round_robin(top - 1, top),
        deals: league.spent().deals as f64,
        ratings,
    }
}

/// The sums over leagues.
struct Summary {
    wrong: usize,
    open: usize,
    mean_part: f64,
    median_part: f64,
    ratings: [[u64; 3]; 2],
}

fn summary(leagues: &[Played]) -> Summary {
    let mut parts: Vec<f64> = leagues.iter().map(|league| league.part).collect();
    parts.sort_by(f64::total_cmp);
    let mut ratings = [[0; 3]; 2];
    for league in leagues {
        for (sums, counts) in ratings.iter_mut().zip(league.ratings) {
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += count;
            }
        }
    }
    let summary = Summary {
        wrong: leagues.iter().filter(|league| league.is_answered && !league.is_right).count(),
        open: leagues.iter().filter(|league| !league.is_answered).count(),
        mean_part: parts.iter().sum::<f64>() / parts.len() as f64,
        median_part: parts[parts.len() / 2],
        ratings,
    };
    let deals = leagues.iter().map(|league| league.deals).sum::<f64>() / leagues.len() as f64;
    println!(
        "{} leagues: {} wrong, {} open, {:.1}% of the line-ups (median {:.1}%, most {:.1}%), {deals:.0} deals, ratings {:?}",
        leagues.len(),
        summary.wrong,
        summary.open,
        100.0 * summary.mean_part,
        100.0 * summary.median_part,
        100.0 * parts[parts.len() - 1],
        ratings
    );
    summary
}

#[test]
fn a_few_small_leagues_find_the_best_two() {
    let leagues = parallel::each(8, |seed| {
        let mut made_up = MadeUp { chance: 0.4, ..MadeUp::ladder(8, seed) };
        for skill in &mut made_up.skills[2..] {
            *skill -= 0.2;
        }
        play(&made_up, 2, LeagueSettings::GROUP_DEALS)
    });
    let summary = summary(&leagues);
    // One wrong league has a probability of at most 5%, so two in eight have one of 6%, and three one of 0.6%.
    assert!(summary.wrong <= 2 && summary.open == 0);
    assert!(summary.mean_part < 1.0);
}

#[test]
#[ignore = "long: a thousand leagues of thirty bots"]
fn a_thousand_leagues_find_the_top_five_with_a_tenth_of_the_line_ups() {
    let leagues = parallel::each(1_000, |seed| play(&MadeUp::ladder(30, seed), 5, GROUP_DEALS));
    let summary = summary(&leagues);
    // 5% are 50. The bounds on the error add up over pairs, so far fewer are wrong.
    assert!(summary.wrong <= 50 && summary.open == 0);
    assert!(summary.mean_part <= 0.1 && summary.median_part <= 0.1);
    let mut all = [0; 3];
    for counts in summary.ratings {
        for (sum, count) in all.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    let covered = all[2] as f64 / all.iter().sum::<u64>() as f64;
    println!("ratings: {} below, {} above, {:.2}% covered", all[0], all[1], 100.0 * covered);
    for counts in summary.ratings {
        println!("  {:.2}%", 100.0 * counts[2] as f64 / counts.iter().sum::<u64>() as f64);
    }
    assert!((0.94..=0.96).contains(&covered));
}

#[test]
#[ignore = "long: leagues with other parts of shared luck"]
fn the_saving_depends_on_the_luck_that_line_ups_share() {
    for shared in [0.1, 0.25, 0.5, 0.75, 1.0] {
        print!("shared {shared}: ");
        let summary = summary(&parallel::each(20, |seed| {
            play(&MadeUp { shared, ..MadeUp::ladder(30, 5_000 + seed) }, 5, GROUP_DEALS)
        }));
        // Five or more of 20 have a probability of 0.3% at an error rate of 5%.
        assert!(summary.wrong <= 4 && summary.open == 0);
    }
}
