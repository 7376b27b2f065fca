//! Encodes views as rows of numbers and moves as indices, for learned players.
//!
//! The row is made from a [`View`] alone, so it has nothing that the seat may not know. Seats and their hands
//! are counted clockwise from the viewing seat. A player then learns one game, and not one for each seat. The
//! page docs/encoding.md describes the fields.

mod fields;

use std::sync::Arc;

use overtrick_cards::table::{Move, Moves, Place, Seat};
use overtrick_cards::{Card, CardSet, SeedSource, Strain};
use overtrick_game::{FullGame, Setup, View};

use crate::{AnyGame, Visitor};
pub use fields::Field;
use fields::{Fields, Starts};

/// The encoding of the views and moves of one variant.
///
/// ```
/// use overtrick_cards::SeedSource;
/// use overtrick_games::encoding::Encoding;
/// use overtrick_game::{Game, Setup, Standing, View};
/// use overtrick_games::dumbo::{Dumbo, DumboRules};
/// use overtrick_cards::table::Seat;
///
/// let game = Dumbo::new(DumboRules::default())?;
/// let encoding = Encoding::new(&game);
/// let setup = Setup::default();
/// let state = game.deal(setup, &mut SeedSource::new(1, "cards", "dumbo").stream(7, 0));
/// let seat = state.table.seat_to_move();
/// let (mut row, mut mask) = (vec![0.0; encoding.len()], vec![false; encoding.moves().len()]);
/// encoding.write(&View::new(&game, &state, &Standing::default(), seat), &mut row);
/// encoding.write_legal(game.legal(&state), &mut mask);
/// let seen = encoding.field("seen").unwrap();
/// // The first place is the seat's own hand.
/// let held = row[seen.start..][..seen.shape[1]].iter().sum::<f32>();
/// assert_eq!(held as usize, game.layout().cards_each);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Encoding {
    seats: usize,
    hands: usize,
    /// For each viewing seat, the hands, then the other places that have names.
    places: [Vec<Place>; Seat::ALL.len()],
    /// For each viewing seat and each place, the index of the place in that list.
    hand: [[u8; Place::COUNT]; Seat::ALL.len()],
    /// By number of a card, its index in the pack.
    card: [u8; 64],
    pack: usize,
    tricks: f32,
    /// The most points that a seat can win or lose in a deal.
    stake: f32,
    moves: Vec<Move>,
    texts: Vec<String>,
    /// By byte of a move, its index in `moves`, or 255 for none.
    action: [u8; 128],
    /// The index of the first call in `moves`.
    first_call: usize,
    fields: Vec<Field>,
    starts: Starts,
    len: usize,
}

/// The unit for numbers of deals: about the length of a long match.
const LONG_MATCH: f32 = 100.0;
/// The unit for numbers of hidden calls.
const MANY_CALLS: f32 = 10.0;

impl Encoding {
    /// Makes the encoding of a game under its rules.
    pub fn new<G: FullGame>(game: &G) -> Encoding {
        let layout = game.layout();
        let (seats, hands, cards) = (layout.seats, layout.hands.len(), layout.deck.cards());
        let mut card = [u8::MAX; 64];
        cards.iter().zip(0..).for_each(|(held, nth)| card[held.index()] = nth);
        let (moves, texts) = moves_of(game);
        let mut action = [u8::MAX; 128];
        moves.iter().zip(0..).for_each(|(&made, nth)| action[byte(made)] = nth);
        let first_call = moves.iter().take_while(|made| made.as_card().is_some()).count();
        let places = Seat::ALL.map(|seat| if seat.index() < seats { places_of(game, seat) } else { Vec::new() });
        let mut hand = [[0; Place::COUNT]; Seat::ALL.len()];
        for (hand, places) in hand.iter_mut().zip(&places) {
            places.iter().zip(0..).for_each(|(place, nth)| hand[place.index()] = nth);
        }
        let owns = |place: Place| places[0].iter().position(|&other| other == place);
        let label = |place: &Place| match owns(*place) {
            Some(0) => "own".to_owned(),
            Some(nth) if nth < seats => format!("left-{nth}"),
            _ => game.place_name(*place).unwrap_or(place.name()).to_owned(),
        };
        let in_places: Vec<String> = places[0].iter().map(label).collect();
        let in_hands = &in_places[..hands];
        let of_seats = &in_places[..seats];
        let of_cards: Vec<String> = cards.iter().map(|held| held.to_string()).collect();
        let of_calls = &texts[first_call..];
        let mut rng = SeedSource::new(0, "encoding", "row").stream(0, 0);
        let sample = game.deal(Setup::default(), &mut rng);
        let row: Vec<String> = (1..=game.public_extras(&sample.public).row.len()).map(|nth| nth.to_string()).collect();
        let strains: Vec<String> = Strain::ALL.iter().map(|strain| strain.name().to_owned()).collect();
        let mut all = Fields::default();
        let has_asides = places[0].len() > hands;
        let starts = Starts {
            seen: all.add("seen", &[&in_places, &of_cards]),
            counts: all.add("counts", &[&in_places]),
            to_play: all.add("to-play", &[in_hands]),
            chooses: all.add("chooses", &[in_hands]),
            played: all.add("played", &[in_hands, &of_cards]),
            trick: all.add("trick", &[in_hands, &of_cards]),
            led: all.add("led", &[&of_cards]),
            winning: all.add("winning", &[in_hands]),
            won: all.add("won", &[in_hands]),
            voids: all.add("voids", &[in_hands, &of_cards]),
            trumps: all.add("trumps", &[&of_cards]),
            calls: all.add("calls", &[of_seats, of_calls]),
            hidden_calls: all.add("hidden-calls", &[of_seats]),
            declarer: all.add("declarer", &[of_seats]),
            level: all.add("level", &[]),
            strain: all.add("strain", &[&strains]),
            dealer: all.add("dealer", &[of_seats]),
            up_card: all.add("up-card", &[if has_asides { &of_cards[..] } else { &[] }]),
            row: all.add("row", &[&row, &of_cards]),
            last_deal: all.add("last-deal", &[]),
            totals: all.add("totals", &[of_seats]),
            deals: all.add("deals", &[]),
        };
        let range = game.score_range();
        Encoding {
            seats,
            hands,
            hand,
            card,
            pack: of_cards.len(),
            tricks: layout.cards_each.max(1) as f32,
            stake: range.start().abs().max(range.end().abs()).max(1) as f32,
            moves,
            texts,
            action,
            first_call,
            places,
            fields: all.list,
            starts,
            len: all.len,
        }
    }

