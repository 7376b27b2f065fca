//! The rounds in which trumps are made, and their calls.

use overtrick_cards::table::MAX_CALLS;
use overtrick_cards::{CardSet, Suit};
use overtrick_game::ContractKind;
use overtrick_toml::InputError;

use super::intern::intern;
use super::resolver::Resolver;
use super::seating::{Seating, role_steps};
use crate::source::{LastWord, RoundKeys, RoundSuitWord};

/// The number of the call "pass".
pub const PASS_CALL: u8 = 0;

/// A round in which trumps are made.
#[derive(Clone, Debug)]
pub struct TrumpRound {
    /// Whether the player names the suit. Otherwise it is that of the card turned up.
    pub names_suit: bool,
    /// The number of seats from the dealer to the player who takes the card turned up.
    pub taker: Option<usize>,
    /// Whether the taker may discard the card that was taken.
    pub may_discard_taken: bool,
    /// By suit turned up, and whether the caller is the last: the legal calls, one bit for each.
    pub legal: [[u64; 2]; Suit::ALL.len()],
    /// The kinds of contract, if another player makes it and if the dealer does.
    pub kinds: [ContractKind; 2],
}

/// The meaning of a call in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrumpCall {
    /// The text of the call.
    pub text: &'static str,
    /// The suit that it names. `None` for the suit turned up, and for a pass.
    pub suit: Option<Suit>,
}

/// All rounds in which trumps are made.
#[derive(Clone, Debug)]
pub struct TrumpRounds {
    /// The rounds, in order.
    pub rounds: Vec<TrumpRound>,
    /// The calls, by number. The first is "pass".
    pub calls: Vec<TrumpCall>,
    /// The number of seats from the dealer to the player who may take the card turned up.
    pub taker: Option<usize>,
    /// The kind of contract in records.
    pub kind: &'static str,
}

impl TrumpRounds {
    /// Makes the rounds of a file. `turned` says whether a card is turned up.
    ///
    /// # Errors
    /// The first wrong key of `trumps.rounds`.
    pub fn of(resolver: &Resolver<'_>, seating: &Seating, turned: bool) -> Result<TrumpRounds, InputError> {
        let keys = &resolver.file.listed().rounds;
        let at = ["trumps", "rounds"];
        if keys.is_empty() {
            return Err(resolver.error(&["trumps", "suit"], "is made in rounds; add `[[trumps.rounds]]`"));
        }
        // Each player may pass in each round, and then a card is discarded.
        let most = (MAX_CALLS - 1) / seating.players;
        if keys.len() > most {
            let problem =
                format!("are {}, and {most} fit in a game for {}; leave out some", keys.len(), seating.players);
            return Err(resolver.error(&at, problem));
        }
        let mut all = TrumpRounds {
            rounds: Vec::new(),
            calls: vec![TrumpCall { text: "pass", suit: None }],
            taker: None,
            kind: intern(resolver.file.keys().trumps.kind.as_deref().unwrap_or(resolver.file.name())),
        };
        for (number, round) in keys.iter().enumerate() {
            all.add(resolver, seating, round, number, turned)?;
        }
        let ends = all.rounds.last().is_some_and(|round| round.legal.iter().all(|by_last| by_last[1] & 1 == 0));
        if !ends {
            let problem =
                "may end without trumps, and that is not supported yet; set `last = \"must\"` in the last round";
            return Err(resolver.error(&at, problem));
        }
        Ok(all)
    }

