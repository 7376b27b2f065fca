//! Tests of reneges and their cost in all games of the whist family, rules WH31 to WH34.

use overtrick_cards::Card;
use overtrick_cards::table::{Place, Seat};
use overtrick_game::{Describe, Game, Move, State};
use overtrick_games::whist::{Contracting, DUMMY, DummyWhist};

use crate::fixtures::rules::{deal, game, play, play_out, refused, refused_move, rng, say};
use crate::fixtures::whist::{CIRCLE, contract, hands};

/// Plays a deal in which seat 0 bids seven and wins twelve tricks, and returns the scores.
///
/// Seat 0 has all trumps except the two. The left opponent has the two and wins the last trick. With
/// `refuses` they renege on the first trump led.
fn seven_bid_twelve_won(game: &DummyWhist, refuses: bool) -> [i32; 3] {
    let declarer = "AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2H";
    let left = if refuses { "KH 2S" } else { "2S KH" };
    let left = format!("{left} QH JH TH 9H 8H 7H 6H 5H 4H 3H AH");
    let [dummy, right] = ["C", "D"].map(|suit| "AKQJT98765432".chars().map(|rank| format!("{rank}{suit} ")).collect());
    let texts: [String; 4] = [declarer.to_owned(), left, dummy, right];
    let mut state = hands(game, "7 uptown", "S", texts.each_ref().map(String::as_str));
    for trick in 0..13 {
        for text in &texts {
            play(game, &mut state, text.split_whitespace().nth(trick).unwrap());
        }
    }
    assert_eq!(CIRCLE.map(|hand| state.table.tricks_won(hand)), [12, 1, 0, 0]);
    assert_eq!(game.reneges(&state), [Seat::Seat1][..usize::from(refuses)]);
    let reasons = game.reasons(&state);
    assert!(reasons.iter().all(|reason| reason.contains("after 1 renege (WH31)") == refuses), "{reasons:?}");
    game.scores(&state).into_array()
}

#[test]
fn wh31_wh32_a_renege_costs_its_side_what_the_options_say() {
    // Twelve books are one too few, and each opponent scores the bid, doubled.
    let (set, made) = ([0, 14, 14], [14, 0, 0]);
    for rules in ["", "allow-renege = true"] {
        assert_eq!(seven_bid_twelve_won(&game(rules), false), set);
    }
    for (rules, scores) in [
        // The only trick of the opponents goes to the declarer.
        ("", made),
        ("renege-mode = \"transfer\"\nrenege-tricks = 1", made),
        ("renege-tricks = 0", set),
        ("renege-mode = \"forfeit\"", set),
    ] {
        assert_eq!(seven_bid_twelve_won(&game(&format!("allow-renege = true\n{rules}")), true), scores, "{rules}");
    }
}

/// Plays a deal in which a hand sometimes plays any card that it holds.
///
/// Returns the state, the seats that reneged, in order, and the tricks of seat 0's side and of the other side
/// as played.
fn reckless(game: &DummyWhist, number: u64, turned_up: bool) -> (State<Contracting>, Vec<Seat>, [i32; 2]) {
    let seats = game.layout().seats;
    let mut state = match number % 3 {
        _ if turned_up => {
            let mut state = deal(game, Seat::new(number as usize % 2), number);
            say(game, &mut state, "keep, exchange");
            state
        }
        0 => contract(game, number, "1 uptown", "H"),
        1 => contract(game, number, "2 downtown", "S"),
        _ => contract(game, number, "1 no-trump", "downtown"),
    };
    let (mut rng, mut reneges) = (rng("reckless", number), Vec::new());
    while !game.is_over(&state) {
        let (hand, legal) = (state.table.hand_to_move(), game.legal(&state));
        let any = rng.random_below(6) == 0;
        let chosen = rng.card(if any { state.table.at(hand) } else { legal.card_set() });
        let proper = legal.contains(Move::card(chosen));
        if !proper && hand.index() >= seats {
            // A dummy cannot renege: the play is refused.
            assert_eq!(refused(game, &mut state, &chosen.to_string()).rule, "WH29");
            continue;
        }
        if !proper {
            reneges.push(Seat::new(hand.index()));
        }
        game.play(&mut state, Move::card(chosen)).unwrap();
    }
    let mut tricks = [0; 2];
    for trick in state.table.tricks() {
        let hand = trick.winner.unwrap();
        tricks[usize::from(state.table.decider(hand) != Seat::Seat0)] += 1;
    }
    (state, reneges, tricks)
}

/// Returns the books after these reneges, by the words of WH31 and WH32.
fn after<'a>(mut books: [i32; 2], by: impl Iterator<Item = &'a Seat>, cost: i32, transfer: bool) -> [i32; 2] {
    for seat in by {
        let side = usize::from(*seat != Seat::Seat0);
        let lost = cost.min(books[side]);
        books[side] -= lost;
        books[1 - side] += if transfer { lost } else { 0 };
    }
    books
}

