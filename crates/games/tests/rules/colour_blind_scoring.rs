//! Tests of Colour-blind's scores and matches, rules CB10 to CB14, and of the options in a variant file.

use overtrick_cards::table::{Place, Seat, Table};
use overtrick_cards::{Card, Deck};
use overtrick_game::{AtTarget, Describe, Ending, Game, State, TieRule};
use overtrick_games::colour_blind::{ColourBlind, ColourBlindRules, LastRowCard, ROW, ROW_LAST, Row, Strip, pile};

use crate::fixtures::rules;
use crate::fixtures::rules::{
    assert_deals_follow, assert_ends_at_target, by_totals, card, deal, dictate, matches, play_out, rng, variant,
};

fn game(rules: ColourBlindRules) -> ColourBlind {
    ColourBlind::new(rules).unwrap()
}

fn three() -> ColourBlind {
    game(ColourBlindRules::default())
}

fn two(strip: Strip, last_row_card: LastRowCard) -> ColourBlindRules {
    ColourBlindRules { players: 2, strip, last_row_card, ..ColourBlindRules::default() }
}

/// Returns the count of a card under the published rules, by its text.
fn value(card: Card) -> i32 {
    match &card.to_string()[..1] {
        "A" => 1,
        "T" => 10,
        "J" => 11,
        "Q" => 12,
        "K" => 13,
        pips => pips.parse().unwrap(),
    }
}

fn red(card: Card) -> bool {
    card.to_string().ends_with(['D', 'H'])
}

/// Makes a finished deal in which these seats won the tricks.
///
/// The same cards win every trick, since only the winners matter.
fn finished(game: &ColourBlind, number: u64, winners: &[Seat; 13]) -> State<Row> {
    let seats = game.layout().seats;
    let dealt = deal(game, Seat::Seat0, number);
    let mut table = Table::new(seats, Seat::Seat0);
    for place in [ROW, ROW_LAST] {
        table.lay(place, dealt.table.at(place));
    }
    table.give_turn(dealt.table.hand_to_move());
    let mut state = State { table, public: dealt.public };
    for &winner in winners {
        let (mut next, mut plays) = (state.table.hand_to_move(), Vec::new());
        for low in &["2C", "3C", "4C"][..seats] {
            plays.push((next, card(if next == Place::hand(winner) { "AC" } else { low })));
            next = state.table.after(next);
        }
        dictate(game, &mut state, &plays);
    }
    assert!(game.is_over(&state));
    state
}

/// Returns the counts of a finished deal by the words of CB10, before CB11.
fn counted(dealt: &State<Row>, last: Option<Card>, winners: &[Seat; 13], value: impl Fn(Card) -> i32) -> [i32; 3] {
    let row = dealt.public.cards();
    let good_is_red = row.iter().filter(|&&card| red(card)).count() > 6;
    let mut counts = [0; 3];
    let taken = row.iter().copied().zip(winners.iter().copied());
    for (card, winner) in taken.chain(last.map(|card| (card, winners[12]))) {
        counts[winner.index()] += if red(card) == good_is_red { value(card) } else { -value(card) };
    }
    counts
}

/// Draws thirteen random seats.
fn lots(seats: usize, number: u64) -> [Seat; 13] {
    let mut rng = rng("lots", number);
    std::array::from_fn(|_| Seat::new(rng.random_below(seats as u64) as usize))
}

/// Returns every registered game, with each use of the last card.
fn all() -> Vec<ColourBlind> {
    let for_two = [Strip::Middle, Strip::Courts]
        .into_iter()
        .flat_map(|strip| [LastRowCard::Unused, LastRowCard::LastTrick].map(|last| game(two(strip, last))));
    std::iter::once(three()).chain(for_two).collect()
}

#[test]
fn cb10_aces_count_1_pips_their_number_jacks_11_queens_12_kings_13() {
    let (game, state) = (three(), deal(&three(), Seat::Seat0, 0));
    let expected: Vec<i32> = (2..=13).chain([1]).collect();
    for suit in ["C", "D", "H", "S"] {
        let of_suit = "23456789TJQKA".chars().map(|rank| card(&format!("{rank}{suit}")));
        let counts: Vec<i32> = of_suit.clone().map(|card| game.count(card)).collect();
        assert_eq!(counts, expected);
        let sign = if state.public.good().contains(card(&format!("A{suit}"))) { 1 } else { -1 };
        let worths: Vec<i32> = of_suit.map(|card| game.worth(&state.public, card)).collect();
        assert_eq!(worths, expected.iter().map(|count| sign * count).collect::<Vec<_>>());
    }
    let row = &state.public;
    assert_eq!(row.worths(), row.cards().map(|card| game.worth(row, card)));
}