    /// Makes the encoding of a game of any type.
    pub fn of(game: &AnyGame) -> Encoding {
        struct Make;
        impl Visitor for Make {
            type Output = Encoding;
            fn visit<G: FullGame>(self, game: &Arc<G>) -> Encoding {
                Encoding::new(game.as_ref())
            }
        }
        game.visit(Make)
    }

    /// Returns the number of numbers in a row.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether a row has no numbers, which is never the case.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the fields of the row, in order.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Returns the field of this name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Returns the moves of all deals: cards in the order of the pack, then calls.
    ///
    /// A card has the same index when it is discarded and when it is played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the text of each move when it is played or called.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Writes which of the moves are legal. `mask` has an entry for each move.
    pub fn write_legal(&self, legal: Moves, mask: &mut [bool]) {
        mask.iter_mut().zip(&self.moves).for_each(|(slot, &made)| *slot = legal.contains(made));
    }

    /// Writes a view into `row`, which must have [`Encoding::len`] numbers.
    ///
    /// # Panics
    /// If `row` has another length, or the view is of another game.
    pub fn write<G: FullGame>(&self, view: &View<'_, G>, row: &mut [f32]) {
        row.fill(0.0);
        self.write_on_zeros(view, row);
    }

    /// Writes a view into a row of zeros.
    pub fn write_on_zeros<G: FullGame>(&self, view: &View<'_, G>, row: &mut [f32]) {
        assert_eq!(row.len(), self.len, "a row has a number for each of the encoding");
        let (own, starts, game) = (view.seat(), &self.starts, view.game());
        let places = &self.places[own.index()];
        let relative = |seat: Seat| (seat.index() + self.seats - own.index()) % self.seats;
        let of_hand = |hand: Place| usize::from(self.hand[own.index()][hand.index()]);
        for (nth, &place) in places.iter().enumerate() {
            self.put(row, starts.seen, nth, view.cards(place));
            row[starts.counts + nth] = view.count(place) as f32 / self.pack as f32;
        }
        row[starts.to_play + of_hand(view.hand_to_move())] = 1.0;
        let shown_out = view.shown_out();
        for (nth, &hand) in places[..self.hands].iter().enumerate() {
            // No seat chooses the cards of a dummy that does not play.
            let is_played = nth < self.seats || view.circle().any(|other| other == hand);
            row[starts.chooses + nth] = f32::from(u8::from(is_played && view.decider(hand) == own));
            row[starts.won + nth] = view.tricks_won(hand) as f32 / self.tricks;
            self.put(row, starts.voids, nth, shown_out[hand.index()]);
        }
        let current = view.plays().len() - view.trick_length();
        for (number, trick) in view.plays().chunks(view.hands_in_trick()).enumerate() {
            let mut hand = view.leader(number);
            for (nth, &card) in trick.iter().enumerate() {
                let at = of_hand(hand) * self.pack + usize::from(self.card[card.index()]);
                row[starts.played + at] = 1.0;
                if number * view.hands_in_trick() + nth >= current {
                    row[starts.trick + at] = 1.0;
                }
                hand = view.after(hand);
            }
        }
        let put_one = |row: &mut [f32], start: usize, card: Option<Card>| {
            if let Some(card) = card {
                row[start + usize::from(self.card[card.index()])] = 1.0;
            }
        };
        put_one(row, starts.led, view.led());
        if let Some((hand, _)) = view.winning() {
            row[starts.winning + of_hand(hand)] = 1.0;
        }
        self.put(row, starts.trumps, 0, view.trumps());
        let calls = self.moves.len() - self.first_call;
        for (seat, call) in view.calls() {
            match call.map(|call| (call.as_call(), self.action(call))) {
                Some((Some(_), Some(at))) => row[starts.calls + relative(seat) * calls + at - self.first_call] += 1.0,
                // The seat's own discard is visible where it lies.
                Some(_) => {}
                None => row[starts.hidden_calls + relative(seat)] += 1.0 / MANY_CALLS,
            }
        }
        if let Some(contract) = view.contract() {
            if let Some(declarer) = contract.declarer {
                row[starts.declarer + relative(declarer)] = 1.0;
            }
            row[starts.level] = contract.level.map_or(0.0, |level| f32::from(level) / self.tricks);
            if let Some(at) = Strain::ALL.iter().position(|strain| contract.trump == Some(strain.name())) {
                row[starts.strain + at] = 1.0;
            }
        }
        row[starts.dealer + relative(view.dealer())] = 1.0;
        let extras = game.public_extras(view.public());
        if places.len() > self.hands {
            put_one(row, starts.up_card, extras.up_card);
        }
        for (nth, &card) in extras.row.iter().enumerate() {
            put_one(row, starts.row + nth * self.pack, Some(card));
        }
        row[starts.last_deal] = f32::from(u8::from(extras.last_deal));
        let standing = view.standing();
        for seat in Seat::all(self.seats) {
            row[starts.totals + relative(seat)] = standing.totals[seat] as f32 / self.stake;
        }
        row[starts.deals] = standing.deals as f32 / LONG_MATCH;
    }

