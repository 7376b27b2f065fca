//! The promises of every game and every strategy, checked for every registered variant: a game is covered by being
//! registered.

use crate::fixtures;
use std::sync::Arc;

use crate::fixtures::{battery, each_file_game, each_shipped_game, each_variant, lowest_bits, stream};
use crate::second::{Second, Start};
use overtrick::cards::{Card, CardSet, Stream};
use overtrick::game::{FullGame, Move, Moves, Setup, Standing, State, View};
use overtrick::games::{Variant, Visitor};
use overtrick::strategies::wasm::layout::encode;
use overtrick::strategies::{AnySpec, Bot, BuildContext, STRATEGIES};
use overtrick::table::{MAX_SEATS, Place, Seat};
use overtrick::tournament::{Overrides, Tournament, replay};

/// Plays `deals` random deals, calling `at` before every move and at the end.
pub(super) fn random_play<G: FullGame>(game: &G, name: &str, deals: u64, mut at: impl FnMut(&State<G::Public>, bool)) {
    for number in 0..deals {
        let mut rng = stream(name, number);
        let setup = Setup::single(game, number, number % 2 == 1);
        let mut state = game.deal(setup, &mut rng);
        while !game.is_over(&state) {
            at(&state, false);
            let legal: Vec<Move> = game.legal(&state).iter().collect();
            let chosen = legal[rng.random_below(legal.len() as u64) as usize];
            game.play(&mut state, chosen).expect("a legal move is accepted");
        }
        at(&state, true);
    }
}

battery!(cards_are_conserved, game, name, {
    let deck = game.layout().deck.cards();
    random_play(game.as_ref(), name, 40, |state, _| {
        let table = &state.table;
        let played: CardSet = table.plays().iter().copied().collect();
        assert_eq!(played.len() as usize, table.plays().len(), "{name}: a card was played twice");
        let mut seen = played;
        for place in Place::ALL {
            assert!(seen.is_disjoint(table.at(place)), "{name}: a card lies in two places");
            seen |= table.at(place);
        }
        assert_eq!(seen, deck, "{name}: cards appeared or vanished");
    });
});

battery!(there_is_always_a_legal_move_before_the_end_and_none_after, game, name, {
    random_play(game.as_ref(), name, 40, |state, over| {
        if over {
            for candidate in Move::all() {
                let mut after = *state;
                assert!(game.play(&mut after, candidate).is_err(), "{name}: a move after the end");
                assert_eq!(after, *state);
            }
        } else {
            assert!(!game.legal(state).is_empty(), "{name}: no legal move");
        }
    });
});

battery!(illegal_moves_are_refused_with_a_rule_and_change_nothing, game, name, {
    random_play(game.as_ref(), name, 12, |state, over| {
        let legal = game.legal(state);
        for candidate in Move::all().filter(|&candidate| !over && !legal.contains(candidate)) {
            let mut after = *state;
            let error = game.play(&mut after, candidate).expect_err("an illegal move is refused");
            assert_eq!(after, *state, "{name}: a refused move left a trace");
            assert!(error.rule.chars().any(|c| c.is_ascii_digit()), "{name}: {error} names no rule");
            assert!(error.to_string().contains(error.rule) && !error.why.is_empty(), "{name}: {error}");
        }
    });
});

battery!(suit_is_followed, game, name, {
    let mut forced = 0;
    random_play(game.as_ref(), name, 40, |state, over| {
        let led = state.table.led();
        if over || led == Card::NONE {
            return;
        }
        let order = game.order(state).expect("cards are on the table");
        let hand = state.table.at(state.table.hand_to_move());
        let follow = hand & order.follow(led);
        let open = if follow.is_empty() { hand } else { follow };
        assert_eq!(game.legal(state).card_set(), open, "{name}: {led} led, {hand} held");
        forced += usize::from(!follow.is_empty());
    });
    assert!(forced > 0, "{name}: nobody ever had to follow");
});

battery!(moves_read_back_from_their_text, game, name, {
    random_play(game.as_ref(), name, 12, |state, over| {
        for candidate in game.legal(state).iter().filter(|_| !over) {
            let text = game.move_text(state, candidate).expect("a legal move has a text");
            assert_eq!(game.read_move(state, &text), Some(candidate), "{name}: {text}");
        }
    });
});

