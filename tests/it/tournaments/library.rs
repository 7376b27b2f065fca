//! Tournaments that a program plays without the command line.

use crate::fixtures::{bot, tournament};
use overtrick::game::FullGame;
use overtrick::ids::BotId;
use overtrick::run::{Observer, Run, RunOutcome, Segments, Shard, SoFar, Threads};
use overtrick::table::Seat;
use overtrick::toml_source::InputError;
use overtrick::tournament::{
    Evaluation, PlayedDeal, ResultSink, Schedule, Tally, Tournament, Unit, VariantRun, Window,
};

/// Notes where segments end, and ends the run at a number, or with an error.
#[derive(Default)]
struct Notes {
    variants: Vec<String>,
    ends: Vec<u64>,
    until: Option<u64>,
    fails: bool,
    interrupted: Vec<u64>,
}

impl Observer for Notes {
    fn variant_begins(&mut self, tournament: &Tournament, variant: usize) {
        self.variants.push(tournament.variants[variant].name.clone());
    }

    fn segment_ends(&mut self, so_far: &SoFar<'_>) -> Result<(), InputError> {
        self.ends.push(so_far.runs[so_far.variant].next);
        if self.fails { Err(InputError::plain("no room")) } else { Ok(()) }
    }

    fn may_go_on(&mut self, so_far: &SoFar<'_>) -> bool {
        self.until.is_none_or(|until| so_far.runs[so_far.variant].next < until)
    }

    fn interrupted(&mut self, so_far: &SoFar<'_>) -> Result<(), InputError> {
        self.interrupted = so_far.runs.iter().map(|ran| ran.next).collect();
        Ok(())
    }
}

fn tallies(runs: &[VariantRun]) -> Vec<&Tally> {
    runs.iter().map(|ran| &ran.tally).collect()
}

/// Two variants, in which one bot is better than the others.
fn two_variants() -> Tournament {
    let mut two = tournament("dumbo", "deals = 100");
    let more = tournament("euchre-24", "deals = 100");
    two.variants.extend(more.variants);
    two.schedules.extend(more.schedules);
    two.bots[0] = bot("a", "rule-based", "");
    two
}

fn in_25s<'a>(threads: &Threads) -> Run<'a> {
    Run::new(two_variants()).on(threads).segments(Segments::Of(25))
}

fn whole() -> RunOutcome {
    Run::new(two_variants()).threads(1).play().unwrap()
}

#[test]
fn an_observer_ends_a_run_that_goes_on_to_the_same_results() {
    let mut notes = Notes { until: Some(60), ..Notes::default() };
    let threads = Threads::new(2).unwrap();
    let outcome = in_25s(&threads).observer(&mut notes).play().unwrap();
    assert_eq!((&notes.ends[..], &notes.interrupted[..]), (&[25, 50, 75][..], &[75][..]));
    assert!(!outcome.is_finished && outcome.games_done() < outcome.games());
    let mut rest = Notes::default();
    let outcome = in_25s(&threads).resume(outcome.runs).observer(&mut rest).play().unwrap();
    assert_eq!(rest.variants, ["dumbo", "euchre-24"]);
    assert_eq!(rest.ends, [100, 25, 50, 75, 100]);
    assert!(outcome.is_finished && outcome.games_done() == outcome.games() && rest.interrupted.is_empty());
    assert_eq!(tallies(&outcome.runs), tallies(&whole().runs));
}

#[test]
fn an_observer_that_fails_ends_the_run_with_its_error() {
    let mut first = Notes { fails: true, ..Notes::default() };
    let mut second = Notes::default();
    let run = Run::new(two_variants()).threads(1).segments(Segments::Of(10));
    let error = run.observer(&mut first).observer(&mut second).play().err().unwrap();
    assert_eq!(error.problem, "no room");
    assert_eq!((&first.ends[..], &second.ends[..]), (&[10][..], &[][..]));
}

