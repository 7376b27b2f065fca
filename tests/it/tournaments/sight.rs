//! The cards that seats could see of a deal, step by step.

use std::collections::BTreeMap;
use std::path::Path;

use overtrick::games::Variant;
use overtrick::table::{BySeat, Seat};
use overtrick::toml_source::Source;
use overtrick::tournament::{Overrides, Tournament, replay, sight};

#[test]
fn every_seat_sees_its_own_hand_and_played_cards_are_gone() {
    let mut hidden_calls = 0;
    for variant in Variant::names() {
        let config = format!(
            "seed = 5\nvariants = [{variant:?}]\nbots = [\"random\", \"cautious\", \"rule-based\"]\ndeals = 1\n"
        );
        let source = Source::parse(Path::new("sight.toml"), config).unwrap();
        let tournament = Tournament::resolve(&source, Overrides::default()).unwrap();
        let seats = tournament.schedules[0].seats;
        for number in 0..20 {
            for record in replay(&tournament, 0, number, &tournament.bots[..seats], false) {
                let seen = sight(&tournament.variants[0], &record);
                assert_eq!(seen.steps.len(), record.moves.len() + 1);
                let mut cards: BTreeMap<String, (&str, BySeat<bool>)> = BTreeMap::new();
                let mut calls: BTreeMap<usize, BySeat<bool>> = BTreeMap::new();
                let plays = record.tricks.iter().map(|trick| trick.plays.len()).sum::<usize>();
                for (step, change) in seen.steps.iter().enumerate() {
                    for (card, place, by) in &change.cards {
                        match place {
                            Some(place) => cards.insert(card.to_string(), (place, *by)),
                            None => cards.remove(&card.to_string()),
                        };
                    }
                    calls.extend(change.calls.iter().copied());
                    for (card, (place, by)) in &cards {
                        for seat in Seat::all(seats) {
                            let own = *place == record.hands[seat.index()].0;
                            assert!(!own || by[seat], "{variant} {number} {step}: {card} of {place}");
                        }
                    }
                    if step == 0 {
                        // Of a hand, others at first see only a card that was turned up.
                        for seat in Seat::all(seats) {
                            let others = |by: &BySeat<bool>| Seat::all(seats).any(|other| other != seat && by[other]);
                            let hand = record.hands[seat.index()].0;
                            let shown = cards.values().filter(|(place, by)| *place == hand && others(by)).count();
                            assert!(shown <= 1, "{variant} {number}: {shown} cards of {hand} are seen");
                        }
                    }
                    if let Some(made) = step.checked_sub(1).map(|last| &record.moves[last])
                        && step > record.moves.len() - plays
                    {
                        assert!(
                            !cards.contains_key(&made.text),
                            "{variant} {number} {step}: {} is still there",
                            made.text
                        );
                    }
                }
                assert_eq!(calls.len(), record.moves.len() - plays, "{variant} {number}");
                for (call, by) in calls {
                    let made = &record.moves[call];
                    assert!(by[made.seat], "{variant} {number}: {} is known to who made it", made.text);
                    if !Seat::all(seats).all(|seat| by[seat]) {
                        assert!(made.text.starts_with("discard "), "{variant} {number}: {} is hidden", made.text);
                        hidden_calls += 1;
                    }
                }
            }
        }
    }
    assert!(hidden_calls > 50, "{hidden_calls}");
}
