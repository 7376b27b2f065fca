//! The second implementation itself: examples worked out from the rules' text.

use crate::second;
use crate::second::Second;
use crate::second::starts::{deck, lay_out, rules};

/// A deal with default rules but for the overrides, from hands written as `AS KS` and so on, in the game's order of
/// hands; the talon, or another place, comes last.
fn deal(game: &str, overrides: &str, dealer: usize, cards: &[&str]) -> Second {
    let pack = cards.iter().flat_map(|hand| hand.split(' ')).map(str::to_string).collect();
    Second::new(&lay_out(game, rules(game, |_| 0, overrides), dealer, true, pack))
}

fn all(deal: &mut Second, moves: &[&str]) {
    for text in moves {
        deal.apply(text);
    }
}

/// Plays on to the end, each time the first legal card.
fn play_out(deal: &mut Second) {
    while !deal.is_over() {
        let card = deal.legal()[0].clone();
        deal.apply(&card);
    }
}

fn seen(deal: &Second, seat: usize, place: &str) -> String {
    deal.sees(seat).iter().find(|(name, _)| name == place).map_or(String::new(), |(_, cards)| cards.join(" "))
}

/// Ten sure spades for p0, then three losing clubs.
const TEN_SPADES: [&str; 4] = [
    "AS KS QS JS TS 9S 8S 7S 6S 5S 4C 3C 2C",
    "4S 3S 2S AC KC QC JC TC 9C 8C 7C 6C 5C",
    "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H",
    "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D",
];

/// Plays p0's spades from the top, and otherwise the first legal card.
fn run_spades(deal: &mut Second) {
    for rank in "AKQJT98765".chars() {
        deal.apply(&format!("{rank}S"));
        while deal.hand() != "p0" && !deal.is_over() {
            let card = deal.legal()[0].clone();
            deal.apply(&card);
        }
    }
    play_out(deal);
}

#[test]
fn dumbo_scores_its_exceptions() {
    let start = |dealer| lay_out("dumbo", rules("dumbo", |_| 0, ""), dealer, false, deck("A23456789TJQK"));
    let score = |players, dumbo| second::dumbo::score(&start(1), players, dumbo);
    assert_eq!(score([0, 13, 0], 0), [0, 13, 0]);
    assert_eq!(score([0, 0, 0], 13), [0, 13, 0]);
    assert_eq!(score([0, 12, 1], 0), [20, 12, 1]);
    assert_eq!(score([4, 1, 4], 4), [4, 1, 4]);
    assert_eq!(score([1, 10, 1], 1), [1, 10, 1]);
    assert_eq!(score([4, 4, 4], 1), [0, 0, 0]);
    assert_eq!(score([2, 9, 0], 2), [12, 9, 0]);
    assert_eq!(score([6, 1, 6], 0), [0, 1, 0]);
    // Every way to share the tricks: the only scores of 20 are the 36 lone matches at zero, the only sums of
    // zero the three-way ties and the ways in which two are level and the third has none.
    let (mut ways, mut twenties, mut zeros) = (0, 0, 0);
    for a in 0..=13 {
        for b in 0..=13 - a {
            for c in 0..=13 - a - b {
                let scores = score([a, b, c], 13 - a - b - c);
                ways += 1;
                twenties += usize::from(scores.contains(&20));
                zeros += usize::from(scores.iter().sum::<i64>() == 0);
            }
        }
    }
    assert_eq!((ways, twenties, zeros), (560, 36, 4 + 3 * 6));
}

#[test]
fn the_last_snap_wins() {
    let hands = [
        "5C AC KC QC JC TC 9C 8C 7C 6C 4C 3C 2C",
        "5D AD KD QD JD TD 9D 8D 7D 6D 4D 3D 2D",
        "5H AH KH QH JH TH 9H 8H 7H 6H 4H 3H 2H",
        "5S AS KS QS JS TS 9S 8S 7S 6S 4S 3S 2S",
    ];
    let mut dumbo = deal("dumbo", "", 0, &hands);
    all(&mut dumbo, &["5C", "5D", "5S"]);
    assert_eq!((dumbo.seat(), dumbo.hand().as_str()), (2, "p2"));
    dumbo.apply("AH");
    assert_eq!(dumbo.tricks()[0].1, "dummy");
    // The dealer leads for Dumbo.
    assert_eq!((dumbo.seat(), dumbo.hand().as_str()), (0, "dummy"));
    // Only the card led can be snapped: two aces against a led king do not snap each other.
    all(&mut dumbo, &["KS", "KH", "AC", "AD"]);
    assert_eq!(dumbo.tricks()[1].1, "p2");
}

