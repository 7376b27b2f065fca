//! Makes the rows that a run reports from its tallies.

use overtrick_cards::table::{ByRole, Role};
use overtrick_game::{ContractKind, MOST_DEALS};
use overtrick_ratings::interval::{Estimate, design_effect, grouped_mean, independent_se};
use overtrick_ratings::{FitError, Outcome};
use overtrick_strategy::ids::{BotId, LineUpId};
use overtrick_tournament::{ContractCell, Format, Tally, Tournament, Unit};
use schemars::JsonSchema;
use serde::Serialize;

use super::FEWEST_GROUPS;
use super::contracts::contract_rows;
use super::counted::{Counted, Sides};
use super::field::{Field, Matches};
use super::given_away::GivenAwayRow;
use super::match_course::MatchCourse;
use super::options::option_rows;
use super::ranking::Ranking;
use super::record::Record;
use super::rows::{
    BalanceRow, BotRow, ContractRow, CurveRow, FaultRow, Figure, HeadlineRow, LookRow, OptionRow, PairRow, RatingRow,
    SeatRow, StopRow,
};
use super::stop_status::stop_row;
use super::swings::SwingRow;
use super::widening::Widening;

/// The results of a tournament.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Results {
    /// A sentence for each variant in which bots met.
    pub headlines: Vec<HeadlineRow>,
    /// By variant, then bot as configured.
    pub bots: Vec<BotRow>,
    /// By variant, best first; then `all`.
    pub ratings: Vec<RatingRow>,
    /// By variant, then pair as configured.
    pub pairs: Vec<PairRow>,
    /// By variant: what options are worth to bots that met themselves without them.
    pub options: Vec<OptionRow>,
    /// By variant, then role.
    pub seats: Vec<SeatRow>,
    /// By variant, then contract, all bots first.
    pub contracts: Vec<ContractRow>,
    /// By variant: how its deals end and where its scores come from.
    pub balance: Vec<BalanceRow>,
    /// By variant, bot, trick and measure, all bots first.
    pub curves: Vec<CurveRow>,
    /// By variant and pair of bots: the deals that made the difference.
    pub swings: Vec<SwingRow>,
    /// By variant, bot, role and trick, in runs that judge plays with all cards known.
    pub given_away: Vec<GivenAwayRow>,
    /// By variant, in runs that may stop early.
    pub stops: Vec<StopRow>,
    /// By variant, in runs that may stop early: how the rules went along. Only a run has them, not its tallies.
    pub looks: Vec<LookRow>,
    /// By variant, then bot as configured: the first faults of each.
    pub faults: Vec<FaultRow>,
    /// Notes for readers of the ratings.
    pub notes: Vec<String>,
}

impl Results {
    /// Computes the results of a tournament from the tallies of its variants, in order.
    ///
    /// # Panics
    /// If a tally contradicts itself, which is a broken invariant.
    pub fn new(tournament: &Tournament, tallies: &[&Tally]) -> Results {
        let mut results = Results::default();
        let (mut together, mut widenings, mut left_out) = (Matches::default(), Vec::new(), Vec::new());
        let mut records = vec![Record::default(); tournament.bots.len()];
        for (number, tally) in tallies.iter().enumerate() {
            let counted = Counted::new(tournament, number, tally);
            let sums = tally.check_sums(counted.schedule, &[]);
            sums.unwrap_or_else(|flaw| panic!("in {}, {flaw}", counted.variant));
            if tally.blocks().count == 0 {
                // No bot was left to play.
                results.bots.extend(counted.bot_rows(&counted.records(), &[], &Widening::of(&counted)));
                continue;
            }
            let own = counted.records();
            let outcomes = counted.outcomes();
            let matches = Matches::of(&counted);
            if matches.is_none() && tournament.format != Format::Mirror {
                results.notes.push(format!(
                    "{}: no Elo: matches are put together from at least {FEWEST_GROUPS} groups of deals, and here are too few \
                     deals for that; play more, or play matches (unit = \"match\")",
                    counted.variant
                ));
            }
            let widening = Widening::of(&counted);
            let fitted = matches.as_ref().map(|matches| Field::rate(tournament, matches, true, widening.times()));
            let fitted = results.note(tournament, counted.variant, fitted);
            let cut_off: u64 = tally.group_ids().map(|group| tally.ends(None, group).cut_off).sum();
            if cut_off > 0 {
                results.notes.push(format!(
                    "{}: {cut_off} matches did not end within {MOST_DEALS} deals; they were stopped and judged by their totals",
                    counted.variant
                ));
            }
            let ranking = Ranking::new(&counted, fitted.as_ref(), &outcomes, widening.times());
            results.headlines.extend(ranking.headline());
            results.ratings.extend(ranking.rows(&own));
            results.bots.extend(counted.bot_rows(&own, &outcomes, &widening));
            let pairs = counted.pair_rows(fitted.as_ref(), &ranking);
            results.options.extend(option_rows(&tournament.bots, &pairs));
            results.pairs.extend(pairs);
            results.seats.extend(counted.seat_rows(&outcomes));
            results.contracts.extend(counted.contract_rows());
            let assembled = match &matches {
                Some(matches) => MatchCourse::new(&matches.courses, matches.cluster),
                None => MatchCourse::default(),
            };
            results.balance.extend(counted.balance_rows(&assembled, widening.times()));
            results.curves.extend(counted.curve_rows());
            results.swings.extend(counted.swing_rows());
            results.given_away.extend(counted.given_away_rows());
            results.stops.extend(stop_row(tournament, number, tally));
            match matches {
                Some(matches) => {
                    together.add(matches);
                    widenings.push(widening);
                }
                None => left_out.push(counted.variant),
            }
            for (sum, record) in records.iter_mut().zip(own) {
                sum.won += record.won;
                sum.tied += record.tied;
                sum.lost += record.lost;
            }
        }
        if tallies.len() > 1 && !together.outcomes.is_empty() {
            if left_out.is_empty() {
                let fitted = Field::rate(tournament, &together, false, Widening::together(&widenings));
                if let Some(fitted) = results.note(tournament, "all", Some(fitted)) {
                    results.ratings.extend(fitted.rows(tournament, "all", &together, &records));
                }
            } else {
                // A mean over some of the variants would be taken for a mean over all.
                results.notes.push(format!(
                    "all: no rating over all variants, as there are no matches to rate by of {}; play more deals",
                    left_out.join(", ")
                ));
            }
        }
        results
    }

