//! Random games of the generator: each plays to the end or is refused by name, and its views and worlds are exact.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{Card, CardSet, SeedSource, Stream};
use overtrick_game::{Describe, Game, Infer, Setup, Standing, State, View, World};
use overtrick_language::source::GameFile;
use overtrick_language::{DeclaredGame, DeclaredPublic, rules_page};
use overtrick_search::worlds::Worlds;
use toml::{Table, Value};

use crate::made::GameMaker;
use crate::same_game::choose;

type GameState = State<DeclaredPublic>;

/// Makes the game of a file, or returns its refusal, which must be a line with file and key.
fn game_of(table: &Table) -> Result<DeclaredGame, String> {
    let text = toml::to_string(table).unwrap();
    let read = GameFile::parse(Path::new("t.toml"), text.clone()).and_then(|file| {
        let values = file.defaults();
        DeclaredGame::of(Arc::new(file), &values)
    });
    read.map_err(|error| {
        let error = error.to_string();
        let has_line = error.starts_with("t.toml:") && error.contains('`') && !error.contains('\n');
        assert!(has_line, "{error}\n{text}");
        error
    })
}

fn stream(purpose: &str, number: u64) -> Stream {
    SeedSource::new(47, purpose, "").stream(number, 0)
}

/// Plays deals at random, and shows each state before a move, and the last one.
fn random_play(game: &DeclaredGame, deals: u64, mut at: impl FnMut(&GameState, &GameState)) {
    let layout = game.layout();
    let most = layout.hands.len() * layout.cards_each + 32;
    for number in 0..deals {
        // In turn from all places of the cycle.
        let place = number % u64::from(game.cycle());
        let setup = Setup { deal: u32::try_from(place).unwrap(), ..Setup::single(game, number, false) };
        let dealt = game.deal(setup, &mut stream(game.name(), number));
        let (mut state, mut rng) = (dealt, stream("moves", number));
        let mut moves = 0;
        while !game.is_over(&state) {
            at(&dealt, &state);
            assert!(!game.legal(&state).is_empty(), "no legal move");
            let made = choose(game, &state, &mut rng);
            game.play(&mut state, made).unwrap();
            moves += 1;
            assert!(moves <= most, "a deal of {moves} moves");
        }
        at(&dealt, &state);
    }
}

/// Plays a few deals, and checks their ends.
fn check_play(game: &DeclaredGame, deals: u64) {
    random_play(game, deals, |_, state| {
        if game.is_over(state) {
            let seats = game.layout().seats;
            let scores = game.scores(state);
            assert!(scores.of(seats).iter().all(|score| game.score_range().contains(score)), "{scores:?}");
            assert_eq!(game.reasons(state).len(), seats);
        }
        for made in game.legal(state).iter().filter(|_| !game.is_over(state)) {
            let text = game.move_text(state, made).unwrap();
            assert_eq!(game.read_move(state, &text), Some(made), "{text}");
        }
    });
    let survey = game.survey(deals, 0, 1);
    assert_eq!(survey.deals, deals);
    assert!(rules_page(game, "test").unwrap().starts_with("# test\n"));
}

/// Checks that a state comes from its opening by its calls and plays, each of them legal.
fn comes_from_its_opening(game: &DeclaredGame, state: &GameState) -> bool {
    let Some(mut past) = game.opening(state, &mut stream("luck", 0)) else { return false };
    for &(seat, call) in state.table.calls() {
        if past.table.seat_to_move() != seat || game.play(&mut past, call).is_err() {
            return false;
        }
    }
    state.table.plays().iter().all(|&card| game.play(&mut past, overtrick_game::Move::card(card)).is_ok())
        && past == *state
}

/// The contract of every game: views, legal moves and imagined worlds depend on nothing that is hidden.
///
/// Returns how often hidden cards were dealt again and changed their places.
pub fn check_contract(game: &DeclaredGame, deals: u64) -> usize {
    let standing = Standing::default();
    let mut moved = 0;
    let mut rng = stream("hidden", 0);
    random_play(game, deals, |_, state| {
        assert!(comes_from_its_opening(game, state), "a deal does not go back to its opening");
        for seat in Seat::all(game.layout().seats) {
            let other = state.redealt(seat, &mut rng);
            moved += usize::from(other != *state);
            let [one, two] = [state, &other].map(|state| View::new(game, state, &standing, seat));
            assert_eq!(one.facts(), two.facts(), "a view shows a hidden card");
            if state.table.seat_to_move() == seat && !game.is_over(state) {
                assert_eq!(game.legal(state), game.legal(&other), "legal moves show a hidden card");
            }
            let [mine, theirs] = [&one, &two].map(Worlds::new);
            assert!(mine.fits(&World::of(&state.table)), "the true world does not fit");
            // A choice by the same imagined worlds is the same choice.
            let number = u64::try_from(state.table.plays().len()).unwrap();
            let drawn = [&mine, &theirs].map(|worlds| worlds.sample(&mut stream("worlds", number)));
            assert_eq!(drawn[0], drawn[1], "worlds show a hidden card");
        }
    });
    moved
}

