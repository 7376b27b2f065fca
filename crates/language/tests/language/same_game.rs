//! The comparison of a game in Rust with a game from a file, move by move.

use std::path::Path;
use std::sync::Arc;

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{SeedSource, Stream};
use overtrick_game::{Describe, FullGame, Game, Infer, Move, Setup, State};
use overtrick_language::DeclaredGame;
use overtrick_language::source::GameFile;
use overtrick_toml::{Source, key};
use toml::Table;

/// Makes the game of a file under values of options.
pub fn declared(file: &Arc<GameFile>, options: &Table) -> DeclaredGame {
    let source = Source::parse(Path::new("options"), toml::to_string(options).unwrap()).unwrap();
    let values = file.values(options, &source, &key("")).unwrap_or_else(|error| panic!("{error}"));
    DeclaredGame::of(Arc::clone(file), &values).unwrap_or_else(|error| panic!("{error}"))
}

/// Reads a file of the folder `games`.
pub fn game_file(name: &str) -> Arc<GameFile> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language/games").join(name);
    Arc::new(GameFile::read(&path).unwrap_or_else(|error| panic!("{error}")))
}

/// Reads a game that comes with the program as a file.
pub fn shipped(name: &str) -> DeclaredGame {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../configs/games/{name}.toml"));
    DeclaredGame::read(&path).unwrap_or_else(|error| panic!("{error}"))
}

/// Everything about a deal that records, messages and views show.
#[derive(Debug, PartialEq)]
struct Shown {
    places: Vec<(String, String)>,
    seen: Vec<[String; Place::COUNT]>,
    turn: (Place, Seat),
    circle: Vec<Place>,
    deciders: Vec<Seat>,
    winning: Option<Place>,
    won: Vec<u8>,
    plays: usize,
    calls: Vec<(Seat, Option<String>)>,
    legal: Vec<(Move, Option<String>)>,
    contract: String,
    extras: String,
    trumps: String,
}

fn shown<G: FullGame>(game: &G, state: &State<G::Public>) -> Shown {
    let table = &state.table;
    // A place that stays empty may have no name in a file.
    let is_empty = |place| table.at(place).is_empty();
    let named = |place: Place| game.place_name(place).unwrap_or(place.name()).to_owned();
    let name = |place| if is_empty(place) { String::new() } else { named(place) };
    let seats = game.layout().seats;
    let text = |made| game.text_among_calls(made);
    Shown {
        places: Place::ALL.into_iter().map(|place| (name(place), table.at(place).to_string())).collect(),
        seen: Seat::all(seats).map(|seat| Place::ALL.map(|place| table.seen_at(place, seat).to_string())).collect(),
        turn: (table.hand_to_move(), table.seat_to_move()),
        circle: table.circle().collect(),
        deciders: table.circle().map(|hand| table.decider(hand)).collect(),
        winning: table.winning().map(|(hand, _)| hand),
        won: Place::ALL.into_iter().take(Place::HANDS).map(|hand| table.tricks_won(hand)).collect(),
        plays: table.plays().len(),
        calls: table.calls().iter().map(|&(seat, made)| (seat, text(made))).collect(),
        legal: game.legal(state).iter().map(|made| (made, game.move_text(state, made))).collect(),
        contract: format!("{:?}", game.contract(state)),
        extras: format!("{:?}", game.public_extras(&state.public)),
        trumps: game.trumps(state).to_string(),
    }
}

/// The end of a deal as records have it.
fn end<G: FullGame>(game: &G, dealt: &State<G::Public>, over: &State<G::Public>) -> String {
    let scores = game.scores(over);
    format!(
        "{:?} {:?} exceptional {} {:?} counts {} {:?} hands {:?}",
        scores.of(game.layout().seats),
        game.reasons(over),
        game.is_exceptional(over, &scores),
        game.contract_result(over),
        game.counts(over),
        game.asides(dealt, over),
        Place::ALL.map(|hand| game.dealt_hand(dealt, hand).to_string()),
    )
}

/// Returns a random legal move.
pub fn choose<G: Game>(game: &G, state: &State<G::Public>, rng: &mut Stream) -> Move {
    let legal = game.legal(state);
    let number = usize::try_from(rng.random_below(u64::from(legal.len()))).unwrap();
    legal.iter().nth(number).unwrap()
}

