//! Tests of the rule-based strategy for games from files.

use std::path::Path;

use overtrick_cards::SeedSource;
use overtrick_cards::table::{BySeat, Seat};
use overtrick_game::{Game, Options, Setup, Standing, View};
use overtrick_language::DeclaredGame;
use overtrick_strategy::Strategy;

use super::{Params, RuleBased};
use crate::random::Random;
use crate::rule_based::testing::{changes_choices, watch};
use crate::{Bot, BuildContext, Register};

/// The games of the folder `configs/games`.
const SHIPPED: [&str; 8] = ["call-break", "euchre-4", "hearts", "manille", "oh-hell", "spades", "sueca", "whist"];
/// The games in Rust that are files in the tests of the language.
const IN_RUST: [&str; 4] = ["colour-blind", "colour-blind-2", "dumbo", "euchre"];

fn shipped(name: &str) -> DeclaredGame {
    game(&format!("../../configs/games/{name}.toml"))
}

fn game(file: &str) -> DeclaredGame {
    DeclaredGame::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()
}

fn rule_based(text: &str) -> RuleBased {
    let params: Params = toml::from_str(text).unwrap();
    params.validate().unwrap();
    RuleBased::new(params)
}

/// The mean lead of a strategy, a deal, and its standard error over deals.
struct MeanLead {
    mean: f64,
    error: f64,
}

impl MeanLead {
    /// The lead in standard errors.
    fn certainty(&self) -> f64 {
        self.mean / self.error
    }
}

/// Plays each deal with the first strategy from every seat, or on both sides, and the second at the other seats.
fn lead(game: &DeclaredGame, deals: u64, mut bots: [&mut dyn Strategy<DeclaredGame>; 2]) -> MeanLead {
    let (seats, teams) = (game.layout().seats, game.layout().teams());
    let (mut sum, mut squares) = (0.0, 0.0);
    for number in 0..deals {
        let mut lead = 0.0;
        for team in 0..teams.count() {
            let setup = Setup::single(game, number, false);
            let mut state = game.deal(setup, &mut SeedSource::new(1, "lead", "cards").stream(number, 0));
            let mut rng = SeedSource::new(1, "lead", "strategy").stream(number, team);
            game.play_out(&mut state, |state| {
                let seat = state.table.seat_to_move();
                let bot = &mut bots[usize::from(teams.of(seat.index()) != team)];
                bot.choose(&View::new(game, state, &Standing::default(), seat), game.legal(state), &mut rng)
            });
            let scores = game.scores(&state);
            for seat in Seat::all(seats) {
                let own = teams.size() as f64;
                let share = if teams.of(seat.index()) == team { 1.0 / own } else { -1.0 / (seats as f64 - own) };
                lead += share * f64::from(scores[seat]);
            }
        }
        let lead = lead / teams.count() as f64;
        sum += lead;
        squares += lead * lead;
    }
    let (count, mean) = (deals as f64, sum / deals as f64);
    MeanLead { mean, error: ((squares / count - mean * mean) / (count - 1.0)).sqrt() }
}

#[test]
fn it_beats_random_play_in_every_game() {
    let mut games: Vec<DeclaredGame> = SHIPPED.iter().map(|name| shipped(name)).collect();
    games.extend(IN_RUST.map(|name| game(&format!("../language/tests/language/games/{name}.toml"))));
    for game in games {
        let found = lead(&game, 100, [&mut rule_based(""), &mut Random]);
        assert!(found.certainty() > 5.0, "{}: {} ± {}", game.name(), found.mean, found.error);
    }
}

#[test]
#[ignore = "long: searches for minutes"]
fn pimc_beats_it_in_every_shipped_game() {
    for name in SHIPPED {
        let game = shipped(name);
        let bot = Bot::find("pimc-20", &[], &Register::default()).unwrap().unwrap();
        let mut pimc = bot.spec.build(&BuildContext::default()).unwrap();
        let found = lead(&game, 60, [&mut *pimc, &mut rule_based("")]);
        assert!(found.certainty() > 2.0, "{name}: {} ± {}", found.mean, found.error);
    }
}

#[test]
fn every_parameter_changes_the_play() {
    for (name, text) in [
        ("whist", "keep = 0"),
        ("hearts", "shed = 1"),
        ("whist", "respect = 0"),
        ("sueca", "feed = 0"),
        ("oh-hell", "ruff = 1"),
        ("spades", "courage = 1"),
    ] {
        let changed = changes_choices(&shipped(name), 60, &mut rule_based(""), &mut rule_based(text));
        assert!(changed, "{text}");
    }
}

