//! Hands whose number of cards changes from deal to deal.

use overtrick_cards::SeedSource;
use overtrick_cards::table::{Place, Seat};
use overtrick_game::{Game, Setup};
use overtrick_language::{DeclaredGame, DeclaredPhase};

use crate::same_game::choose;
use crate::wrong_games::{make, refused};

const SIZES: &str =
    "[deal]\nhands = [3, 1, 2]\nturn-up = \"next\"\n[auction]\nstyle = \"exact\"\nsum-not = \"=hand\"\n";

/// Deals the deal at a place in the cycle.
fn deal(game: &DeclaredGame, number: u64, place: u32) -> overtrick_game::State<<DeclaredGame as Game>::Public> {
    let setup = Setup { deal: place, ..Setup::single(game, number, false) };
    game.deal(setup, &mut SeedSource::new(47, "cards", "sizes").stream(number, 0))
}

#[test]
fn deals_have_as_many_tricks_as_their_entry_says() {
    let game = make(SIZES).unwrap();
    assert_eq!((game.cycle(), game.layout().cards_each), (3, 3));
    for number in 0..30 {
        let place = u32::try_from(number % 3).unwrap();
        let size = [3, 1, 2][place as usize];
        let mut state = deal(&game, number, place);
        let mut rng = SeedSource::new(47, "moves", "sizes").stream(number, 0);
        for seat in Seat::all(3) {
            assert_eq!(state.table.at(Place::hand(seat)).len(), size);
        }
        let mut bids = 0;
        while state.public.phase() == DeclaredPhase::Bid {
            let legal: Vec<String> =
                game.legal(&state).iter().map(|made| game.move_text(&state, made).unwrap()).collect();
            bids += 1;
            // The last player may not bid what is left to the number of tricks.
            let made: u32 = Seat::all(3).filter_map(|seat| state.public.bid(seat)).map(u32::from).sum();
            let is_allowed = |bid: &u32| bids < 3 || made + bid != size;
            let wanted: Vec<String> = (0..=size).filter(is_allowed).map(|bid| format!("bid {bid}")).collect();
            assert_eq!(legal, wanted);
            let chosen = choose(&game, &state, &mut rng);
            game.play(&mut state, chosen).unwrap();
        }
        assert_eq!(bids, 3);
        let mut plays = 0;
        while !game.is_over(&state) {
            let chosen = choose(&game, &state, &mut rng);
            game.play(&mut state, chosen).unwrap();
            plays += 1;
        }
        assert_eq!(plays, 3 * size);
        let won: u32 = Seat::all(3).map(|seat| u32::from(state.table.tricks_won(Place::hand(seat)))).sum();
        assert_eq!(won, size);
    }
}

/// The name `hand` in a score is the number of cards in this deal.
#[test]
fn scores_know_the_cards_of_the_deal() {
    let game = make("[deal]\nhands = [3, 1, 2]\n[[score.row]]\npoints = \"10 * hand + tricks\"").unwrap();
    for place in 0..3 {
        let mut state = deal(&game, 5, place);
        let mut rng = SeedSource::new(47, "moves", "sizes").stream(5, 0);
        while !game.is_over(&state) {
            let chosen = choose(&game, &state, &mut rng);
            game.play(&mut state, chosen).unwrap();
        }
        let hand = [3, 1, 2][place as usize];
        for seat in Seat::all(3) {
            let tricks = i32::from(state.table.tricks_won(Place::hand(seat)));
            assert_eq!(game.scores(&state)[seat], 10 * hand + tricks);
        }
    }
    assert_eq!(game.score_range(), 0..=33);
}

/// Directions of passing and sizes repeat together.
#[test]
fn passing_and_sizes_have_one_cycle() {
    let both = "[deal]\nhands = [6, 5, 4, 3]\n[passing]\ncards = 2\nto = [\"left\", \"right\", \"none\"]";
    assert_eq!(make(both).unwrap().cycle(), 12);
    let same = "[deal]\nhands = [6, 5, 4]\n[passing]\ncards = 2\nto = [\"left\", \"right\", \"none\"]";
    assert_eq!(make(same).unwrap().cycle(), 3);
}

#[test]
fn wrong_sizes_are_refused() {
    refused("[deal]\nhand = 3\nhands = [3, 2]", "t.toml:6: `deal.hands`: stands in place of `hand`; leave one out");
    refused("[deal]\nhands = [3, 18]", "t.toml:5: `deal.hands`: needs 54 cards, and the deck has 52; deal fewer");
    refused("[deal]\nhands = [13, 17]", "t.toml:5: `deal.hands`: gives 17 tricks, and 16 are supported so far");
    refused("[deal]\nhands = [0]", "t.toml:5: `deal.hands`: is 0, and must be 1 to 26");
    let many = ["1"; 61].join(", ");
    refused(&format!("[deal]\nhands = [{many}]"), "t.toml:5: `deal.hands`: has 61 numbers, and 60 fit; leave some out");
    refused(
        "[deal]\nhands = [3, 2]\n[auction]\nstyle = \"exact\"\nlevels = [0, 3]",
        "t.toml:8: `auction.levels`: has 3, and there are 2 tricks; write \"=hand\"",
    );
    refused(
        "[deal]\nhands = [3, 2]\n[passing]\ncards = 3",
        "t.toml:7: `passing.cards`: is 3, and each hand has 2; lower it",
    );
    refused(
        "[deck]\nwithout = \"2C\"\n[deal]\nhands = [12, 11]\nrow = 12",
        "t.toml:7: `deal.hands`: does not go with a row; set `hand`",
    );
    let long: Vec<String> = (0..59).map(|number| (number % 5 + 4).to_string()).collect();
    let to = ["\"left\""; 20].join(", ");
    refused(
        &format!("[deal]\nhands = [{}]\n[passing]\ncards = 2\nto = [{to}]", long.join(", ")),
        "t.toml:5: `deal.hands`: has 59 numbers and `passing.to` has 20, which repeat after 1180 deals",
    );
}
