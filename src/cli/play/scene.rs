//! The text for a person at the table. All of it comes from the view of their seat, without hidden cards.

use std::fmt::Write;

use super::ink::Ink;
use crate::cards::Card;
use crate::game::{FullGame, Move, Moves, View};
use crate::report::{Screen, by_suit, contract_text};
use crate::table::{Place, Seat};
use crate::tournament::DealRecord;

/// The scene of a deal, and how much of it has been shown.
pub(super) struct Scene<'a> {
    /// The players' names, by seat.
    players: &'a [String],
    ink: Ink,
    screen: Screen,
    /// By call so far: whether it was known when it was shown.
    calls: Vec<bool>,
    plays: usize,
    contract: String,
}

/// Returns moves in the order of their numbers: cards as hands are sorted, then calls.
pub(super) fn in_order(legal: Moves) -> impl Iterator<Item = Move> {
    let calls = legal.iter().filter(|made| made.as_card().is_none());
    legal.card_set().sorted().into_iter().map(Move::card).chain(calls)
}

impl<'a> Scene<'a> {
    pub(super) fn new(players: &'a [String], ink: Ink) -> Scene<'a> {
        let screen = Screen::current();
        Scene { players, ink, screen, calls: Vec::new(), plays: 0, contract: String::new() }
    }

    /// Returns the first line, which names the players.
    pub(super) fn title<G: FullGame>(&self, view: &View<'_, G>, variant: &str, deal: u64, seed: u64) -> String {
        let player = |seat: Seat| {
            let deals = if seat == view.dealer() { " (dealer)" } else { "" };
            format!("{}{deals}", self.who(view, Place::hand(seat)))
        };
        let players: Vec<String> = Seat::all(self.players.len()).map(player).collect();
        let last = if view.game().public_extras(view.public()).last_deal { ", played as a last deal" } else { "" };
        self.screen.wrap(&format!(
            "{variant}, deal {deal}, seed {seed}{last}: {}; you are p{}",
            players.join(", "),
            view.seat().index()
        )) + "\n"
    }

    /// Returns the name of a hand with its player.
    fn who<G: FullGame>(&self, view: &View<'_, G>, hand: Place) -> String {
        let name = view.game().place_name(hand).unwrap_or("a hand");
        match self.players.get(hand.index()) {
            Some(player) => format!("{name} {player}"),
            None => name.to_owned(),
        }
    }

    /// Returns the calls, plays and tricks since the last call of this function.
    pub(super) fn news<G: FullGame>(&mut self, view: &View<'_, G>) -> String {
        self.new_calls(view) + &self.new_contract(view) + &self.new_plays(view)
    }

    fn new_calls<G: FullGame>(&mut self, view: &View<'_, G>) -> String {
        let mut text = String::new();
        for (number, (seat, call)) in view.calls().into_iter().enumerate() {
            let who = self.who(view, Place::hand(seat));
            let said = call.map(|call| view.game().text_among_calls(call).unwrap_or_default());
            let was_known = self.calls.get(number).copied();
            let line = match (was_known, &said) {
                (None, Some(said)) => format!("  {who}: {said}\n"),
                (None, None) => format!("  {who} has made a choice that only they know\n"),
                (Some(false), Some(said)) => format!("  {who} had chosen: {said}\n"),
                _ => String::new(),
            };
            text += &line;
            self.calls.resize(self.calls.len().max(number + 1), false);
            self.calls[number] = said.is_some();
        }
        text
    }

    fn new_contract<G: FullGame>(&mut self, view: &View<'_, G>) -> String {
        let contract = view.contract().map(|contract| contract_text(&contract)).unwrap_or_default();
        if contract == self.contract {
            return String::new();
        }
        self.contract = contract;
        format!("  contract: {}\n", self.contract)
    }

    fn new_plays<G: FullGame>(&mut self, view: &View<'_, G>) -> String {
        let mut text = String::new();
        let mut number = 0;
        for (trick, played) in view.tricks().iter().enumerate() {
            for play in &played.plays {
                number += 1;
                if number <= self.plays {
                    continue;
                }
                self.plays = number;
                text += &format!("  {}: {}\n", self.who(view, play.hand), self.ink.of_move(&play.card.to_string()));
                if Some(play.hand) == played.plays.last().map(|last| last.hand)
                    && let Some(winner) = played.winner
                {
                    let name = view.game().place_name(winner).unwrap_or("no one");
                    text += &format!("  trick {} to {name}; {}\n", trick + 1, won(view));
                }
            }
        }
        text
    }

    /// Returns the cards that the seat may see, and its legal moves.
    pub(super) fn question<G: FullGame>(&self, view: &View<'_, G>, legal: Moves) -> String {
        let mut lines: Vec<(String, String)> = Vec::new();
        let extras = view.game().public_extras(view.public());
        for place in Place::ALL {
            let cards = view.cards(place);
            if cards.is_empty() || place == Place::hand(view.seat()) {
                continue;
            }
            let Some(name) = view.game().place_name(place) else { continue };
            // A row is shown in the order of taking.
            let row: Vec<Card> = extras.row.iter().copied().filter(|&card| cards.contains(card)).collect();
            let in_row = row.len() == cards.len() as usize;
            lines.push((
                name.to_owned(),
                if in_row { row.iter().map(Card::to_string).collect::<Vec<_>>().join(" ") } else { by_suit(cards) },
            ));
        }
        lines.extend(extras.trump.map(|trump| ("trumps".to_owned(), trump.to_owned())));
        lines.push(("your hand".to_owned(), by_suit(view.own())));
        let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let mut text = String::from("\n");
        for (name, cards) in lines {
            writeln!(text, "  {name:<width$}  {cards}").expect("text goes into memory");
        }
        text + &self.moves(view, legal)
    }

    /// Returns the moves with their numbers, in columns.
    fn moves<G: FullGame>(&self, view: &View<'_, G>, legal: Moves) -> String {
        let texts: Vec<String> = in_order(legal).map(|made| view.move_text(made).unwrap_or_default()).collect();
        let number = texts.len().to_string().len();
        let width = texts.iter().map(String::len).max().unwrap_or(0);
        let columns = ((self.screen.width.saturating_sub(2)) / (number + 1 + width + 3)).max(1);
        let mut text = String::new();
        for (row, some) in texts.chunks(columns).enumerate() {
            let cell = |(nth, move_text): (usize, &String)| {
                let padding = " ".repeat(width - move_text.len());
                format!("{:>number$} {}{padding}", row * columns + nth + 1, self.ink.of_move(move_text))
            };
            let cells: Vec<String> = some.iter().enumerate().map(cell).collect();
            text += &format!("  {}\n", cells.join("   ").trim_end());
        }
        text
    }

    /// Returns the prompt, which says whose move it is.
    pub(super) fn prompt<G: FullGame>(&self, view: &View<'_, G>) -> String {
        let hand = view.hand_to_move();
        let whose =
            if hand == Place::hand(view.seat()) { "your move" } else { view.game().place_name(hand).unwrap_or("move") };
        self.ink.bold(&format!("{whose}>")) + " "
    }

    /// Returns the scores of a finished deal with their reasons.
    pub(super) fn scores(&self, record: &DealRecord) -> String {
        let width = self.players.iter().map(String::len).max().unwrap_or(0);
        let line = |(seat, score): (usize, &i32)| {
            format!("  p{seat} {:<width$} {score:>5}  {}\n", self.players[seat], record.reasons[seat])
        };
        let lines: String = record.scores.iter().enumerate().map(line).collect();
        format!("\n{lines}")
    }
}

/// Returns the tricks that each hand in play has won.
fn won<G: FullGame>(view: &View<'_, G>) -> String {
    let hand = |hand: Place| format!("{} {}", view.game().place_name(hand).unwrap_or("no one"), view.tricks_won(hand));
    view.circle().map(hand).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::cards::SeedSource;
    use crate::game::{Setup, Standing, State};
    use crate::games::{Variant, Visitor};

    /// Returns all text for a seat at this point of a deal.
    fn told<G: FullGame>(game: &G, state: &State<G::Public>, seat: Seat) -> String {
        let players: Vec<String> = (0..game.layout().seats).map(|number| format!("player-{number}")).collect();
        let (standing, mut scene) = (Standing::default(), Scene::new(&players, Ink::PLAIN));
        let view = View::new(game, state, &standing, seat);
        let mut text = scene.title(&view, "variant", 1, 2) + &scene.news(&view);
        if !game.is_over(state) && state.table.seat_to_move() == seat {
            text += &(scene.question(&view, game.legal(state)) + &scene.prompt(&view));
        }
        text
    }

    struct Check(String);

    impl Visitor for Check {
        type Output = ();

        fn visit<G: FullGame>(self, game: &Arc<G>) {
            let mut moved = 0;
            for number in 0..12 {
                let mut rng = SeedSource::new(1, "scene", &self.0).stream(number, 0);
                let setup = Setup::single(game.as_ref(), number, number % 2 == 1);
                let mut state = game.deal(setup, &mut rng);
                loop {
                    for seat in Seat::all(game.layout().seats) {
                        let other = state.redealt(seat, &mut rng);
                        moved += usize::from(other != state);
                        let (one, other) = (told(game.as_ref(), &state, seat), told(game.as_ref(), &other, seat));
                        assert_eq!(one, other, "{}: a hidden card shows", self.0);
                    }
                    if game.is_over(&state) {
                        break;
                    }
                    let legal: Vec<Move> = in_order(game.legal(&state)).collect();
                    assert_eq!(legal.len() as u32, game.legal(&state).len());
                    let chosen = legal[rng.random_below(legal.len() as u64) as usize];
                    game.play(&mut state, chosen).unwrap();
                }
            }
            assert!(moved > 0, "{}: nothing is ever hidden", self.0);
        }
    }

    #[test]
    fn other_hidden_cards_change_nothing_on_the_screen() {
        for variant in Variant::all() {
            variant.game.visit(Check(variant.name.clone()));
        }
    }
}