/// Returns all worlds in which each call and play so far was legal, if there are few ways to lay the hidden cards.
fn worlds_by_replay(game: &DeclaredGame, view: &View<'_, DeclaredGame>, most: usize) -> Option<HashSet<World>> {
    let hidden: Vec<Card> = view.unseen().iter().collect();
    let seen = Place::ALL.map(|place| view.cards(place));
    let rooms = Place::ALL.map(|place| view.count(place) - seen[place.index()].iter().count());
    let mut ways = vec![[CardSet::EMPTY; Place::COUNT]];
    for card in hidden {
        let mut next = Vec::new();
        for way in ways {
            for place in Place::ALL {
                let own = way[place.index()];
                if own.iter().count() < rooms[place.index()] {
                    let mut longer = way;
                    longer[place.index()] = own | CardSet::of(card);
                    next.push(longer);
                }
            }
        }
        if next.len() > most {
            return None;
        }
        ways = next;
    }
    let worlds = ways.into_iter().map(|way| World::new(std::array::from_fn(|place| way[place] | seen[place])));
    Some(worlds.filter(|world| comes_from_its_opening(game, &view.imagine(world))).collect())
}

/// The sums of a chi-square test.
#[derive(Debug, Default)]
pub struct ChiSquare {
    views: usize,
    square: f64,
    freedom: f64,
}

impl ChiSquare {
    /// Compares the worlds of small views with all that fit, and counts how often each is drawn.
    pub fn add(&mut self, game: &DeclaredGame, deals: u64) {
        let standing = Standing::default();
        random_play(game, deals, |_, state| {
            let seat = state.table.seat_to_move();
            let view = View::new(game, state, &standing, seat);
            let Some(wanted) = worlds_by_replay(game, &view, 400).filter(|_| !game.is_over(state)) else { return };
            let worlds = Worlds::new(&view);
            let listed: HashSet<World> = worlds.enumerate_up_to(10_000).unwrap().into_iter().collect();
            assert_eq!(listed, wanted, "{seat:?} {:?}", state.table);
            self.views += 1;
            if wanted.len() < 2 {
                return;
            }
            let mut counts = HashMap::new();
            let mut rng = stream("draws", u64::try_from(self.views).unwrap());
            for _ in 0..20 * wanted.len() {
                *counts.entry(worlds.sample(&mut rng)).or_insert(0.0) += 1.0;
            }
            let squares = wanted.iter().map(|world| (counts.get(world).unwrap_or(&0.0) - 20.0_f64).powi(2) / 20.0);
            self.square += squares.sum::<f64>();
            self.freedom += wanted.len() as f64 - 1.0;
        });
    }

    /// Checks that the square lies within four standard deviations of its mean.
    pub fn check(&self, views: usize) {
        assert!(self.views > views, "{self:?}");
        assert!((self.square - self.freedom).abs() < 4.0 * (2.0_f64 * self.freedom).sqrt(), "{self:?}");
    }
}

/// Returns whether a file has a key: a path with dots.
fn has_key(value: &Value, path: &str) -> bool {
    match (value, path.split_once('.')) {
        (Value::Array(list), _) => list.iter().any(|value| has_key(value, path)),
        (Value::Table(table), None) => table.contains_key(path),
        (Value::Table(table), Some(("options", key))) => {
            let options = table.get("options").and_then(Value::as_table);
            options.is_some_and(|options| options.values().any(|option| has_key(option, key)))
        }
        (Value::Table(table), Some((first, rest))) => table.get(first).is_some_and(|inner| has_key(inner, rest)),
        _ => false,
    }
}

/// Makes the games of these numbers, and runs `check` on each that is not refused. Returns the files that play.
fn each_game(numbers: std::ops::Range<u64>, mut check: impl FnMut(&DeclaredGame)) -> Vec<Table> {
    let mut playing = Vec::new();
    let count = usize::try_from(numbers.end - numbers.start).unwrap();
    let mut refusals = Vec::new();
    for number in numbers {
        let table = GameMaker::game(number);
        match game_of(&table) {
            Err(refusal) => refusals.push(refusal),
            Ok(game) => {
                let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&game)));
                assert!(checked.is_ok(), "game {number}:\n{}", toml::to_string(&table).unwrap());
                playing.push(table);
            }
        }
    }
    assert!(3 * playing.len() >= count, "{} of {count} play: {refusals:#?}", playing.len());
    println!("{} of {count} play; refused: {refusals:#?}", playing.len());
    playing
}

/// Each file plays to the end, or is refused in one line. Every key of the language occurs in a file that plays.
#[test]
fn random_games_play_or_are_refused_by_name() {
    let playing = each_game(0..150, |game| check_play(game, 3));
    let playing = Value::Array(playing.into_iter().map(Value::Table).collect());
    #[cfg(feature = "schema")]
    {
        let missing: Vec<String> =
            crate::prose::schema_keys().into_iter().filter(|key| !has_key(&playing, key)).collect();
        assert!(missing.is_empty(), "no playing file has {missing:?}");
    }
    assert!(has_key(&playing, "score.row.points") && !has_key(&playing, "score.row.point"));
}

#[test]
fn views_of_random_games_show_nothing_hidden() {
    let mut moved = 0;
    each_game(0..60, |game| moved += check_contract(game, 1));
    assert!(moved > 1_000, "{moved}");
}

#[test]
fn worlds_of_random_games_are_uniform() {
    let mut test = ChiSquare::default();
    each_game(0..60, |game| test.add(game, 1));
    test.check(200);
}

#[test]
#[ignore = "long: plays a thousand random games, and checks views and worlds of each"]
fn a_thousand_random_games_keep_the_contract() {
    let (mut test, mut moved) = (ChiSquare::default(), 0);
    each_game(0..1_000, |game| {
        check_play(game, 10);
        moved += check_contract(game, 4);
        test.add(game, 4);
        game.survey(50, 2, 1);
    });
    test.check(5_000);
    assert!(moved > 50_000, "{moved}");
}
