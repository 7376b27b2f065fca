//! The answer of a league in words, with its guarantee.

use overtrick_lab::league::statistics::LeagueQuestion;
use overtrick_lab::league::{LeaguePlan, Leaguing};

use super::format::thousands;

/// The most bots that a sentence names.
const MOST_NAMED: usize = 12;

/// Returns the answer of a league, and the guarantee that it has.
pub fn league_sentence(plan: &LeaguePlan, leaguing: &Leaguing) -> String {
    let answer = leaguing.answer();
    let words = Words { plan, answer: &answer.bots, open_bots: leaguing.open_bots() };
    let guarantee = format!("with at most {} error for the whole answer", percent(plan.error));
    if answer.is_answered {
        let (said, meaning) = words.answered();
        return format!("{said}: {guarantee}, {meaning}");
    }
    let (said, meaning) = words.open(&answer.possible, leaguing.league.spent().games);
    format!("{said}; {guarantee}, {meaning}")
}

/// The parts of a sentence.
struct Words<'a> {
    plan: &'a LeaguePlan,
    /// The bots of the answer, best first.
    answer: &'a [usize],
    /// The number of bots that are open.
    open_bots: usize,
}

impl Words<'_> {
    /// Returns the answer of a question that is answered, and what it means.
    fn answered(&self) -> (String, String) {
        let (count, names) = (self.plan.bots.len(), self.named(self.answer));
        match self.plan.question {
            LeagueQuestion::Best | LeagueQuestion::Top(1) => {
                let meaning = format!("no other bot is {} than it", self.more("better"));
                (format!("{names} is the best of {count} bots"), meaning)
            }
            LeagueQuestion::Top(top) => {
                let meaning = format!("no other bot is {} than any of them", self.more("better"));
                (format!("the best {top} of {count} bots are {names}"), meaning)
            }
            LeagueQuestion::BetterThan(bot) => self.better_than(&self.plan.bots[bot].name),
            LeagueQuestion::Ranking => {
                let meaning = format!("no bot is {} than one ranked before it", self.more("better"));
                (format!("the ranking of {count} bots is settled, {names}"), meaning)
            }
        }
    }

    /// Returns which bots are better than another, and what that means.
    fn better_than(&self, other: &str) -> (String, String) {
        let open = match self.open_bots {
            0 => String::new(),
            1 => "; whether 1 more bot is better is open".to_owned(),
            many => format!("; whether {many} more bots are better is open"),
        };
        let names = self.named(self.answer);
        match self.answer.len() {
            0 => {
                let meaning = format!("no bot is {} than {other}", self.more("better"));
                (format!("none of the {} other bots is better than {other}", self.plan.bots.len() - 1), meaning)
            }
            1 => (format!("{names} is better than {other}"), format!("it is ahead in points a deal{open}")),
            many => (
                format!("{many} bots are better than {other}, {names}"),
                format!("each is ahead in points a deal{open}"),
            ),
        }
    }

    /// Returns what is known of a question that is not answered after these games, and what it means.
    fn open(&self, possible: &[usize], games: u64) -> (String, String) {
        let (count, names) = (self.plan.bots.len(), self.named(possible));
        let after = format!("{} games do not decide", thousands(games));
        match self.plan.question {
            LeagueQuestion::Best | LeagueQuestion::Top(1) => (
                format!("{after} which of {count} bots is the best"),
                format!("it is one of these {}: {names}", possible.len()),
            ),
            LeagueQuestion::Top(top) => (
                format!("{after} which {top} of {count} bots are the best"),
                format!("they are among these {}: {names}", possible.len()),
            ),
            LeagueQuestion::BetterThan(bot) => {
                let other = &self.plan.bots[bot].name;
                let sure = match self.answer.len() {
                    0 => "no bot is known to be".to_owned(),
                    1 => format!("{} is", self.named(self.answer)),
                    _ => format!("{} are", self.named(self.answer)),
                };
                (format!("{after} which of {} bots are better than {other}", count - 1), sure)
            }
            LeagueQuestion::Ranking => {
                let settled = "the pairs in league.csv with a name in `ahead` are decided".to_owned();
                (format!("{after} the ranking of {count} bots"), settled)
            }
        }
    }

    /// Returns the names of bots, or of the first of many.
    fn named(&self, bots: &[usize]) -> String {
        let name = |bot: &usize| self.plan.bots[*bot].name.as_str();
        let names: Vec<&str> = bots.iter().take(MOST_NAMED).map(name).collect();
        match bots.len().saturating_sub(MOST_NAMED) {
            0 => in_a_row(&names),
            more => format!("{} and {more} more", names.join(", ")),
        }
    }

    /// Returns a comparison as far as the resolution goes: `better`, or `more than 0.01 points a deal better`.
    fn more(&self, comparison: &str) -> String {
        match self.plan.resolution {
            resolution if resolution > 0.0 => format!("more than {resolution} points a deal {comparison}"),
            _ => comparison.to_owned(),
        }
    }
}

/// Returns names with commas and an `and`.
fn in_a_row(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        all => all.join(""),
    }
}

/// Returns a share in percent, with the decimals that it needs.
fn percent(share: f64) -> String {
    // A tenth of a billionth of a percent is rounding.
    let text = format!("{:.10}", share * 100.0);
    format!("{}%", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_the_decimals_that_they_need() {
        assert_eq!([0.05, 0.1, 0.005, 0.001, 1e-9].map(percent), ["5%", "10%", "0.5%", "0.1%", "0.0000001%"]);
        assert_eq!(in_a_row(&["a", "b", "c"]), "a, b and c");
        assert_eq!((in_a_row(&["a"]), in_a_row(&[])), ("a".to_owned(), String::new()));
    }
}
