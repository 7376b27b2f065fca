//! The keys of a game that cannot do anything, found without playing.

use overtrick_cards::{CardSet, Deck};
use overtrick_toml::InputError;

use super::DeclaredGame;
use crate::compile::{card_set, duty_name};
use crate::source::{AmountSetting, ChoiceSetting, MustWord, path};

/// Returns whether no option changes a number.
fn is_fixed<const LOW: i32, const HIGH: i32>(setting: &AmountSetting<LOW, HIGH>) -> bool {
    matches!(setting, AmountSetting::Value(_))
}

impl DeclaredGame {
    /// Returns an error at a key of the file.
    pub(super) fn at(&self, key: &[&str], problem: impl Into<String>) -> InputError {
        self.file.source().error(&path(key), problem)
    }

    /// Returns the keys that cannot do anything.
    ///
    /// A key whose effect depends on an option is left out, since another value may give it one.
    pub(super) fn idle_keys(&self) -> Vec<InputError> {
        let mut found = Vec::new();
        for option in self.file.unused_options() {
            let problem = format!("nothing uses it; use \"={option}\" or leave it out");
            found.push(self.at(&["options", option], problem));
        }
        found.extend(self.idle_bids());
        found.extend(self.idle_duties());
        found.extend(self.idle_bars());
        found.extend(self.missing_cards());
        found.extend(self.idle_limits());
        found.extend(self.contract_out_of_reach());
        found
    }

    /// Returns the keys of bids that cannot do anything.
    fn idle_bids(&self) -> Vec<InputError> {
        // With several sizes of hands a limit may count in some deals only.
        let [bids] = &self.bids[..] else { return Vec::new() };
        let keys = &self.file.keys().auction;
        let are_levels_fixed = keys.levels.iter().all(is_fixed)
            && (!keys.levels.is_empty() || self.file.keys().deal.hand.as_ref().is_none_or(is_fixed));
        if !are_levels_fixed {
            return Vec::new();
        }
        let (low, high) = (i32::from(bids.low), i32::from(bids.high));
        let players = i32::try_from(self.players()).unwrap_or(0);
        let mut found = Vec::new();
        if let Some(AmountSetting::Value(sum)) = keys.sum_not
            && !(players * low..=players * high).contains(&sum)
        {
            let problem =
                format!("does nothing: bids sum to {} to {}; choose such a number", players * low, players * high);
            found.push(self.at(&["auction", "sum-not"], problem));
        }
        if let Some(AmountSetting::Value(most)) = keys.side_most {
            if most >= 2 * high {
                let problem = format!("does nothing: two bids sum to at most {}; lower it or leave it out", 2 * high);
                found.push(self.at(&["auction", "side-most"], problem));
            }
            if most - low < high {
                let problem =
                    format!("has {high}, and `side-most` leaves at most {} to a player; lower it", most - low);
                let key: &[&str] = if keys.levels.is_empty() { &["auction"] } else { &["auction", "levels"] };
                let problem = if keys.levels.is_empty() { format!("`levels` {problem}") } else { problem };
                found.push(self.at(key, problem));
            }
        }
        found
    }

    /// Returns the problem of a bar that binds no hand.
    pub(super) fn idle_bar(&self, number: usize) -> Option<&'static str> {
        let keys = self.file.keys();
        if self.tricks == 1 && keys.deal.hand.iter().chain(&keys.deal.hands).all(is_fixed) {
            return Some("can never matter: a hand has one card; leave it out");
        }
        let is_option = self.file.listed().bars[number].cards.as_ref().is_some_and(|cards| cards.starts_with('='));
        let bars_all = !is_option && self.cards.is_subset(self.bars.cards_of(number));
        bars_all.then_some("can never matter: it bars all cards, and then any may be played; name fewer")
    }

    /// Returns why a duty can never bind.
    pub(super) fn idle_duty(&self, duty: MustWord) -> Option<&'static str> {
        let keys = self.file.keys();
        if self.tricks == 1 && keys.deal.hand.as_ref().is_none_or(is_fixed) {
            return Some("can never bind: a hand has one card");
        }
        let are_trumps_fixed = !matches!(keys.trumps.suit, Some(ChoiceSetting::Text(_)));
        let needs_trumps = matches!(duty, MustWord::Trump | MustWord::BeatIfTrump);
        let lacks_trumps = needs_trumps && are_trumps_fixed && !self.duties.has_trumps();
        lacks_trumps.then_some("can never bind: there are no trumps")
    }

    /// Returns the duties that bind no hand.
    fn idle_duties(&self) -> Vec<InputError> {
        let settings = self.file.keys().play.must.iter().flatten();
        let mut found = Vec::new();
        for (setting, word) in settings.zip(self.duties.words()) {
            let problem = self.idle_duty(*word).filter(|_| matches!(setting, ChoiceSetting::Value(_)));
            let line = |problem| format!("{:?} {problem}; leave it out", duty_name(*word));
            found.extend(problem.map(|problem| self.at(&["play", "must"], line(problem))));
        }
        found
    }

    /// Returns the bars that bind no hand.
    fn idle_bars(&self) -> Vec<InputError> {
        let mut found = Vec::new();
        for number in 0..self.file.listed().bars.len() {
            let problem = self.idle_bar(number);
            found.extend(problem.map(|problem| self.at(&["play", "bar", &number.to_string()], problem)));
        }
        found
    }

    /// Returns the values of cards that the deck does not have.
    fn missing_cards(&self) -> Vec<InputError> {
        let keys = self.file.keys();
        let is_option = |text: &Option<String>| text.as_ref().is_some_and(|text| text.starts_with('='));
        let deck = &keys.deck;
        if is_option(&deck.ranks) || is_option(&deck.without) || !deck.jokers.as_ref().is_none_or(is_fixed) {
            return Vec::new();
        }
        let values = keys.score.values.keys().map(|pattern| (vec!["score", "values"], pattern));
        let base = keys.score.row_values.base.keys().map(|pattern| (vec!["score", "row-values", "base"], pattern));
        let mut found = Vec::new();
        for (mut key, pattern) in values.chain(base) {
            let named = card_set(pattern, Deck::Jokers54.cards()).unwrap_or(CardSet::EMPTY);
            if named.is_disjoint(self.cards) {
                key.push(pattern);
                let problem = format!("names {pattern}, which the deck does not have; leave it out");
                found.push(self.at(&key, problem));
            }
        }
        found
    }

    /// Returns the limits of the score that no score goes beyond.
    fn idle_limits(&self) -> Vec<InputError> {
        let keys = &self.file.keys().score;
        let limits = [("lowest", &keys.lowest), ("highest", &keys.highest)];
        let mut found = Vec::new();
        let range = self.score.range_without_limits();
        for (key, setting) in limits {
            let Some(AmountSetting::Value(limit)) = setting else { continue };
            let limit = i64::from(*limit);
            if key == "lowest" && limit <= range.low || key == "highest" && limit >= range.high {
                let problem =
                    format!("does nothing: scores are {} to {} without it; leave it out", range.low, range.high);
                found.push(self.at(&["score", key], problem));
            }
        }
        found
    }

    /// Returns the error of contracts that no fall of the tricks makes, where all ways are known.
    fn contract_out_of_reach(&self) -> Option<InputError> {
        let table = self.table.as_ref().filter(|_| self.rounds.is_some())?;
        let is_never = !table.all_facts().any(|facts| self.score.is_made(&facts));
        let problem = "can never hold: no fall of the tricks makes a contract; change the condition";
        is_never.then(|| self.at(&["score", "made"], problem))
    }
}
