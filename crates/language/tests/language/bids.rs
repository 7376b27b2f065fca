//! Bids of an exact number of tricks: their limits, refusals and errors.

use overtrick_cards::SeedSource;
use overtrick_cards::table::Seat;
use overtrick_game::{Describe, Game, Infer, Move, Setup, State};
use overtrick_language::{DeclaredGame, DeclaredPhase, DeclaredPublic};

use crate::same_game::{choose, shipped};
use crate::wrong_games::{make, refused};

fn deal(game: &DeclaredGame) -> State<DeclaredPublic> {
    let setup = Setup { dealer: Seat::Seat3, ..Setup::default() };
    game.deal(setup, &mut SeedSource::new(47, "bids", "").stream(0, 0))
}

fn with(auction: &str) -> DeclaredGame {
    make(&format!("[seats]\npartners = \"opposite\"\n[auction]\nstyle = \"exact\"\n{auction}[[score.row]]")).unwrap()
}

/// Makes bids in turn, and returns the texts of the bids that are then legal.
fn legal_after(game: &DeclaredGame, bids: &[u8]) -> (State<DeclaredPublic>, Vec<String>) {
    let mut state = deal(game);
    for bid in bids {
        game.play(&mut state, Move::call(*bid)).unwrap();
    }
    let texts = game.legal(&state).iter().map(|made| game.move_text(&state, made).unwrap()).collect();
    (state, texts)
}

#[test]
fn each_player_bids_once_from_the_dealers_left() {
    let game = with("levels = [1, 3]\n");
    let (state, texts) = legal_after(&game, &[]);
    assert_eq!(texts, ["bid 1", "bid 2", "bid 3"]);
    assert_eq!((state.table.seat_to_move(), state.public.phase()), (Seat::Seat0, DeclaredPhase::Bid));
    assert!(game.order(&state).is_none() && game.in_step());
    let (state, _) = legal_after(&game, &[1, 3, 2]);
    assert_eq!(Seat::ALL.map(|seat| state.public.bid(seat)), [Some(1), Some(3), Some(2), None]);
    let (state, cards) = legal_after(&game, &[1, 3, 2, 3]);
    assert_eq!((state.table.seat_to_move(), state.public.phase()), (Seat::Seat0, DeclaredPhase::Play));
    assert_eq!(cards.len(), 13);
    let texts: Vec<String> = game.move_texts().into_iter().map(|(_, text)| text).collect();
    assert!(texts.contains(&"bid 3".to_owned()) && !texts.contains(&"bid 0".to_owned()));
    let first = with("first = \"dealer\"\n");
    assert_eq!(deal(&first).table.seat_to_move(), Seat::Seat3);
}

#[test]
fn bids_may_not_sum_to_a_number() {
    let game = with("levels = [0, 3]\nsum-not = 5\n");
    assert_eq!(legal_after(&game, &[1, 1]).1.len(), 4);
    let (mut state, texts) = legal_after(&game, &[1, 1, 1]);
    assert_eq!(texts, ["bid 0", "bid 1", "bid 3"]);
    let error = game.play(&mut state, Move::call(2)).unwrap_err();
    assert_eq!((error.rule, &*error.why), ("auction.sum-not", "bid 2: the bids of all may not sum to 5"));
    let error = game.play(&mut state, Move::call(4)).unwrap_err();
    assert_eq!((error.rule, &*error.why), ("auction.levels", "this: bids are 0 to 3"));
    let card = Move::card(state.table.at(state.table.hand_to_move()).first().unwrap());
    let error = game.play(&mut state, card).unwrap_err();
    assert_eq!(error.rule, "auction.style");
    assert_eq!(legal_after(&game, &[3, 3, 3]).1.len(), 4);
}

#[test]
fn partners_bid_up_to_a_sum() {
    let game = with("levels = [1, 13]\nside-most = 13\n");
    assert_eq!(legal_after(&game, &[]).1.len(), 12);
    let (mut state, texts) = legal_after(&game, &[9, 1]);
    assert_eq!(texts, ["bid 1", "bid 2", "bid 3", "bid 4"]);
    let error = game.play(&mut state, Move::call(5)).unwrap_err();
    assert_eq!((error.rule, &*error.why), ("auction.side-most", "bid 5: the partner leaves at most 4"));
}