#[test]
fn colour_blind_takes_the_highest_of_any_suit_and_of_equals_the_last() {
    let hands = ["2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC", "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"];
    let more = ["2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD", "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"];
    let mut three = deal("colour-blind", "", 2, &[hands[0], hands[1], more[0], more[1]]);
    all(&mut three, &["KC", "KH", "3D"]);
    assert_eq!(three.tricks()[0].1, "p1");
    assert_eq!(seen(&three, 2, "row"), "3S 4S 5S 6S 7S 8S 9S AS JS KS QS TS");
    all(&mut three, &["AH", "5D", "AC"]);
    assert_eq!(three.tricks()[1].1, "p0");
    // Black is good: p1 has the two and the three of spades, p0 and the winners of later tricks have the rest.
    play_out(&mut three);
    assert_eq!(three.scores().iter().sum::<i64>(), 91);

    // For two, the last card comes with the last trick or not at all.
    for (last, total) in [("unused", 0), ("last-trick", -6)] {
        let options = format!("players = 2\nlast-row-card = '{last}'\nlowest-score = -2000");
        let cards = [
            "AC KC QC JC TC 6C 5C 4C 3C 2C AS KS QS",
            "AD KD QD JD TD 6D 5D 4D 3D 2D JS TS 6S",
            "AH KH QH JH TH 6H 5H 4H 3H 2H 5S 4S 3S 2S",
        ];
        let mut two = deal("colour-blind", &options, 1, &cards);
        play_out(&mut two);
        // Ten hearts count for the winners; the spades 5, 4, 3 against them, the 2 only if it is taken.
        let hearts = 1 + 13 + 12 + 11 + 10 + 6 + 5 + 4 + 3 + 2;
        let spades = if total == 0 { 12 } else { 14 };
        assert_eq!(two.scores().iter().sum::<i64>(), hearts - spades);
    }
}

#[test]
fn euchre_left_bower_belongs_to_trumps_and_the_dealer_is_stuck() {
    let hands = ["JD AC KC QC TC", "9H TH AS KS QS", "AD KD QD TD 9D", "QH", "KH AH JH JC JS TS 9C 9S"];
    let mut euchre = deal("euchre", "deck = 24", 2, &hands);
    all(&mut euchre, &["pass", "order-up"]);
    assert_eq!(seen(&euchre, 0, "p2"), "QH");
    assert_eq!(euchre.legal(), ["discard 9D", "discard AD", "discard KD", "discard QD", "discard TD"]);
    euchre.apply("discard 9D");
    assert_eq!((seen(&euchre, 0, "discarded"), seen(&euchre, 2, "discarded")), (String::new(), "9D".to_string()));
    all(&mut euchre, &["AC", "9H", "AD", "TH"]);
    // The queen of hearts must follow, and so must the jack of diamonds.
    assert_eq!(euchre.legal(), ["QH"]);
    euchre.apply("QH");
    assert_eq!(euchre.legal(), ["JD"]);
    euchre.apply("JD");
    assert_eq!(euchre.tricks()[1].1, "p0");
    play_out(&mut euchre);
    // The maker has one of the first two, and of the others none: p0 runs clubs.
    assert_eq!(euchre.scores(), [2, 0, 2]);
    assert_eq!(euchre.contract(), Some((Some(1), None, Some("H".to_string()), "euchre".to_string())));

    let mut stuck = deal("euchre", "deck = 24", 2, &hands);
    all(&mut stuck, &["pass"; 5]);
    assert_eq!(stuck.legal(), ["name C", "name D", "name S"]);
    assert_eq!(seen(&stuck, 1, "up-card"), "QH");
}