/// The deals of a comparison.
pub struct ComparedDeals {
    /// The numbers of the deals.
    pub numbers: std::ops::Range<u64>,
    /// Every deal whose number this divides is compared at each move, the others at their ends.
    pub closely: u64,
    /// Whether both must know the same sides.
    pub same_sides: bool,
}

/// Plays deals of both games with the same cards and moves, and compares all that they show.
pub fn assert_same<G: FullGame>(rust: &G, file: &DeclaredGame, plan: &ComparedDeals) {
    assert_eq!(rust.layout(), file.layout());
    assert_eq!(rust.ending(), file.ending());
    assert_eq!(rust.in_step(), file.in_step());
    assert_eq!((rust.follow_rule(), rust.turn_rule()), (file.follow_rule(), file.turn_rule()));
    assert_eq!(rust.move_texts(), file.move_texts());
    assert_eq!(rust.contract_kinds(), file.contract_kinds());
    let subject = rust.layout().deck.name();
    assert_eq!(subject, file.layout().deck.name());
    let seeds = ["cards", "first dealer", "moves"].map(|purpose| SeedSource::new(47, purpose, &subject));
    let seats = rust.layout().seats;
    for number in plan.numbers.clone() {
        let dealer = rust.first_dealer(|| seeds[1].stream(number, 0));
        assert_eq!(dealer, file.first_dealer(|| seeds[1].stream(number, 0)), "deal {number}");
        let steps = usize::try_from(number).unwrap() % seats;
        let setup = Setup { dealer: dealer.left(steps, seats), ..Setup::default() };
        let dealt_rust = rust.deal(setup, &mut seeds[0].stream(number, 0));
        let dealt_file = file.deal(setup, &mut seeds[0].stream(number, 0));
        let (mut one, mut other) = (dealt_rust, dealt_file);
        let mut rng = seeds[2].stream(number, 0);
        let closely = number.is_multiple_of(plan.closely);
        while !rust.is_over(&one) {
            if closely {
                compare(rust, &one, file, &other, number, plan);
            }
            let made = choose(rust, &one, &mut rng);
            assert!(file.legal(&other) == rust.legal(&one) && !file.is_over(&other), "deal {number}");
            rust.play_unchecked(&mut one, made);
            file.play_unchecked(&mut other, made);
        }
        assert!(file.is_over(&other), "deal {number}");
        assert_eq!(end(rust, &dealt_rust, &one), end(file, &dealt_file, &other), "deal {number}");
        let range = file.score_range();
        assert!(file.scores(&other).of(seats).iter().all(|score| range.contains(score)), "{range:?}");
    }
}

/// Compares deals in progress: what they show, the openings that inference finds, and the reasons of refusals.
fn compare<G: FullGame>(
    rust: &G,
    one: &State<G::Public>,
    file: &DeclaredGame,
    other: &State<<DeclaredGame as Game>::Public>,
    number: u64,
    plan: &ComparedDeals,
) {
    assert_eq!(shown(rust, one), shown(file, other), "deal {number}");
    let luck = || SeedSource::new(47, "luck", "").stream(number, 0);
    let opened = rust.opening(one, &mut luck()).map(|state| shown(rust, &state));
    assert_eq!(opened, file.opening(other, &mut luck()).map(|state| shown(file, &state)), "deal {number}");
    // With odd points the declarer may be better off with fewer tricks. A file then has no sides.
    if file.sides(other).is_some() || plan.same_sides {
        assert_eq!(rust.sides(one), file.sides(other));
    }
    assert_eq!(rust.scores_so_far(one), file.scores_so_far(other));
    let (mut wanted, found) = (rust.prizes(one), file.prizes(other));
    if let (Some(wanted), Some(found), false) = (&mut wanted, &found, plan.same_sides) {
        // A file knows the lowest total that the cards allow, and no lower score.
        assert!(wanted.lowest <= found.lowest);
        wanted.lowest = found.lowest;
    }
    assert_eq!(wanted, found);
    for made in Move::all().filter(|made| !rust.legal(one).contains(*made)) {
        let (wanted, found) = (rust.why_not(one, made), file.why_not(other, made));
        // Refusals of calls cite the rules of Euchre, and a file cites its key.
        if file.order(other).is_some() {
            assert_eq!(wanted, found, "deal {number}, {made:?}");
        } else {
            assert!(found.rule.starts_with("trumps.rounds ") && !found.why.is_empty(), "{found}");
        }
    }
}
