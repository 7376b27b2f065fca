//! Tests of Chameleon's auction and final contract, rules CH5 to CH17.
//!
//! Each test is named after the rule that it shows. The auction is also checked against a list of legal bids
//! that follows the words of the rules.

use std::collections::BTreeSet;

use overtrick_cards::table::{Place, Seat};
use overtrick_game::{Describe, Game};
use overtrick_games::chameleon::{Phase, discards};

use crate::fixtures::chameleon::{
    any, chameleon, contracts, deal, ladder, number, open, raises, refuse, say, sights, step,
};
use crate::fixtures::rules::rng;

const MO_VS_SLAM: [&str; 3] = ["mo-higher", "equal", "slam-higher"];

fn with(mo_vs_slam: &str, players: usize) -> String {
    format!("players = {players}\nmo-vs-slam = {mo_vs_slam:?}")
}

/// Returns all bids as texts: the contracts except no trump (CH7).
fn bids() -> Vec<String> {
    contracts().into_iter().filter(|contract| !contract.ends_with("NT")).collect()
}

fn red(bid: &str) -> bool {
    bid.ends_with(['D', 'H'])
}

/// Returns the bids open after `made`, by the words of CH7 to CH11.
fn book(ladder: &[&[&str]], made: &[String]) -> BTreeSet<String> {
    let open = |bid: &String| {
        let Some(best) = made.last() else { return true };
        let so_far = made.iter().filter(|other| number(other) == number(bid)).count();
        let recolours = number(bid) == number(best) && red(bid) != red(best);
        step(ladder, bid) > step(ladder, best) || (recolours && so_far == 1)
    };
    bids().into_iter().filter(open).collect()
}

fn open_bids(rules: &str, auction: &str) -> BTreeSet<String> {
    let game = chameleon(rules);
    let mut state = deal(&game, 0, 1);
    say(&game, &mut state, auction);
    open(&game, &state).iter().filter_map(|text| text.strip_prefix("bid ")).map(str::to_owned).collect()
}

/// Returns the rule and the reason that refuse a move after this auction.
fn refusal(rules: &str, auction: &str, text: &str) -> (&'static str, String) {
    let game = chameleon(rules);
    let mut state = deal(&game, 0, 1);
    say(&game, &mut state, auction);
    let error = refuse(&game, &state, text);
    (error.rule, error.why)
}

#[test]
fn ch5_to_ch12_hold_in_any_auction() {
    let mut recoloured = 0;
    let mut ended = [0; 3];
    for (players, mo_vs_slam) in [3, 2].into_iter().flat_map(|players| MO_VS_SLAM.map(|rule| (players, rule))) {
        let (game, ladder) = (chameleon(&with(mo_vs_slam, players)), ladder(mo_vs_slam));
        for trial in 0..600 {
            let dealer = trial as usize % players;
            let mut state = deal(&game, dealer, trial);
            let mut rng = rng(mo_vs_slam, trial * 5 + players as u64);
            let (mut made, mut declarer, mut in_it) = (Vec::<String>::new(), None, vec![true; players]);
            // Forehand begins. The next turn is always the next seat to the left that has not passed.
            let mut seat = (dealer + 1) % players;
            loop {
                assert_eq!(state.table.seat_to_move().index(), seat);
                assert_eq!(state.table.hand_to_move(), Place::ALL[seat]);
                let options = book(&ladder, &made);
                let texts: BTreeSet<String> = open(&game, &state).into_iter().collect();
                let wanted = options.iter().map(|bid| format!("bid {bid}")).chain(["pass".to_owned()]);
                assert_eq!(texts, wanted.collect(), "after {made:?} under {mo_vs_slam}");
                // Low bids come more often, because auctions would be short otherwise.
                let mut by_rank: Vec<&String> = options.iter().collect();
                by_rank.sort_by_key(|bid| step(&ladder, bid));
                let pass = options.is_empty() || rng.random_below(10) < 3;
                if pass {
                    in_it[seat] = false;
                    say(&game, &mut state, "pass");
                } else {
                    let bound = rng.random_below(by_rank.len() as u64) + 1;
                    let bid = by_rank[rng.random_below(bound) as usize].clone();
                    say(&game, &mut state, &format!("bid {bid}"));
                    recoloured += usize::from(made.last().is_some_and(|best| number(best) == number(&bid)));
                    made.push(bid);
                    // No player has overcalled their own bid (CH12).
                    assert_ne!(declarer, Some(seat));
                    declarer = Some(seat);
                }
                let left = in_it.iter().filter(|&&in_it| in_it).count();
                if left == 0 || (left == 1 && declarer.is_some()) {
                    break;
                }
                seat = (1..).map(|steps| (seat + steps) % players).find(|&next| in_it[next]).unwrap();
            }
            match declarer {
                Some(seat) => {
                    assert_eq!(state.public.phase(), Phase::Discard);
                    assert_eq!(state.public.declarer(), Some(Seat::new(seat)));
                    assert_eq!(state.table.seat_to_move().index(), seat);
                    ended[0] += 1;
                }
                None if players == 3 => {
                    assert!(game.is_over(&state));
                    ended[1] += 1;
                }
                None => {
                    assert_eq!(state.public.phase(), Phase::SixInDummy);
                    ended[2] += 1;
                }
            }
        }
    }
    assert!(recoloured > 300 && ended.iter().all(|&times| times > 20), "{recoloured} {ended:?}");
}

