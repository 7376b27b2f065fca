//! Leagues of real bots, next to round-robins and to a uniform choice of line-ups that ask the same question of the
//! same bots: the games that each takes, and the bots that they choose.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use overtrick::cards::SeedSource;
use overtrick::league::statistics::confidence_sequence::{DifferenceMoments, FEWEST_GROUPS, half_width};
use overtrick::league::{LeagueArena, LeagueControl, LeaguePlan, Leaguing};
use overtrick::run::Threads;
use overtrick::strategies::Register;
use overtrick::toml_source::Source;
use overtrick::tournament::{DealScores, Evaluation, Schedule, ScoreSink, Unit, Window};

/// Returns the plan of a league for the best of some settings of `rule-based`.
fn plan(variant: &str, parameters: [&str; 2], resolution: f64, seed: u64) -> LeaguePlan {
    let [one, other] = parameters;
    let text = format!(
        "seed = {seed}\nname = \"l\"\n[league]\nvariant = {variant:?}\nquestion = \"best\"\nresolution = {resolution}\n\
         grid = {{ bot = \"rule-based\", parameters = {{ {one}, {other} }} }}\n"
    );
    let source = Source::parse(Path::new("l.toml"), text).unwrap();
    LeaguePlan::resolve(&source, &Register::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The choice of a bot, and the games that it took.
#[derive(Clone, Copy, Debug)]
struct Choice {
    bot: usize,
    games: u64,
}

/// Plays a league to its end.
fn league(plan: &LeaguePlan, threads: &Threads) -> Choice {
    let arena = LeagueArena::new(plan, threads, &Arc::new(LeagueControl::default()));
    let mut leaguing = Leaguing::new(plan);
    while leaguing.step(&arena).unwrap() {}
    assert!(leaguing.answer().is_answered);
    Choice { bot: leaguing.answer().bots[0], games: leaguing.league.spent().games }
}

/// A plain design: which line-ups play the deals of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Design {
    /// All line-ups. A group is a deal.
    RoundRobin,
    /// Each bot in a line-up at random. A group is four deals.
    Uniform,
}

impl Design {
    fn deals(self) -> u64 {
        match self {
            Design::RoundRobin => 1,
            Design::Uniform => 4,
        }
    }

    /// Returns the line-ups of a group of `bots` bots at tables of three.
    fn line_ups(self, bots: u16, seed: u64, group: u64) -> Vec<Vec<u16>> {
        let mut line_ups = Vec::new();
        if self == Design::RoundRobin {
            for first in 0..bots {
                for second in first + 1..bots {
                    line_ups.extend((second + 1..bots).map(|third| vec![first, second, third]));
                }
            }
            return line_ups;
        }
        let mut stream = SeedSource::new(seed, "test", "uniform line-ups").stream(group, 0);
        let mut order: Vec<u16> = (0..bots).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, stream.random_below(last as u64 + 1) as usize);
        }
        // Bots that are left over sit with the first, who count once.
        order.extend_from_within(..(3 - order.len() % 3) % 3);
        line_ups.extend(order.chunks(3).map(<[u16]>::to_vec));
        line_ups
    }
}

/// A sink that adds up the lead of each bot over the others of its first line-up, or of all.
struct Leads<'s> {
    line_ups: &'s [Vec<u16>],
    /// By bot and line-up: whether the bot counts there.
    counts: &'s dyn Fn(usize, usize) -> bool,
    /// By bot.
    sums: Vec<f64>,
}

impl ScoreSink for Leads<'_> {
    fn add(&mut self, deal: DealScores<'_>) {
        let all: i32 = deal.scores.iter().sum();
        let line_up = deal.id.line_up.index();
        assert_eq!(self.line_ups[line_up].len(), 3);
        for (bot, &score) in deal.bots.iter().zip(deal.scores) {
            if (self.counts)(bot.index(), line_up) {
                self.sums[bot.index()] += f64::from(score) - f64::from(all - score) / 2.0;
            }
        }
    }
}

/// The course of a plain design.
struct Course<'a> {
    plan: &'a LeaguePlan,
    design: Design,
    /// By group: the mean lead of each bot, in points a deal.
    leads: Vec<Vec<f64>>,
    games: u64,
}

