//! Tests of the score and the match of three-handed Euchre, rules EU23 to EU28, and of the options in a
//! variant file.

use overtrick_cards::table::{Place, Seat};
use overtrick_game::{AtTarget, Describe, Ending, Game, State, TieRule};
use overtrick_games::euchre::{Euchre, Making, STOCK};
use overtrick_tournament::DealRecord;

use crate::fixtures::rules::{
    arrange, assert_deals_follow, assert_ends_at_target, by_totals, card, deal, dictate, game, matches, say, variant,
};

const HANDS: [Place; 3] = [Place::Hand0, Place::Hand1, Place::Hand2];

/// Makes a deal of seat 2 in which `maker` has named hearts, and these hands have won a trick each.
///
/// If hearts were turned up, spades are named.
fn won_by(game: &Euchre, maker: usize, winners: &[usize]) -> State<Making> {
    let mut state = deal(game, Seat::Seat2, 0);
    let suit = if state.public.trump().letter() == 'H' { 'S' } else { 'H' };
    say(game, &mut state, &format!("pass, pass, pass{}, name {suit}", ", pass".repeat(maker)));
    arrange(&mut state, STOCK, &HANDS.map(|hand| (hand, "")));
    for &winner in winners {
        let leader = state.table.hand_to_move().index();
        let plays = [0, 1, 2].map(|steps| (leader + steps) % 3).map(|hand| {
            let text = if hand == winner { format!("J{suit}") } else { format!("{}{suit}", ["A", "K", "Q"][hand]) };
            (HANDS[hand], card(&text))
        });
        dictate(game, &mut state, &plays);
    }
    state
}

/// Returns all ways in which five tricks can fall.
fn falls() -> impl Iterator<Item = [usize; 5]> {
    (0..243).map(|number: usize| [81, 27, 9, 3, 1].map(|power| number / power % 3))
}

/// Checks the scores of every maker and every division of tricks.
///
/// `table` has, by tricks of the maker, the scores of the maker and of each other player.
fn assert_scores(game: &Euchre, table: [(i32, i32); 6]) {
    for (maker, winners) in (0..3).flat_map(|maker| falls().map(move |winners| (maker, winners))) {
        let state = won_by(game, maker, &winners);
        let own = winners.iter().filter(|&&winner| winner == maker).count();
        let (alone, each) = table[own];
        let wanted = [0, 1, 2].map(|seat| if seat == maker { alone } else { each });
        assert_eq!(game.scores(&state).into_array(), wanted, "maker {maker}, tricks {winners:?}");
        assert!(wanted.iter().all(|score| game.score_range().contains(score)));
        let contract_result = game.contract_result(&state).unwrap();
        assert_eq!((contract_result.declarer, contract_result.made), (Some(Seat::new(maker)), own >= 3));
        // The reason names the rule.
        for (seat, reason) in game.reasons(&state).iter().enumerate() {
            let rule = if own >= 3 { "(EU23)" } else { "(EU24" };
            assert!(reason.contains(rule), "seat {seat}: {reason}");
        }
    }
    let scores = table.map(|(alone, each)| alone.max(each));
    assert_eq!(game.score_range(), 0..=*scores.iter().max().unwrap());
}

#[test]
fn eu23_eu24_eu25_eu26_the_score_of_every_fall_of_tricks() {
    // A failed maker loses nothing. Both defenders score, even if only one of them won tricks.
    assert_scores(&game(""), [(0, 2), (0, 2), (0, 2), (1, 0), (1, 0), (3, 0)]);
}

#[test]
fn eu23_what_the_maker_scores_is_an_option() {
    assert_scores(&game("make-points = 7"), [(0, 2), (0, 2), (0, 2), (7, 0), (7, 0), (3, 0)]);
    assert_scores(&game("march-points = 5"), [(0, 2), (0, 2), (0, 2), (1, 0), (1, 0), (5, 0)]);
    assert_scores(&game("make-points = 0\nmarch-points = 0"), [(0, 2), (0, 2), (0, 2), (0, 0), (0, 0), (0, 0)]);
}

#[test]
fn eu25_what_each_defender_scores_is_an_option() {
    assert_scores(&game("euchre-points-each = 1"), [(0, 1), (0, 1), (0, 1), (1, 0), (1, 0), (3, 0)]);
    assert_scores(&game("euchre-points-each = 9"), [(0, 9), (0, 9), (0, 9), (1, 0), (1, 0), (3, 0)]);
}

#[test]
fn eu10_results_tell_how_trumps_were_made() {
    let game: Euchre = game("");
    let kinds = game.contract_kinds();
    for passes in 0..6 {
        let mut state = deal(&game, Seat::Seat1, 0);
        (0..passes).for_each(|_| say(&game, &mut state, "pass"));
        game.play_out(&mut state, |state| game.legal(state).iter().last().unwrap());
        let kind = game.contract_result(&state).unwrap().kind;
        let wanted = ["ordered-up", "ordered-up", "taken-up", "named", "named", "named by the dealer"];
        assert_eq!(kinds[usize::from(kind)].name, wanted[passes]);
    }
}

#[test]
fn eu27_by_default_a_match_goes_to_10() {
    let ending = |rules: &str| game::<Euchre>(rules).ending();
    assert_eq!(ending(""), Ending::Target { points: 10, ties: AtTarget::PlayOn });
    let highest = AtTarget::Highest(TieRule::HighestThenExtraDeal);
    assert_eq!(ending("tie-rule = \"highest\"\ntarget = 7"), Ending::Target { points: 7, ties: highest });
    assert_eq!(ending("end-mode = \"deals\"\nn-deals = 9"), Ending::Deals(9));
}