#[test]
fn ch5_forehand_starts_and_turns_go_left() {
    let game = chameleon("");
    for dealer in 0..3 {
        let mut state = deal(&game, dealer, 2);
        for (steps, text) in [(1, "bid 6 S"), (2, "bid 7 S"), (0, "bid 8 S"), (1, "bid 9 S")] {
            assert_eq!(state.table.seat_to_move().index(), (dealer + steps) % 3);
            say(&game, &mut state, text);
        }
    }
}

#[test]
fn ch5_a_passer_is_out() {
    let game = chameleon("");
    let mut state = deal(&game, 0, 3);
    say(&game, &mut state, "bid 6 S, pass, bid 7 S");
    for text in ["bid 8 S", "bid 9 S", "bid 10 S"] {
        // Seat 2 gets no further turn.
        assert!(state.public.has_passed(Seat::Seat2) && state.table.seat_to_move() != Seat::Seat2);
        say(&game, &mut state, text);
    }
}

#[test]
fn ch5_jump_bids_are_allowed() {
    assert_eq!(open_bids("", "").len(), 22);
    assert!(open_bids("", "bid 6 C").contains("10 H") && open_bids("", "bid 6 C").contains("misere-ouverte"));
}

#[test]
fn ch6_two_passes_after_a_bid_end_the_auction() {
    let game = chameleon("");
    for (auction, declarer) in [
        ("bid 6 S, pass, pass", Seat::Seat1),
        ("pass, bid 6 S, pass", Seat::Seat2),
        // Forehand and middle have passed, so the dealer's bid ends the auction at once.
        ("pass, pass, bid 6 S", Seat::Seat0),
        ("bid 6 S, bid 6 H, pass, pass", Seat::Seat2),
        ("bid 6 S, pass, bid 7 S, bid 8 S, pass", Seat::Seat1),
    ] {
        let mut state = deal(&game, 0, 4);
        let (bids, last) = auction.rsplit_once(", ").unwrap();
        say(&game, &mut state, bids);
        assert_eq!(state.public.phase(), Phase::Auction, "{auction}");
        say(&game, &mut state, last);
        assert_eq!((state.public.phase(), state.public.declarer()), (Phase::Discard, Some(declarer)), "{auction}");
    }
}

#[test]
fn ch6_three_passes_throw_the_hands_in() {
    let game = chameleon("");
    let mut state = deal(&game, 1, 5);
    say(&game, &mut state, "pass, pass, pass");
    assert!(game.is_over(&state));
    assert_eq!(game.scores(&state).into_array(), [0; 3]);
    let contract = game.contract(&state).unwrap();
    assert_eq!((contract.kind, contract.declarer, contract.level, contract.trump), ("passed-out", None, None, None));
    assert!(game.reasons(&state).iter().all(|reason| reason.contains("CH6")));
    // No seat has seen another's cards, nor the talon.
    for place in Place::ALL {
        let own = |seat: usize| if place.index() == seat { 10 } else { 0 };
        assert_eq!(sights(&game, &state, place), [own(0), own(1), own(2)]);
    }
}

#[test]
fn ch7_no_trump_cannot_be_bid() {
    let (rule, why) = refusal("", "", "contract 6 NT");
    assert!(rule == "CH7" && why.contains("bid a suit, misere or misere-ouverte, or pass"), "{why}");
    let (game, state) = (chameleon(""), deal(&chameleon(""), 0, 1));
    for text in ["bid 6 NT", "bid 5 S", "bid 11 S", "bid 7", "bid"] {
        assert_eq!(game.read_move(&state, text), None, "{text}");
    }
    for text in ["contract 7 H", "name H", "six-in-dummy", "concede", "AH"] {
        assert_eq!(refusal("", "bid 6 C", text).0, "CH7", "{text}");
    }
}