impl Course<'_> {
    /// Plays some groups, which come after those so far.
    fn play(&mut self, groups: Range<u64>, threads: &Threads) {
        use rayon::prelude::*;
        let (plan, design) = (self.plan, self.design);
        let play = |group: u64| {
            let line_ups = design.line_ups(plan.bots.len() as u16, plan.seed, group);
            let first = |bot: usize| line_ups.iter().position(|line_up| line_up.contains(&(bot as u16)));
            let firsts: Vec<Option<usize>> = (0..plan.bots.len()).map(first).collect();
            let counts = |bot: usize, line_up: usize| design == Design::RoundRobin || firsts[bot] == Some(line_up);
            let schedule = Schedule::listed(&line_ups, 3).unwrap();
            let evaluation = Evaluation {
                variant: &plan.variant,
                unit: Unit::Deal,
                seed: plan.seed,
                bots: &plan.bots,
                schedule: &schedule,
                plays_all: false,
            };
            let mut sink = Leads { line_ups: &line_ups, counts: &counts, sums: vec![0.0; plan.bots.len()] };
            let deals = design.deals();
            let numbers = Window::Confirm.numbers(group * deals..(group + 1) * deals);
            evaluation.score_player(&Arc::default()).unwrap().play(numbers, &mut sink);
            let bots = plan.bots.len();
            let line_ups_of_bot = if design == Design::RoundRobin { (bots - 1) * (bots - 2) / 2 } else { 1 };
            let scores = (line_ups_of_bot as u64 * 6 * deals) as f64;
            let games = schedule.games_a_number() as u64 * deals;
            (sink.sums.iter().map(|sum| sum / scores).collect::<Vec<f64>>(), games)
        };
        let played: Vec<(Vec<f64>, u64)> = threads.pool().install(|| groups.into_par_iter().map(play).collect());
        for (leads, games) in played {
            self.leads.push(leads);
            self.games += games;
        }
    }

    /// Returns the mean lead of each bot.
    fn means(&self) -> Vec<f64> {
        let mean = |bot: usize| self.leads.iter().map(|leads| leads[bot]).sum::<f64>() / self.leads.len() as f64;
        (0..self.plan.bots.len()).map(mean).collect()
    }

    /// Returns the upper end of the interval for how far a bot is ahead of another, as in a league.
    fn most_ahead(&self, bot: usize, other: usize) -> f64 {
        let differences: Vec<f64> = self.leads.iter().map(|leads| leads[bot] - leads[other]).collect();
        let mean = differences.iter().sum::<f64>() / differences.len() as f64;
        let about_mean = |power: i32| differences.iter().map(|difference| (difference - mean).powi(power)).sum();
        let moments = DifferenceMoments {
            groups: differences.len() as u64,
            different: differences.iter().filter(|difference| **difference != 0.0).count() as u64,
            mean,
            squares: about_mean(2),
            cubes: about_mean(3),
            largest: differences.iter().fold(0.0, |most: f64, difference| most.max(difference.abs())),
        };
        let level = self.plan.error / (self.plan.bots.len() - 1) as f64;
        half_width(&moments, level).map_or(f64::INFINITY, |half| mean + half)
    }

    /// Plays until the best is known to the resolution by the same intervals as in a league.
    fn choose(&mut self, threads: &Threads) -> Choice {
        let mut next = 0;
        loop {
            let more = (next / 16).max(FEWEST_GROUPS / 4);
            self.play(next..next + more, threads);
            next += more;
            let means = self.means();
            let bot = (0..means.len()).reduce(|best, bot| if means[bot] > means[best] { bot } else { best }).unwrap();
            let is_within = |other: usize| other == bot || self.most_ahead(other, bot) <= self.plan.resolution;
            if (0..means.len()).all(is_within) {
                return Choice { bot, games: self.games };
            }
        }
    }
}

/// Returns how far the values of bots are below the best.
fn losses(values: &[f64]) -> Vec<f64> {
    let best = values.iter().copied().fold(f64::MIN, f64::max);
    values.iter().map(|value| best - value).collect()
}

