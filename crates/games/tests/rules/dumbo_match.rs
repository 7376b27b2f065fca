//! Tests of Dumbo's match and table, rules DU23 to DU27, and of the options in a variant file.

use overtrick_cards::table::{Place, Seat};
use overtrick_game::{AtTarget, Describe, Ending, Game, TieRule};
use overtrick_games::dumbo::{DUMBO, Dumbo, DumboRules, TableShape, square_chairs};

use crate::fixtures::rules::{
    assert_deals_follow, assert_ends_at_target, by_totals, deal, matches, play_out, rng, variant,
};

#[test]
fn du23_by_default_a_match_goes_to_31() {
    let game = Dumbo::new(DumboRules::default()).unwrap();
    assert_eq!(game.ending(), Ending::Target { points: 31, ties: AtTarget::Highest(TieRule::HighestThenExtraDeal) });
}

#[test]
fn du23_a_match_ends_at_its_target() {
    for target in [31, 51] {
        for records in matches("dumbo", &format!("target = {target}"), 30) {
            assert_deals_follow(&records, 0);
            assert_ends_at_target(&records, target, true);
        }
    }
}

#[test]
fn du23_a_match_ends_after_its_deals() {
    // The target has no effect then, and neither has a shared lead.
    let rules = "end-mode = \"deals\"\nn-deals = 9\ntarget = 1";
    for records in matches("dumbo", rules, 30) {
        assert_eq!(records.len(), 9);
        assert_deals_follow(&records, 0);
        assert!(records[..8].iter().all(|record| !record.last_deal) && records[8].last_deal);
    }
}

#[test]
fn du24_the_highest_total_wins() {
    let mut shared = 0;
    for rules in ["target = 31", "end-mode = \"deals\"\nn-deals = 2"] {
        for records in matches("dumbo", rules, 120) {
            let last = records.last().unwrap();
            let places = last.places.as_ref().unwrap();
            assert_eq!(*places, by_totals(&last.totals_after));
            shared += usize::from(places.iter().filter(|&&place| place == 0).count() > 1);
        }
    }
    // After two deals the win is shared in some matches.
    assert!(shared > 0);
}

/// Returns the number of these matches with a shared lead at the target in some deal.
fn shared_leads(rules: &str, check: impl Fn(&overtrick_tournament::DealRecord)) -> usize {
    let extra_deals = !rules.contains("tie-rule") || rules.contains("extra-deal");
    let mut found = 0;
    for records in matches("dumbo", &format!("target = 8\n{rules}"), 300) {
        assert_ends_at_target(&records, 8, extra_deals);
        let shared = records.iter().find(|record| {
            let best = *record.totals_after.iter().max().unwrap();
            best >= 8 && record.totals_after.iter().filter(|&&total| total == best).count() > 1
        });
        if let Some(record) = shared {
            found += 1;
            check(record);
        }
    }
    found
}

#[test]
fn du25_a_shared_lead_at_the_target_means_another_deal() {
    assert!(shared_leads("", |record| assert_eq!(record.places, None)) > 3);
    assert!(shared_leads("tie-rule = \"highest-then-extra-deal\"", |record| assert_eq!(record.places, None)) > 3);
}

#[test]
fn du25_a_shared_lead_at_the_target_may_share_the_win() {
    let found = shared_leads("tie-rule = \"highest-then-shared\"", |record| {
        let places = record.places.clone().unwrap();
        assert_eq!(places, by_totals(&record.totals_after));
        assert!(places.iter().filter(|&&place| place == 0).count() > 1);
    });
    assert!(found > 3);
}

#[test]
fn du25_a_shared_lead_at_the_target_may_go_to_the_first_left_of_the_dealer() {
    let found = shared_leads("tie-rule = \"highest-then-seat\"", |record| {
        let (places, totals) = (record.places.clone().unwrap(), &record.totals_after);
        let best = totals.iter().max().unwrap();
        let from_left = (1..=3).map(|steps| (record.dealer.index() + steps) % 3);
        let winner = from_left.into_iter().find(|&seat| totals[seat] == *best).unwrap();
        assert_eq!(places[winner], 0);
        assert!((0..3).all(|seat| seat == winner || places[seat] > 0), "{places:?}");
    });
    assert!(found > 3);
}

#[test]
fn du26_any_number_of_deals_will_do() {
    for deals in [1, 2, 3, 4] {
        let records = matches("dumbo", &format!("end-mode = \"deals\"\nn-deals = {deals}"), 2);
        assert!(records.iter().all(|records| records.len() == deals));
    }
}

/// The chairs of a square table, deal after deal, moved by the words of DU27 alone.
struct Chairs {
    clockwise: [String; 4],
    dealer: usize,
}

impl Chairs {
    fn new(first: Seat) -> Chairs {
        let name = |steps: usize| format!("p{}", (first.index() + steps) % 3);
        Chairs { clockwise: [name(0), name(1), "dummy".into(), name(2)], dealer: first.index() }
    }