#[test]
fn its_parameters_matter_in_games_from_files_alone() {
    let tables = |game: &str| {
        let listed = Register::default().parameters_in_game("rule-based", game).unwrap();
        let mut tables: Vec<String> =
            listed.iter().filter_map(|row| Some(row.parameter.split_once('.')?.0.to_owned())).collect();
        tables.dedup();
        tables
    };
    assert_eq!((tables("three-trumps"), tables("dumbo")), (vec!["declared".to_owned()], vec!["dumbo".to_owned()]));
}

#[test]
fn parameters_out_of_range_are_refused() {
    for text in ["keep = 3", "shed = -1", "respect = 2", "feed = nan", "ruff = 1.5", "courage = 4"] {
        let params: Params = toml::from_str(text).unwrap();
        let key = text.split_once(' ').unwrap().0;
        assert_eq!(params.validate().unwrap_err().key, format!("declared.{key}"));
    }
}

/// Counts how often the last player to a trick, who may win it or not, wins it, where `asked` says so.
fn last_player_wins(name: &str, asked: impl Fn(&View<'_, DeclaredGame>) -> bool) -> (u32, u32) {
    let (game, mut wins, mut times) = (shipped(name), 0, 0);
    watch(&game, 600, &mut rule_based(""), |view, legal, chosen| {
        let (Some(order), Some(led), Some((_, best))) = (view.order(), view.led(), view.winning()) else { return };
        let is_last = view.trick_length() + 1 == view.hands_in_trick();
        let beats = |card| order.strength(led, card) >= best;
        let cards = legal.card_set();
        if is_last && asked(view) && cards.iter().any(beats) && !cards.iter().all(beats) {
            times += 1;
            wins += u32::from(beats(chosen.to_card()));
        }
    });
    assert!(times > 15, "{name}: {wins} of {times} times");
    (wins, times)
}

#[test]
fn it_leaves_the_trick_to_a_partner_and_takes_it_from_an_opponent() {
    let partner_wins = |view: &View<'_, DeclaredGame>| {
        view.winning().is_some_and(|(hand, _)| hand.index() == view.seat().left(2, 4).index())
    };
    let (wins, times) = last_player_wins("whist", partner_wins);
    assert!(wins * 10 < times, "{wins} of {times}");
    let (wins, times) = last_player_wins("whist", |view| !partner_wins(view));
    assert!(wins * 10 > times * 7, "{wins} of {times}");
}

#[test]
fn it_ducks_points_in_hearts() {
    let points: overtrick_cards::CardSet = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH QS".parse().unwrap();
    let has_points = |view: &View<'_, DeclaredGame>| view.trick().iter().any(|play| points.contains(play.card));
    let (wins, times) = last_player_wins("hearts", has_points);
    assert!(wins * 10 < times, "{wins} of {times}");
}

#[test]
fn it_wins_tricks_until_its_bid_is_met() {
    let lacks = |view: &View<'_, DeclaredGame>| {
        let bid = view.public().bid(view.seat()).map_or(0, usize::from);
        bid.saturating_sub(view.tricks_won(view.hand_to_move()))
    };
    let (wins, times) = last_player_wins("oh-hell", |view| lacks(view) == 0);
    assert!(wins * 10 < times * 3, "met: {wins} of {times}");
    let (wins, times) = last_player_wins("oh-hell", |view| lacks(view) > 0);
    // It may also win its tricks later.
    assert!(wins * 2 > times, "lacking: {wins} of {times}");
}

/// The points before a deal change decisions of this player, and those of the deal before do not.
#[test]
fn decisions_do_not_depend_on_the_points_before_earlier_deals() {
    let game = shipped("spades");
    let mut used = rule_based("");
    let mut differ = 0;
    for number in 0..60 {
        let mut by_totals = Vec::new();
        for totals in [[0; 4], [9, 0, 9, 0]] {
            let setup = Setup { totals: BySeat::full(totals), ..Setup::single(&game, number, false) };
            let mut state = game.deal(setup, &mut SeedSource::new(1, "totals", "cards").stream(number, 0));
            let mut rng = SeedSource::new(1, "totals", "strategy").stream(number, 0);
            let mut fresh = rule_based("");
            let mut moves = Vec::new();
            game.play_out(&mut state, |state| {
                let standing = Standing::default();
                let view = View::new(&game, state, &standing, state.table.seat_to_move());
                let legal = game.legal(state);
                let own = used.choose(&view, legal, &mut rng);
                assert_eq!(own, fresh.choose(&view, legal, &mut rng), "deal {number}, {totals:?}");
                moves.push(own);
                own
            });
            by_totals.push(moves);
        }
        differ += usize::from(by_totals[0] != by_totals[1]);
    }
    assert!(differ > 0);
}
