//! Bots that are equal or few, limits of games, and saved leagues.

use overtrick_cards::SeedSource;
use overtrick_league::{
    BotStatus, League, LeagueError, LeagueOutcome, LeagueQuestion, LeagueSettings, LineUpShape, RoundPoints,
};

use crate::made_up::{MadeUp, TABLE, TABLE_OF_TWO};

/// Returns bots with many events, so that leagues are short.
fn lively(skills: &[f64], shape: LineUpShape) -> MadeUp {
    MadeUp { skills: skills.to_vec(), chance: 0.6, shape, ..MadeUp::ladder(skills.len(), 11) }
}

fn error_of(change: impl FnOnce(&mut LeagueSettings)) -> String {
    let mut settings = LeagueSettings::new(4, TABLE, LeagueQuestion::Top(2), 1);
    change(&mut settings);
    League::new(settings).unwrap_err().to_string()
}

#[test]
fn settings_out_of_range_are_refused() {
    assert_eq!(error_of(|settings| settings.bots = 1), "a league has 2 to 512 bots, and this one has 1");
    let top = "must be at least 1 and below the number of bots, which is 4";
    assert_eq!(error_of(|settings| settings.question = LeagueQuestion::Top(4)), format!("`top` is 4, and {top}"));
    assert_eq!(error_of(|settings| settings.question = LeagueQuestion::Top(0)), format!("`top` is 0, and {top}"));
    let other = LeagueQuestion::BetterThan(4);
    assert_eq!(error_of(|settings| settings.question = other), "bot 4 is not one of the 4 bots");
    for error in [0.0, 1.0, -0.1, f64::NAN] {
        assert!(error_of(|settings| settings.error = error).starts_with("`error` is "));
    }
    for resolution in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(error_of(|settings| settings.resolution = resolution).starts_with("`resolution` is "));
    }
    let shape = LineUpShape { size: 5, seats: 5, games: 120 };
    assert!(error_of(|settings| settings.shape = shape).starts_with("line-ups of 5 bots need 2 to 4 bots"));
    assert!(error_of(|settings| settings.group_deals = 0).starts_with("a group has 1 to 1024 deals"));
    let few = error_of(|settings| settings.most_games = Some(47));
    assert_eq!(few, "47 games are too few, because the first deals take 48");
}

#[test]
fn two_bots_have_a_league() {
    let duel = LineUpShape { size: 2, seats: 3, games: 6 };
    for shape in [TABLE_OF_TWO, duel] {
        let made_up = lively(&[0.3, -0.3], shape);
        let outcome = made_up.play_league(made_up.settings(LeagueQuestion::Best)).outcome();
        assert_eq!((outcome.is_answered, outcome.bots), (true, vec![0]));
    }
}

#[test]
fn line_ups_of_four_have_a_league() {
    let made_up = lively(&[-0.5, 0.6, -0.5, 0.0, -0.5, -0.5], LineUpShape { size: 4, seats: 4, games: 24 });
    let outcome = made_up.play_league(made_up.settings(LeagueQuestion::Top(2))).outcome();
    assert_eq!((outcome.is_answered, outcome.bots), (true, vec![1, 3]));
}

/// Plays a league in which all points are 0.
fn play_equal(settings: LeagueSettings) -> League {
    let mut league = League::new(settings).unwrap();
    while let Some(plan) = league.plan() {
        let mut points = RoundPoints::new(&plan);
        for (index, group) in plan.groups.iter().enumerate() {
            points.set(index, group.line_ups.iter().map(|line_up| vec![0; line_up.len()]).collect());
        }
        league.add(&points).unwrap();
    }
    league
}

#[test]
fn equal_bots_end_by_games_or_by_resolution() {
    for question in
        [LeagueQuestion::Top(2), LeagueQuestion::Best, LeagueQuestion::BetterThan(0), LeagueQuestion::Ranking]
    {
        let settings = LeagueSettings::new(5, TABLE, question, 1);
        let open = play_equal(LeagueSettings { most_games: Some(20_000), ..settings.clone() });
        let outcome = open.outcome();
        assert!(!outcome.is_answered && outcome.is_out_of_games && outcome.possible.len() >= 4);
        assert!(open.spent().games <= 20_000 && open.spent().games > 19_900);
        let closed = play_equal(LeagueSettings { resolution: 0.001, ..settings });
        assert!(closed.outcome().is_answered && !closed.outcome().is_out_of_games, "{question:?}");
        assert!(closed.decisions().is_empty(), "no bot is better");
    }
}

#[test]
fn a_limit_of_games_leaves_the_question_open() {
    let made_up = lively(&[0.5, 0.02, 0.0, -0.5], TABLE);
    let settings = LeagueSettings { most_games: Some(40_000), ..made_up.settings(LeagueQuestion::Top(2)) };
    let league = made_up.play_league(settings);
    let LeagueOutcome { is_answered, bots, possible, is_out_of_games } = league.outcome();
    assert!(!is_answered && is_out_of_games);
    assert_eq!((bots.len(), bots[0], possible.len()), (2, 0, 3), "the best is in, and two may be the second");
    let statuses: Vec<BotStatus> = league.standings().iter().map(|standing| standing.status).collect();
    assert!(matches!(statuses[..], [BotStatus::In(_), BotStatus::Open, BotStatus::Open, BotStatus::Out(_)]));
}

