//! Makes the rows that a run reports from its tallies.

use overtrick_cards::table::{ByRole, Role};
use overtrick_game::{ContractKind, MOST_DEALS};
use overtrick_ratings::interval::{Estimate, GroupSum, design_effect, grouped_mean, independent_se};
use overtrick_ratings::{FitError, Outcome};
use overtrick_strategy::ids::{BotId, LineUpId};
use overtrick_tournament::{ContractCell, Format, Tally, Tournament, Unit, VariantRun};
use schemars::JsonSchema;
use serde::Serialize;

use super::FEWEST_GROUPS;
use super::ballots::Ballots;
use super::counted::{Counted, Sides};
use super::faults::fault_notes;
use super::field::{Matches, RatedField};
use super::given_away::GivenAwayRow;
use super::match_course::MatchCourse;
use super::meta::MetaRow;
use super::options::option_rows;
use super::ranking::Ranking;
use super::record::Record;
use super::rows::{
    BalanceRow, BotRow, ContractRow, CurveRow, FaultRow, Figure, HeadlineRow, LookRow, OptionRow, PairRow, RatingRow,
    SeatRow, StopRow,
};
use super::stop_status::look_rows;
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
    /// By variant, then bot, best first; then over all variants: whether one number for each bot is enough.
    pub meta: Vec<MetaRow>,
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

/// The parts of the ratings over all variants.
#[derive(Default)]
struct Overall<'a> {
    matches: Matches,
    /// The effects of the tests of variants with matches.
    widenings: Vec<Widening>,
    /// The variants without matches.
    left_out: Vec<&'a str>,
    ballots: Ballots,
}

impl Results {
    /// Computes the results of a tournament from the tallies of its variants, in order.
    ///
    /// # Panics
    /// If a tally contradicts itself, which is a broken invariant.
    pub fn new(tournament: &Tournament, tallies: &[&Tally]) -> Results {
        let variants = tallies.iter().enumerate();
        Results::of(variants.map(|(number, tally)| Counted::new(tournament, number, tally)).collect())
    }

    /// Computes the results of a tournament from the runs of its variants, in order.
    ///
    /// # Panics
    /// If a tally contradicts itself, which is a broken invariant.
    pub fn of_runs(tournament: &Tournament, runs: &[VariantRun]) -> Results {
        let variants = runs.iter().enumerate().map(|(number, run)| Counted::of_run(tournament, number, run));
        let mut results = Results::of(variants.collect());
        results.notes.extend(fault_notes(tournament, runs));
        results.looks = look_rows(tournament, runs);
        results
    }

    fn of(variants: Vec<Counted<'_>>) -> Results {
        let (mut results, mut overall) = (Results::default(), Overall::default());
        for counted in &variants {
            results.add_variant(counted, &mut overall);
        }
        if variants.len() > 1 && !overall.matches.outcomes.is_empty() {
            results.add_overall(variants[0].tournament, &overall);
        }
        if let Some(counted) = variants.first() {
            results.meta.extend(overall.ballots.rows(counted.tournament, &results.ratings));
        }
        results
    }

