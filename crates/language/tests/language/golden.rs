//! The first deals of every game in `configs/games`, pinned: cards, random play, reasons and scores.

use std::fmt::Write;
use std::path::Path;

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{CardSet, SeedSource};
use overtrick_game::{Describe, Game, Setup};

use crate::same_game::{choose, shipped};

/// Returns the first deals of a game as text.
fn first_deals(name: &str) -> String {
    let game = shipped(name);
    let seeds = ["cards", "moves"].map(|purpose| SeedSource::new(47, purpose, name));
    let mut text = String::new();
    let (seats, cycle) = (game.layout().seats as u64, u64::from(game.cycle()));
    for deal in 0..cycle.max(8) {
        // All places of a cycle, and all dealers.
        let number = if cycle == 1 { deal } else { deal * seats + deal % seats };
        let dealt = game.deal(Setup::single(&game, number, false), &mut seeds[0].stream(number, 0));
        writeln!(text, "deal {number}, p{} deals", dealt.table.dealer().index()).unwrap();
        for remark in game.remarks(&dealt, number) {
            writeln!(text, "  {remark}").unwrap();
        }
        for (hand, place) in game.hand_names() {
            writeln!(text, "  {hand} {}", dealt.table.at(place)).unwrap();
        }
        for aside in game.asides(&dealt, &dealt) {
            writeln!(text, "  {} {}", aside.name, aside.cards.into_iter().collect::<CardSet>()).unwrap();
        }
        let (mut state, mut rng) = (dealt, seeds[1].stream(number, 0));
        let mut moves = Vec::new();
        while !game.is_over(&state) {
            let made = choose(&game, &state, &mut rng);
            moves.push(game.move_text(&state, made).unwrap());
            game.play_unchecked(&mut state, made);
        }
        writeln!(text, "  {}", moves.join(" ")).unwrap();
        let won = game.hand_names().map(|(_, hand): (_, Place)| state.table.tricks_won(hand).to_string());
        writeln!(text, "  tricks {}", won.collect::<Vec<_>>().join(" ")).unwrap();
        for (seat, reason) in Seat::all(game.layout().seats).zip(game.reasons(&state)) {
            writeln!(text, "  p{} {}: {reason}", seat.index(), game.scores(&state)[seat]).unwrap();
        }
    }
    text
}

#[test]
fn the_first_deals_of_every_shipped_game_are_pinned() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/games");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(!names.is_empty());
    for name in names {
        insta::assert_snapshot!(name.clone(), first_deals(&name));
    }
}

/// Files stay short, and name the rule text that they follow.
#[test]
fn shipped_games_are_short() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/games");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= 60, "{}: {lines} lines", path.display());
    }
}