#[test]
fn cb10_good_cards_count_for_their_winner_and_bad_ones_against() {
    for game in all() {
        let seats = game.layout().seats;
        for number in 0..200 {
            let winners = lots(seats, number);
            let dealt = deal(&game, Seat::Seat0, number);
            let last = (game.rules().last_row_card == LastRowCard::LastTrick)
                .then(|| dealt.table.at(ROW_LAST).first().expect("a row of fourteen"));
            let expected = counted(&dealt, last, &winners, value).map(|count| count.max(0));
            assert_eq!(game.scores(&finished(&game, number, &winners)).into_array(), expected, "deal {number}");
        }
    }
}

#[test]
fn cb10_holds_in_deals_that_are_played() {
    for game in all() {
        for number in 0..60 {
            let dealt = deal(&game, Seat::Seat0, number);
            let mut state = dealt;
            play_out(&game, &mut state, &mut rng("played", number), |_| {});
            let tricks = state.table.tricks();
            let winners = std::array::from_fn(|at| rules::owner(tricks[at].winner.unwrap()));
            let last = (game.rules().last_row_card == LastRowCard::LastTrick)
                .then(|| dealt.table.at(ROW_LAST).first().expect("a row of fourteen"));
            let expected = counted(&dealt, last, &winners, value).map(|count| count.max(0));
            assert_eq!(game.scores(&state).into_array(), expected, "deal {number}");
        }
    }
}

#[test]
fn cb11_a_positive_count_is_the_score_and_a_negative_one_scores_zero() {
    let game = three();
    let mut seen = [0; 3];
    for number in 0..300 {
        // Seat 0 takes the good cards, seat 1 the bad cards, seat 2 nothing.
        let dealt = deal(&game, Seat::Seat0, number);
        let winners = dealt.public.cards().map(|card| Seat::new(usize::from(!dealt.public.good().contains(card))));
        let counts = counted(&dealt, None, &winners, value);
        let scores = game.scores(&finished(&game, number, &winners));
        assert!(counts[0] > 0 && counts[1] <= 0 && counts[2] == 0);
        assert_eq!(scores.into_array(), [counts[0], 0, 0]);
        let reasons = game.reasons(&finished(&game, number, &winners));
        assert_eq!(reasons[1].contains("CB11"), counts[1] < 0);
        // A player who takes the whole row does not score below zero, either.
        let all_to_one = game.scores(&finished(&game, number, &[Seat::Seat2; 13])).into_array();
        let total: i32 = counts.iter().sum();
        assert_eq!(all_to_one, [0, 0, total.max(0)]);
        seen[usize::from(total > 0) + usize::from(total >= 0)] += 1;
    }
    assert!(seen[0] > 0 && seen[1] > 0 && seen[2] > 0, "below, at and above zero: {seen:?}");
}

#[test]
fn cb11_the_lowest_score_is_an_option() {
    for floor in [0, -5, -2000] {
        let game = game(ColourBlindRules { lowest_score: floor, ..ColourBlindRules::default() });
        let mut floored = 0;
        for number in 0..200 {
            let winners = lots(3, number);
            let counts = counted(&deal(&game, Seat::Seat0, number), None, &winners, value);
            assert_eq!(
                game.scores(&finished(&game, number, &winners)).into_array(),
                counts.map(|count| count.max(floor))
            );
            floored += counts.iter().filter(|&&count| count < floor).count();
        }
        assert_eq!(floored > 0, floor > -2000);
    }
}

#[test]
fn cb10_every_count_is_an_option_that_moves_its_own_cards_alone() {
    let open = || ColourBlindRules { lowest_score: -2000, ..ColourBlindRules::default() };
    for (rank, new, rules) in [
        ("A", 100, ColourBlindRules { ace_count: 100, ..open() }),
        ("J", 0, ColourBlindRules { jack_count: 0, ..open() }),
        ("Q", 30, ColourBlindRules { queen_count: 30, ..open() }),
        ("K", 40, ColourBlindRules { king_count: 40, ..open() }),
    ] {
        let game = game(rules);
        let changed = |card: Card| if card.to_string().starts_with(rank) { new } else { value(card) };
        assert!(Deck::Full52.cards().iter().all(|card| game.count(card) == changed(card)));
        for number in 0..50 {
            let winners = lots(3, number);
            let expected = counted(&deal(&game, Seat::Seat0, number), None, &winners, changed);
            assert_eq!(game.scores(&finished(&game, number, &winners)).into_array(), expected);
        }
    }
}