battery!(a_deal_goes_back_to_its_opening_and_comes_again_to_where_it_was, game, name, {
    let mut rng = stream("opening", 0);
    let mut again = 0;
    random_play(game.as_ref(), name, 40, |state, _| {
        let Some(mut past) = game.opening(state, &mut rng) else { return };
        assert!(past.table.calls().is_empty() && past.table.plays().is_empty());
        for &(seat, call) in state.table.calls() {
            assert_eq!(past.table.seat_to_move(), seat, "{name}");
            game.play(&mut past, call).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        for &card in state.table.plays() {
            game.play(&mut past, Move::card(card)).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        assert_eq!(past, *state, "{name}");
        again += 1;
    });
    assert!(again > 100, "{name}: {again} times");
});

battery!(views_that_differ_in_hidden_cards_only_are_equal, game, name, {
    check_views(game.as_ref(), name);
});

/// Checks that what a seat is shown stays the same when the cards hidden from it are dealt again.
pub(super) fn check_views<G: FullGame>(game: &G, name: &str) {
    let mut rng = stream("hidden", 0);
    let mut moved = 0;
    random_play(game, name, 20, |state, _| {
        let standing = Standing::default();
        for seat in Seat::all(game.layout().seats) {
            let other = state.redealt(seat, &mut rng);
            moved += usize::from(other != *state);
            let facts = |state| View::new(game, state, &standing, seat).facts();
            assert_eq!(facts(state), facts(&other), "{name}: seat {} sees a hidden card", seat.index());
            if state.table.seat_to_move() == seat {
                assert_eq!(game.legal(state), game.legal(&other), "{name}: what is legal shows a hidden card");
            }
            let bytes = |state| encode(&View::new(game, state, &standing, seat), game.legal(state), 7);
            let own = state.table.seat_to_move() == seat;
            assert!(!own || bytes(state) == bytes(&other), "{name}: a module is told of a hidden card");
        }
    });
    assert!(moved > 0, "{name}: nothing is ever hidden");
}

battery!(scores_stay_in_their_range_and_come_with_a_reason, game, name, {
    random_play(game.as_ref(), name, 200, |state, over| {
        if over {
            let (scores, seats) = (game.scores(state), game.layout().seats);
            for score in scores.of(seats) {
                assert!(game.score_range().contains(score), "{name}: {score}");
            }
            let beyond = &scores.of(MAX_SEATS)[seats..];
            assert!(beyond.iter().all(|&score| score == 0), "{name}: scores without a seat: {scores:?}");
            assert_eq!(game.reasons(state).len(), game.layout().seats);
        }
    });
});

/// Every strategy with its default parameters, but that those which search do so briefly; without those that get
/// nothing but messages (processes: bots/protocol.rs re-deals what these hide), bytes (modules: see below) and numbers
/// (nets and Python code: encoding.rs).
pub(super) fn specs() -> Vec<AnySpec> {
    let brief = |name: &str| match name {
        "ismcts" => "iterations = 20",
        "pimc" => "worlds = 2\nsolve = 4\nendgame = 2\ntrust = 0.9\nrollout = \"rule-based-calls\"",
        _ => "",
    };
    let inside = STRATEGIES.iter().filter(|info| !["onnx", "process", "python", "wasm"].contains(&info.name));
    inside.map(|info| fixtures::bot(info.name, info.name, brief(info.name)).spec).collect()
}

/// How many moves of each strategy are looked at.
#[derive(Clone, Copy)]
pub(super) struct Leaks {
    pub(super) deals: u64,
    /// Turns are looked at whose number this divides.
    pub(super) step: usize,
    /// How often the hidden cards of a turn are dealt again.
    pub(super) redeals: u32,
}

/// Checks that a strategy chooses the same move when the hidden cards are dealt again.
pub(super) struct Blind<'a> {
    pub(super) name: &'a str,
    pub(super) spec: AnySpec,
    pub(super) leaks: Leaks,
}

impl Visitor for Blind<'_> {
    type Output = ();

    fn visit<G: FullGame>(self, game: &Arc<G>) {
        let Blind { name, spec, leaks } = self;
        let Ok(mut strategy) = spec.build::<G>(&BuildContext::default()) else { return };
        let mut rng = stream("leak", 0);
        let standing = Standing::default();
        let mut choose = |state: &State<G::Public>, seat, mut rng: Stream| {
            let view = View::new(game.as_ref(), state, &standing, seat);
            strategy.choose(&view, game.legal(state), &mut rng)
        };
        let mut turn = 0_usize;
        random_play(game.as_ref(), name, leaks.deals, |state, over| {
            turn += 1;
            if over || !turn.is_multiple_of(leaks.step) {
                return;
            }
            let seat = state.table.seat_to_move();
            let own = stream("own", rng.next_u64());
            let first = choose(state, seat, own.clone());
            for _ in 0..leaks.redeals {
                let second = choose(&state.redealt(seat, &mut rng), seat, own.clone());
                assert_eq!(first, second, "{} in {name} saw a hidden card", spec.name());
            }
        });
    }
}