#[test]
fn eu27_the_deal_passes_left_and_a_match_may_end_after_its_deals() {
    let rules = "first-dealer = \"seat-2\"\nend-mode = \"deals\"\nn-deals = 9\ntarget = 1";
    for records in matches("euchre-32", rules, 20) {
        assert_eq!(records.len(), 9);
        assert_deals_follow(&records, 2);
        assert_eq!(records[8].places, Some(by_totals(&records[8].totals_after)));
    }
    for records in matches("euchre-24", "", 20) {
        let first = records[0].dealer.index();
        assert_deals_follow(&records, first);
    }
}

/// Returns the totals at or above the target after this deal, in descending order.
fn at_target(record: &DealRecord, target: i32) -> Vec<i32> {
    let mut reached: Vec<i32> = record.totals_after.iter().copied().filter(|&total| total >= target).collect();
    reached.sort_by_key(|&total| -total);
    reached
}

#[test]
fn eu28_two_at_the_target_in_one_deal_play_on_until_somebody_leads_alone() {
    let (target, mut level, mut unlike, mut long, mut overtaken) = (5, 0, 0, 0, 0);
    let usual = matches("euchre-32", "target = 5", 600);
    // Where making trumps scores more, a third player overtakes in some matches.
    for records in usual.into_iter().chain(matches("euchre-24", "target = 5\nmake-points = 4", 3000)) {
        // By the rule, the match goes on until a player is at the target, who wins if alone there. Two play
        // on until one total is the highest.
        let mut playing_on: Option<Vec<i32>> = None;
        for (number, record) in records.iter().enumerate() {
            let reached = at_target(record, target);
            let alone = reached.len() == 1 || reached.len() > 1 && reached[0] > reached[1];
            let ends = if playing_on.is_some() { alone } else { reached.len() == 1 };
            assert_eq!(ends, number + 1 == records.len(), "{:?} in deal {number}", record.totals_after);
            long += usize::from(playing_on.is_some() && !ends);
            if ends {
                assert_eq!(record.places, Some(by_totals(&record.totals_after)));
                let best = record.totals_after.iter().position(|&total| total == reached[0]).unwrap();
                overtaken += usize::from(playing_on.is_some_and(|totals| totals[best] < target));
                break;
            }
            if reached.len() > 1 && playing_on.is_none() {
                level += usize::from(reached[0] == reached[1]);
                unlike += usize::from(reached[0] > reached[1]);
                playing_on = Some(record.totals_after.clone());
            }
        }
    }
    // All cases occurred: equal and unequal totals at the target, several more deals, and a third player who
    // overtook.
    assert!([level, unlike, long, overtaken].iter().all(|&found| found > 5), "{level} {unlike} {long} {overtaken}");
}

#[test]
fn eu28_or_the_higher_total_wins_at_once() {
    let (mut level, mut unlike) = (0, 0);
    for records in matches("euchre-32", "target = 5\ntie-rule = \"highest\"", 600) {
        assert_ends_at_target(&records, 5, true);
        for record in &records {
            if let [best, next, ..] = at_target(record, 5)[..] {
                level += usize::from(best == next);
                unlike += usize::from(best > next && record.places.is_some());
            }
        }
    }
    assert!(level > 10 && unlike > 10, "{level} {unlike}");
}

#[test]
fn every_option_keeps_to_its_range() {
    let ranges = [
        ("make-points", 0, 1000),
        ("march-points", 0, 1000),
        ("euchre-points-each", 0, 1000),
        ("target", 1, 100_000),
        ("n-deals", 1, 65_536),
    ];
    for (key, low, high) in ranges {
        for value in [low, high] {
            let accepted = variant("euchre-32", &format!("{key} = {value}")).unwrap();
            assert_eq!(accepted.game.rules()[key].as_integer(), Some(value));
        }
        for value in [low - 1, high + 1] {
            let refused = variant("euchre-32", &format!("{key} = {value}")).err().expect(key);
            let wanted = if key == "n-deals" && value < 0 { "n-deals" } else { &format!("must be {low} to {high}") };
            assert!(refused.contains(key) && refused.contains(wanted), "{refused}");
        }
    }
    let words = [
        ("first-dealer", &["black-jack", "seat-0", "seat-1", "seat-2", "random"][..], "seat-3"),
        ("end-mode", &["target", "deals"], "never"),
        ("tie-rule", &["extra-deal", "highest"], "highest-then-shared"),
    ];
    for (key, good, bad) in words {
        for word in good {
            let accepted = variant("euchre-32", &format!("{key} = {word:?}")).unwrap();
            assert_eq!(accepted.game.rules()[key].as_str(), Some(*word));
        }
        assert!(variant("euchre-32", &format!("{key} = {bad:?}")).err().unwrap().contains(key));
    }
    let switches = ["may-discard-upcard", "turned-down-allowed"];
    for key in switches {
        let on = variant("euchre-32", &format!("{key} = true")).unwrap().game.rules();
        assert_eq!(on[key].as_bool(), Some(true));
        assert_eq!(variant("euchre-32", "").unwrap().game.rules()[key].as_bool(), Some(false));
    }
    // Only the pack is missing above (EU3).
    let all = variant("euchre-32", "").unwrap().game.rules().len();
    assert_eq!(all, ranges.len() + words.len() + switches.len() + 1);
}