#[test]
fn four_no_trump_counts_eight_made_or_set() {
    for (bid, scores) in [("bid 4 no-trump", [8, 0, 0]), ("bid 4 uptown", [4, 0, 0]), ("bid 5 uptown", [0, 5, 5])] {
        let mut whist = deal("dummy-whist", "", 2, &TEN_SPADES);
        all(&mut whist, &[bid, "pass", "pass"]);
        whist.apply(if bid.contains("no-trump") { "name uptown" } else { "name S" });
        run_spades(&mut whist);
        assert_eq!(whist.tricks().iter().filter(|(_, winner)| winner == "p0").count(), 10);
        assert_eq!(whist.scores(), scores);
    }
    let mut set = deal("dummy-whist", "", 2, &TEN_SPADES);
    all(&mut set, &["bid 4 no-trump", "pass", "pass", "name uptown", "2C"]);
    // Clubs are led, and the other side runs them.
    while !set.is_over() {
        let legal = set.legal();
        set.apply(legal.iter().find(|card| card.ends_with('C')).unwrap_or(&legal[0]));
    }
    assert_eq!(set.scores(), [0, 8, 8]);
}

#[test]
fn whist_bids_better_each_other() {
    let mut whist = deal("dummy-whist", "", 2, &TEN_SPADES);
    assert_eq!(whist.legal().len(), 22);
    whist.apply("bid 4 uptown");
    assert_eq!(whist.legal().len(), 1 + 1 + 9);
    let mut downtown = deal("dummy-whist", "downtown-outranks-uptown = true", 2, &TEN_SPADES);
    downtown.apply("bid 4 uptown");
    assert!(downtown.legal().contains(&"bid 4 downtown".to_string()));
    downtown.apply("bid 4 downtown");
    assert!(!downtown.legal().contains(&"bid 4 uptown".to_string()));
    let mut forced = deal("dummy-whist", "", 2, &TEN_SPADES);
    all(&mut forced, &["pass", "pass"]);
    assert_eq!(forced.legal().len(), 21);
    assert!(!forced.legal().contains(&"pass".to_string()));
}

#[test]
fn a_worthless_joker_leaves_the_suit_to_the_next() {
    let hands = [
        "BJ KS QS JS TS 9S 8S 7S 6S 5S 4C 3C 2C",
        "4S 3S 2S AC KC QC JC TC 9C 8C 7C 6C 5C",
        "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H",
        "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D",
        "LJ AS",
    ];
    let mut whist = deal("dummy-whist", "jokers = true", 2, &hands);
    all(&mut whist, &["bid 4 no-trump", "pass", "pass"]);
    assert_eq!((whist.hand().as_str(), whist.legal().len()), ("dummy", 15));
    assert_eq!(seen(&whist, 1, "dummy"), "");
    all(&mut whist, &["discard 2D", "discard 3D"]);
    assert_eq!((seen(&whist, 0, "discarded"), seen(&whist, 1, "discarded")), ("2D 3D".to_string(), String::new()));
    all(&mut whist, &["name downtown", "BJ"]);
    assert_eq!(whist.legal().len(), 13);
    // The four of spades sets the suit: the dummy must follow with the ace, which is the best downtown too.
    whist.apply("4S");
    assert_eq!((whist.hand().as_str(), whist.legal()), ("dummy", vec!["AS".to_string()]));
    all(&mut whist, &["AS", "2H"]);
    assert_eq!(whist.tricks()[0].1, "dummy");
}

#[test]
fn a_renege_costs_three_tricks() {
    let mut whist = deal("dummy-whist", "allow-renege = true", 2, &TEN_SPADES);
    all(&mut whist, &["bid 4 uptown", "pass", "pass", "name S", "AS"]);
    assert_eq!((whist.legal(), whist.accepted().len()), (vec!["2S".into(), "3S".into(), "4S".into()], 13));
    // Dummies cannot renege.
    whist.apply("5C");
    assert_eq!((whist.hand().as_str(), whist.legal()), ("dummy", whist.accepted()));
    all(&mut whist, &["2D", "2H"]);
    for rank in "KQJT98765".chars() {
        whist.apply(&format!("{rank}S"));
        while whist.hand() != "p0" {
            let card = whist.legal()[0].clone();
            whist.apply(&card);
        }
    }
    play_out(&mut whist);
    // Ten books and the three of the renege.
    assert_eq!(whist.scores(), [7, 0, 0]);
}