    /// Returns the index of a move in [`Encoding::moves`], or `None` if no deal has it.
    pub fn action(&self, made: Move) -> Option<usize> {
        Some(self.action[byte(made)]).filter(|&at| at != u8::MAX).map(usize::from)
    }

    /// Sets a 1 for each card in row `nth` of the field that begins at `start`.
    fn put(&self, row: &mut [f32], start: usize, nth: usize, cards: CardSet) {
        let row = &mut row[start + nth * self.pack..][..self.pack];
        for card in cards.iter() {
            // The cards that a hand cannot hold may include cards that are not in the pack.
            if let Some(slot) = row.get_mut(usize::from(self.card[card.index()])) {
                *slot = 1.0;
            }
        }
    }
}

/// Returns a move's number, below 128.
fn byte(made: Move) -> usize {
    let card = || made.as_card().map_or(Card::NONE.index(), Card::index);
    made.as_call().map_or_else(card, |call| 64 + usize::from(call))
}

/// Lists every move with its first text: cards, then calls, each in ascending order.
fn moves_of<G: FullGame>(game: &G) -> (Vec<Move>, Vec<String>) {
    let mut all = game.move_texts();
    // If a card is both played and discarded, the text of the play comes first.
    let key = |made: &Move| (made.as_call(), made.as_card().map(Card::index));
    all.sort_by_key(|(made, _)| key(made));
    all.dedup_by_key(|(made, _)| key(made));
    all.into_iter().unzip()
}

/// Lists the places that have names, as seen from `seat`.
///
/// The seats' hands come first, clockwise from the seat's own hand, then other hands, then the other places.
/// Some places exist once for each seat, with names that end in the seat's number. They are also ordered from
/// the seat's own place.
fn places_of<G: FullGame>(game: &G, seat: Seat) -> Vec<Place> {
    let layout = game.layout();
    let left = |steps: usize| seat.left(steps, layout.seats);
    let own = (0..layout.seats).map(|steps| Place::hand(left(steps)));
    let named = |place: Place| Some((place, game.place_name(place)?));
    let others: Vec<(Place, &str)> = Place::ALL.into_iter().skip(layout.seats).filter_map(named).collect();
    let turned = |&(place, name): &(Place, &str)| {
        let owner = name.chars().last().and_then(|digit| digit.to_digit(10)).map(|number| number as usize);
        let Some(owner) = owner.filter(|&owner| owner < layout.seats) else { return place };
        let wanted = format!("{}{}", &name[..name.len() - 1], left(owner).index());
        others.iter().find(|(_, other)| *other == wanted).map_or(place, |&(other, _)| other)
    };
    own.chain(others.iter().map(turned)).collect()
}