fn look_for_leaks(leaks: Leaks) {
    let check = |variant: &Variant| {
        for spec in specs() {
            variant.game.visit(Blind { name: &variant.name, spec, leaks });
        }
    };
    each_variant(check);
    each_file_game(check);
    each_shipped_game(check);
}

/// No number of hands divides the step, so every seat has its turn.
#[test]
fn no_strategy_sees_hidden_cards_in_a_sample_of_turns() {
    look_for_leaks(Leaks { deals: 2, step: 7, redeals: 1 });
}

#[test]
#[ignore = "long: every turn of 25 deals, for every strategy in every variant"]
fn no_strategy_sees_hidden_cards() {
    look_for_leaks(Leaks { deals: 25, step: 1, redeals: 3 });
}

/// The deal of a record played again by the second implementation, from its hands, its table and the texts of its
/// moves.
fn again(variant: &Variant, record: &overtrick::tournament::DealRecord) -> Second {
    let texts = |cards: &[Card]| cards.iter().map(Card::to_string).collect();
    let mut deal = Second::new(&Start {
        game: variant.game.name().to_owned(),
        rules: record.rules.clone(),
        dealer: record.dealer.index(),
        last_deal: record.last_deal,
        hands: record.hands.iter().map(|(name, cards)| ((*name).to_owned(), texts(&cards.sorted()))).collect(),
        table: record.table.iter().map(|aside| (aside.name.to_owned(), texts(&aside.cards))).collect(),
    });
    for made in &record.moves {
        assert_eq!((deal.seat(), deal.hand()), (made.seat.index(), made.hand.to_owned()));
        assert_eq!(deal.legal().len(), made.legal as usize);
        deal.apply(&made.text);
    }
    assert!(deal.is_over());
    deal
}

#[test]
fn scores_and_tricks_follow_from_the_record() {
    each_variant(|variant| {
        let tournament = fixtures::tournament(&variant.name, "deals = 1");
        let bots = fixtures::random_bots(variant);
        for record in (0..60).flat_map(|number| replay(&tournament, 0, number, &bots, false)) {
            let deal = again(variant, &record);
            let scores: Vec<i64> = record.scores.iter().map(|&score| i64::from(score)).collect();
            assert_eq!(scores, deal.scores(), "{} deal {}", variant.name, record.deal);
            for (hand, tricks) in &record.tricks_won {
                let won = deal.tricks().iter().filter(|(_, winner)| winner == hand).count();
                assert_eq!(usize::from(*tricks), won);
            }
            if let Some(first) = record.tricks.first() {
                let mut played: Vec<&str> = first.plays.iter().map(|(hand, _)| *hand).collect();
                let mut listed: Vec<&str> = record.tricks_won.iter().map(|(hand, _)| *hand).collect();
                played.sort_unstable();
                listed.sort_unstable();
                assert_eq!(listed, played, "every hand in play, and no other");
            }
            for (trick, (plays, winner)) in record.tricks.iter().zip(deal.tricks()) {
                assert!(trick.plays.iter().map(|(hand, card)| (hand.to_string(), card.to_string())).eq(plays));
                assert_eq!(trick.winner, winner);
            }
        }
    });
}

#[test]
fn the_playing_loop_plays_what_a_replay_shows() {
    use std::collections::BTreeMap;
    each_variant(|variant| {
        let seats = variant.game.layout().seats;
        let tournament = fixtures::tournament(&variant.name, "deals = 30");
        let tally = fixtures::play(&tournament, 7);
        let mut sums: BTreeMap<String, (i128, u64)> = BTreeMap::new();
        let schedule = &tournament.schedules[0];
        for (line_up, seating) in schedule.cell_ids() {
            let bots = schedule.bots(line_up, seating);
            let bots: Vec<Bot> = bots.of(seats).iter().map(|&bot| tournament.bot(bot).clone()).collect();
            for record in (0..30).flat_map(|number| replay(&tournament, 0, number, &bots, false)) {
                for (name, score) in record.seating.iter().zip(&record.scores) {
                    let (sum, deals) = sums.entry(name.clone()).or_default();
                    *sum += i128::from(*score);
                    *deals += 1;
                }
            }
        }
        for (id, bot) in tournament.bot_ids().zip(&tournament.bots) {
            let scores = tally.scores(id);
            assert_eq!((scores.sum(), scores.count()), sums[&bot.name], "{} in {}", bot.name, variant.name);
        }
    });
}

