//! Reads whatever a bot may send as the harness does, and holds the parser to its promises. The fuzz target and the tests share it.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use overtrick::cards::Luck;
use overtrick::game::{Game, Setup, Standing, State, View};
use overtrick::games::{GAMES, Variant, Visitor};
use overtrick::protocol::{Asked, Decision, FaultKind, Hello, LARGEST_BATCH, Reply};
use overtrick::table::Seat;

/// What came of some bytes: the kinds of fault, `None` for a legal move.
pub type Outcomes = BTreeSet<Option<FaultKind>>;

/// The first id that is asked for.
const FIRST: u64 = 5;
/// How much longer a fault's text may get than what it quotes: 200 bytes, each escaped.
const LONGEST_FAULT: usize = 2000;

/// Reads `bytes` as a bot's first line, and as lines of answers to decisions of every game.
pub fn read(bytes: &[u8]) -> Outcomes {
    let mut outcomes = Outcomes::new();
    match Hello::read(bytes) {
        Ok(hello) => assert!((1..=LARGEST_BATCH).contains(&hello.batch.0) && !hello.variants.is_empty()),
        Err(fault) => {
            assert!(fault.to_string().len() < LONGEST_FAULT, "{fault}");
            outcomes.insert(Some(fault.kind));
        }
    }
    if let Ok(reply) = Reply::read(bytes) {
        let again = serde_json::to_vec(&reply).expect("plain values");
        assert_eq!(Reply::read(&again).as_ref(), Ok(&reply));
    }
    for answer in judges() {
        answer(bytes, &mut outcomes);
    }
    outcomes
}

type Judge = Box<dyn Fn(&[u8], &mut Outcomes) + Send + Sync>;

/// One for each game.
fn judges() -> &'static [Judge] {
    static JUDGES: OnceLock<Vec<Judge>> = OnceLock::new();
    JUDGES.get_or_init(|| {
        let first = |name| Variant::preset(name).expect("a preset").game.visit(Decisions);
        GAMES.iter().map(|game| first(game.presets[0].name)).collect()
    })
}

/// Decisions of a deal played at random: its first, one in the middle, its last.
struct Decisions;

impl Visitor for Decisions {
    type Output = Judge;
    fn visit<G: Game>(self, game: &Arc<G>) -> Judge {
        let game = Arc::clone(game);
        let mut luck = Luck::new(1, "fuzz", G::NAME).stream(0, 0);
        let mut state = game.deal(Setup { dealer: Seat::new(0), last_deal: false }, &mut luck);
        let mut states = Vec::new();
        while !game.is_over(&state) {
            states.push(state);
            let legal = game.legal(&state);
            let chosen = legal.iter().nth(luck.below(u64::from(legal.len())) as usize).expect("a legal move");
            game.apply(&mut state, chosen);
        }
        let states: [State<G::Public>; 3] = [0, states.len() / 2, states.len() - 1].map(|at| states[at]);
        let standing = Standing::default();
        let decisions = states.iter().zip(FIRST..).map(|(state, id)| {
            let view = View::new(game.as_ref(), state, &standing, state.table.seat_to_move());
            Decision::of(&view, game.legal(state), id, 0, 0)
        });
        let asked = Asked::new(decisions.collect());
        Box::new(move |bytes, outcomes| judge(game.as_ref(), &states, asked.clone(), bytes, outcomes))
    }
}

fn judge<G: Game>(game: &G, states: &[State<G::Public>], mut asked: Asked, bytes: &[u8], outcomes: &mut Outcomes) {
    for line in bytes.split(|&byte| byte == b'\n') {
        let before = asked.missing();
        if let Err(fault) = asked.take(line) {
            assert_eq!(asked.missing(), before, "a line with a fault counts for nothing");
            assert!(fault.to_string().len() < LONGEST_FAULT, "{fault}");
            outcomes.insert(Some(fault.kind));
            break;
        }
    }
    let standing = Standing::default();
    let mut answered = 0;
    for (number, state) in states.iter().enumerate() {
        let view = View::new(game, state, &standing, state.table.seat_to_move());
        let legal = game.legal(state);
        let Some(chosen) = asked.chosen(number, &view, legal) else { continue };
        answered += 1;
        outcomes.insert(match chosen {
            Ok(chosen) => {
                assert!(legal.contains(chosen) || view.punishable().contains(chosen));
                None
            }
            Err(fault) => {
                assert!(fault.kind == FaultKind::IllegalMove && fault.to_string().len() < LONGEST_FAULT, "{fault}");
                Some(fault.kind)
            }
        });
    }
    assert_eq!(answered + asked.missing(), states.len());
}
