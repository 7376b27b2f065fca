//! The players, the dummies, and who leads.

use overtrick_cards::table::{BySeat, MAX_SEATS, Place, Seat, Teams};
use overtrick_cards::{CardSet, Stream};
use overtrick_toml::InputError;

use super::cards;
use super::intern::intern_list;
use super::resolver::Resolver;
use crate::expression::is_name;
use crate::source::{ChoiceSetting, DummyKeys, FaceWord, FirstDealerWord, LeadWord, PartnersWord, RoleWord};

/// A hand without a player, under values of the options.
#[derive(Clone, Debug)]
pub struct DummyHand {
    /// The name of the hand.
    pub name: String,
    /// Its place.
    pub place: Place,
    /// The number of seats from the dealer to the player opposite, counted to the left.
    opposite: usize,
    /// The number of seats from the dealer to the player who plays its cards.
    pub played_by: usize,
    /// When its cards can be seen.
    pub face: FaceWord,
}

/// The players and the dummies.
#[derive(Clone, Debug)]
pub struct Seating {
    /// The number of players.
    pub players: usize,
    /// Whether players who face each other are partners.
    pub partners: bool,
    /// The hands without a player.
    pub dummies: Vec<DummyHand>,
    /// The names of all hands, by place.
    pub hand_names: &'static [&'static str],
    /// By dealer, the four hands clockwise, where there are dummies.
    pub circles: Option<[[Place; Place::HANDS]; Place::HANDS]>,
    /// The number of seats from the dealer to the first leader, unless the holder of the first card leads.
    pub leads: Option<usize>,
    first_dealer: FirstDealerWord,
    /// For `first-of`, by seat: the ways to deal the cards so that this seat or an earlier one gets the first.
    first_of: Vec<u64>,
}

/// The names of players' hands.
const PLAYERS: [&str; Place::HANDS] = ["p0", "p1", "p2", "p3"];

/// Returns the number of seats from the dealer to a role, counted to the left.
fn steps(role: RoleWord, players: usize) -> Option<usize> {
    match role {
        RoleWord::Dealer => Some(0),
        RoleWord::Forehand => Some(1),
        RoleWord::Middlehand => (players == 4).then_some(2),
        RoleWord::Rearhand => (players > 2).then(|| players - 1),
    }
}

/// Reads who leads first as the number of seats from the dealer, or none for the holder of the first card.
fn leads(resolver: &Resolver<'_>, players: usize) -> Result<Option<usize>, InputError> {
    let key = ["play", "leads"];
    let setting = &resolver.file.keys().play.leads;
    let lead = setting.as_ref().map_or(Ok(LeadWord::Forehand), |setting| resolver.choice(&key, setting))?;
    let role = match lead {
        LeadWord::Dealer => RoleWord::Dealer,
        LeadWord::Forehand => RoleWord::Forehand,
        LeadWord::Middlehand => RoleWord::Middlehand,
        LeadWord::Rearhand => RoleWord::Rearhand,
        LeadWord::Holder => return Ok(None),
    };
    steps(role, players).map(Some).ok_or_else(|| no_role(resolver, &key, players))
}

/// Returns the error of a role that no player has.
fn no_role(resolver: &Resolver<'_>, key: &[&str], players: usize) -> InputError {
    resolver.error(key, format!("is no role in a game for {players}; choose \"dealer\" or \"forehand\""))
}

/// Reads a role as the number of seats from the dealer.
pub(super) fn role_steps(
    resolver: &Resolver<'_>,
    key: &[&str],
    setting: &Option<ChoiceSetting<RoleWord>>,
    default: usize,
    players: usize,
) -> Result<usize, InputError> {
    let Some(setting) = setting else { return Ok(default) };
    let role = resolver.choice(key, setting)?;
    steps(role, players).ok_or_else(|| no_role(resolver, key, players))
}

