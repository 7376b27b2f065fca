//! The features of a decision and of two different choices, general enough to be counted.

use std::borrow::Cow;

use overtrick_cards::table::Role;
use overtrick_cards::{Card, CardSet, Order, Rank, Suit};
use overtrick_game::{FullGame, Move, State};

/// The features by which decisions are counted, in the order of their tables.
pub const FEATURES: [&str; 12] = [
    "phase",
    "choice",
    "seat",
    "trick",
    "contract",
    "side",
    "trumps",
    "longest-suit",
    "shortest-suit",
    "high-cards",
    "place-in-trick",
    "tricks-won",
];

/// The index of the phase of the deal among the features.
pub(super) const PHASE: usize = 0;
/// The index of the two choices.
pub(super) const CHOICE: usize = 1;

/// The text of a feature that a decision does not have.
pub(super) const NONE: &str = "-";

/// By feature: its text for a decision.
pub(super) type Situation = [Cow<'static, str>; FEATURES.len()];

/// Returns the situation in which a deal was forfeited by a bot that had a fault.
pub(super) fn forfeit() -> Situation {
    let mut situation = [const { Cow::Borrowed(NONE) }; FEATURES.len()];
    situation[PHASE] = Cow::Borrowed("fault");
    situation[CHOICE] = Cow::Borrowed("forfeit the deal, not play on");
    situation
}

/// Returns the situation in which one bot chose `did` and another would have chosen `would`.
pub(super) fn situation<G: FullGame>(game: &G, state: &State<G::Public>, did: Move, would: Move) -> Situation {
    let table = &state.table;
    let decision = Decision::new(game, state);
    let hand = decision.hand;
    let is_play = decision.order.is_some();
    let suits = Suit::ALL.map(|suit| decision.of_suit(suit).len());
    let high = (hand & (CardSet::rank(Rank::Ace) | CardSet::rank(Rank::King))).len();
    let seat = table.seat_to_move();
    let side = match game.contract(state) {
        Some(contract) => {
            let role = match contract.declarer {
                None => "",
                Some(declarer) if declarer == seat => "declarer in ",
                Some(_) => "defender against ",
            };
            Cow::Owned(format!("{role}{}", contract.kind))
        }
        None => Cow::Borrowed(NONE),
    };
    let only_in_play = |text: String| if is_play { Cow::Owned(text) } else { Cow::Borrowed(NONE) };
    let is_last = table.trick_length() + 1 == table.hands_in_trick();
    let place = match table.trick_length() {
        0 => "first",
        _ if is_last => "last",
        _ => "between",
    };
    [
        decision.phase(did),
        decision.choice(did, would),
        Cow::Borrowed(Role::of(seat, table.dealer(), game.layout().seats).name(game.layout().seats)),
        if is_play { Cow::Owned((table.tricks_played() + 1).to_string()) } else { Cow::Borrowed("before play") },
        Cow::Borrowed(NONE),
        side,
        if decision.trumps.is_empty() {
            Cow::Borrowed(NONE)
        } else {
            Cow::Owned((hand & decision.trumps).len().to_string())
        },
        Cow::Owned(suits.into_iter().max().unwrap_or(0).to_string()),
        Cow::Owned(suits.into_iter().min().unwrap_or(0).to_string()),
        Cow::Owned(high.to_string()),
        if is_play { Cow::Borrowed(place) } else { Cow::Borrowed(NONE) },
        only_in_play(table.tricks_won(table.hand_to_move()).to_string()),
    ]
}

struct Decision<'a, G: FullGame> {
    game: &'a G,
    state: &'a State<G::Public>,
    /// The cards of the hand to move.
    hand: CardSet,
    trumps: CardSet,
    /// The order of the cards, if a card is played and not discarded.
    order: Option<&'a Order>,
}

