//! Remarks on what did not happen in the random deals and matches of a survey.

use overtrick_toml::InputError;

use super::DeclaredGame;
use super::survey::{LONGEST_MATCH, SurveySums, SurveyedContract, SurveyedMatches};
use crate::compile::{PlayBars, duty_name};

impl DeclaredGame {
    /// Returns the remark on random matches without an end.
    pub(super) fn endless(&self, matches: SurveyedMatches) -> Option<InputError> {
        let SurveyedMatches { played, endless, .. } = matches;
        let problem = format!("{endless} of {played} random matches had no end after {LONGEST_MATCH} deals");
        (endless > 0).then(|| self.file.source().error(&["match".to_owned()], problem))
    }

    /// Returns the calls that were not made.
    pub(super) fn calls_not_made(&self, sums: &SurveySums, deals: u64) -> Vec<InputError> {
        let Some(rounds) = &self.rounds else { return Vec::new() };
        let key = ["trumps", "rounds"].map(str::to_owned);
        let mut errors = Vec::new();
        for (number, call) in rounds.calls.iter().enumerate() {
            if !u8::try_from(number).is_ok_and(|number| sums.calls.contains(&number)) {
                let problem = format!("`{}` was not called in {deals} random deals", call.text);
                errors.push(self.file.source().error(&key, problem));
            }
        }
        for contract in &sums.contracts {
            let SurveyedContract { name, played, made } = contract;
            if *played == 0 {
                errors.push(self.at(&["trumps", "rounds"], format!("no contract `{name}` in {deals} random deals")));
            } else if *made == 0 {
                let problem = format!("no contract `{name}` was made in {deals} random deals");
                errors.push(self.at(&["trumps", "rounds"], problem));
            }
        }
        if rounds.taker.is_some() && !sums.has_discarded {
            errors.push(self.file.source().error(&key, format!("no card was taken in {deals} random deals")));
        }
        errors
    }

    /// Returns the remarks on bids that no player made, and on those that no player won exactly.
    pub(super) fn bids_not_made(&self, sums: &SurveySums, deals: u64) -> Vec<InputError> {
        let Some((low, high)) = self.bid_limits() else { return Vec::new() };
        let key: &[&str] =
            if self.file.keys().auction.levels.is_empty() { &["auction"] } else { &["auction", "levels"] };
        let is_made = |bid: &i8| u8::try_from(*bid).is_ok_and(|bid| sums.calls.contains(&bid));
        let (made, unmade): (Vec<i8>, Vec<i8>) = (low..=high).partition(is_made);
        let missed: Vec<i8> = made.into_iter().filter(|bid| sums.exact >> bid & 1 == 0).collect();
        let mut errors = Vec::new();
        if !unmade.is_empty() {
            errors.push(self.at(key, format!("no player bid {} in {deals} random deals", in_a_list(&unmade))));
        }
        if !missed.is_empty() {
            let list = in_a_list(&missed);
            let problem = format!("no player who bid {list} won exactly that many tricks in {deals} random deals");
            errors.push(self.at(key, problem));
        }
        errors
    }

    /// Returns the remarks on duties that forbade no card.
    pub(super) fn duties_without_effect(&self, sums: &SurveySums, deals: u64) -> Vec<InputError> {
        let words = self.duties.words().iter().enumerate().filter(|_| !self.duties.are_plain());
        // A duty that can never bind has its own line.
        let quiet = words.filter(|(number, word)| sums.duties >> number & 1 == 0 && self.idle_duty(**word).is_none());
        let problem = |word| format!("{:?} did not matter in {deals} random deals", duty_name(word));
        quiet.map(|(_, word)| self.at(&["play", "must"], problem(*word))).collect()
    }

    /// Returns the remarks on bars, and on the first card, that forbade no card.
    pub(super) fn bars_without_effect(&self, sums: &SurveySums, deals: u64) -> Vec<InputError> {
        let problem = format!("did not matter in {deals} random deals");
        let mut errors = Vec::new();
        if self.bars.first().is_some() && sums.binding & PlayBars::FIRST_CARD == 0 {
            errors.push(self.at(&["play", "first-card"], problem.clone()));
        }
        for number in 0..self.file.listed().bars.len() {
            // A bar that can never matter has its own line.
            if sums.binding >> number & 1 == 0 && self.idle_bar(number).is_none() {
                errors.push(self.at(&["play", "bar", &number.to_string()], problem.clone()));
            }
        }
        errors
    }
}

/// Returns numbers as a list.
fn in_a_list(numbers: &[i8]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