impl Seating {
    /// Makes the seating of a file with this deck.
    ///
    /// # Errors
    /// The first wrong key of the tables `seats` and `play`.
    pub fn of(resolver: &Resolver<'_>, deck: CardSet) -> Result<Seating, InputError> {
        let keys = &resolver.file.keys().seats;
        let at = ["seats", "players"];
        let players = keys.players.as_ref().map_or(Ok(4), |players| resolver.amount(&at, players))?;
        let players = usize::try_from(players).unwrap_or(MAX_SEATS);
        if players > MAX_SEATS {
            let problem = format!("is {players}, and games of {players} are not supported yet; use 2 to {MAX_SEATS}");
            return Err(resolver.error(&at, problem));
        }
        let partners = match &keys.partners {
            Some(setting) => resolver.choice(&["seats", "partners"], setting)? == PartnersWord::Opposite,
            None => false,
        };
        if partners && players != MAX_SEATS {
            let problem = format!("face each other at a table of {MAX_SEATS}, and this is one of {players}; leave out");
            return Err(resolver.error(&["seats", "partners"], problem + " `partners`"));
        }
        let mut dummies = Vec::new();
        for (number, dummy) in resolver.file.listed().dummies.iter().enumerate() {
            dummies.push(dummy_hand(resolver, dummy, number, players)?);
        }
        let circles = match dummies.len() {
            0 => None,
            _ => Some(circles(resolver, players, &dummies)?),
        };
        let first_dealer = match &keys.first_dealer {
            Some(setting) => resolver.choice(&["seats", "first-dealer"], setting)?,
            None => FirstDealerWord::Seat0,
        };
        if seat_number(first_dealer).is_some_and(|seat| seat >= players) {
            let problem = format!("names a seat that a game for {players} does not have; name one below it");
            return Err(resolver.error(&["seats", "first-dealer"], problem));
        }
        let leads = leads(resolver, players)?;
        let names = dummies.iter().map(|dummy| dummy.name.as_str());
        let hand_names: Vec<&str> = PLAYERS.into_iter().take(players).chain(names).collect();
        let first_of = first_of(resolver, deck, players, first_dealer)?;
        let hand_names = intern_list(&hand_names);
        Ok(Seating { players, partners, hand_names, dummies, circles, leads, first_dealer, first_of })
    }

    /// Returns the teams at the table.
    pub fn teams(&self) -> Teams {
        if self.partners { Teams::PARTNERS } else { Teams::alone(self.players) }
    }

    /// Returns, by seat, the seats of its side, one bit for each.
    pub fn sides(&self) -> BySeat<u8> {
        let teams = self.teams();
        let side_of = |seat: Seat| {
            let mates = Seat::all(self.players).filter(|other| teams.of(other.index()) == teams.of(seat.index()));
            mates.map(|other| 1 << other.index()).sum()
        };
        BySeat::from_fn(side_of)
    }

    /// Returns the number of hands, with dummies.
    pub fn hands(&self) -> usize {
        self.players + self.dummies.len()
    }

    /// Returns the seat that deals first. `rng` decides where the file says so.
    pub fn first_dealer(&self, rng: impl FnOnce() -> Stream) -> Seat {
        let seats = u64::try_from(self.players).unwrap_or(1);
        Seat::new(match (seat_number(self.first_dealer), self.first_of.last()) {
            (Some(seat), _) => seat,
            // One draw has the same distribution as dealing out the deck.
            (None, Some(&all)) => {
                let way = rng().random_below(all);
                self.first_of.iter().filter(|&&ways| way >= ways).count()
            }
            (None, None) => usize::try_from(rng().random_below(seats)).unwrap_or(0),
        })
    }
}

/// Returns the number of a seat that is fixed.
fn seat_number(word: FirstDealerWord) -> Option<usize> {
    match word {
        FirstDealerWord::Seat0 => Some(0),
        FirstDealerWord::Seat1 => Some(1),
        FirstDealerWord::Seat2 => Some(2),
        FirstDealerWord::Seat3 => Some(3),
        FirstDealerWord::Random | FirstDealerWord::FirstOf => None,
    }
}

