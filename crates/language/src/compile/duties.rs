//! The duties of players who do not lead: to follow suit, to trump, to beat.

use overtrick_cards::{Card, CardSet, Order};
use overtrick_toml::InputError;

use super::deck::DeckOfGame;
use super::order::{TrumpSource, order_rules};
use super::resolver::Resolver;
use super::seating::Seating;
use crate::source::{MustWord, PartnerWinsWord};

/// The trick to which a card is played, as far as duties depend on it.
#[derive(Clone, Copy, Debug)]
pub struct DutyTrick {
    /// The number of the order in force.
    pub order: usize,
    /// The card that set the suit, or [`Card::NONE`] before the lead.
    pub led: Card,
    /// The cards that follow suit. None before the lead, and where the card led sets no suit.
    pub follow: CardSet,
    /// The strength of the card that wins so far. `None` before the lead.
    pub best: Option<u8>,
    /// Whether the partner played that card.
    pub partner_wins: bool,
}

/// The cards that beat others, and the trumps, under an order.
#[derive(Clone, Debug)]
struct BeatTable {
    trumps: CardSet,
    /// The strengths of trumps, one bit for each. No other card has one of them.
    trump_strengths: u32,
    /// By card led: its row in `beat`.
    row: [u8; 64],
    /// By row, then strength: the cards that win if they are played after a card of this strength.
    beat: Vec<[CardSet; Order::STRENGTHS]>,
}

impl BeatTable {
    fn of(order: &Order, trumps: CardSet, deck: CardSet) -> BeatTable {
        let mut table = BeatTable { trumps, trump_strengths: 0, row: [0; 64], beat: Vec::new() };
        for led in deck {
            let mut beat = [CardSet::EMPTY; Order::STRENGTHS];
            for card in deck {
                // After a card that sets no suit, the next one does.
                let suit = if order.follow(led).is_empty() { card } else { led };
                let strength = order.strength(suit, card);
                for beat in &mut beat[..=usize::from(strength)] {
                    *beat |= CardSet::of(card);
                }
                table.trump_strengths |= u32::from(trumps.contains(card)) << strength;
            }
            let row = table.beat.iter().position(|known| *known == beat).unwrap_or(table.beat.len());
            if row == table.beat.len() {
                table.beat.push(beat);
            }
            table.row[led.index()] = u8::try_from(row).unwrap_or(0);
        }
        table
    }

    /// Returns the cards that win if they are played after a card of this strength.
    #[inline(always)]
    fn beating(&self, led: Card, best: u8) -> CardSet {
        self.beat[usize::from(self.row[led.index() % 64])][usize::from(best) % Order::STRENGTHS]
    }
}

/// The duties of players who do not lead. Each binds only if one of the cards that those before it leave meets it.
#[derive(Clone, Debug)]
pub struct PlayDuties {
    words: Vec<MustWord>,
    follows: bool,
    partner_wins: PartnerWinsWord,
    /// By order. Empty where there is no duty after following suit.
    tables: Vec<BeatTable>,
}

impl PlayDuties {
    /// Makes the duties of a file, whose orders are those of `source`.
    ///
    /// # Errors
    /// The first wrong key.
    pub fn of(
        resolver: &Resolver<'_>,
        deck: &DeckOfGame,
        source: TrumpSource,
        orders: &[Order],
        seating: &Seating,
    ) -> Result<PlayDuties, InputError> {
        let words = words(resolver)?;
        let partner_wins = match &resolver.file.keys().play.partner_wins {
            Some(setting) => resolver.choice(&["play", "partner-wins"], setting)?,
            None => PartnerWinsWord::Bound,
        };
        let follows = words.first() == Some(&MustWord::Follow);
        let has_more = words.len() > usize::from(follows);
        let at_partner = |problem: &str| Err(resolver.error(&["play", "partner-wins"], problem));
        match partner_wins {
            PartnerWinsWord::Bound => {}
            _ if !seating.partners => return at_partner("does nothing without partners; set `seats.partners`"),
            _ if !has_more => {
                return at_partner("does nothing without a duty after \"follow\"; add one to `must` or leave it out");
            }
            PartnerWinsWord::FreeIfVoid if !follows => {
                return at_partner("is for hands that cannot follow suit; put \"follow\" first in `must`");
            }
            PartnerWinsWord::Free | PartnerWinsWord::FreeIfVoid => {}
        }
        let mut tables = Vec::new();
        for (trump, order) in source.suits().into_iter().zip(orders).filter(|_| has_more) {
            tables.push(BeatTable::of(order, order_rules(resolver, deck, trump)?.trumps(), deck.cards));
        }
        Ok(PlayDuties { words, follows, partner_wins, tables })
    }