/// Plays leagues and round-robins for these seeds, and checks games and errors; prints a row of a table.
fn check(variant: &str, parameters: [&str; 2], resolution: f64, seeds: Range<u64>, has_uniform: bool) {
    let threads = Threads::all().unwrap();
    let (mut leagues, mut round_robins, mut uniform) = (Vec::new(), Vec::new(), Vec::new());
    let mut values = Vec::new();
    for seed in seeds.clone() {
        let plan = plan(variant, parameters, resolution, seed);
        values.resize(plan.bots.len(), 0.0);
        let course = |design| Course { plan: &plan, design, leads: Vec::new(), games: 0 };
        leagues.push(league(&plan, &threads));
        let mut round_robin = course(Design::RoundRobin);
        round_robins.push(round_robin.choose(&threads));
        // The deals of all round-robins together say how good the bots are.
        for (value, mean) in values.iter_mut().zip(round_robin.means()) {
            *value += mean / seeds.end.saturating_sub(seeds.start) as f64;
        }
        if has_uniform {
            uniform.push(course(Design::Uniform).choose(&threads));
        }
    }
    let losses = losses(&values);
    let games = |choices: &[Choice]| choices.iter().map(|choice| choice.games).sum::<u64>();
    let loss = |choices: &[Choice]| choices.iter().map(|choice| losses[choice.bot]).fold(0.0, f64::max);
    let errors = |choices: &[Choice]| choices.iter().filter(|choice| losses[choice.bot] > resolution).count();
    println!(
        "| {variant} | {resolution} | {} | {} | {} | {:.3} | {:.3} | {:.3} |",
        games(&leagues),
        games(&uniform),
        games(&round_robins),
        loss(&leagues),
        loss(&uniform),
        loss(&round_robins)
    );
    assert!(games(&leagues) * 3 <= games(&round_robins), "{variant}: {leagues:?} {round_robins:?}");
    assert!(errors(&leagues) <= errors(&round_robins), "{variant}: {leagues:?} {losses:?}");
}

const EUCHRE: [&str; 2] = ["\"euchre.courage\" = [1.0, 1.5, 2.0, 2.5, 3.0]", "\"euchre.ace\" = [0.3, 0.6, 0.9, 1.2]"];
const DUMBO: [&str; 2] =
    ["\"dumbo.ambition\" = [0.0, 0.6, 1.2, 1.8, 2.4]", "\"dumbo.tie-fear\" = [0.0, 0.6, 1.2, 1.8]"];
const CHAMELEON: [&str; 2] =
    ["\"chameleon.misere\" = [0.0, 0.4, 0.8, 1.2, 2.4]", "\"chameleon.talon\" = [0.0, 1.0, 2.0, 3.0]"];

#[test]
fn a_small_league_takes_a_third_of_the_games_of_a_round_robin() {
    let parameters = ["\"euchre.courage\" = [0.0, 1.0, 2.0, 3.0, 4.0]", "\"euchre.ace\" = [0.0, 0.7]"];
    check("euchre-24", parameters, 0.15, 1..2, false);
}

/// The columns of the rows that [`check`] prints.
const COLUMNS: &str =
    "| variant | resolution | games: league | uniform | round-robin | largest loss: league | uniform | round-robin |";

#[test]
#[ignore = "long: plays leagues and round-robins of twenty bots"]
fn leagues_take_a_third_of_the_games_of_round_robins_in_euchre() {
    println!("{COLUMNS}");
    check("euchre-32", EUCHRE, 0.03, 1..6, true);
}

#[test]
#[ignore = "long: plays leagues and round-robins of twenty bots"]
fn leagues_take_a_third_of_the_games_of_round_robins_in_dumbo() {
    println!("{COLUMNS}");
    check("dumbo", DUMBO, 0.3, 1..3, true);
}

#[test]
#[ignore = "long: plays leagues and round-robins of twenty bots"]
fn leagues_take_a_third_of_the_games_of_round_robins_in_chameleon() {
    println!("{COLUMNS}");
    check("chameleon", CHAMELEON, 4.0, 1..3, true);
}