/// Counts, by seat, the ways to place the cards of `first-of` in the deck that give the first to it or an earlier seat.
///
/// The deck is dealt in turn from seat 0.
fn first_of(
    resolver: &Resolver<'_>,
    deck: CardSet,
    players: usize,
    word: FirstDealerWord,
) -> Result<Vec<u64>, InputError> {
    let key = ["seats", "first-of"];
    let Some(text) = &resolver.file.keys().seats.first_of else {
        let problem = "is the player who gets the first of some cards; set `seats.first-of`";
        let needed = word == FirstDealerWord::FirstOf;
        return if needed { Err(resolver.error(&["seats", "first-dealer"], problem)) } else { Ok(Vec::new()) };
    };
    // An option may choose another dealer.
    let is_option = matches!(resolver.file.keys().seats.first_dealer, Some(ChoiceSetting::Text(_)));
    if word != FirstDealerWord::FirstOf && !is_option {
        return Err(resolver.error(&key, "does nothing; set `first-dealer = \"first-of\"`"));
    }
    let cards = cards::card_set(text, deck).map_err(|problem| resolver.error(&key, problem))?;
    if !(1..=4).contains(&cards.len()) {
        return Err(resolver.error(&key, format!("names {} cards, and must name 1 to 4", cards.len())));
    }
    if word != FirstDealerWord::FirstOf {
        return Ok(Vec::new());
    }
    let mut ways = vec![0; players];
    for place in 0..deck.len() {
        // The other cards lie at later places.
        let later = choose(u64::from(deck.len() - 1 - place), u64::from(cards.len() - 1));
        let seat = usize::try_from(place).unwrap_or(0) % players;
        ways[seat..].iter_mut().for_each(|ways| *ways += later);
    }
    Ok(ways)
}

/// Returns the number of ways to choose `some` of `all` things.
fn choose(all: u64, some: u64) -> u64 {
    (0..some).fold(1, |ways, taken| ways * all.saturating_sub(taken) / (taken + 1))
}

fn dummy_hand(
    resolver: &Resolver<'_>,
    keys: &DummyKeys,
    number: usize,
    players: usize,
) -> Result<DummyHand, InputError> {
    let place = number.to_string();
    let at = |key: &'static str| ["seats", "dummies", place.as_str(), key];
    let name = keys.name.clone().unwrap_or_else(|| "dummy".to_owned());
    if !is_name(&name) || PLAYERS.contains(&name.as_str()) {
        let problem = "is no name for a dummy; use small letters and digits, and not p0 to p3";
        return Err(resolver.error(&at("name"), problem));
    }
    let opposite = role_steps(resolver, &at("opposite"), &keys.opposite, 0, players)?;
    let played_by = role_steps(resolver, &at("played-by"), &keys.played_by, opposite, players)?;
    let face = match &keys.face {
        Some(setting) => resolver.choice(&at("face"), setting)?,
        None => FaceWord::Up,
    };
    let Some(place) = Place::ALL[..Place::HANDS].get(players + number) else {
        return Err(resolver.error(&["seats", "dummies"], "and players are more than four hands; leave out some"));
    };
    Ok(DummyHand { name, place: *place, opposite, played_by, face })
}

/// Returns the four hands clockwise, by dealer.
fn circles(
    resolver: &Resolver<'_>,
    players: usize,
    dummies: &[DummyHand],
) -> Result<[[Place; Place::HANDS]; Place::HANDS], InputError> {
    let error = |problem: &str| Err(resolver.error(&["seats", "dummies"], problem));
    if players + dummies.len() != Place::HANDS {
        return error("lie opposite players, and that takes four hands; make players and dummies four in all");
    }
    if dummies.len() == 2 && dummies[0].opposite == dummies[1].opposite {
        return error("lie opposite the same player; give each another player");
    }
    if dummies.len() == 2 && dummies[0].name == dummies[1].name {
        return error("have the same name; name them apart");
    }
    Ok(std::array::from_fn(|dealer| {
        let dealer = Seat::new(dealer % players);
        let mut circle = [None; Place::HANDS];
        // Players sit clockwise from the one opposite the first dummy. The dummies take the places opposite.
        let first = dummies[0].opposite;
        circle[2] = Some(dummies[0].place);
        if let Some(second) = dummies.get(1) {
            circle[3] = Some(second.place);
        }
        let mut players = (0..players).map(|steps| Place::hand(dealer.left(first + steps, players)));
        circle.map(|dummy| dummy.or_else(|| players.next()).unwrap_or(Place::Hand0))
    }))
}