    /// Returns whether players must follow suit.
    #[inline(always)]
    pub fn follows(&self) -> bool {
        self.follows
    }

    /// Returns whether players must follow suit and need do no more.
    pub fn are_plain(&self) -> bool {
        self.follows && self.tables.is_empty()
    }

    /// Returns the duties in order.
    pub fn words(&self) -> &[MustWord] {
        &self.words
    }

    /// Returns whether there are trumps in a deal of some kind.
    pub fn has_trumps(&self) -> bool {
        self.tables.iter().any(|table| !table.trumps.is_empty())
    }

    /// Returns whether a hand may ignore the duties after following suit. `void` says that it cannot follow.
    #[inline(always)]
    fn frees(&self, trick: &DutyTrick, void: bool) -> bool {
        trick.partner_wins
            && match self.partner_wins {
                PartnerWinsWord::Bound => false,
                PartnerWinsWord::Free => true,
                PartnerWinsWord::FreeIfVoid => void,
            }
    }

    /// Returns the cards that a duty after following suit asks for, if it applies to the trick.
    #[inline(always)]
    fn wanted(&self, word: MustWord, trick: &DutyTrick) -> Option<CardSet> {
        let table = self.tables.get(trick.order)?;
        match word {
            MustWord::Follow => None,
            MustWord::Trump => (!trick.follow.is_empty()).then_some(table.trumps),
            MustWord::Beat => trick.best.map(|best| table.beating(trick.led, best)),
            MustWord::BeatIfTrump => {
                let best = trick.best.filter(|best| table.trump_strengths >> best & 1 == 1)?;
                Some(table.beating(trick.led, best))
            }
        }
    }

    /// Returns the cards that each duty asks for, in order, with its number. `void` says that the hand cannot follow.
    fn demands(&self, trick: DutyTrick, void: bool) -> impl Iterator<Item = (usize, CardSet)> {
        let is_free = self.frees(&trick, void);
        self.words.iter().enumerate().filter_map(move |(number, word)| match word {
            MustWord::Follow => (!trick.follow.is_empty()).then_some((number, trick.follow)),
            MustWord::Trump | MustWord::Beat | MustWord::BeatIfTrump if is_free => None,
            word => self.wanted(*word, &trick).map(|wanted| (number, wanted)),
        })
    }

    /// Returns whether a hand has to win the trick if it can. `void` says that it cannot follow suit.
    pub fn must_beat(&self, trick: DutyTrick, void: bool) -> bool {
        let beats = |word: &MustWord| matches!(word, MustWord::Beat | MustWord::BeatIfTrump);
        let wanted = self.words.iter().find(|word| beats(word)).and_then(|word| self.wanted(*word, &trick));
        wanted.is_some() && !self.frees(&trick, void)
    }

    /// Returns the trumps of which a hand that cannot follow suit has to play one. `None` if it need not.
    pub fn must_trump(&self, trick: DutyTrick) -> Option<CardSet> {
        let word = self.words.iter().find(|word| **word == MustWord::Trump).filter(|_| !self.frees(&trick, true))?;
        self.wanted(*word, &trick)
    }