#[test]
fn better_than_a_bot() {
    let made_up = lively(&[0.0, 0.4, -0.4, -0.4], TABLE);
    let outcome = made_up.play_league(made_up.settings(LeagueQuestion::BetterThan(0))).outcome();
    assert_eq!((outcome.is_answered, outcome.bots), (true, vec![1]));
    let none = made_up.play_league(made_up.settings(LeagueQuestion::BetterThan(1)));
    assert_eq!((none.outcome().is_answered, none.outcome().bots), (true, Vec::new()));
    assert_eq!(none.standings().iter().find(|standing| standing.bot == 1).unwrap().status, BotStatus::Reference);
}

#[test]
fn a_ranking_settles_every_place() {
    let made_up = lively(&[-0.6, 0.6, 0.0, 0.3, -0.3], TABLE);
    let league = made_up.play_league(made_up.settings(LeagueQuestion::Ranking));
    assert_eq!(league.outcome().bots, [1, 3, 2, 4, 0]);
    assert_eq!(league.decisions().len(), 10);
    for decision in league.decisions() {
        let margin = decision.at_decision;
        assert!(margin.margin > margin.half_width.unwrap() && decision.round <= league.spent().rounds);
    }
    let (one, other) = (league.pair(1, 0), league.pair(0, 1));
    assert_eq!((one.margin, one.half_width), (-other.margin, other.half_width));
}

/// Plays a round with its groups forwards or backwards.
fn play_in_order(made_up: &MadeUp, league: &mut League, backwards: bool) {
    let plan = league.plan().unwrap();
    let mut points = RoundPoints::new(&plan);
    let mut indices: Vec<usize> = (0..plan.groups.len()).collect();
    if backwards {
        indices.reverse();
    }
    for index in indices {
        assert_eq!(league.add(&points), Err(LeagueError::Points { round: plan.round }), "groups are missing");
        points.set(index, made_up.play(&plan.groups[index]));
    }
    league.add(&points).unwrap();
}

#[test]
fn the_order_of_groups_and_a_saved_league_change_no_byte() {
    let made_up = MadeUp::ladder(7, 5);
    let settings = made_up.settings(LeagueQuestion::Top(2));
    let (mut forwards, mut backwards) = (League::new(settings.clone()).unwrap(), League::new(settings).unwrap());
    for _ in 0..8 {
        play_in_order(&made_up, &mut forwards, false);
        play_in_order(&made_up, &mut backwards, true);
        let bytes = postcard::to_allocvec(&backwards).unwrap();
        assert_eq!(postcard::to_allocvec(&forwards).unwrap(), bytes);
        backwards = postcard::from_bytes(&bytes).unwrap();
        backwards.check().unwrap();
        assert_eq!(backwards.plan(), forwards.plan());
    }
}

#[test]
fn a_damaged_league_is_refused_or_does_no_harm() {
    let made_up = lively(&[0.5, 0.2, 0.0, -0.2, -0.4], TABLE);
    let mut league = League::new(made_up.settings(LeagueQuestion::Top(2))).unwrap();
    for _ in 0..6 {
        made_up.play_round(&mut league);
    }
    let sound = postcard::to_allocvec(&league).unwrap();
    let mut stream = SeedSource::new(1, "league", "test damage").stream(0, 0);
    let (mut refused, mut harmless) = (0, 0);
    for _ in 0..2_000 {
        let mut bytes = sound.clone();
        let place = stream.random_below(bytes.len() as u64) as usize;
        bytes[place] = stream.random_below(256) as u8;
        let Ok(read) = postcard::from_bytes::<League>(&bytes) else { continue };
        if read.check().is_err() {
            refused += 1;
            continue;
        }
        harmless += 1;
        let plan = read.plan();
        assert!(plan.is_none_or(|plan| plan.groups.len() <= 4096));
        assert_eq!(read.standings().len(), read.settings().bots);
        assert!(read.outcome().bots.len() <= 5 && read.decisions().len() <= 10);
    }
    assert!(refused > 100 && harmless > 100, "{refused} {harmless}");
}

#[test]
fn points_of_another_round_are_refused() {
    let made_up = MadeUp::ladder(5, 1);
    let mut league = League::new(made_up.settings(LeagueQuestion::Best)).unwrap();
    let first = RoundPoints::new(&league.plan().unwrap());
    made_up.play_round(&mut league);
    let before = league.clone();
    assert_eq!(league.add(&first), Err(LeagueError::Points { round: 2 }));
    let mut wrong = RoundPoints::new(&league.plan().unwrap());
    for index in 0..16 {
        wrong.set(index, vec![vec![1]]);
    }
    assert_eq!(league.add(&wrong), Err(LeagueError::Points { round: 2 }));
    assert_eq!(league, before);
}

#[test]
fn values_stay_the_same_when_bots_are_dropped() {
    // Each bot beats those before it in a cycle, so a value depends on the opponents.
    let made_up = MadeUp { cycle: 0.5, ..lively(&[0.2, 0.05, 0.0, -0.05, -0.1, -0.1], TABLE) };
    let settings = LeagueSettings { most_games: Some(600_000), ..made_up.settings(LeagueQuestion::Best) };
    let league = made_up.play_league(settings);
    let values = made_up.values();
    assert!(league.standings()[3..].iter().all(|standing| matches!(standing.status, BotStatus::Out(_))));
    for standing in league.standings() {
        let off = (standing.rating.mean - values[standing.bot]).abs();
        assert!(off < 4.0 * standing.rating.se.unwrap(), "{standing:?} {values:?}");
    }
    for other in 1..6 {
        let pair = league.pair(0, other);
        assert!((pair.margin - values[0] + values[other]).abs() < pair.half_width.unwrap(), "{other}: {pair:?}");
    }
}