#[test]
fn humbug_multiplies_by_the_hands_kept() {
    let turn_up = "form = 'humbug'\ntrump-method = 'turn-up'";
    for (choices, factor) in [(["keep", "keep"], 4), (["exchange", "keep"], 2), (["exchange", "exchange"], 1)] {
        let mut humbug = deal("dummy-whist", turn_up, 0, &TEN_SPADES);
        assert_eq!((humbug.seat(), seen(&humbug, 1, "p0").as_str()), (1, "AS"));
        all(&mut humbug, &choices);
        let away = choices[1] == "exchange";
        assert_eq!(seen(&humbug, 1, if away { "dead0" } else { "p0" }), "AS");
        assert_eq!(seen(&humbug, 1, "dead1").is_empty(), choices[0] == "keep");
        // The non-dealer leads, and trumps are spades.
        assert_eq!(humbug.hand(), "p1");
        play_out(&mut humbug);
        let books = |hand| humbug.tricks().iter().filter(|(_, winner)| winner == hand).count() as i64;
        let over_six = |hand| (books(hand) - 6).max(0) * factor;
        assert_eq!(humbug.scores(), [over_six("p0"), over_six("p1")]);
        assert_eq!(humbug.contract().map(|contract| contract.3), Some("turn-up".to_string()));
    }
}

const CHAMELEON: [&str; 4] =
    ["AS KS QS JS TS 9S 8S 7S AC KC", "AH KH QH JH TH 9H 8H 7H QC JC", "AD KD QD JD TD 9D 8D 7D TC 9C", "8C 7C"];

#[test]
fn chameleon_bids_and_contracts() {
    let has = |deal: &Second, text: &str| deal.legal().contains(&text.to_string());
    let mut auction = deal("chameleon", "", 2, &CHAMELEON);
    assert_eq!(auction.legal().len(), 1 + 22);
    auction.apply("bid 6 D");
    assert!(has(&auction, "bid 6 C") && has(&auction, "bid 6 S") && !has(&auction, "bid 6 H"));
    auction.apply("bid 6 S");
    assert!(!has(&auction, "bid 6 H") && !has(&auction, "bid 6 D"));
    all(&mut auction, &["pass", "bid 7 H", "bid misere", "bid 8 H"]);
    assert!(!has(&auction, "bid misere") && has(&auction, "bid 8 C"));
    for (bid, contracts) in [("6 S", 24), ("7 S", 19), ("misere", 17), ("8 S", 13), ("10 S", 3), ("misere-ouverte", 1)]
    {
        let mut declarer = deal("chameleon", "", 2, &CHAMELEON);
        all(&mut declarer, &[&format!("bid {bid}"), "pass", "pass"]);
        assert_eq!(declarer.legal().len(), 12);
        all(&mut declarer, &["discard 7C", "discard 8C"]);
        assert_eq!(declarer.legal().len(), contracts, "from {bid}");
        assert!(has(&declarer, &format!("contract {bid}")));
    }
    let rank = |option: &str, bid: &str, over: &str| {
        let mut auction = deal("chameleon", &format!("mo-vs-slam = '{option}'"), 2, &CHAMELEON);
        auction.apply(&format!("bid {bid}"));
        has(&auction, &format!("bid {over}"))
    };
    let (mo, ten) = ("misere-ouverte", "10 S");
    assert!(rank("mo-higher", ten, mo) && !rank("mo-higher", mo, ten));
    assert!(!rank("equal", ten, mo) && !rank("equal", mo, ten));
    assert!(!rank("slam-higher", ten, mo) && rank("slam-higher", mo, ten));
}

#[test]
fn chameleon_scores_contracts() {
    // Eight spades and two clubs: everything is won, at ten no trump with all hands exposed.
    for (contract, scores) in [("7 S", [49, 0, 0]), ("10 NT", [100, 0, 0]), ("misere", [-50, 0, 0])] {
        let mut chameleon = deal("chameleon", "", 2, &CHAMELEON);
        all(&mut chameleon, &["bid 6 S", "pass", "pass", "discard 7C", "discard 8C", &format!("contract {contract}")]);
        assert_eq!(seen(&chameleon, 1, "p0").is_empty(), contract != "10 NT");
        assert_eq!(seen(&chameleon, 0, "discarded"), "7C 8C");
        for card in CHAMELEON[0].split(' ') {
            chameleon.apply(card);
            while !chameleon.is_over() && chameleon.hand() != "p0" {
                let card = chameleon.legal()[0].clone();
                chameleon.apply(&card);
            }
        }
        assert_eq!(chameleon.scores(), scores);
    }
    // Hearts as trumps, which are of no use to the declarer, who scores nothing; each opponent scores four a trick.
    let mut failed = deal("chameleon", "", 0, &CHAMELEON);
    all(&mut failed, &["pass", "pass", "bid 6 H", "discard AC", "discard KC", "contract 6 H"]);
    play_out(&mut failed);
    let own = failed.tricks().iter().filter(|(_, winner)| winner == "p0").count() as i64;
    assert!(own < 6);
    assert_eq!(failed.scores()[0], -36);
    assert_eq!(failed.scores()[1] + failed.scores()[2], 4 * (10 - own));
}

