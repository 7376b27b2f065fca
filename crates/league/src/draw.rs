//! Draws the line-ups of a group.
//!
//! **Uniform opponents.** The bots stand in a random order. By symmetry, any rule that looks at places in that
//! order alone gives each bot a uniformly random set of opponents. There are two such rules:
//!
//! - *Tables*: places next to each other share a line-up. Bots that are left over sit with the first of the
//!   order, who are measured in their first line-up.
//! - *Panel*: each bot plays with the first bots of the order other than itself. The bots of the first
//!   line-up are all measured there. Bots that are compared meet the same opponents, whose luck cancels.
//!
//! Line-ups that measure no bot in play are left out. Which of the two rules applies depends on the number of
//! bots in play and not on the order, since a choice by the order would choose opponents.

use overtrick_cards::SeedSource;

/// How many times the line-ups of tables a panel may take, for the luck of opponents that it cancels.
const PANEL_IS_WORTH: f64 = 2.0;

/// The line-ups of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Draw {
    /// The line-ups, each in ascending order of bots.
    pub line_ups: Vec<Vec<usize>>,
    /// By bot, the index of the line-up that measures it.
    pub measured_in: Vec<Option<usize>>,
}

/// Returns all bots in a random order, which depends on the seed and the number of the group.
pub(crate) fn order(bots: usize, seeds: &SeedSource, group: u64) -> Vec<usize> {
    let mut stream = seeds.stream(group, 0);
    let mut order: Vec<usize> = (0..bots).collect();
    // Each bot changes places with one at or before it, which makes all orders equally likely (Durstenfeld 1964).
    for (at, bound) in (1..order.len()).zip(2..) {
        let other = usize::try_from(stream.random_below(bound)).expect("a place in the order");
        order.swap(at, other);
    }
    order
}

/// Draws line-ups of `size` bots that measure the bots in play.
///
/// `order` has all bots of the league in a random order. `in_play` says by index of a bot whether it is in play.
pub(crate) fn draw(order: &[usize], size: usize, in_play: &[bool]) -> Draw {
    let playing = order.iter().filter(|&&bot| in_play[bot]).count();
    let as_panel = playing as f64 <= PANEL_IS_WORTH * tables_needed(order.len(), size, playing);
    let mut draw = Draw { line_ups: Vec::new(), measured_in: vec![None; in_play.len()] };
    let seated = if as_panel { size } else { order.len() };
    let mut place = 0;
    while place < seated {
        let end = (place + size).min(order.len());
        let left_over = &order[..place + size - end];
        draw.add(&order[place..end], left_over, in_play);
        place = end;
    }
    for &bot in &order[seated..] {
        draw.add(&[bot], &order[..size - 1], in_play);
    }
    draw
}

/// Returns the mean number of tables with a bot in play.
fn tables_needed(bots: usize, size: usize, playing: usize) -> f64 {
    let mut without = 1.0;
    for seat in 0..size {
        without *= (bots - playing).saturating_sub(seat) as f64 / (bots - seat) as f64;
    }
    bots as f64 / size as f64 * (1.0 - without)
}

impl Draw {
    /// Adds the line-up of `measured` and `others`, if it measures a bot in play.
    fn add(&mut self, measured: &[usize], others: &[usize], in_play: &[bool]) {
        if !measured.iter().any(|&bot| in_play[bot]) {
            return;
        }
        for &bot in measured.iter().filter(|&&bot| in_play[bot]) {
            self.measured_in[bot] = Some(self.line_ups.len());
        }
        let mut line_up = [measured, others].concat();
        line_up.sort_unstable();
        self.line_ups.push(line_up);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order_of(bots: usize, group: u64) -> Vec<usize> {
        order(bots, &SeedSource::new(7, "league", "line-ups"), group)
    }

    #[test]
    fn every_bot_in_play_is_measured_once_in_a_line_up_that_it_is_in() {
        for (bots, size) in [(2, 2), (3, 2), (3, 3), (4, 3), (5, 3), (5, 4), (30, 3), (31, 3), (9, 4)] {
            for playing in 1..=bots {
                let in_play: Vec<bool> = (0..bots).map(|bot| bot < playing).collect();
                for group in 0..20 {
                    let draw = draw(&order_of(bots, group), size, &in_play);
                    let mut seen = draw.line_ups.clone();
                    seen.sort();
                    seen.dedup();
                    assert_eq!(seen.len(), draw.line_ups.len(), "no line-up is there twice");
                    for line_up in &draw.line_ups {
                        assert!(line_up.len() == size && line_up.is_sorted_by(|one, other| one < other));
                    }
                    for (bot, &at) in draw.measured_in.iter().enumerate() {
                        assert_eq!(at.is_some(), in_play[bot]);
                        assert!(at.is_none_or(|at| draw.line_ups[at].contains(&bot)));
                    }
                }
            }
        }
    }

    /// Counts how often bot 0 meets each other bot.
    fn meetings(bots: usize, size: usize, playing: usize, groups: u64) -> Vec<u64> {
        let in_play: Vec<bool> = (0..bots).map(|bot| bot < playing).collect();
        let mut met = vec![0; bots];
        for group in 0..groups {
            let draw = draw(&order_of(bots, group), size, &in_play);
            for &other in &draw.line_ups[draw.measured_in[0].unwrap()] {
                met[other] += u64::from(other != 0);
            }
        }
        met
    }

    #[test]
    fn opponents_are_uniform_whoever_is_in_play() {
        for (bots, size, playing) in [(9, 3, 9), (9, 3, 2), (10, 3, 10), (10, 3, 6), (7, 2, 3), (8, 2, 7), (9, 4, 5)] {
            let groups = 20_000;
            let met = meetings(bots, size, playing, groups);
            let share = (size - 1) as f64 / (bots - 1) as f64;
            let expected = groups as f64 * share;
            let limit = 4.5 * (expected * (1.0 - share)).sqrt();
            for &times in &met[1..] {
                assert!((times as f64 - expected).abs() < limit, "{bots} {size} {playing}: {met:?}");
            }
        }
    }

    #[test]
    fn fewer_bots_in_play_take_fewer_line_ups() {
        let count = |playing: usize| {
            let in_play: Vec<bool> = (0..30).map(|bot| bot < playing).collect();
            (0..50).map(|group| draw(&order_of(30, group), 3, &in_play).line_ups.len()).sum::<usize>()
        };
        assert_eq!((count(30), count(1)), (500, 50));
        assert!(count(2) <= 100 && count(5) <= 250 && count(10) <= 500, "{} {} {}", count(2), count(5), count(10));
    }

    #[test]
    fn the_mean_number_of_tables_is_known() {
        assert!((tables_needed(30, 3, 30) - 10.0).abs() < 1e-12);
        assert!((tables_needed(30, 3, 1) - 1.0).abs() < 1e-12);
        // 1 - C(20, 3) / C(30, 3)
        assert!((tables_needed(30, 3, 10) - 10.0 * (1.0 - 1140.0 / 4060.0)).abs() < 1e-12);
    }
}