    fn find(&self, who: &str) -> usize {
        self.clockwise.iter().position(|chair| chair == who).unwrap()
    }

    /// Returns the chairs around the table from the dealer.
    fn round_from_dealer(&self) -> [&str; 4] {
        let start = self.find(&format!("p{}", self.dealer));
        std::array::from_fn(|step| self.clockwise[(start + step) % 4].as_str())
    }

    /// The dealer and the next dealer stay. The third player changes places with Dumbo.
    fn next_deal(&mut self) {
        let next = (self.dealer + 1) % 3;
        let third = format!("p{}", 3 - self.dealer - next);
        let (player, dumbo) = (self.find(&third), self.find("dummy"));
        self.clockwise.swap(player, dumbo);
        self.dealer = next;
    }
}

#[test]
fn du27_square_and_round_table_give_the_same_order_of_play() {
    let names = ["p0", "p1", "p2", "dummy"];
    let game = Dumbo::new(DumboRules { table: TableShape::Square, ..DumboRules::default() }).unwrap();
    for first in Seat::THREE {
        let mut chairs = Chairs::new(first);
        let start = chairs.clockwise.clone();
        for number in 0..72 {
            let dealer = first.left(number % 3, 3);
            assert_eq!(chairs.dealer, dealer.index());
            let mut state = deal(&game, dealer, number as u64);
            // The seating repeats after twelve deals, and not before.
            assert_eq!(chairs.clockwise == start, number % 12 == 0, "deal {number}");
            let shown = square_chairs(first, number as u64).map(|hand| names[hand.index()]);
            assert_eq!(shown, chairs.clockwise.each_ref().map(String::as_str), "deal {number}");
            let text = format!("chairs clockwise: {}", shown.join(", "));
            assert_eq!(game.remarks(&state, number as u64), [text]);
            let mut order = Vec::new();
            for _ in 0..4 {
                order.push(names[state.table.hand_to_move().index()]);
                let next = game.legal(&state).iter().next().unwrap();
                game.play(&mut state, next).unwrap();
            }
            assert_eq!(order, chairs.round_from_dealer(), "deal {number}");
            chairs.next_deal();
        }
    }
}

#[test]
fn du27_the_kind_of_table_changes_no_card() {
    let tables = [TableShape::Round, TableShape::Square];
    let games = tables.map(|table| Dumbo::new(DumboRules { table, ..DumboRules::default() }).unwrap());
    for number in 0..20 {
        let [round, square] = games.each_ref().map(|game| {
            let mut state = deal(game, Seat::new(number as usize % 3), number);
            play_out(game, &mut state, &mut rng("du27", number), |_| {});
            (state, game.scores(&state))
        });
        assert!(round == square);
    }
    let state = deal(&games[0], Seat::Seat0, 0);
    assert!(games[0].remarks(&state, 0).is_empty());
    assert_eq!(state.table.after(Place::Hand1), DUMBO);
}

#[test]
fn every_option_keeps_to_its_range() {
    let ranges = [
        ("target", 1, 100_000),
        ("n-deals", 1, 65_536),
        ("trick-points", -100, 100),
        ("match-bonus", -1000, 1000),
        ("zero-match-bonus", -1000, 1000),
        ("double-match-bonus", -1000, 1000),
        ("tie-score", -1000, 1000),
        ("sweep-score", -1000, 1000),
        ("dumbo-sweep-score", -1000, 1000),
    ];
    for (key, low, high) in ranges {
        for value in [low, high] {
            let accepted = variant("dumbo", &format!("{key} = {value}")).unwrap();
            assert_eq!(accepted.game.rules()[key].as_integer(), Some(value));
        }
        for value in [low - 1, high + 1] {
            let refused = variant("dumbo", &format!("{key} = {value}")).err().expect(key);
            let wanted = if value < 0 && low > 0 { key.to_owned() } else { format!("must be {low} to {high}") };
            assert!(refused.contains(key) && refused.contains(&wanted), "{refused}");
        }
    }
    let words = [
        ("first-dealer", &["seat-0", "seat-1", "seat-2", "random"][..], "seat-3"),
        ("dumbo-exposed", &["before-lead", "after-lead", "dealer-only"], "no-one"),
        ("table", &["round", "square"], "oval"),
        ("end-mode", &["target", "deals"], "never"),
        ("tie-rule", &["highest-then-extra-deal", "highest-then-shared", "highest-then-seat"], "lowest"),
    ];
    for (key, good, bad) in words {
        for word in good {
            let accepted = variant("dumbo", &format!("{key} = {word:?}")).unwrap();
            assert_eq!(accepted.game.rules()[key].as_str(), Some(*word));
        }
        assert!(variant("dumbo", &format!("{key} = {bad:?}")).err().unwrap().contains(key));
    }
    // Only switches are missing above.
    let rules = variant("dumbo", "").unwrap().game.rules();
    let switches = rules.values().filter(|value| value.is_bool()).count();
    assert_eq!(rules.len() - switches, ranges.len() + words.len());
}
