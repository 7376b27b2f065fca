//! The result of a variant in a sentence.

use overtrick_ratings::Estimate;
use overtrick_strategy::ids::BotId;
use overtrick_tournament::{Format, Unit};

use super::field::RatedField;
use super::figure::Bounded;
use super::ranking::Ranking;
use super::regularised::listed;
use super::rows::{Figure, HeadlineRow};

/// The most bots that the sentence names; more are counted.
const NAMED: usize = 3;

impl Ranking<'_> {
    /// Returns the result of the variant in one sentence; `None` if no two bots met.
    pub(super) fn headline(&self) -> Option<HeadlineRow> {
        let [first, second, ..] = self.order[..] else { return None };
        let winner = self.standing.winner.filter(|_| !self.is_by_candidate());
        let text = match (self.counted.tournament.candidate, self.field) {
            (Some(candidate), _) if self.is_by_candidate() => self.of_candidate(candidate),
            _ if self.counted.tournament.format == Format::Duel || self.order.len() == 2 => self.of_two(first, second),
            _ => self.of_many(winner),
        };
        let cycle = self.direct.cycle().unwrap_or_default();
        Some(HeadlineRow {
            variant: self.counted.variant.to_owned(),
            text,
            first: winner.into(),
            one_number_p: Figure(self.direct.one_number),
            cycle: cycle.iter().map(|&place| self.name(self.order[place]).to_owned()).collect(),
        })
    }

    fn name(&self, bot: BotId) -> &str {
        &self.counted.tournament.bot(bot).name
    }

    fn named(&self, place: usize) -> String {
        self.name(self.order[place]).to_owned()
    }

    /// Says which of three or more bots is first, and from which others it cannot be distinguished.
    fn of_many(&self, winner: Option<Bounded>) -> String {
        let one = self.named(0);
        let by = self.lead(winner, "its");
        let alike: Vec<usize> = (0..self.order.len()).filter(|&place| place == 0 || self.is_same(place)).collect();
        let open: Vec<usize> = (1..self.order.len()).filter(|&place| self.is_open(place)).collect();
        let circle = self.direct.cycle_text(|place| self.name(self.order[place]));
        if let Some(circle) = circle.as_ref().filter(|_| self.direct.are_in_a_cycle(0, 0)) {
            return format!("no order holds: {circle}; {one} is first{by}");
        }
        let games = self.counted.tournament.unit.plural();
        let mut text = match (&alike[1..], &open[..]) {
            ([], []) => format!("{one} is first{by}, and better than every other bot beyond chance"),
            ([], _) if self.standing.over[0].iter().all(|over| over.half_width.is_none()) => {
                format!("{one} is first{by}, over too few {games} to say how sure that is")
            }
            ([], open) => format!("{one} is first{by}, but cannot be distinguished from {} yet", self.some(open)),
            (twins, open) => {
                let by = self.lead(winner, "their");
                let mut text = format!("{one} and {} are first{by}: their results are exactly equal", self.some(twins));
                if !open.is_empty() {
                    text.push_str(&format!("; they cannot be distinguished from {} yet", self.some(open)));
                }
                text
            }
        };
        let beaten_by: Vec<usize> = (1..self.order.len()).filter(|&other| self.direct.beats(other, 0)).collect();
        if !beaten_by.is_empty() {
            text.push_str(&format!("; where they met it is beaten by {}", self.some(&beaten_by)));
        }
        if let Some(circle) = circle {
            text.push_str(&format!("; no order holds behind it: {circle}"));
        }
        text
    }

    /// Returns whether a bot's results are exactly those of the first.
    fn is_same(&self, place: usize) -> bool {
        let over = &self.standing.over[0][place];
        over.mean == 0.0 && over.se == Some(0.0)
    }

    /// Returns whether the first is not better than a bot beyond chance, though their results are not exactly
    /// equal.
    fn is_open(&self, place: usize) -> bool {
        !self.is_same(place) && !self.standing.is_better(0, place, &self.direct)
    }

    /// Says by how much the first of many is ahead, as observed and corrected for having been picked.
    fn lead(&self, winner: Option<Bounded>, whose: &str) -> String {
        let corrected = |lead: &str, decimals: usize| {
            let Some(Bounded { value, interval: Some((low, high)), .. }) = winner else { return String::new() };
            let [value, low, high] = [value, low, high].map(|figure| fixed(figure, decimals));
            let choice = format!("the choice of the best of {}", self.order.len());
            if value == lead {
                format!(" (95%: {low} to {high}, allowing for {choice})")
            } else {
                format!(" (corrected for {choice}: {value}, 95%: {low} to {high})")
            }
        };
        match self.field.filter(|_| self.counted.tournament.unit == Unit::Match) {
            // Pseudo-results say who is ahead, but not by how much.
            Some(field) if winner.is_none() && field.is_regularised() => " by Elo in matches".to_owned(),
            Some(field) => {
                let elo = fixed(field.elo(self.order[0]).mean, 0);
                format!(" with Elo {elo} in matches{}", corrected(&elo, 0))
            }
            None => {
                let lead = fixed(self.ahead(0).mean, 3);
                format!(", {lead} points a deal ahead of {whose} opponents{}", corrected(&lead, 3))
            }
        }
    }

    /// Names the bots in these places, or counts them if there are many.
    fn some(&self, places: &[usize]) -> String {
        match places.len() {
            few if few <= NAMED => listed(places.iter().map(|&place| self.named(place)), "and"),
            more => format!("{more} others"),
        }
    }

    /// Says how two bots fared that met only each other.
    fn of_two(&self, first: BotId, second: BotId) -> String {
        match (self.counted.tournament.unit, self.field) {
            (Unit::Match, Some(field)) => self.in_matches(field, first, second),
            _ => self.in_points(first, second),
        }
    }

    fn in_points(&self, first: BotId, second: BotId) -> String {
        let [one, other] = [first, second].map(|bot| self.name(bot));
        let over = self.ahead(0);
        let by = format!("ahead of {other} by {} points a deal", plus_minus(&over, 3));
        let text = match verdict(&over) {
            Verdict::Same => format!("{one} and {other} cannot be distinguished: they scored exactly alike"),
            Verdict::Unknown => format!("{one} is {by}, over too few deals to say how sure that is"),
            Verdict::Open => {
                format!(
                    "in points a deal {one} and {other} cannot be distinguished yet: {one} is {by}{}",
                    p_text(over.p())
                )
            }
            Verdict::Ahead => format!("{one} is {by}{}", p_text(over.p())),
        };
        let elo = self.field.map(|field| field.difference(first, second));
        let is_ahead = matches!(verdict(&over), Verdict::Ahead);
        match elo.filter(|elo| elo.half_width.is_some()) {
            Some(elo) if over.mean != 0.0 && over.half_width.is_some() => {
                format!("{text}; {}", worth(one, other, is_ahead, &elo))
            }
            _ => text,
        }
    }

    fn in_matches(&self, field: &RatedField, first: BotId, second: BotId) -> String {
        let [one, other] = [first, second].map(|bot| self.name(bot));
        let over = field.difference(first, second);
        let by = format!("ahead of {other} by {} Elo in matches", plus_minus(&over, 0));
        let p = p_text(field.p(first, second));
        match verdict(&over) {
            Verdict::Same => format!("{one} and {other} cannot be distinguished: they won exactly as many matches"),
            Verdict::Unknown if field.is_regularised() => {
                format!(
                    "{one} is first, but these matches do not say by how much, as some bots never lost or never won"
                )
            }
            Verdict::Unknown if p.is_empty() => {
                format!("{one} is {by}, over too few matches to say how sure that is")
            }
            Verdict::Unknown => format!("{one} is {by}, though few of them say by how much{p}"),
            Verdict::Open => format!("{one} and {other} cannot be distinguished yet: {one} is {by}{p}"),
            Verdict::Ahead => format!("{one} is {by}{p}"),
        }
    }

    /// Says how the candidate of a gauntlet fared; all comparisons hold at once.
    fn of_candidate(&self, candidate: BotId) -> String {
        let [mut ahead, mut behind, mut open, mut unknown] = [(); 4].map(|()| Vec::new());
        let own = self.order.iter().position(|&bot| bot == candidate).expect("the candidate played");
        for (place, &bot) in self.order.iter().enumerate().filter(|&(_, &bot)| bot != candidate) {
            let over = self.standing.over[own][place];
            let by = Estimate { mean: over.mean.abs(), ..over };
            let by = format!("{} by {} points a deal", self.name(bot), plus_minus(&by, 3));
            match over.low().zip(over.high()) {
                Some((low, _)) if low > 0.0 => ahead.push(by),
                Some((_, high)) if high < 0.0 => behind.push(by),
                None if over.mean != 0.0 => unknown.push(self.name(bot).to_owned()),
                _ => open.push(self.name(bot).to_owned()),
            }
        }
        let part = |how: &str, bots: Vec<String>| match bots.len() {
            0 => None,
            1 | 2 => Some(format!("{how} {}", bots.join(" and "))),
            more => Some(format!("{how} {more} bots")),
        };
        let parts = [
            part("ahead of", ahead),
            part("behind", behind),
            part("not distinguished from", open),
            part("not yet comparable (too few deals) with", unknown),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        format!("{}, the candidate, is {}", self.name(candidate), parts.join("; "))
    }
}