    /// Returns the cards of a hand that the duties leave.
    #[inline(never)]
    pub fn allowed(&self, trick: DutyTrick, hand: CardSet) -> CardSet {
        self.demands(trick, hand.is_disjoint(trick.follow)).fold(hand, |allowed, (_, wanted)| {
            let left = allowed & wanted;
            if left.is_empty() { allowed } else { left }
        })
    }

    /// Returns the duties that forbid a card of a hand, one bit for each by its number.
    pub fn binding(&self, trick: DutyTrick, hand: CardSet) -> u8 {
        let (mut allowed, mut binding) = (hand, 0);
        for (number, wanted) in self.demands(trick, hand.is_disjoint(trick.follow)) {
            let left = allowed & wanted;
            if !left.is_empty() && left != allowed {
                allowed = left;
                binding |= 1 << number;
            }
        }
        binding
    }

    /// Returns the duty that forbids a card of a hand.
    pub fn refusal(&self, trick: DutyTrick, hand: CardSet, card: Card) -> Option<MustWord> {
        let mut allowed = hand;
        for (number, wanted) in self.demands(trick, hand.is_disjoint(trick.follow)) {
            let left = allowed & wanted;
            if !left.is_empty() && !left.contains(card) {
                return Some(self.words[number]);
            }
            allowed = if left.is_empty() { allowed } else { left };
        }
        None
    }

    /// Returns the cards that a hand which played `card` did not hold, and those of which it then had to choose.
    pub fn shown_by(&self, trick: DutyTrick, card: Card) -> DutyShown {
        let mut shown = DutyShown { not_held: CardSet::EMPTY, left: !CardSet::EMPTY };
        // Where players must follow suit, a card that does not shows that the hand could not.
        for (_, wanted) in self.demands(trick, !trick.follow.contains(card)) {
            // A duty binds exactly if the hand has a card that meets it.
            if wanted.contains(card) {
                shown.left &= wanted;
            } else {
                shown.not_held |= shown.left & wanted;
            }
        }
        shown
    }
}

/// The knowledge of a hand that a play gives.
#[derive(Clone, Copy, Debug)]
pub struct DutyShown {
    /// The cards that the hand did not hold.
    pub not_held: CardSet,
    /// The cards, held or not, that the duties left to choose from.
    pub left: CardSet,
}

/// Reads the duties of a file.
fn words(resolver: &Resolver<'_>) -> Result<Vec<MustWord>, InputError> {
    let Some(settings) = &resolver.file.keys().play.must else { return Ok(vec![MustWord::Follow]) };
    let mut words = Vec::new();
    let wrong = |problem: String| Err(resolver.error(&["play", "must"], problem));
    for setting in settings {
        let word = resolver.choice(&["play", "must"], setting)?;
        if words.contains(&word) {
            return wrong(format!("has {:?} twice; leave one out", duty_name(word)));
        }
        match word {
            MustWord::Follow if !words.is_empty() => {
                return wrong(format!("has \"follow\" after {:?}; put it first", duty_name(words[0])));
            }
            MustWord::Trump if words.first() != Some(&MustWord::Follow) => {
                return wrong("has \"trump\" for hands that cannot follow suit; put \"follow\" first".to_owned());
            }
            _ => words.push(word),
        }
    }
    if [MustWord::Beat, MustWord::BeatIfTrump].iter().all(|word| words.contains(word)) {
        return wrong(
            "has \"beat\" and \"beat-if-trump\", of which the first covers the other; leave one out".to_owned(),
        );
    }
    Ok(words)
}

/// Returns a duty as files write it.
pub fn duty_name(word: MustWord) -> &'static str {
    match word {
        MustWord::Follow => "follow",
        MustWord::Trump => "trump",
        MustWord::Beat => "beat",
        MustWord::BeatIfTrump => "beat-if-trump",
    }
}