#[test]
fn shards_together_have_the_tallies_of_the_whole() {
    let threads = Threads::new(1).unwrap();
    let mut shards = (1..=3).map(|number| {
        let outcome = Run::new(two_variants()).on(&threads).shard(Shard { number, of: 3 }).play().unwrap();
        assert_eq!(outcome.games_done(), outcome.games());
        outcome.runs
    });
    let mut runs = shards.next().unwrap();
    for more in shards {
        for (ran, more) in runs.iter_mut().zip(more) {
            assert_eq!(ran.next, more.start);
            ran.tally.merge(&more.tally);
            ran.next = more.next;
        }
    }
    assert_eq!(tallies(&runs), tallies(&whole().runs));
}

#[test]
fn stopping_rules_hold_whatever_the_segments() {
    let stops = |segments| {
        let mut tournament = tournament("dumbo", "deals = 100000\nstop = { half-width = 1.0 }");
        tournament.bots[0] = bot("a", "rule-based", "");
        let outcome = Run::new(tournament).threads(2).segments(segments).play().unwrap();
        assert!(outcome.is_finished && outcome.results().stops[0].stopped);
        outcome.runs[0].next
    };
    let end = stops(Segments::default());
    assert!(end < 100_000, "{end}");
    assert_eq!([Segments::Of(7), Segments::Of(1 << 40)].map(stops), [end; 2]);
}

/// By bot: the points of all deals, and how many there were; and how many matches ended.
#[derive(Default, PartialEq, Debug)]
struct Sums {
    points: [i64; 3],
    deals: [u64; 3],
    matches: u64,
}

impl ResultSink for Sums {
    fn add<G: FullGame>(&mut self, deal: &PlayedDeal<'_, G>) {
        for seat in Seat::all(deal.game.layout().seats) {
            let bot = deal.bots[seat].index();
            self.points[bot] += i64::from(deal.scores[seat]);
            self.deals[bot] += 1;
        }
        self.matches += u64::from(deal.match_end.is_some());
    }
}

#[test]
fn an_evaluation_plays_the_deals_of_a_run() {
    for (variant, lines, unit) in
        [("chameleon", "deals = 30", Unit::Deal), ("dumbo", "unit = \"match\"\nmatches = 3", Unit::Match)]
    {
        let tournament = tournament(variant, lines);
        let run = Run::new(tournament.clone()).threads(1).play().unwrap();
        let tally = &run.runs[0].tally;
        let schedule = Schedule::listed(&[vec![0, 1, 2]], 3).unwrap();
        let evaluation = Evaluation {
            variant: &tournament.variants[0],
            unit,
            seed: tournament.seed,
            bots: &tournament.bots,
            schedule: &schedule,
            plays_all: false,
        };
        let (mut whole, mut parts, mut others) = (Sums::default(), Sums::default(), Sums::default());
        let mut player = evaluation.player().unwrap();
        let numbers = tournament.numbers;
        assert!(player.play(Window::Run.numbers(0..numbers), &mut whole).iter().all(|faults| faults.count() == 0));
        for bot in 0..3 {
            let scores = tally.scores(BotId::new(bot));
            assert_eq!((whole.points[bot], whole.deals[bot]), (scores.sum() as i64, scores.count()), "{variant}");
        }
        assert_eq!(whole.matches, if unit == Unit::Match { 6 * numbers } else { 0 });
        player.play(Window::Run.numbers(0..1), &mut parts);
        player.play(Window::Run.numbers(1..numbers), &mut parts);
        assert_eq!(parts, whole, "in two parts");
        player.play(Window::Search.numbers(0..numbers), &mut others);
        assert_ne!(others.points, whole.points, "another window has other deals");
    }
}

#[test]
fn line_ups_listed_by_hand_seat_a_bot_twice() {
    let tournament = tournament("euchre-32", "deals = 1");
    let schedule = Schedule::listed(&[vec![0, 1, 1], vec![2, 2, 2]], 3).unwrap();
    let variant = &tournament.variants[0];
    let (bots, plays_all) = (&tournament.bots[..], false);
    let evaluation = Evaluation { variant, unit: Unit::Deal, seed: 1, bots, schedule: &schedule, plays_all };
    let mut sums = Sums::default();
    evaluation.player().unwrap().play(Window::Confirm.numbers(5..15), &mut sums);
    assert_eq!(sums.deals, [30, 60, 30], "{:?}", sums);
}