#[test]
fn wh31_wh32_wh33_reneges_are_counted_one_after_the_other_and_capped() {
    let (mut capped, mut in_order, mut both_sides) = (0, 0, 0);
    for form in [
        "",
        "jokers = true",
        "jokers = true\nnt-joker-play = \"any-time\"",
        "form = \"double-dummy\"",
        "form = \"humbug\"",
        "form = \"humbug\"\ntrump-method = \"turn-up\"",
    ] {
        for (cost, mode) in [0, 1, 3, 13].into_iter().flat_map(|cost| [(cost, "transfer"), (cost, "forfeit")]) {
            let rules = format!("{form}\nallow-renege = true\nrenege-tricks = {cost}\nrenege-mode = {mode:?}");
            let (game, transfer): (DummyWhist, bool) = (game(&rules), mode == "transfer");
            for number in 0..120 {
                let (state, reneges, tricks) = reckless(&game, number, form.contains("turn-up"));
                assert_eq!(game.reneges(&state), reneges, "deal {number} under {rules}");
                let books = after(tricks, reneges.iter(), cost, transfer);
                assert_eq!(game.books(&state), books, "deal {number} under {rules}");
                in_order += usize::from(books != after(tricks, reneges.iter().rev(), cost, transfer));
                let each = cost * reneges.len() as i32;
                let declarers = reneges.iter().filter(|&&seat| seat == Seat::Seat0).count();
                both_sides += usize::from(declarers > 0 && declarers < reneges.len());
                capped += usize::from(!transfer && books[0] + books[1] > 13 - each);
                // The contract is made if enough books remain.
                let made = state.public.bid().is_some_and(|bid| books[0] >= 6 + i32::from(bid.level));
                assert_eq!(game.contract_result(&state).unwrap().made, made);
                for score in game.scores(&state).of(game.layout().seats) {
                    assert!(game.score_range().contains(score), "{score}");
                }
            }
        }
    }
    assert!([capped, in_order, both_sides].iter().all(|&found| found > 50), "{capped} {in_order} {both_sides}");
}

#[test]
fn wh31_with_a_turn_up_too_tricks_change_hands() {
    let rules = "form = \"humbug\"\ntrump-method = \"turn-up\"\nallow-renege = true";
    let game: DummyWhist = game(rules);
    let mut changed = 0;
    for number in 0..60 {
        let (state, reneges, tricks) = reckless(&game, number, true);
        let books = after(tricks, reneges.iter(), 3, true);
        // One of the two players has kept their hand.
        let wanted = books.map(|books| 2 * (books - 6).max(0));
        assert_eq!(game.scores(&state).of(2), wanted);
        changed += usize::from(books != tricks);
    }
    assert!(changed > 30, "{changed}");
}

#[test]
fn wh34_without_the_option_nobody_can_renege() {
    for form in ["", "jokers = true", "form = \"double-dummy\"", "form = \"humbug\""] {
        let (strict, lenient): (DummyWhist, DummyWhist) = (game(form), game(&format!("{form}\nallow-renege = true")));
        let (mut refusals, mut offered) = (0, 0);
        for number in 0..20 {
            let mut state = contract(&strict, number, "1 uptown", "H");
            play_out(&strict, &mut state, &mut rng("wh34", number), |state| {
                let (hand, legal) = (state.table.hand_to_move(), strict.legal(state).card_set());
                // The legal cards are the same under both rules.
                assert_eq!(lenient.legal(state).card_set(), legal);
                let own = hand.index() < strict.layout().seats;
                for revoke in (state.table.at(hand) - legal).iter() {
                    assert_eq!(refused(&strict, &mut state.clone(), &revoke.to_string()).rule, "WH29");
                    assert_eq!(lenient.play(&mut state.clone(), Move::card(revoke)).is_ok(), own);
                    refusals += 1;
                    offered += usize::from(own);
                }
                // A card of another hand is always refused.
                let other = state.table.at(state.table.after(hand)).first().unwrap_or(Card::NONE);
                assert!(lenient.play(&mut state.clone(), Move::card(other)).is_err());
            });
            assert!(lenient.reneges(&state).is_empty());
            assert_eq!(lenient.scores(&state), strict.scores(&state));
        }
        assert!(refusals > 100 && offered > 50, "{refusals} {offered}");
    }
}

#[test]
fn wh34_calls_and_discards_are_refused_as_ever() {
    let game: DummyWhist = game("jokers = true\nallow-renege = true");
    let mut state = deal(&game, Seat::Seat2, 0);
    say(&game, &mut state, "bid 2 uptown, pass, pass");
    for hand in [Place::Hand0, Place::Hand1] {
        let text = format!("discard {}", state.table.at(hand).first().unwrap());
        assert_eq!(refused_move(&game, &state, &text), "WH15");
    }
    assert_eq!(state.table.at(DUMMY).len(), 15);
}