#[test]
fn ch8_bids_rank_by_what_they_bring_the_declarer() {
    // 36, 49, 50, 64, 81, 100: every bid of a step admits all bids of the higher steps.
    let steps = ["6 C", "7 C", "misere", "8 C", "9 C", "10 C"];
    for (low, high) in (0..6).flat_map(|low| (0..6).map(move |high| (low, high))).filter(|(low, high)| low != high) {
        let next = open_bids("", &format!("bid {}", steps[low]));
        assert_eq!(next.contains(steps[high]), high > low, "{} over {}", steps[high], steps[low]);
    }
    for (auction, text) in [("bid 7 C", "bid 6 H"), ("bid misere", "bid 7 H"), ("bid 8 C", "bid misere")] {
        let (rule, why) = refusal("", auction, text);
        assert!(rule == "CH8" && why.contains(&format!("not higher than {}", &auction[4..])), "{why}");
    }
}

#[test]
fn ch9_misere_ouverte_against_ten_has_three_readings() {
    for (rule, over_ten, over_ouverte) in
        [("mo-higher", true, false), ("equal", false, false), ("slam-higher", false, true)]
    {
        let rules = with(rule, 3);
        assert_eq!(open_bids(&rules, "bid 10 S").contains("misere-ouverte"), over_ten, "{rule}");
        assert_eq!(open_bids(&rules, "bid misere-ouverte").contains("10 S"), over_ouverte, "{rule}");
        // Both are above nine under every rule.
        assert!(["10 S", "misere-ouverte"].iter().all(|bid| open_bids(&rules, "bid 9 S").contains(*bid)));
        assert!(!open_bids(&rules, "bid misere-ouverte").contains("9 S"));
        if !over_ten {
            assert_eq!(refusal(&rules, "bid 10 S", "bid misere-ouverte").0, "CH9");
        }
        if !over_ouverte {
            assert_eq!(refusal(&rules, "bid misere-ouverte", "bid 10 S").0, "CH9");
        }
    }
    assert!(open_bids("", "bid 10 S").contains("misere-ouverte"), "the default");
}

#[test]
fn ch10_one_overcall_in_the_other_colour() {
    let same_number = |auction: &str| {
        let next = open_bids("", auction);
        next.into_iter().filter(|bid| number(bid) == "6").collect::<Vec<_>>()
    };
    assert_eq!(same_number("bid 6 D"), ["6 C", "6 S"]);
    assert_eq!(same_number("bid 6 H"), ["6 C", "6 S"]);
    assert_eq!(same_number("bid 6 C"), ["6 D", "6 H"]);
    assert_eq!(same_number("bid 6 S"), ["6 D", "6 H"]);
    assert!(same_number("bid 6 D, bid 6 S").is_empty());
    assert!(same_number("bid 6 D, pass, bid 6 C").is_empty());
    for text in ["bid 6 D", "bid 6 H"] {
        let (rule, why) = refusal("", "bid 6 D", text);
        assert!(rule == "CH10" && why.contains("other colour"), "{why}");
    }
    // After the overcall the colour is not the reason.
    for text in ["bid 6 C", "bid 6 D", "bid 6 H", "bid 6 S"] {
        let (rule, why) = refusal("", "bid 6 D, bid 6 S", text);
        assert!(rule == "CH10" && why.contains("overcalled once") && !why.contains("other colour"), "{why}");
    }
}

#[test]
fn ch11_any_suit_opens_a_new_number_and_misere_is_not_overcalled_by_itself() {
    let sevens = |auction: &str| open_bids("", auction).into_iter().filter(|bid| number(bid) == "7").count();
    assert_eq!(sevens("bid 6 D, bid 6 S"), 4);
    assert_eq!(sevens("bid 6 D"), 4);
    // Also after a jump, and at ten.
    assert_eq!(sevens("bid 7 D"), 2);
    assert!(open_bids("", "bid 10 D").contains("10 S") && !open_bids("", "bid 10 D, bid 10 S").contains("10 H"));
    for misere in ["misere", "misere-ouverte"] {
        assert!(!open_bids("", &format!("bid {misere}")).contains(misere));
        let (_, why) = refusal("", &format!("bid {misere}"), &format!("bid {misere}"));
        assert!(why.contains("not higher"), "{why}");
    }
    // Seven of the other colour does not beat a misère bid in between.
    assert_eq!(sevens("bid 7 D, bid misere"), 0);
    assert_eq!(refusal("", "bid 7 D, bid misere", "bid 7 S").0, "CH8");
}

