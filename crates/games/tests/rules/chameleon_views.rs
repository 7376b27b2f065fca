//! Tests of the cards that each seat sees in Chameleon and Dummy Chameleon.
//!
//! They cover every phase of random deals under every option that exposes cards. The expected cards follow
//! the words of CH13, CH20, CH22, CH30, DC6, DC11, DC13, DC16, DC21 and DC22.

use overtrick_cards::CardSet;
use overtrick_cards::table::{Place, Seat};
use overtrick_game::{Game, Standing, View};
use overtrick_games::chameleon::{Chameleon, DUMMY, DUMMY_TOP, discards};

use crate::fixtures::chameleon::{Deal, chameleon, deal, last_deal, open, say};
use crate::fixtures::rules::rng;

/// The events of a deal, read from the texts of its moves.
#[derive(Default)]
struct Told {
    /// The seat that has taken six in dummy.
    taker: Option<Seat>,
    /// Whether a seat has the talon, for a bid or for naming a suit.
    talon_taken: bool,
    contract: Option<String>,
    declarer: Option<Seat>,
    /// Whether a last deal that all have passed has begun.
    all_passed: bool,
    /// The number of discards in it.
    last_discards: usize,
}

/// Returns the cards at a place that `seat` may see, by the words of the rules.
fn may_see(game: &Chameleon, state: &Deal, told: &Told, place: Place, seat: Seat) -> CardSet {
    let rules = game.rules();
    let rule = |key: &str| toml::Table::try_from(rules).unwrap()[key].as_str().unwrap().to_owned();
    let cards = state.table.at(place);
    let all_or_none = |all: bool| if all { cards } else { CardSet::EMPTY };
    let contract = told.contract.as_deref().unwrap_or("");
    let two = rules.players == 2;
    if place == Place::hand(seat) || place == discards(seat) {
        return cards;
    }
    if two && place == DUMMY_TOP {
        return all_or_none(told.all_passed);
    }
    if two && place == DUMMY {
        let early = told.talon_taken && rule("dummy-exposed") == "before-talon";
        return all_or_none(told.contract.is_some() || early || told.taker == Some(seat));
    }
    if place.index() >= 3 {
        // The talon, and the discards of others.
        return CardSet::EMPTY;
    }
    if told.all_passed && !two && told.last_discards == 0 {
        return cards & state.public.up_card().map(CardSet::of).unwrap();
    }
    let ouverte = contract == "contract misere-ouverte"
        && told.declarer.map(Place::hand) == Some(place)
        && (rule("ouverte-exposed") == "before-lead" || state.table.tricks_played() > 0);
    all_or_none(contract.starts_with("contract 10 ") || ouverte)
}

/// Plays a deal at random, with many passes and high contracts, and checks every view of every state.
fn check(game: &Chameleon, state: &mut Deal, number: u64, seen: &mut [usize; 6]) {
    let (mut rng, standing) = (rng("views", number), Standing::default());
    let mut told = Told::default();
    let seats = game.layout().seats;
    loop {
        for (seat, place) in Seat::all(seats).flat_map(|seat| Place::ALL.map(|place| (seat, place))) {
            let view = View::new(game, state, &standing, seat);
            let wanted = may_see(game, state, &told, place, seat);
            assert_eq!(view.cards(place), wanted, "seat {} looks at {place:?} in deal {number}", seat.index());
        }
        if game.is_over(state) {
            return;
        }
        let options = open(game, state);
        let seat = state.table.seat_to_move();
        let high = ["contract 10 S", "contract 10 NT", "contract misere-ouverte"].map(str::to_owned);
        let dear = rng.random_below(3) > 0;
        let text = match options.iter().find(|text| dear && (*text == "pass" || high.contains(text))) {
            Some(text) if text == "pass" => text.clone(),
            Some(_) if options.len() > 3 => high[rng.random_below(3) as usize].clone(),
            _ => options[rng.random_below(options.len() as u64) as usize].clone(),
        };
        say(game, state, &text);
        match text.split(' ').next().unwrap() {
            "six-in-dummy" => {
                told.taker = Some(seat);
                seen[0] += 1;
            }
            "contract" => {
                seen[1] += usize::from(text.starts_with("contract 10"));
                seen[2] += usize::from(text.ends_with("ouverte"));
                (told.contract, told.declarer) = (Some(text), Some(seat));
            }
            "concede" => seen[3] += 1,
            "discard" if told.all_passed => told.last_discards += 1,
            "discard" => told.talon_taken = true,
            _ => {}
        }
        // A player who must discard has the talon in hand.
        let discarding = open(game, state).first().is_some_and(|text| text.starts_with("discard"));
        if discarding && told.contract.is_none() && told.last_discards == 0 && !told.talon_taken {
            let all_passed = state.table.calls().iter().all(|&(_, call)| call == overtrick_games::chameleon::PASS);
            told.all_passed |= all_passed;
            told.talon_taken |= !all_passed;
            seen[4 + usize::from(all_passed)] += 1;
        }
    }
}

#[test]
fn every_seat_sees_what_the_rules_show_it_and_nothing_else() {
    for players in [3, 2] {
        for ouverte in ["before-lead", "after-first-trick"] {
            for dummy in ["after-contract", "before-talon"].into_iter().take(4 - players) {
                let mut rules =
                    format!("players = {players}\nouverte-exposed = {ouverte:?}\nlast-deal-variant = true\n");
                if players == 2 {
                    rules += &format!("dummy-exposed = {dummy:?}");
                }
                let (game, mut seen) = (chameleon(&rules), [0; 6]);
                for number in 0..200 {
                    let dealer = number as usize % players;
                    let mut state = match number % 2 {
                        0 => deal(&game, dealer, number),
                        _ => last_deal(&game, dealer, number),
                    };
                    check(&game, &mut state, number, &mut seen);
                }
                if players == 3 {
                    assert_eq!((seen[0], seen[3]), (0, 0));
                    (seen[0], seen[3]) = (9, 9);
                }
                assert!(seen.iter().all(|&times| times > 2), "{seen:?} under {rules}");
            }
        }
    }
}
