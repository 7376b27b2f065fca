//! Worlds: full arrangements of the cards that fit a view, counted and drawn with equal probability.
//!
//! A world fits on these conditions:
//!
//! - Every place holds the number of cards that the view shows, including the visible cards.
//! - No hand holds a card of a suit that it has shown out of.
//! - Every card lies where the game allows it ([`Infer::may_lie`]).
//!
//! Bids and discards suggest more, but are ignored. A sealed call of another seat is drawn from all possible
//! calls, each equally likely with any cards.
//!
//! The following program draws worlds:
//!
//! ```
#![doc = include_str!("../examples/sample_worlds.rs")]
//! ```

use overtrick_cards::table::{Moves, Place};
use overtrick_cards::{CardSet, Stream};
use overtrick_game::{Infer, View, World};

use super::counting::{Arrangements, MAX_ROOMS, Room};

/// The worlds that fit a view. The common work is done once, so draw many worlds from one value.
pub struct Worlds<'v, G: Infer> {
    view: &'v View<'v, G>,
    unseen: CardSet,
    /// By place, the cards that the seat sees there.
    seen: [CardSet; Place::COUNT],
    /// By place, the number of hidden cards, and the cards that may be among them.
    hidden: [Room; Place::COUNT],
    /// The places with hidden cards, in the order of the rooms of the arrangements.
    places: [Place; MAX_ROOMS],
    arrangements: Arrangements,
}

impl<'v, G: Infer> Worlds<'v, G> {
    /// Makes the worlds that fit `view`.
    ///
    /// # Panics
    /// If more than five places hold cards that the seat cannot see. No game has that many.
    pub fn new(view: &'v View<'v, G>) -> Worlds<'v, G> {
        let unseen = view.unseen();
        let out = view.shown_out();
        let seen = Place::ALL.map(|place| view.cards(place));
        let mut hidden = [Room::default(); Place::COUNT];
        let mut places = [Place::Hand0; MAX_ROOMS];
        let mut rooms = [Room::default(); MAX_ROOMS];
        let mut hiding = 0;
        for place in Place::ALL {
            let size = view.count(place) as u8 - seen[place.index()].len() as u8;
            if size > 0 {
                let may = (unseen & view.game().may_lie(view, place)) - out[place.index()];
                let room = Room { size, may };
                hidden[place.index()] = room;
                rooms[hiding] = room;
                places[hiding] = place;
                hiding += 1;
            }
        }
        let arrangements = Arrangements::new(unseen, &rooms[..hiding]);
        Worlds { view, unseen, seen, hidden, places, arrangements }
    }

    /// Returns the view that the worlds fit.
    pub fn view(&self) -> &'v View<'v, G> {
        self.view
    }

    /// Returns the number of arrangements of the cards that fit.
    pub fn count(&self) -> u128 {
        self.arrangements.count()
    }

    /// Lists all worlds if there are at most `limit`.
    ///
    /// Cards that the seat cannot see do not affect the order.
    pub fn enumerate_up_to(&self, limit: usize) -> Option<Vec<World>> {
        let calls = if self.view.has_sealed_call() { self.view.game().sealed_calls() } else { Moves::NONE };
        let count = self.count().checked_mul(u128::from(calls.len().max(1)))?;
        if count > limit as u128 {
            return None;
        }
        let worlds = self.arrangements.all().into_iter().map(|cards| self.with(cards));
        if calls.is_empty() {
            return Some(worlds.collect());
        }
        Some(worlds.flat_map(|world| calls.iter().map(move |call| world.with_sealed(call))).collect())
    }

    /// Makes the world with these cards in the places with hidden cards.
    fn with(&self, hidden: [CardSet; MAX_ROOMS]) -> World {
        let mut places = self.seen;
        for (place, cards) in self.places.into_iter().zip(hidden) {
            places[place.index()] |= cards;
        }
        World::new(places)
    }

    /// Draws a world, with all worlds equally likely.
    ///
    /// # Panics
    /// If no world fits. For a deal played by the rules there is always one, the true world.
    pub fn sample(&self, rng: &mut Stream) -> World {
        let world = self.with(self.arrangements.draw(rng));
        if !self.view.has_sealed_call() {
            return world;
        }
        let calls = self.view.game().sealed_calls();
        let drawn = rng.random_below(u64::from(calls.len())) as usize;
        world.with_sealed(calls.iter().nth(drawn).expect("the number drawn is below the number of calls"))
    }

    /// Returns whether `world` is one of the worlds that fit.
    pub fn fits(&self, world: &World) -> bool {
        let mut rest = self.unseen;
        Place::ALL.into_iter().all(|place| {
            let (seen, room) = (self.seen[place.index()], self.hidden[place.index()]);
            let cards = world.at(place) - seen;
            let fits = seen.is_subset(world.at(place))
                && cards.len() == u32::from(room.size)
                && (cards - (room.may & rest)).is_empty();
            rest -= cards;
            fits
        })
    }
}

/// Draws a world that fits a view, with all worlds equally likely.
///
/// To draw several worlds from a view, keep its [`Worlds`].
pub fn sample<G: Infer>(view: &View<'_, G>, rng: &mut Stream) -> World {
    Worlds::new(view).sample(rng)
}