    /// Adds the rows of a variant.
    ///
    /// The ranking needs the fit, pairs need the ranking, and options need the pairs. The other tables need
    /// only the tally.
    fn add_variant<'a>(&mut self, counted: &Counted<'a>, overall: &mut Overall<'a>) {
        let tournament = counted.tournament;
        let open = counted.run.map_or(&[][..], |run| &run.open);
        let sums = counted.tally.check_sums(counted.schedule, open);
        sums.unwrap_or_else(|flaw| panic!("in {}, {flaw}", counted.variant));
        self.faults.extend(counted.fault_rows());
        let outcomes = counted.outcomes();
        let records = Record::all(tournament.bots.len(), &outcomes);
        let widening = Widening::of(counted);
        if counted.tally.blocks().count == 0 {
            // No bot was left to play.
            self.bots.extend(counted.bot_rows(&records, &outcomes, &widening));
            return;
        }
        let matches = Matches::of(counted);
        if matches.is_none() && tournament.format != Format::Mirror {
            self.notes.push(no_elo_note(counted));
        }
        let fitted = matches.as_ref().map(|matches| RatedField::rate(tournament, matches, true, widening.times()));
        let fitted = self.fit_or_note(tournament, counted.variant, fitted);
        let cut_off: u64 = counted.tally.group_ids().map(|group| counted.tally.ends(None, group).cut_off).sum();
        if cut_off > 0 {
            self.notes.push(format!(
                "{}: {cut_off} matches did not end within {MOST_DEALS} deals; they were stopped and judged by their totals",
                counted.variant
            ));
        }
        let ranking = Ranking::new(counted, fitted.as_ref(), &outcomes, widening.times());
        self.headlines.extend(ranking.headline());
        self.ratings.extend(ranking.rows(&records));
        self.meta.extend(ranking.meta_rows());
        overall.ballots.add(&ranking);
        self.bots.extend(counted.bot_rows(&records, &outcomes, &widening));
        let pairs = counted.pair_rows(fitted.as_ref(), &ranking);
        self.options.extend(option_rows(&tournament.bots, &pairs));
        self.pairs.extend(pairs);
        self.seats.extend(counted.seat_rows(&outcomes));
        self.contracts.extend(counted.contract_rows());
        let assembled = matches.as_ref().map(|matches| MatchCourse::new(&matches.courses, matches.cluster));
        let assembled = assembled.unwrap_or_default();
        self.balance.extend(counted.balance_rows(&assembled, widening.times()));
        self.curves.extend(counted.curve_rows());
        self.swings.extend(counted.swing_rows());
        self.given_away.extend(counted.given_away_rows());
        self.stops.extend(counted.stop_row(widening.times()));
        match matches {
            Some(matches) => {
                overall.matches.add(matches);
                overall.widenings.push(widening);
            }
            None => overall.left_out.push(counted.variant),
        }
    }

    /// Adds the ratings over all variants.
    fn add_overall(&mut self, tournament: &Tournament, overall: &Overall<'_>) {
        if overall.left_out.is_empty() {
            let widening = Widening::together(&overall.widenings);
            let fitted = RatedField::rate(tournament, &overall.matches, false, widening);
            if let Some(fitted) = self.fit_or_note(tournament, "all", Some(fitted)) {
                let mut rows = fitted.rows(tournament, "all", &overall.matches);
                for row in &mut rows {
                    row.faults = self.bots.iter().filter(|own| own.bot == row.bot).map(|own| own.faults).sum();
                }
                self.ratings.extend(rows);
            }
        } else {
            // A mean over some of the variants would be taken for a mean over all.
            self.notes.push(format!(
                "all: no rating over all variants, as there are no matches to rate by of {}; play more deals",
                overall.left_out.join(", ")
            ));
        }
    }

    /// Returns a fit, or adds a note that says why there is none.
    fn fit_or_note(
        &mut self,
        tournament: &Tournament,
        variant: &str,
        fitted: Option<Result<RatedField, FitError>>,
    ) -> Option<RatedField> {
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
        let mut games = 0;
        for (line_up, seating) in self.schedule.cell_ids().filter(|&(line_up, _)| which(line_up)) {
            for group in self.tally.group_ids() {
                games += self.tally.deals(line_up, group, seating);
            }
        }
        games
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
        let mut rows = Vec::with_capacity(bots);
        for bot in self.tournament.bot_ids() {
            let scores = self.tally.scores(bot);
            let groups = self.groups_of(bot);
            let estimate = grouped_mean(&groups).map(|mean| widening.widen(mean.if_known(scores.count()), &groups));
            let [won, tied, lost] =
                Record::shares(&grouped[bot.index()], self.games_together(), |groups| widening.times_of(groups));
            let with_it = |line_up: LineUpId| self.schedule.line_ups[line_up.index()].contains(&bot);
            let own = (1.0 / scores.count() as f64, estimate.map_or(0.0, |estimate| estimate.mean));
            let weigh = |other: BotId| if other == bot { own } else { (0.0, 0.0) };
            let declared = self.declared(&kinds, bot);
            let deals = if kinds.is_empty() { 0 } else { scores.count() as i64 };
            rows.push(BotRow {
                variant: self.variant.to_owned(),
                bot: self.tournament.bot(bot).name.clone(),
                deals: scores.count(),
                games: records[bot.index()].games(),
                mean: estimate.into(),
                sd: Figure(scores.sd()),
                min: scores.min(),
                median: Figure(scores.median()),
                max: scores.max(),
                won,
                tied,
                lost,
                declared: ratio(declared.deals, deals),
                made: ratio(declared.made, declared.deals),
                design_effect: Figure(self.design_effect(estimate, with_it, weigh)),
                faults: self.faults(bot),
                fault_kinds: self.fault_kinds(bot),
                disqualified: self.is_disqualified(bot),
            });
        }
        rows
    }

    fn pair_rows(&self, field: Option<&RatedField>, ranking: &Ranking<'_>) -> Vec<PairRow> {
        let mut rows = Vec::with_capacity(ranking.points.len());
        for ((a, b), sides) in self.pairs() {
            let Some(pair) = ranking.points.get(&(a, b)) else { continue };
            let (p, all_p) = match (self.tournament.unit, field) {
                (Unit::Deal, _) => (pair.alone.p(), pair.simultaneous.p),
                (Unit::Match, Some(field)) => (field.p(a, b), ranking.p(a, b)),
                (Unit::Match, None) => (None, None),
            };
            rows.push(PairRow {
                all: pair.simultaneous.estimate.into(),
                p: Figure(p),
                all_p: Figure(all_p),
                ..self.pair_row([a, b], &sides, pair.alone, field)
            });
        }
        rows
    }

    /// Returns the row of two bots, without the figures that hold for all pairs at once.
    fn pair_row(&self, [a, b]: [BotId; 2], sides: &Sides, estimate: Estimate, field: Option<&RatedField>) -> PairRow {
        let both = |line_up: LineUpId| {
            let members = &self.schedule.line_ups[line_up.index()];
            members.contains(&a) && members.contains(&b)
        };
        let (total_a, total_b) = (GroupSum::total(&sides[0]), GroupSum::total(&sides[1]));
        let (deals_a, deals_b) = (total_a.count as f64, total_b.count as f64);
        let elo = field.map(|field| field.difference(a, b));
        let weigh = |bot: BotId| match bot {
            bot if bot == a => (1.0 / deals_a, total_a.sum as f64 / deals_a),
            bot if bot == b => (-1.0 / deals_b, total_b.sum as f64 / deals_b),
            _ => (0.0, 0.0),
        };
        let effect = self.design_effect(Some(estimate), both, weigh);
        PairRow {
            variant: self.variant.to_owned(),
            bot_a: self.tournament.bot(a).name.clone(),
            bot_b: self.tournament.bot(b).name.clone(),
            deals: total_a.count,
            difference: estimate.into(),
            elo_difference: Figure(elo.map(|elo| elo.mean)),
            elo_se: Figure(elo.and_then(|elo| elo.se)),
            design_effect: Figure(effect),
            worth: Figure(effect.map(|effect| effect * self.games_of(both) as f64)),
            faults: self.faults(a) + self.faults(b),
            ..PairRow::default()
        }
    }
}

/// Returns the note that no matches of a variant can be put together from its deals.
fn no_elo_note(counted: &Counted<'_>) -> String {
    let variant = counted.variant;
    if counted.game.counts_totals() {
        return format!(
            "{variant}: no Elo: a deal's score depends on the points before it, so no matches are put together from \
             single deals; play matches (unit = \"match\")"
        );
    }
    format!(
        "{variant}: no Elo: matches are put together from at least {FEWEST_GROUPS} groups of deals, and here are too \
         few deals for that; play more, or play matches (unit = \"match\")"
    )
}

/// Returns the share of a part; none where there is no whole.
fn ratio(part: i64, whole: i64) -> Figure {
    Figure((whole > 0).then(|| part as f64 / whole as f64))
}