/// Whether a match ends with totals that were `before` and are `after` its deal number `deal`, counted from 0.
fn ends(rules: &toml::Table, before: &[i32], after: &[i32], deal: usize) -> bool {
    let number = |key: &str| rules[key].as_integer().unwrap() as i32;
    let Some(tie_rule) = rules.get("tie-rule") else {
        return deal + 1 == number("n-deals") as usize;
    };
    let there = |totals: &[i32]| totals.iter().filter(|&&total| total >= number("target")).count();
    let best = *after.iter().max().unwrap();
    let alone = after.iter().filter(|&&total| total == best).count() == 1;
    match tie_rule.as_str().unwrap() {
        "extra-deal" if there(before) == 0 => there(after) == 1,
        "extra-deal" | "highest" | "highest-then-extra-deal" => there(after) > 0 && alone,
        other => panic!("no preset had the rule {other}"),
    }
}

#[test]
fn matches_add_up_and_end_as_their_rules_say() {
    each_variant(|variant| {
        let tournament = fixtures::tournament(&variant.name, "unit = \"match\"\nmatches = 1");
        let bots = fixtures::random_bots(variant);
        let rules = tournament.variants[0].game.rules();
        for number in 0..15 {
            let records = replay(&tournament, 0, number, &bots, false);
            let seats = bots.len();
            let mut totals = vec![0; seats];
            for (deal, record) in records.iter().enumerate() {
                assert_eq!((record.game, record.deal), (Some(number), deal as u64));
                assert_eq!(record.totals_before, totals);
                totals.iter_mut().zip(&record.scores).for_each(|(total, score)| *total += score);
                assert_eq!(record.totals_after, totals);
                // The deal passes to the left.
                assert_eq!(record.dealer.index(), (records[0].dealer.index() + deal) % seats);
                let over = ends(&rules, &record.totals_before, &totals, deal);
                assert_eq!(record.places.is_some(), over, "{}: {totals:?}", variant.name);
                let last = !rules.contains_key("tie-rule") && over;
                assert_eq!(record.last_deal, last, "{}", variant.name);
            }
            let places = records.last().unwrap().places.clone().expect("the match is over");
            let winner = places.iter().position(|&place| place == 0).unwrap();
            assert_eq!(totals[winner], *totals.iter().max().unwrap());
        }
    });
}

/// Two results that differ only in how much luck one bot draws: its own moves are the same, so everything must be.
#[test]
fn a_bot_that_draws_more_luck_changes_nobody_elses_and_no_cards() {
    use overtrick::strategy::Strategy;
    use overtrick::tournament::{BenchDeals, Engine, Seeds, Unit};

    /// Plays the lowest legal move and draws some random numbers for nothing.
    struct Lowest(u64);
    impl<G: FullGame> Strategy<G> for Lowest {
        fn choose(&mut self, view: &View<'_, G>, legal: Moves, rng: &mut Stream) -> Move {
            for _ in 0..self.0 * (1 + view.plays().len() as u64) {
                rng.next_u64();
            }
            lowest_bits(legal)
        }
    }
    struct Signature(String, u64);
    impl Visitor for Signature {
        type Output = u64;
        fn visit<G: FullGame>(self, game: &Arc<G>) -> u64 {
            let seeds = Seeds::new(3, &self.0, game.as_ref(), Unit::Deal);
            let random = &specs()[0];
            let mut strategies: Vec<Box<dyn Strategy<G>>> = vec![Box::new(Lowest(self.1))];
            strategies.extend((0..2).map(|_| random.build::<G>(&BuildContext::default()).unwrap()));
            let mut deals = BenchDeals::new(&seeds, 0..500);
            Engine::new(strategies).play(game.as_ref(), &mut deals, &Default::default());
            deals.signature
        }
    }
    each_variant(|variant| {
        let signature = |waste| variant.game.visit(Signature(variant.name.clone(), waste));
        assert_eq!(signature(0), signature(3), "{}", variant.name);
    });
}

#[test]
fn the_tournament_helper_reads_real_configs() {
    let tournament = fixtures::tournament("dumbo", "deals = 5");
    let text = tournament.to_toml();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    std::fs::write(&file, &text).unwrap();
    let again = Tournament::read(&file, Overrides::default()).unwrap();
    assert_eq!(again.to_toml(), text);
}