impl<'a, G: FullGame> Decision<'a, G> {
    fn new(game: &'a G, state: &'a State<G::Public>) -> Decision<'a, G> {
        let hand = state.table.at(state.table.hand_to_move());
        let card = game.legal(state).card_set().first();
        let is_played = card.is_some_and(|card| {
            game.move_text(state, Move::card(card)).as_deref().and_then(|text| text.parse().ok()) == Some(card)
        });
        let order = game.order(state).filter(|_| is_played);
        Decision { game, state, hand, trumps: game.trumps(state), order }
    }

    /// Returns the cards of the hand that follow a suit, including trumps from other suits.
    fn of_suit(&self, suit: Suit) -> CardSet {
        let own = match self.order {
            Some(order) => order.follow(Card::new(Rank::Ten, suit)),
            None if self.trumps.contains(Card::new(Rank::Ten, suit)) => self.trumps,
            None => CardSet::suit(suit) - self.trumps,
        };
        self.hand & own
    }

    /// Returns the first word of a call or of a discard.
    fn word(&self, chosen: Move) -> String {
        let text = self.game.move_text(self.state, chosen).unwrap_or_default();
        text.split_whitespace().next().map_or(NONE.to_owned(), |word| word.replace('-', " "))
    }

    /// Returns the cards of the hand that follow suit to the current trick.
    fn following(&self, order: &Order) -> CardSet {
        self.hand & order.follow(self.state.table.led())
    }

    /// Returns the phase of the deal: the possible calls, or the kind of play.
    fn phase(&self, did: Move) -> Cow<'static, str> {
        if let Some(order) = self.order {
            return Cow::Borrowed(if self.state.table.trick_length() == 0 {
                "lead"
            } else if self.following(order).is_empty() {
                "play off suit"
            } else {
                "follow suit"
            });
        }
        let mut words: Vec<String> = Vec::new();
        for chosen in self.game.legal(self.state).iter().chain([did]) {
            let word = self.word(chosen);
            if word != "pass" && !words.contains(&word) {
                words.push(word);
            }
        }
        Cow::Owned(words.join(" or "))
    }

    /// Returns both choices as text: `pass, not order up`.
    fn choice(&self, did: Move, would: Move) -> Cow<'static, str> {
        match (self.order, did.as_card(), would.as_card()) {
            (Some(order), Some(did), Some(would)) => self.of_plays(order, did, would),
            (None, Some(did), Some(would)) => Cow::Borrowed(match height(did).cmp(&height(would)) {
                std::cmp::Ordering::Greater => "discard a higher card, not a lower one",
                std::cmp::Ordering::Less => "discard a lower card, not a higher one",
                std::cmp::Ordering::Equal => "discard another suit",
            }),
            _ => self.of_calls(did, would),
        }
    }

    fn of_calls(&self, did: Move, would: Move) -> Cow<'static, str> {
        let (one, other) = (self.word(did), self.word(would));
        if one != other {
            return Cow::Owned(format!("{one}, not {other}"));
        }
        Cow::Owned(match (self.level(did), self.level(would)) {
            (Some(one_level), Some(other)) if one_level > other => format!("{one} more, not less"),
            (Some(one_level), Some(other)) if one_level < other => format!("{one} less, not more"),
            _ if one == "name" => "name another suit".to_owned(),
            _ if one == "contract" => "choose another contract".to_owned(),
            _ => format!("{one} something else"),
        })
    }

    /// Returns the number in the text of a call, if it has one.
    fn level(&self, call: Move) -> Option<u8> {
        self.game.move_text(self.state, call)?.split_whitespace().nth(1)?.parse().ok()
    }

    fn of_plays(&self, order: &Order, did: Card, would: Card) -> Cow<'static, str> {
        let (one, other) = (self.kind(order, did), self.kind(order, would));
        if one != other {
            return Cow::Owned(format!("{one}, not {other}"));
        }
        let is_lead = self.state.table.trick_length() == 0;
        if is_lead && !order.follow(did).contains(would) {
            let [did, would] = [did, would].map(|card| (self.hand & order.follow(card)).len());
            return Cow::Borrowed(match did.cmp(&would) {
                std::cmp::Ordering::Greater => "lead from a longer suit, not a shorter one",
                std::cmp::Ordering::Less => "lead from a shorter suit, not a longer one",
                std::cmp::Ordering::Equal => "lead from another suit of equal length",
            });
        }
        // Cards of one suit rank as if their suit had been led.
        let is_one_suit = order.follow(did).contains(would);
        let [did, would] = [did, would].map(|card| if is_one_suit { order.strength(did, card) } else { height(card) });
        Cow::Owned(match did.cmp(&would) {
            std::cmp::Ordering::Greater => format!("{one} with a higher card, not a lower one"),
            std::cmp::Ordering::Less => format!("{one} with a lower card, not a higher one"),
            std::cmp::Ordering::Equal => format!("{one} from another suit"),
        })
    }

    fn kind(&self, order: &Order, card: Card) -> &'static str {
        let Some((_, best)) = self.state.table.winning() else {
            return match (self.trumps.is_empty(), self.trumps.contains(card)) {
                (true, _) => "lead",
                (false, true) => "lead a trump",
                (false, false) => "lead a side suit",
            };
        };
        let led = self.state.table.led();
        let strength = order.strength(led, card);
        // Among equals the card played last wins.
        let beats = strength > 0 && strength >= best;
        match (order.follow(led).contains(card), self.trumps.contains(card), beats) {
            (true, _, true) => "beat the trick so far",
            (true, _, false) => "play under the trick",
            (false, true, true) => "trump in",
            (false, true, false) => "play a trump that loses",
            (false, false, true) => "beat the trick off suit",
            (false, false, false) => "throw away",
        }
    }
}

/// Returns the rank of a card regardless of its suit.
fn height(card: Card) -> u8 {
    card.rank().map_or(u8::MAX, Rank::strength)
}
