//! The setup that a module gets once, before the first deal.

use overtrick_cards::table::Place;
use overtrick_game::Describe;
use overtrick_strategy::protocol::VariantSeen;
use serde::Serialize;
use toml::Table;

use super::layout::VERSION;

/// The setup that a module gets once, as JSON.
#[derive(Serialize)]
pub struct Setup<'a> {
    /// The version of the layout.
    layout: u32,
    /// The version of overtrick.
    overtrick: &'static str,
    /// The variant with all its rules, as in the protocol's message `variant`.
    variant: VariantSeen,
    /// The names of the eight places, by number.
    places: Vec<&'static str>,
    /// The texts of calls, by number; null where the game has no such call.
    calls: Vec<Option<String>>,
    /// The bot's own settings.
    settings: &'a Table,
}

impl<'a> Setup<'a> {
    /// Returns the setup for `game` under the name of its variant.
    pub fn of<G: Describe>(game: &G, variant: &str, base: &str, settings: &'a Table) -> Setup<'a> {
        let place = |place: Place| game.place_name(place).unwrap_or(place.name());
        let mut calls: Vec<Option<String>> = (0..64).map(|call| game.call_text(call)).collect();
        calls.truncate(calls.iter().rposition(Option::is_some).map_or(0, |last| last + 1));
        Setup {
            layout: VERSION,
            overtrick: env!("CARGO_PKG_VERSION"),
            variant: VariantSeen::of(game, variant, base),
            places: Place::ALL.map(place).into(),
            calls,
            settings,
        }
    }

    /// Returns the setup as JSON.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("plain values, and memory takes them")
    }
}
