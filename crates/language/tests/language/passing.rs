//! Cards that are passed before the play.

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{Card, CardSet, SeedSource, Stream};
use overtrick_game::{Game, Infer, Move, Setup, Standing, State, View};
use overtrick_language::{DeclaredGame, DeclaredPhase, DeclaredPublic};

use crate::same_game::choose;
use crate::wrong_games::{make, refused};

/// Three players with eight cards each, who pass two to the left, then two to the right, then none.
const THREE: &str = "[deck]\nranks = \"9TJQKA\"\n[deal]\nhand = 8\n[passing]\ncards = 2\n\
                     to = [\"left\", \"right\", \"none\"]";

fn stream(purpose: &str, number: u64) -> Stream {
    SeedSource::new(47, purpose, "passing").stream(number, 0)
}

fn deal(game: &DeclaredGame, number: u64) -> State<DeclaredPublic> {
    game.deal(Setup::single(game, number, false), &mut stream("cards", number))
}

#[test]
fn wrong_passes_are_refused() {
    refused(
        "[passing]\nto = [\"left\"]",
        "t.toml:5: `passing.to`: does nothing without cards to pass; set `passing.cards`",
    );
    refused("[passing]\ncards = 9", "t.toml:5: `passing.cards`: is 9, and must be 0 to 8");
    refused("[deal]\nhand = 3\n[passing]\ncards = 4", "t.toml:7: `passing.cards`: is 4, and each hand has 3; lower it");
    refused(
        "[passing]\ncards = 2\nto = [\"across\"]",
        "t.toml:6: `passing.to`: has \"across\", and no one sits opposite among 3 players; leave it out",
    );
    refused(
        "[seats]\nplayers = 4\n[passing]\ncards = 8",
        "t.toml:7: `passing.cards`: is 8, and 7 fit for 4 players; lower it",
    );
}

/// The seat that each deal of a cycle passes to, over two cycles of single deals.
#[test]
fn directions_follow_each_other() {
    let game = make(THREE).unwrap();
    assert_eq!(game.cycle(), 3);
    for number in 0..18 {
        let dealt = deal(&game, number);
        let (mut state, mut rng) = (dealt, stream("moves", number));
        while state.public.phase() == DeclaredPhase::Pass {
            let made = choose(&game, &state, &mut rng);
            game.play(&mut state, made).unwrap();
        }
        let steps = [1, 2, 0][(number / 3 % 3) as usize];
        assert_eq!(state.table.calls().len(), if steps == 0 { 0 } else { 6 });
        for seat in Seat::all(3) {
            let own = |(caller, made): &(Seat, Move)| (*caller == seat).then(|| made.to_card());
            let passed: CardSet = state.table.calls().iter().filter_map(own).collect();
            let to = Place::hand(seat.left(steps, 3));
            assert!(passed.is_subset(dealt.table.at(Place::hand(seat))) && passed.is_subset(state.table.at(to)));
            assert_eq!(state.table.at(to).len(), 8);
        }
        assert_eq!(state.table.hand_to_move(), Place::hand(state.table.dealer().left(1, 3)));
    }
}

/// Each set of two cards is one order of moves: the lower one first.
#[test]
fn each_choice_has_one_order() {
    let game = make(THREE).unwrap();
    let dealt = deal(&game, 0);
    let mut choices = 0;
    for first in game.legal(&dealt).iter() {
        let mut state = dealt;
        game.play(&mut state, first).unwrap();
        choices += game.legal(&state).len();
    }
    assert_eq!(choices, 8 * 7 / 2);
    let hand = dealt.table.at(dealt.table.hand_to_move());
    let highest = Move::card(hand.last().unwrap());
    let refusal = game.play(&mut dealt.clone(), highest).unwrap_err();
    let why = format!(
        "pass {}: choose clubs first, then diamonds, hearts and spades, each from the lowest rank",
        hand.last().unwrap()
    );
    assert_eq!((refusal.rule, refusal.why), ("passing.cards", why));
    let other = Move::card((CardSet::suit(overtrick_cards::Suit::Hearts) - hand).first().unwrap());
    assert!(game.play(&mut dealt.clone(), other).unwrap_err().why.ends_with("is not a card of the hand that passes"));
}

/// Passer and receiver see a passed card wherever it lies, and no one else does. Other hidden cards change no view.
#[test]
fn passed_cards_are_known_to_two_players() {
    let (game, standing) = (make(THREE).unwrap(), Standing::default());
    let mut rng = stream("hidden", 0);
    let (mut moved, mut known) = (0, 0);
    for number in 0..60 {
        let dealt = deal(&game, number);
        let (mut state, mut own) = (dealt, stream("moves", number));
        while !game.is_over(&state) {
            let past = game.opening(&state, &mut rng).unwrap();
            assert_eq!(past, dealt);
            for seat in Seat::all(3) {
                let other = state.redealt(seat, &mut rng);
                moved += usize::from(other != state);
                assert_eq!(
                    View::new(&game, &state, &standing, seat).facts(),
                    View::new(&game, &other, &standing, seat).facts()
                );
                // The other deal was played by the rules, too.
                let mut again = game.opening(&other, &mut rng).unwrap();
                assert_eq!(
                    again.table.hands_before_play().map(CardSet::len),
                    dealt.table.hands_before_play().map(CardSet::len)
                );
                for &(_, made) in other.table.calls() {
                    game.play(&mut again, made).unwrap();
                }
                let hands = Place::ALL.map(|place| again.table.at(place));
                assert_eq!(hands, other.table.hands_before_play(), "{number}");
            }
            if state.public.phase() == DeclaredPhase::Play {
                let steps = [1, 2, 0][Setup::place_in_cycle(number, 3, game.cycle()) as usize];
                for &(caller, made) in state.table.calls() {
                    let receiver = caller.left(steps, 3);
                    let card: Card = made.to_card();
                    for seat in Seat::all(3) {
                        let view = View::new(&game, &state, &standing, seat);
                        let seen = view.cards(Place::hand(receiver)).contains(card);
                        let held = state.table.at(Place::hand(receiver)).contains(card);
                        assert_eq!(seen, held && (seat == caller || seat == receiver));
                        known += usize::from(seen && seat == caller);
                    }
                }
            }
            let made = choose(&game, &state, &mut own);
            game.play(&mut state, made).unwrap();
        }
    }
    assert!(moved > 1_000 && known > 1_000, "{moved} {known}");
}
