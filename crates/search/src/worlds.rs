//! Worlds: full arrangements of the cards that fit a view, counted and drawn, every one equally likely.
//!
//! A world fits if every place holds as many cards as the view says, among them those that the view shows there; if no
//! hand holds a card of a suit that it has shown out of; and if every card lies where the game says that it may
//! ([`Infer::may_lie`]). Nothing else counts: what a bid or a discard suggests does not. A sealed call of another seat
//! is drawn from all that it may have made, each equally likely whatever the cards.
//!
//! What a player can know of the others:
//!
//! ```
#![doc = include_str!("../examples/sample_worlds.rs")]
//! ```

use overtrick_cards::table::{Moves, Place};
use overtrick_cards::{CardSet, Stream};
use overtrick_game::{Infer, View, World};

use super::counting::{Arrangements, MAX_ROOMS, Room};

/// The worlds that fit a view. What can be worked out once for all of them is worked out here, so draw many from one.
pub struct Worlds<'v, G: Infer> {
    view: &'v View<'v, G>,
    unseen: CardSet,
    /// By place: the cards that the seat sees there.
    seen: [CardSet; Place::COUNT],
    /// By place: the number of cards that the seat does not see there, and the cards that may be among them.
    hidden: [Room; Place::COUNT],
    /// The places that hide cards, in the order of the rooms of the arrangements.
    places: [Place; MAX_ROOMS],
    arrangements: Arrangements,
}

impl<'v, G: Infer> Worlds<'v, G> {
    /// The worlds that fit `view`.
    ///
    /// # Panics
    /// If the seat cannot see into more than five places that hold cards: no game has so many.
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

    /// The view that the worlds fit.
    pub fn view(&self) -> &'v View<'v, G> {
        self.view
    }

    /// The number of arrangements of the cards that fit.
    pub fn count(&self) -> u128 {
        self.arrangements.count()
    }

    /// All worlds, if there are at most `most`, in an order that no card decides that the seat cannot see.
    pub fn few(&self, most: usize) -> Option<Vec<World>> {
        let calls = if self.view.has_sealed_call() { self.view.game().sealed_calls() } else { Moves::NONE };
        let count = self.count().checked_mul(u128::from(calls.len().max(1)))?;
        if count > most as u128 {
            return None;
        }
        let worlds = self.arrangements.all().into_iter().map(|cards| self.with(cards));
        if calls.is_empty() {
            return Some(worlds.collect());
        }
        Some(worlds.flat_map(|world| calls.iter().map(move |call| world.with_sealed(call))).collect())
    }

    /// The world with these cards in the places that hide some.
    fn with(&self, hidden: [CardSet; MAX_ROOMS]) -> World {
        let mut places = self.seen;
        for (place, cards) in self.places.into_iter().zip(hidden) {
            places[place.index()] |= cards;
        }
        World::new(places)
    }

    /// Draws one of the worlds, every one equally likely.
    ///
    /// # Panics
    /// If no world fits. For a deal that was played by the rules there is always one, the true one.
    pub fn sample(&self, rng: &mut Stream) -> World {
        let world = self.with(self.arrangements.draw(rng));
        if !self.view.has_sealed_call() {
            return world;
        }
        let calls = self.view.game().sealed_calls();
        let drawn = rng.random_below(u64::from(calls.len())) as usize;
        world.with_sealed(calls.iter().nth(drawn).expect("there are so many"))
    }

    /// Whether `world` is one of the worlds that fit.
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

/// One world that fits a view, every one equally likely. To draw several from one view, keep its [`Worlds`].
pub fn sample<G: Infer>(view: &View<'_, G>, rng: &mut Stream) -> World {
    Worlds::new(view).sample(rng)
}