/// The statement that an interval supports.
enum Verdict {
    /// The two are equal in everything that was played.
    Same,
    /// There is no interval.
    Unknown,
    /// The interval holds 0.
    Open,
    /// The interval does not hold 0.
    Ahead,
}

fn verdict(ahead: &Estimate) -> Verdict {
    match ahead.low() {
        _ if ahead.mean == 0.0 && ahead.se == Some(0.0) => Verdict::Same,
        None => Verdict::Unknown,
        Some(low) if low <= 0.0 => Verdict::Open,
        Some(_) => Verdict::Ahead,
    }
}

/// Writes a number with `decimals` decimals; zero has no sign.
fn fixed(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|character| "0.".contains(character)) => rest.to_owned(),
        _ => text,
    }
}

fn plus_minus(estimate: &Estimate, decimals: usize) -> String {
    match estimate.half_width {
        Some(half) => format!("{:.decimals$} ± {half:.decimals$}", estimate.mean),
        None => format!("{:.decimals$}", estimate.mean),
    }
}

/// Says what the difference of two bots in a duel means in whole matches.
///
/// `elo` is that of the first bot, which is ahead in points; `is_ahead` is whether that is beyond chance.
fn worth(one: &str, other: &str, is_ahead: bool, elo: &Estimate) -> String {
    let by = plus_minus(&Estimate { mean: elo.mean.abs(), ..*elo }, 0);
    let winner = if elo.mean > 0.0 { one } else { other };
    match (verdict(&Estimate { mean: elo.mean.abs(), ..*elo }), is_ahead) {
        (Verdict::Ahead, true) if elo.mean > 0.0 => format!("in whole matches that is worth {by} Elo"),
        (Verdict::Ahead, true) => format!("yet in whole matches {winner} is ahead, by {by} Elo"),
        (Verdict::Ahead, false) => format!("in whole matches {winner} is ahead, by {by} Elo"),
        (_, true) => format!("in whole matches they cannot be distinguished yet ({winner} is ahead by {by} Elo)"),
        (_, false) => format!("nor can they in whole matches ({winner} is ahead by {by} Elo)"),
    }
}

