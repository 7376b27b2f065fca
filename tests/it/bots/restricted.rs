//! Bots that may not make some moves: in every game they make the others, and choose among them as they would.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::fixtures;
use crate::fixtures::{battery, bot, each_variant, stream};
use overtrick::game::{FullGame, Move, Moves, Setup, Standing, View};
use overtrick::games::{Variant, Visitor};
use overtrick::strategies::{Bot, BuildContext, Register};
use overtrick::toml_source::Source;
use overtrick::tournament::{Overrides, Tournament, replay};

battery!(every_text_that_a_move_can_have_is_listed_and_no_other, game, name, {
    let listed: BTreeSet<(u8, String)> = game.move_texts().into_iter().map(|(made, text)| (byte(made), text)).collect();
    let mut seen = BTreeSet::new();
    for number in 0..30_000 {
        let mut rng = stream(name, number);
        let setup = Setup::single(game.as_ref(), number, number % 2 == 1);
        let mut state = game.deal(setup, &mut rng);
        while !game.is_over(&state) {
            let legal: Vec<Move> = game.legal(&state).iter().collect();
            seen.extend(legal.iter().map(|&made| (byte(made), game.move_text(&state, made).unwrap())));
            let chosen = legal[rng.random_below(legal.len() as u64) as usize];
            game.play(&mut state, chosen).unwrap();
        }
        if number % 1000 == 0 && seen == listed {
            break;
        }
    }
    assert_eq!(seen, listed, "{name}");
});

fn byte(made: Move) -> u8 {
    made.as_card().map_or_else(|| 64 + made.as_call().unwrap(), |card| card.index() as u8)
}

/// A bot whose moves are restricted; `inside` is its bot's strategy and parameters.
fn restricted(inside: (&str, &str), forbid: &[&str]) -> Bot {
    let (strategy, parameters) = inside;
    bot(
        "restricted",
        "restricted",
        &format!(
            "forbid = {forbid:?}\nbot = {{ name = \"inside\", strategy = {strategy:?}, parameters = {{ {parameters} }} }}"
        ),
    )
}

/// Strategies that think, but briefly, and those that do not.
const INSIDE: [(&str, &str); 4] = [
    ("random", ""),
    ("rule-based", ""),
    ("pimc", "worlds = 2, solve = 4, endgame = 2, trust = 0.9, rollout = \"rule-based-calls\""),
    ("ismcts", "iterations = 15"),
];

/// Patterns that leave some moves of each kind of decision: about half of all cards and calls, single calls, all calls
/// that are no pass, and passes.
fn lists<G: FullGame>(game: &G, name: &str) -> Vec<Vec<String>> {
    let texts: BTreeSet<String> = game.move_texts().into_iter().map(|(_, text)| text).collect();
    let mut rng = stream("forbid", name.len() as u64);
    let mut half = || texts.iter().filter(|_| rng.random_below(2) == 0).cloned().collect::<Vec<_>>();
    let mut lists = vec![half(), half(), half()];
    let calls = |text: &&String| text.contains(' ') || text.chars().count() > 2;
    lists.push(texts.iter().filter(calls).filter(|text| *text != "pass").cloned().collect());
    lists.extend(texts.contains("pass").then(|| vec!["pass".to_owned()]));
    lists.retain(|list| !list.is_empty());
    lists
}

/// Checks in some deals of a variant that every decision is made among what is left, as the bot inside makes it when no
/// more is legal. It has the number of deals.
struct Check<'a>(&'a Variant, u64);