#[test]
fn chameleon_last_deals() {
    let mut thrown_in = deal("chameleon", "", 2, &CHAMELEON);
    all(&mut thrown_in, &["pass"; 3]);
    assert_eq!((thrown_in.is_over(), thrown_in.scores()), (true, vec![0, 0, 0]));
    assert_eq!(thrown_in.contract(), Some((None, None, None, "passed-out".to_string())));

    let mut last = deal("chameleon", "last-deal-variant = true", 2, &CHAMELEON);
    all(&mut last, &["pass"; 3]);
    assert_eq!((last.seat(), last.legal().len(), seen(&last, 0, "p2").as_str()), (2, 11, "8C"));
    last.apply("discard 7D");
    assert_eq!((last.seat(), seen(&last, 0, "p2").as_str()), (0, ""));
    play_out(&mut last);
    let won = |hand: &str| last.tricks().iter().filter(|(_, winner)| winner == hand).count() as i64;
    let above = |hand: &str, par: i64| 5 * (won(hand) - par).max(0);
    assert_eq!(last.scores(), [above("p0", 3), above("p1", 3), above("p2", 4)]);
    assert_eq!(last.contract(), Some((None, None, Some("C".to_string()), "last-deal".to_string())));

    let mut two = deal("chameleon", "players = 2\nlast-deal-variant = true", 0, &CHAMELEON);
    all(&mut two, &["pass"; 4]);
    assert_eq!((two.seat(), two.legal().len(), seen(&two, 0, "dummy").as_str()), (1, 11, "AD"));
    all(&mut two, &["discard QC"]);
    assert_eq!((two.seat(), two.legal().len()), (0, 11));
    all(&mut two, &["discard 7C"]);
    assert_eq!((seen(&two, 0, "discarded"), seen(&two, 1, "discarded")), ("7C".to_string(), "QC".to_string()));
    assert_eq!(two.hand(), "p1");
    play_out(&mut two);
    assert_eq!(two.tricks().len(), 10);
    assert!(two.tricks().iter().all(|(plays, _)| plays.len() == 2));
}

#[test]
fn six_in_dummy() {
    let mut taken = deal("chameleon", "players = 2", 0, &CHAMELEON);
    all(&mut taken, &["pass", "pass", "pass", "six-in-dummy"]);
    assert_eq!(taken.legal(), ["concede", "name C", "name D", "name H", "name S"]);
    assert_eq!((seen(&taken, 0, "dummy").len(), seen(&taken, 1, "dummy").len()), (29, 0));
    let mut conceded = taken.clone();
    conceded.apply("concede");
    assert_eq!(conceded.scores(), [-36, 0]);
    assert_eq!(conceded.contract(), Some((Some(0), Some(6), None, "conceded".to_string())));
    all(&mut taken, &["name D", "discard 7C", "discard 8C"]);
    assert_eq!(taken.legal().len(), 24);
    assert_eq!(seen(&taken, 1, "dummy"), "");
    taken.apply("contract 6 D");
    assert_eq!(seen(&taken, 1, "dummy").len(), 29);
    // Forehand leads; the dummy comes next, and it is forehand's to play.
    assert_eq!((taken.seat(), taken.hand().as_str()), (1, "p1"));
    taken.apply("AH");
    assert_eq!((taken.seat(), taken.hand().as_str()), (1, "dummy"));
    play_out(&mut taken);
    assert!(taken.tricks()[0].0.iter().map(|(hand, _)| hand.as_str()).eq(["p1", "dummy", "p0"]));
}