#[test]
fn cb17_and_cb19_the_last_card_counts_by_the_colour_of_the_others() {
    let rules = ColourBlindRules { lowest_score: -2000, ..two(Strip::Middle, LastRowCard::LastTrick) };
    let with = game(rules.clone());
    let without = game(ColourBlindRules { last_row_card: LastRowCard::Unused, ..rules });
    let mut good_and_bad = [0; 2];
    for number in 0..200 {
        let winners = lots(2, number);
        let last = deal(&with, Seat::Seat0, number).table.at(ROW_LAST).first().unwrap();
        let row = deal(&with, Seat::Seat0, number).public;
        let good = red(last) == (row.cards().iter().filter(|&&card| red(card)).count() > 6);
        let [more, less]: [[i32; 2]; 2] =
            [&with, &without].map(|game| game.scores(&finished(game, number, &winners)).into_array());
        let winner = winners[12].index();
        assert_eq!(more[winner] - less[winner], if good { value(last) } else { -value(last) });
        assert_eq!(more[1 - winner], less[1 - winner]);
        good_and_bad[usize::from(good)] += 1;
    }
    assert!(good_and_bad.iter().all(|&deals| deals > 30));
    let state = finished(&with, 0, &[Seat::Seat1; 13]);
    assert_eq!((state.table.at(pile(Seat::Seat1)).len(), state.table.at(ROW_LAST).len()), (14, 0));
}

#[test]
fn the_range_of_scores_is_that_of_the_best_and_the_worst_row() {
    let range = |rules: ColourBlindRules| game(rules).score_range();
    let open = |rules: ColourBlindRules| range(ColourBlindRules { lowest_score: -2000, ..rules });
    // Thirteen good cards: two each from the king to the eight, and a seven. Six bad cards: two kings, queens
    // and jacks.
    assert_eq!(range(ColourBlindRules::default()), 0..=133);
    assert_eq!(open(ColourBlindRules::default()), -72..=133);
    // K Q J T 6 5 twice and a 4. The last card adds a 4, or a ten among the bad cards.
    assert_eq!(open(two(Strip::Middle, LastRowCard::Unused)), -72..=118);
    assert_eq!(open(two(Strip::Middle, LastRowCard::LastTrick)), -82..=122);
    // T 9 8 7 6 5 twice and a 4.
    assert_eq!(open(two(Strip::Courts, LastRowCard::Unused)), -54..=94);
    assert_eq!(open(two(Strip::Courts, LastRowCard::LastTrick)), -61..=98);
    assert_eq!(range(ColourBlindRules { lowest_score: -10, ..ColourBlindRules::default() }), -10..=133);
}

#[test]
fn cb12_the_deal_passes_to_the_left_and_the_first_dealer_is_an_option() {
    let deals = "end-mode = \"deals\"\nn-deals = 5\n";
    let (first, second) = ("first-dealer = \"seat-0\"\n", "first-dealer = \"seat-1\"\n");
    for (preset, rules, dealer) in [
        ("colour-blind", String::new(), 0),
        ("colour-blind", first.to_owned(), 0),
        ("colour-blind", second.to_owned(), 1),
        ("colour-blind", "first-dealer = \"seat-2\"\n".to_owned(), 2),
        ("colour-blind-2", first.to_owned(), 0),
        ("colour-blind-2", second.to_owned(), 1),
    ] {
        for records in matches(preset, &format!("{rules}{deals}"), 3) {
            assert_deals_follow(&records, dealer);
            let seats = records[0].scores.len();
            for record in &records {
                let leader = format!("p{}", (record.dealer.index() + 1) % seats);
                assert_eq!(record.tricks[0].plays[0].0, leader);
            }
        }
    }
    for (preset, seats) in [("colour-blind", 3), ("colour-blind-2", 2)] {
        let rules = "first-dealer = \"random\"\nend-mode = \"deals\"\nn-deals = 1";
        let first: Vec<usize> = matches(preset, rules, 60).iter().map(|records| records[0].dealer.index()).collect();
        // At least 20 expected of each. 5 or fewer occur less than once in ten thousand.
        assert!((0..seats).all(|seat| first.iter().filter(|&&dealer| dealer == seat).count() > 5), "{first:?}");
    }
}