impl Visitor for Check<'_> {
    type Output = ();
    fn visit<G: FullGame>(self, game: &Arc<G>) {
        let (game, context, standing) = (game.as_ref(), BuildContext::of(self.0), Standing::default());
        for (forbid, inside) in lists(game, &self.0.name).iter().flat_map(|list| INSIDE.map(|inside| (list, inside))) {
            let forbid: Vec<&str> = forbid.iter().map(String::as_str).collect();
            let mut strategy = restricted(inside, &forbid).spec.build::<G>(&context).unwrap();
            let fields = inside.1.replace(", ", "\n");
            let mut plain = bot("inside", inside.0, &fields).spec.build::<G>(&context).unwrap();
            let mut fewer = 0;
            for number in 0..self.1 {
                let mut rng = stream("restricted", number);
                let setup = Setup::single(game, number, number % 2 == 1);
                let mut state = game.deal(setup, &mut rng);
                while !game.is_over(&state) {
                    let legal = game.legal(&state);
                    let view = View::new(game, &state, &standing, state.table.seat_to_move());
                    let is_left = |made: &Move| !forbid.contains(&view.move_text(*made).unwrap().as_str());
                    let left = legal.iter().filter(is_left).fold(Moves::NONE, Moves::with);
                    let left = if left.is_empty() { legal } else { left };
                    fewer += usize::from(left != legal);
                    let expected = plain.choose(&view, left, &mut rng.clone());
                    let chosen = strategy.choose(&view, legal, &mut rng);
                    assert_eq!(chosen, expected, "{} in {}, {forbid:?}", inside.0, self.0.name);
                    assert!(left.contains(chosen), "{} in {}: {:?}", inside.0, self.0.name, view.move_text(chosen));
                    game.play(&mut state, chosen).unwrap();
                }
            }
            // Where every call is forbidden, none is.
            let none = forbid == ["exchange", "keep"];
            assert_eq!(fewer == 0, none, "{} in {}: {forbid:?} in {fewer} decisions", inside.0, self.0.name);
        }
    }
}

#[test]
fn what_is_left_is_what_the_bot_inside_chooses_from_in_a_few_variants() {
    for name in ["euchre-24", "colour-blind-2", "dummy-chameleon"] {
        let variant = Variant::preset(name).unwrap();
        variant.game.visit(Check(&variant, 2));
    }
}

#[test]
#[ignore = "long: bots that search play every variant"]
fn what_is_left_is_what_the_bot_inside_chooses_from() {
    each_variant(|variant| variant.game.visit(Check(variant, 6)));
}

/// A tournament of a duel, whose config ends with these bots.
fn duel(variant: &str, bots: &str) -> Result<Tournament, String> {
    let text = format!("seed = 3\ndeals = 12\nformat = \"duel\"\nvariants = [{variant:?}]\nbots = [\n{bots}\n]\n");
    let source = Source::parse(Path::new("t.toml"), text).unwrap();
    Tournament::resolve(&source, Overrides::default()).map_err(|error| error.to_string())
}

#[test]
fn a_run_plays_what_a_replay_shows_and_nothing_forbidden() {
    each_variant(|variant| {
        let forbid = "forbid = [\"?H\", \"discard ?S\"]";
        let discards = variant.game.move_texts().iter().any(|(_, text)| text.starts_with("discard"));
        let forbid = if discards { forbid } else { "forbid = [\"?H\"]" };
        let bots = format!(
            "{{ name = \"no-hearts\", strategy = \"restricted\", parameters = {{ {forbid} }} }},\n\"rule-based\""
        );
        let tournament = duel(&variant.name, &bots).unwrap();
        let tally = fixtures::play(&tournament, 5);
        let (seats, schedule) = (variant.game.layout().seats, &tournament.schedules[0]);
        let (mut sum, mut freed) = (0, 0);
        for (line_up, seating) in schedule.cell_ids() {
            let bots = schedule.bots(line_up, seating);
            let bots: Vec<Bot> = bots.of(seats).iter().map(|&bot| tournament.bot(bot).clone()).collect();
            for record in (0..12).flat_map(|number| replay(&tournament, 0, number, &bots, false)) {
                let own = |seat: usize| record.seating[seat] == "no-hearts";
                sum += (0..seats).filter(|&seat| own(seat)).map(|seat| i128::from(record.scores[seat])).sum::<i128>();
                let hearts = record.moves.iter().filter(|made| own(made.seat.index()) && made.text.len() == 2);
                freed += hearts.clone().filter(|made| made.text.ends_with('H')).count();
                // With every card legal there is another suit, unless the whole hand is hearts.
                let first = record.tricks.first().map(|trick| trick.plays[0].0);
                let lead = record.moves.iter().find(|made| first == Some(made.hand) && made.text.len() == 2);
                if let Some(lead) = lead.filter(|lead| own(lead.seat.index())) {
                    let hand = record.hands.iter().find(|(name, _)| *name == lead.hand).unwrap().1;
                    let all = hand.iter().all(|card| card.to_string().ends_with('H'));
                    assert!(all || !lead.text.ends_with('H'), "{}: {} led", variant.name, lead.text);
                }
            }
        }
        let id = tournament.bot_ids().next().unwrap();
        assert_eq!(tally.scores(id).sum(), sum, "{}", variant.name);
        assert!(freed > 0, "{}: who has nothing but hearts to play plays one", variant.name);
    });
}