#[test]
fn deals_with_bids_go_back_to_their_openings() {
    for game in [shipped("spades"), shipped("oh-hell")] {
        let dealt = deal(&game);
        let (mut state, mut rng) = (dealt, SeedSource::new(47, "moves", "").stream(0, 0));
        while !game.is_over(&state) {
            let mut past = game.opening(&state, &mut SeedSource::new(1, "", "").stream(0, 0)).unwrap();
            assert_eq!(past, dealt);
            let calls = state.table.calls().iter().map(|(_, made)| *made);
            for made in calls.chain(state.table.plays().iter().map(|&card| Move::card(card))) {
                game.play(&mut past, made).unwrap();
            }
            assert_eq!(past, state);
            let made = choose(&game, &state, &mut rng);
            game.play(&mut state, made).unwrap();
        }
        assert!(game.score_range().contains(&game.scores(&state)[Seat::Seat0]));
    }
}

#[test]
fn wrong_bids_are_refused() {
    let auction = |keys: &str| format!("[seats]\nplayers = 4\n[auction]\nstyle = \"exact\"\n{keys}");
    refused("[auction]\nlevels = [0, 3]", "t.toml:4: `auction`: does nothing without bids; set `style = \"exact\"`");
    refused(&auction("levels = [3, 1]"), "t.toml:8: `auction.levels`: is empty, since 3 is above 1; swap them");
    refused(&auction("levels = [3]"), "t.toml:8: `auction.levels`: has 1 numbers; write [low, high]");
    refused(&auction("levels = [0, 14]"), "t.toml:8: `auction.levels`: has 14, and there are 13 tricks; lower it");
    refused(&auction("levels = [2, 2]\nsum-not = 13"), "t.toml:9: `auction.sum-not`: leaves the last bidder no bid");
    refused(&auction("side-most = 13"), "t.toml:8: `auction.side-most`: does nothing without partners");
    refused(&auction("doubles = 1"), "t.toml:8: `auction.doubles`: is not supported yet; leave it out");
    let partners = |keys: &str| auction(keys).replace("players = 4", "partners = \"opposite\"");
    refused(&partners("side-most = 13\nsum-not = 13"), "t.toml:9: `auction.sum-not`: may leave the last bidder no bid");
    refused(&partners("levels = [4, 9]\nside-most = 7"), "t.toml:9: `auction.side-most`: is less than two bids of 4");
    refused("[score]\n[[score.row]]\npoints = \"bid\"", "t.toml:6: `score.row #1.points`: column 1: `bid` is no name");
}

#[test]
fn a_match_may_end_at_a_loss_and_scores_may_read_totals() {
    use overtrick_game::{Ending, Game, TieRule};
    let rows =
        "[[score.row]]\nwhen = \"total mod 10 + tricks >= 10\"\npoints = \"-9\"\n[[score.row]]\npoints = \"tricks\"\n";
    let game = make(&format!("{rows}[match]\ntarget = 50\nloss-at = -20")).unwrap();
    let ties = TieRule::HighestThenExtraDeal;
    assert_eq!(game.ending(), Ending::Limits { low: -20, high: Some(50), ties });
    assert!(game.counts_totals() && !make("").unwrap().counts_totals());
    for totals in [[0, 7, -3], [19, 5, 5]] {
        let setup = Setup { totals: overtrick_cards::table::BySeat::new(totals), ..Setup::default() };
        let mut rng = overtrick_cards::SeedSource::new(47, "totals", "").stream(0, 0);
        let mut state = game.deal(setup, &mut rng);
        game.play_out(&mut state, |state| game.legal(state).iter().next().unwrap());
        for (seat, total) in Seat::all(3).zip(totals) {
            let tricks = i32::from(state.table.tricks_won(overtrick_cards::table::Place::hand(seat)));
            let wanted = if total.rem_euclid(10) + tricks >= 10 { -9 } else { tricks };
            assert_eq!(game.scores(&state)[seat], wanted, "{totals:?}");
        }
    }
    let end = |keys: &str| format!("[match]\ntarget = 50\n{keys}");
    refused(&end("loss-at = 5"), "t.toml:6: `match.loss-at`: is 5, and must be -100000 to -1");
    refused(
        &end("loss-at = -5\nties = \"play-on\""),
        "t.toml:7: `match.ties`: is for a match that only a reached target ends; choose",
    );
    refused(
        &format!("[score]\npenalty = true\n[[score.row]]\npoints = \"tricks\"\n{}", end("loss-at = -5")),
        "t.toml:10: `match.loss-at`: does nothing where points are bad; set `target`",
    );
}