    /// Keeps a fit, or adds a note that says why there is none.
    fn note(
        &mut self,
        tournament: &Tournament,
        variant: &str,
        fitted: Option<Result<Field, FitError>>,
    ) -> Option<Field> {
        match fitted? {
            Ok(field) => {
                self.notes.extend(field.note(tournament).map(|note| format!("{variant}: {note}")));
                Some(field)
            }
            Err(error) => {
                self.notes.push(format!("{variant}: no ratings: {error}"));
                None
            }
        }
    }
}

impl Counted<'_> {
    /// Returns the design effect of an estimate.
    ///
    /// This is the variance that the estimate would have if deals were independent, over its real variance.
    /// The estimate is the sum of every chair's score times the weight of its bot, over the deals of the
    /// line-ups that `which` picks. `weigh` returns a bot's weight and its mean score in those line-ups.
    fn design_effect(
        &self,
        estimate: Option<Estimate>,
        which: impl Fn(LineUpId) -> bool,
        weigh: impl Fn(BotId) -> (f64, f64),
    ) -> Option<f64> {
        let seats = self.schedule.seats;
        let (mut squares, mut deals) = (0.0, 0);
        for line_up in self.schedule.line_up_ids().filter(|&line_up| which(line_up)) {
            for seating in self.schedule.seating_ids() {
                let mut weights = ByRole::default();
                // A deal adds to the error the sum of its chairs, less their average sum.
                let (mut average, mut sum) = (0.0, 0.0);
                let count: u64 = self.tally.group_ids().map(|group| self.tally.deals(line_up, group, seating)).sum();
                for role in Role::all(seats) {
                    let (weight, mean) = weigh(self.bot(line_up, seating, role));
                    weights[role] = weight;
                    average += weight * mean;
                    let score = |group| self.tally.score(line_up, group, seating, role);
                    sum += weight * self.tally.group_ids().map(score).sum::<i64>() as f64;
                }
                squares += self.tally.square(line_up, seating, weights) - 2.0 * average * sum
                    + average * average * count as f64;
                deals += count;
            }
        }
        design_effect(independent_se(squares.max(0.0), deals)?, estimate?.se?)
    }

    /// Returns the number of times that a deal was played by the line-ups that `which` picks.
    fn games_of(&self, which: impl Fn(LineUpId) -> bool) -> u64 {
        let cells = self.schedule.cell_ids().filter(|&(line_up, _)| which(line_up));
        let of_cell =
            |(line_up, seating)| self.tally.group_ids().map(|g| self.tally.deals(line_up, g, seating)).sum::<u64>();
        cells.map(of_cell).sum()
    }

    /// Sums the deals in which a bot was declarer by choice, over all groups.
    fn declared(&self, kinds: &[ContractKind], bot: BotId) -> ContractCell {
        let chosen = |own, kind: usize| own == Some(bot) && kinds[kind].forced == Some(false);
        self.tally.group_ids().map(|group| self.tally.contracts().sum(group, chosen)).sum()
    }

    fn bot_rows(&self, records: &[Record], outcomes: &[Outcome], widening: &Widening) -> Vec<BotRow> {
        let bots = self.tournament.bots.len();
        let grouped = Record::grouped(bots, self.tally.groups(), outcomes, |entrant| entrant.player);
        let kinds = self.game.contract_kinds();
        let row = |bot: BotId| {
            let scores = self.tally.scores(bot);
            let groups = self.groups(|l, s, r| self.bot(l, s, r) == bot);
            let estimate = grouped_mean(groups.iter().copied());
            let estimate = estimate.map(|estimate| widening.widen(estimate.if_known(scores.count()), &groups));
            let record = records[bot.index()];
            let [won, tied, lost] =
                Record::shares(&grouped[bot.index()], self.games_together(), |groups| widening.times_of(groups));
            let with_it = |line_up: LineUpId| self.schedule.line_ups[line_up.index()].contains(&bot);
            let own = (1.0 / scores.count() as f64, estimate.map_or(0.0, |estimate| estimate.mean));
            let weigh = |other: BotId| if other == bot { own } else { (0.0, 0.0) };
            let declared = self.declared(&kinds, bot);
            let ratio =
                |part: i64, whole: i64| Figure((!kinds.is_empty() && whole > 0).then(|| part as f64 / whole as f64));
            BotRow {
                variant: self.variant.to_owned(),
                bot: self.tournament.bot(bot).name.clone(),
                deals: scores.count(),
                games: record.games(),
                mean: estimate.into(),
                sd: Figure(scores.sd()),
                min: scores.min(),
                median: Figure(scores.median()),
                max: scores.max(),
                won,
                tied,
                lost,
                declared: ratio(declared.deals, scores.count() as i64),
                made: ratio(declared.made, declared.deals),
                design_effect: Figure(self.design_effect(estimate, with_it, weigh)),
                ..BotRow::default()
            }
        };
        self.tournament.bot_ids().map(row).collect()
    }

    fn pair_rows(&self, field: Option<&Field>, ranking: &Ranking<'_>) -> Vec<PairRow> {
        let mut rows = Vec::with_capacity(ranking.points.len());
        for ((a, b), sides) in self.pairs() {
            let Some(pair) = ranking.points.get(&(a, b)) else { continue };
            let (p, all_p) = match self.tournament.unit {
                Unit::Deal => (pair.alone.p(), pair.at_once.p),
                Unit::Match => match field {
                    Some(field) => (field.p(a, b), ranking.p(a, b)),
                    None => (None, None),
                },
            };
            rows.push(PairRow {
                all: pair.at_once.banded.into(),
                p: Figure(p),
                all_p: Figure(all_p),
                ..self.pair_row([a, b], &sides, pair.alone, field)
            });
        }
        rows
    }

    /// Returns the row of two bots, without the figures that hold for all pairs at once.
    fn pair_row(&self, [a, b]: [BotId; 2], sides: &Sides, estimate: Estimate, field: Option<&Field>) -> PairRow {
        let both = |line_up: LineUpId| {
            let members = &self.schedule.line_ups[line_up.index()];
            members.contains(&a) && members.contains(&b)
        };
        let ((sum_a, deals), (sum_b, deals_b)) = (total(&sides[0]), total(&sides[1]));
        let elo = field.map(|field| field.difference(a, b));
        let weigh = |bot: BotId| match bot {
            bot if bot == a => (1.0 / deals as f64, sum_a as f64 / deals as f64),
            bot if bot == b => (-1.0 / deals_b as f64, sum_b as f64 / deals_b as f64),
            _ => (0.0, 0.0),
        };
        let effect = self.design_effect(Some(estimate), both, weigh);
        PairRow {
            variant: self.variant.to_owned(),
            bot_a: self.tournament.bot(a).name.clone(),
            bot_b: self.tournament.bot(b).name.clone(),
            deals,
            difference: estimate.into(),
            elo_difference: Figure(elo.map(|elo| elo.mean)),
            elo_se: Figure(elo.and_then(|elo| elo.se)),
            design_effect: Figure(effect),
            worth: Figure(effect.map(|effect| effect * self.games_of(both) as f64)),
            ..PairRow::default()
        }
    }

    fn contract_rows(&self) -> Vec<ContractRow> {
        let names: Vec<String> = self.tournament.bots.iter().map(|bot| bot.name.clone()).collect();
        let seated = |bot: BotId| -> Vec<u64> {
            self.groups(|l, s, r| self.bot(l, s, r) == bot).into_iter().map(|(_, deals)| deals).collect()
        };
        let kinds = self.game.contract_kinds();
        contract_rows(self.variant, self.schedule.seats, &kinds, &names, self.tally, seated, self.deals_together())
    }
}

/// Returns the sum of scores and the number of deals over all groups.
fn total(groups: &[(i64, u64)]) -> (i64, u64) {
    groups.iter().fold((0, 0), |(sum, deals), &(s, d)| (sum + s, deals + d))
}