#[test]
fn a_bot_that_is_forbidden_nothing_is_the_bot_inside() {
    for (strategy, parameters) in INSIDE {
        let inside = format!("{{ name = \"x\", strategy = {strategy:?}, parameters = {{ {parameters} }} }}");
        let plain = duel("euchre-32", &format!("{inside},\n\"rule-based\"")).unwrap();
        let inside =
            format!("{{ name = \"x\", strategy = \"restricted\", parameters = {{ bot = {inside}, forbid = [] }} }}");
        let wrapped = duel("euchre-32", &format!("{inside},\n\"rule-based\"")).unwrap();
        let sums = |tournament: &Tournament| {
            let tally = fixtures::play(tournament, 12);
            tournament.bot_ids().map(|id| tally.scores(id).sum()).collect::<Vec<_>>()
        };
        assert_eq!(sums(&plain), sums(&wrapped), "{strategy}");
    }
}

#[test]
fn the_bot_inside_is_named_in_any_way_that_a_config_knows() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    std::fs::create_dir(folder.path().join("bots")).unwrap();
    write("bots/mine.toml", "name = \"mine\"\nstrategy = \"pimc\"\n[parameters]\nworlds = 5\n");
    write(
        "bots/meek.toml",
        "name = \"meek\"\nstrategy = \"restricted\"\n[parameters]\nbot = \"mine\"\nforbid = [\"AS\"]\n",
    );
    let found = |text: &str| {
        let source = Source::parse(&folder.path().join("t.toml"), format!("bot = {text}")).unwrap();
        Register::default().find_bot(&source, &["bot".to_owned()], &source.table()["bot"]).unwrap()
    };
    let worlds = |text: &str| found(text).spec.parameters()["bot"]["parameters"]["worlds"].as_integer();
    let named = |inside: &str| {
        format!("{{ name = \"r\", strategy = \"restricted\", parameters = {{ bot = {inside}, forbid = [\"AS\"] }} }}")
    };
    for inside in ["\"mine\"", "\"bots/mine.toml\"", "{ name = \"m\", strategy = \"pimc\", parameters.worlds = 5 }"] {
        assert_eq!(worlds(&named(inside)), Some(5), "{inside}");
    }
    assert_eq!(worlds(&named("{ bot = \"mine\", parameters = { worlds = 7 } }")), Some(7));
    assert_eq!(worlds("\"meek\""), Some(5));
    // A change may be one of the bot inside, in each spelling; what it does not name stays.
    for change in ["bot.parameters.worlds = 9", "\"bot.parameters.worlds\" = 9"] {
        let changed = format!("{{ bot = \"meek\", name = \"r\", parameters = {{ {change} }} }}");
        assert_eq!(worlds(&changed), Some(9), "{change}");
        assert_eq!(found(&changed).spec.parameters()["forbid"].as_array().unwrap().len(), 1);
    }
    let other = found("{ bot = \"meek\", name = \"r\", parameters = { bot = \"random\" } }");
    assert_eq!(other.spec.parameters()["bot"]["strategy"].as_str(), Some("random"));
    // Restricted bots may be within restricted ones.
    let twice = found(&named("\"meek\"")).spec.parameters();
    assert_eq!(twice["bot"]["parameters"]["bot"]["name"].as_str(), Some("mine"));
}

#[test]
fn calls_are_named_with_or_without_their_kind() {
    let context = BuildContext::of(&Variant::named("chameleon").unwrap());
    for forbid in ["misere", "bid 7*", "Contract 10 nt", "10 ?", "six-in-dummy"] {
        let built = restricted(("random", ""), &[forbid])
            .spec
            .build::<overtrick::games::chameleon::Chameleon>(&context)
            .map(|_| ())
            .map_err(|error| error.to_string());
        assert_eq!(built.is_ok(), forbid != "six-in-dummy", "{forbid}: {built:?}");
    }
}