/// Writes a p-value as the end of a sentence.
fn p_text(p: Option<f64>) -> String {
    p.map_or(String::new(), |p| format!(" (p {})", p_value_text(p)))
}

/// Writes a p-value with its sign of relation, never as 0.
pub fn p_value_text(p: f64) -> String {
    match p {
        p if p < 0.001 => "< 0.001".to_owned(),
        p => format!("= {p:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_matches_are_two_things() {
        let said = |mean, half_width, is_ahead| {
            let elo = Estimate {
                mean,
                se: Some(1.0),
                half_width: Some(half_width),
                groups: 64,
                freedom: 63.0,
                widening: 1.0,
            };
            worth("one", "two", is_ahead, &elo)
        };
        assert_eq!(said(30.0, 8.0, true), "in whole matches that is worth 30 ± 8 Elo");
        assert_eq!(said(-30.0, 8.0, true), "yet in whole matches two is ahead, by 30 ± 8 Elo");
        assert_eq!(said(-30.0, 8.0, false), "in whole matches two is ahead, by 30 ± 8 Elo");
        assert_eq!(
            said(5.0, 8.0, true),
            "in whole matches they cannot be distinguished yet (one is ahead by 5 ± 8 Elo)"
        );
        assert_eq!(said(-5.0, 8.0, false), "nor can they in whole matches (two is ahead by 5 ± 8 Elo)");
    }

    #[test]
    fn a_p_value_is_never_nothing() {
        assert_eq!([0.0, 0.0009, 0.0496, 1.0].map(p_value_text), ["< 0.001", "< 0.001", "= 0.050", "= 1.000"]);
    }
}