#[test]
fn ch14_to_ch17_the_contracts_open_to_every_bid() {
    for mo_vs_slam in MO_VS_SLAM {
        let (game, ladder) = (chameleon(&with(mo_vs_slam, 3)), ladder(mo_vs_slam));
        for bid in bids() {
            let mut state = deal(&game, 0, 6);
            say(&game, &mut state, &format!("bid {bid}, pass, pass"));
            any(&game, &mut state, 2);
            let options = raises(&ladder, &bid);
            assert_eq!(open(&game, &state), options, "{bid} under {mo_vs_slam}");
            for text in contracts().iter().map(|contract| format!("contract {contract}")) {
                let mut after = state;
                if !options.contains(&text) {
                    let wanted = if number(&text[9..]) == number(&bid) { "CH16" } else { "CH17" };
                    assert_eq!(refuse(&game, &state, &text).rule, wanted, "{text} after {bid}");
                    continue;
                }
                say(&game, &mut after, &text);
                let contract = game.contract(&after).unwrap();
                let said = match contract.level {
                    Some(level) => format!("{level} {}", contract.trump.unwrap()),
                    None => contract.kind.to_owned(),
                };
                assert_eq!(said, text[9..]);
                let suited = matches!(contract.trump, Some("C" | "D" | "H" | "S"));
                assert_eq!(contract.kind == "suit", suited);
                assert_eq!(contract.kind == "no-trump", contract.level.is_some() && !suited);
            }
        }
    }
}

#[test]
fn ch14_the_contract_is_announced_after_the_discards() {
    let game = chameleon("");
    let mut state = deal(&game, 0, 7);
    say(&game, &mut state, "pass, bid 6 S, pass");
    for left in [2, 1] {
        assert_eq!(state.public.phase(), Phase::Discard, "{left} to discard");
        assert_eq!(refuse(&game, &state, "contract 6 S").rule, "CH13");
        assert_eq!(game.contract(&state), None);
        any(&game, &mut state, 1);
    }
    assert_eq!((state.public.phase(), state.table.seat_to_move()), (Phase::Contract, Seat::Seat2));
    let own = state.table.at(Place::Hand2).first().unwrap().to_string();
    for text in ["pass", "bid 7 S", "six-in-dummy", &own] {
        let error = refuse(&game, &state, text);
        assert!(error.rule == "CH14" && error.why.contains("6 S or a higher one"), "{error}");
    }
    assert_eq!(state.table.at(discards(Seat::Seat2)).len(), 2);
}

#[test]
fn ch15_ch16_the_number_bid_becomes_no_trump_but_no_other_suit() {
    let game = chameleon("");
    for level in 6..=10 {
        let mut state = deal(&game, 0, 8);
        say(&game, &mut state, &format!("bid {level} S, pass, pass"));
        any(&game, &mut state, 2);
        for suit in ["C", "D", "H"] {
            let error = refuse(&game, &state, &format!("contract {level} {suit}"));
            assert!(error.rule == "CH16" && error.why.contains("no trump"), "{error}");
        }
        say(&game, &mut state, &format!("contract {level} NT"));
        assert_eq!(game.contract(&state).unwrap().trump, Some("NT"));
    }
}

#[test]
fn ch16_not_even_the_suit_that_has_been_overcalled() {
    let game = chameleon("");
    let mut state = deal(&game, 0, 9);
    say(&game, &mut state, "bid 6 S, bid 6 H, pass, pass");
    any(&game, &mut state, 2);
    for suit in ["C", "D", "S"] {
        assert_eq!(refuse(&game, &state, &format!("contract 6 {suit}")).rule, "CH16");
    }
}

#[test]
fn ch17_the_counts_that_the_rules_give() {
    let count = |bid: &str| raises(&ladder("mo-higher"), bid).len();
    // Of 27 contracts, 6 S excludes three of other suits. This checks the list above, which in turn checks
    // the game.
    assert_eq!((count("6 S"), count("10 S"), count("misere"), count("misere-ouverte")), (24, 3, 17, 1));
    let game = chameleon("");
    for (bid, contract, rule) in [
        ("7 S", "misere", None),
        ("8 S", "misere", Some("CH17")),
        ("misere", "8 NT", None),
        ("misere", "7 NT", Some("CH17")),
        ("10 S", "10 NT", None),
        ("10 S", "misere-ouverte", None),
    ] {
        let mut state = deal(&game, 0, 10);
        say(&game, &mut state, &format!("bid {bid}, pass, pass"));
        any(&game, &mut state, 2);
        let text = format!("contract {contract}");
        match rule {
            Some(rule) => assert_eq!(refuse(&game, &state, &text).rule, rule),
            None => say(&game, &mut state, &text),
        }
    }
}