#[test]
fn cb13_a_match_goes_to_a_target_or_a_number_of_deals() {
    assert_eq!(
        three().ending(),
        Ending::Target { points: 100, ties: AtTarget::Highest(TieRule::HighestThenExtraDeal) }
    );
    for preset in ["colour-blind", "colour-blind-2-last-card"] {
        for records in matches(preset, "", 20).iter().chain(&matches(preset, "target = 40", 20)) {
            let target = records[0].rules["target"].as_integer().unwrap() as i32;
            assert_deals_follow(records, 0);
            assert_ends_at_target(records, target, true);
            let last = records.last().unwrap();
            assert_eq!(*last.places.as_ref().unwrap(), by_totals(&last.totals_after));
        }
        for records in matches(preset, "end-mode = \"deals\"\nn-deals = 4\ntarget = 1", 20) {
            assert_eq!(records.len(), 4);
            assert_eq!(*records[3].places.as_ref().unwrap(), by_totals(&records[3].totals_after));
        }
    }
}

#[test]
fn cb14_a_shared_lead_at_the_target_follows_the_tie_rule() {
    // Scores are low here, so that two players often pass the target with the same total.
    let cheap = "target = 4\nking-count = 1\nqueen-count = 1\njack-count = 1\n";
    for rule in ["highest-then-extra-deal", "highest-then-shared", "highest-then-seat"] {
        let mut shared = 0;
        for records in matches("colour-blind", &format!("{cheap}tie-rule = {rule:?}"), 300) {
            assert_ends_at_target(&records, 4, rule == "highest-then-extra-deal");
            for record in &records {
                let best = *record.totals_after.iter().max().unwrap();
                let leaders: Vec<usize> = (0..3).filter(|&seat| record.totals_after[seat] == best).collect();
                if best < 4 || leaders.len() < 2 {
                    continue;
                }
                shared += 1;
                let winners: Option<Vec<usize>> =
                    record.places.as_ref().map(|places| (0..3).filter(|&seat| places[seat] == 0).collect());
                let left = |&seat: &usize| (seat + 2 - record.dealer.index()) % 3;
                let expected = match rule {
                    "highest-then-extra-deal" => None,
                    "highest-then-shared" => Some(leaders.clone()),
                    _ => Some(vec![*leaders.iter().min_by_key(|&seat| left(seat)).unwrap()]),
                };
                assert_eq!(winners, expected, "{rule}: {:?}", record.totals_after);
            }
        }
        assert!(shared > 3, "{rule}: {shared}");
    }
}

#[test]
fn every_option_keeps_to_its_range() {
    let ranges = [
        ("players", 2, 3),
        ("target", 1, 100_000),
        ("n-deals", 1, 65_536),
        ("ace-count", 0, 100),
        ("jack-count", 0, 100),
        ("queen-count", 0, 100),
        ("king-count", 0, 100),
        ("lowest-score", -2000, 0),
    ];
    for (key, low, high) in ranges {
        for value in [low, high] {
            let accepted = variant("colour-blind", &format!("{key} = {value}")).unwrap();
            assert_eq!(accepted.game.rules()[key].as_integer(), Some(value));
        }
        for value in [low - 1, high + 1] {
            let refused = variant("colour-blind", &format!("{key} = {value}")).err().expect(key);
            let wanted = if value < 0 && low >= 0 { key.to_owned() } else { format!("must be {low} to {high}") };
            assert!(refused.contains(key) && refused.contains(&wanted), "{refused}");
        }
    }
    for (key, bad) in [("first-dealer", "seat-3"), ("end-mode", "never"), ("tie-rule", "lowest"), ("strip", "QKA")] {
        assert!(variant("colour-blind-2", &format!("{key} = {bad:?}")).err().unwrap().contains(key));
    }
    let words = ["strip", "last-row-card", "first-dealer", "end-mode", "tie-rule"].len();
    assert_eq!(variant("colour-blind", "").unwrap().game.rules().len(), ranges.len() + words);
}

#[test]
fn options_that_mean_nothing_are_refused() {
    let refused = |base: &str, rules: &str| variant(base, rules).err().unwrap();
    assert!(refused("colour-blind", "strip = \"JQK\"").contains("CB15"));
    assert!(refused("colour-blind", "last-row-card = \"last-trick\"").contains("CB19"));
    assert!(refused("colour-blind-2", "players = 3\nstrip = \"JQK\"").contains("CB15"));
    assert!(refused("colour-blind-2-last-card", "players = 3").contains("CB19"));
    assert!(refused("colour-blind-2", "first-dealer = \"seat-2\"").contains("first-dealer"));
    // Stripped courts have no counts.
    for key in ["jack-count", "queen-count", "king-count"] {
        assert!(refused("colour-blind-2-courts", &format!("{key} = 5")).contains("CB15"));
        assert!(variant("colour-blind-2", &format!("{key} = 5")).is_ok());
    }
    // With two players, each of these options has an effect.
    for rules in ["strip = \"JQK\"", "last-row-card = \"last-trick\"", "first-dealer = \"seat-1\""] {
        assert!(variant("colour-blind-2", rules).is_ok());
    }
}