    fn add(
        &mut self,
        resolver: &Resolver<'_>,
        seating: &Seating,
        keys: &RoundKeys,
        number: usize,
        turned: bool,
    ) -> Result<(), InputError> {
        let place = number.to_string();
        let at = |key: &'static str| ["trumps", "rounds", place.as_str(), key];
        let Some(call) = keys.call.as_deref().filter(|call| !call.is_empty() && *call != "pass") else {
            return Err(resolver.error(&at("call")[..3], "needs `call`: the text of the call, other than \"pass\""));
        };
        let suit = match &keys.suit {
            Some(suit) => resolver.choice(&at("suit"), suit)?,
            None => RoundSuitWord::Any,
        };
        let flag = |key, setting: &Option<_>, default| match setting {
            Some(setting) => resolver.flag(&at(key), setting),
            None => Ok(default),
        };
        let not_turned = flag("not-turned", &keys.not_turned, false)?;
        let may_discard_taken = flag("may-discard-taken", &keys.may_discard_taken, true)?;
        let taker = match &keys.taker {
            Some(_) => Some(role_steps(resolver, &at("taker"), &keys.taker, 0, seating.players)?),
            None => None,
        };
        let names_suit = suit == RoundSuitWord::Any;
        let needs_turned = [(!names_suit, "suit"), (taker.is_some(), "taker"), (not_turned, "not-turned")];
        if let Some((_, key)) = needs_turned.into_iter().find(|(needs, _)| *needs && !turned) {
            return Err(resolver.error(&at(key), "needs a card that is turned up; set `deal.turn-up`"));
        }
        if not_turned && !names_suit {
            return Err(resolver.error(&at("not-turned"), "refuses the only suit of this round; leave it out"));
        }
        if taker.is_some() && self.taker.is_some() && taker != self.taker {
            return Err(resolver.error(&at("taker"), "is another player than in a round before; name the same"));
        }
        self.taker = self.taker.or(taker);
        let last = keys.last.as_ref().map_or(Ok(LastWord::Free), |last| resolver.choice(&at("last"), last))?;
        let first_call = self.add_calls(call, names_suit).map_err(|problem| resolver.error(&at("call"), problem))?;
        let own: u64 = (first_call..self.calls.len()).map(|call| 1 << call).sum();
        let legal = Suit::ALL.map(|turned| {
            let barred = if not_turned { 1 << (first_call + turned as usize) } else { 0 };
            let pass = [true, last == LastWord::Free].map(|may| u64::from(may) << PASS_CALL);
            pass.map(|pass| (own & !barred) | pass)
        });
        let kind = |name: &Option<String>, default: String, forced| ContractKind {
            name: name.clone().unwrap_or(default),
            forced: Some(forced),
        };
        let kinds = [
            kind(&keys.kind, call.to_owned(), false),
            kind(&keys.dealer_kind, format!("{call} by the dealer"), last == LastWord::Must),
        ];
        self.rounds.push(TrumpRound { names_suit, taker, may_discard_taken, legal, kinds });
        Ok(())
    }

    /// Adds the calls of a round, and returns the number of the first.
    fn add_calls(&mut self, call: &str, names_suit: bool) -> Result<usize, String> {
        let first_call = self.calls.len();
        if names_suit {
            let named = |suit: Suit| TrumpCall { text: intern(&format!("{call} {}", suit.letter())), suit: Some(suit) };
            self.calls.extend(Suit::ALL.map(named));
        } else {
            self.calls.push(TrumpCall { text: intern(call), suit: None });
        }
        let (before, new) = self.calls.split_at(first_call);
        if new.iter().any(|new| before.iter().any(|old| old.text == new.text)) {
            return Err("is the call of a round before, too; give it another text".to_owned());
        }
        Ok(first_call)
    }

    /// Returns the bits of all calls.
    pub fn call_bits(&self) -> u64 {
        (0..self.calls.len()).map(|call| 1 << call).sum()
    }
}

/// Checks that each suit can be trumps, and that the card turned up has one.
///
/// # Errors
/// If the deck has a joker or lacks a suit.
pub fn check_suits(resolver: &Resolver<'_>, cards: CardSet) -> Result<(), InputError> {
    let lacks = Suit::ALL.into_iter().any(|suit| cards.is_disjoint(CardSet::suit(suit)));
    if lacks || !cards.is_disjoint(CardSet::JOKERS) {
        let problem =
            "is decided in each deal, and that takes a deck with four suits and without jokers; change `deck`";
        return Err(resolver.error(&["trumps", "suit"], problem));
    }
    Ok(())
}
