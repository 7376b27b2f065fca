//! A survey of a game: what random deals score, and what never happens in them.

use std::collections::BTreeSet;

use overtrick_cards::table::{Move, Moves, Place, Role, Seat};
use overtrick_cards::{SeedSource, Stream};
use overtrick_game::{ContractResult, DealResult, Describe, Ending, Game, Setup, Standing, State};
use overtrick_toml::InputError;

use super::play::moment;
use super::{DeclaredGame, DeclaredPublic};

/// The deals after which a match counts as one without an end.
pub(super) const LONGEST_MATCH: u32 = 1_000;

/// The two-sided 95% quantile of the normal distribution, in standard errors.
const TWO_SIDED: f64 = 1.96;

/// The findings of random play.
#[derive(Clone, Debug)]
pub struct GameSurvey {
    /// The number of deals.
    pub deals: u64,
    /// The mean scores by role, the dealer first.
    pub means: Vec<MeanScore>,
    /// The lowest and the highest score.
    pub reached: (i32, i32),
    /// The largest number of calls in a deal.
    pub most_calls: usize,
    /// The kinds of contract, in the order of results.
    pub contracts: Vec<SurveyedContract>,
    /// The matches of further deals.
    pub matches: SurveyedMatches,
    /// The defects: keys that cannot do anything, and matches that never end.
    pub defects: Vec<InputError>,
    /// The keys that did nothing in these deals, and matches without an end.
    pub unseen: Vec<InputError>,
}

/// The mean score of a role, with its 95% interval (normal, over deals).
#[derive(Clone, Copy, Debug)]
pub struct MeanScore {
    /// The role.
    pub role: &'static str,
    /// The mean.
    pub mean: f64,
    /// Half the width of the interval.
    pub half_width: f64,
}

/// A kind of contract in the deals of a survey.
#[derive(Clone, Debug)]
pub struct SurveyedContract {
    /// The name of the kind.
    pub name: String,
    /// The number of deals with such a contract.
    pub played: u64,
    /// The number of these in which it was made.
    pub made: u64,
}

/// The random matches of a survey.
#[derive(Clone, Copy, Debug, Default)]
pub struct SurveyedMatches {
    /// The number of matches. None are played if all have the same number of deals.
    pub played: u64,
    /// The number of matches without an end after 1,000 deals.
    pub endless: u64,
    /// The fewest, the mean and the most deals of the others.
    pub fewest: u32,
    /// The mean number of deals.
    pub mean: f64,
    /// The most deals.
    pub most: u32,
}

/// The sums of the deals so far.
pub(super) struct SurveySums {
    count: u64,
    /// By role: the sum of the scores, and of their squares.
    scores: Vec<(i64, i128)>,
    reached: (i32, i32),
    most_calls: usize,
    rows: Vec<bool>,
    pub(super) calls: BTreeSet<u8>,
    pub(super) has_discarded: bool,
    /// The duties that forbade a card, as `PlayDuties::binding` has them.
    pub(super) duties: u8,
    /// The bars and the first card that forbade a card, as `PlayBars::binding` has them.
    pub(super) binding: u16,
    /// The bids that a player won exactly, one bit for each.
    pub(super) exact: u64,
    pub(super) contracts: Vec<SurveyedContract>,
}

impl DeclaredGame {
    /// Plays random deals and random matches of the game, and returns what they show.
    ///
    /// The same seed gives the same survey.
    pub fn survey(&self, deals: u64, matches: u64, seed: u64) -> GameSurvey {
        let mut sums = self.no_deals();
        let source = SeedSource::new(seed, "survey", self.name());
        for number in 0..deals {
            self.add_deal(&mut sums, Setup::single(self, number, false), &mut source.stream(number, 0));
        }
        let played = self.random_matches(matches, &SeedSource::new(seed, "survey of matches", self.name()));
        let dead = self.dead_rows();
        let problem = "never counts: no result fits it that an earlier row does not cover; drop it or move it up";
        let mut defects = self.at_rows(&dead, problem);
        defects.extend(self.out_of_reach());
        defects.extend(self.idle_keys());
        let mut quiet = dead;
        for (row, &counted) in quiet.iter_mut().zip(&sums.rows) {
            // A row that never counts has its own line.
            *row = !*row && !counted;
        }
        let mut unseen = self.at_rows(&quiet, &format!("did not count in {deals} random deals"));
        unseen.extend(self.calls_not_made(&sums, deals));
        unseen.extend(self.bids_not_made(&sums, deals));
        unseen.extend(self.duties_without_effect(&sums, deals));
        unseen.extend(self.bars_without_effect(&sums, deals));
        if defects.is_empty() {
            unseen.extend(self.endless(played));
        }
        GameSurvey {
            deals,
            means: self.means(&sums),
            reached: sums.reached,
            most_calls: sums.most_calls,
            contracts: sums.contracts,
            matches: played,
            defects,
            unseen,
        }
    }

    fn no_deals(&self) -> SurveySums {
        let contract = |name| SurveyedContract { name, played: 0, made: 0 };
        SurveySums {
            count: 0,
            scores: vec![(0, 0); self.players()],
            reached: (i32::MAX, i32::MIN),
            most_calls: 0,
            rows: vec![false; self.file.listed().rows.len()],
            calls: BTreeSet::new(),
            has_discarded: false,
            duties: 0,
            binding: 0,
            exact: 0,
            contracts: self.contract_kinds().into_iter().map(|kind| contract(kind.name)).collect(),
        }
    }

    fn add_deal(&self, sums: &mut SurveySums, setup: Setup, rng: &mut Stream) {
        let over = self.random_deal(setup, rng, |state| {
            if self.order(state).is_some() && !self.is_plain {
                let (trick, hand) = (self.duty_trick(state), state.table.at(state.table.hand_to_move()));
                sums.duties |= self.duties.binding(trick, hand);
                sums.binding |= self.bars.binding(moment(state), self.duties.allowed(trick, hand));
            }
        });
        let scores = self.scores(&over);
        sums.count += 1;
        for seat in Seat::all(self.players()) {
            let won = over.table.tricks_won(Place::hand(seat));
            sums.exact |= over.public.bid(seat).filter(|bid| *bid == won).map_or(0, |bid| 1 << bid);
        }
        for (role, sum) in Role::all(self.players()).zip(&mut sums.scores) {
            let score = scores.by_role(setup.dealer, self.players())[role];
            sum.0 += i64::from(score);
            sum.1 += i128::from(score).pow(2);
            sums.reached = (sums.reached.0.min(score), sums.reached.1.max(score));
        }
        let calls = over.table.calls();
        sums.most_calls = sums.most_calls.max(calls.len());
        for (_, chosen) in calls {
            sums.calls.extend(chosen.as_call());
            sums.has_discarded |= chosen.as_card().is_some();
        }
        self.score.note_rows(&self.facts(&over.table, &over.public), &mut sums.rows);
        if let Some(ContractResult { kind, made, .. }) = self.contract_result(&over) {
            let contract = &mut sums.contracts[usize::from(kind)];
            contract.played += 1;
            contract.made += u64::from(made);
        }
    }

    /// Plays a deal in which each move is drawn from the legal ones with equal chances.
    ///
    /// `look` sees each state before a move.
    fn random_deal(
        &self,
        setup: Setup,
        rng: &mut Stream,
        mut look: impl FnMut(&State<DeclaredPublic>),
    ) -> State<DeclaredPublic> {
        let mut state = self.deal(setup, rng);
        while !self.is_over(&state) {
            look(&state);
            let chosen = random_move(self.legal(&state), rng);
            self.play_unchecked(&mut state, chosen);
        }
        state
    }

    fn random_matches(&self, matches: u64, source: &SeedSource) -> SurveyedMatches {
        if let Ending::Deals(deals) = self.ending {
            return SurveyedMatches {
                fewest: deals,
                mean: f64::from(deals),
                most: deals,
                ..SurveyedMatches::default()
            };
        }
        let mut all = SurveyedMatches { fewest: u32::MAX, ..SurveyedMatches::default() };
        let mut deals = 0;
        for number in 0..matches {
            let length = self.random_match(&mut source.stream(number, 0));
            all.played += 1;
            match length {
                Some(length) => {
                    (all.fewest, all.most) = (all.fewest.min(length), all.most.max(length));
                    deals += u64::from(length);
                }
                None => all.endless += 1,
            }
        }
        all.mean = deals as f64 / (all.played - all.endless).max(1) as f64;
        all
    }

    /// Plays a match, and returns its number of deals. `None` if it has no end after [`LONGEST_MATCH`] deals.
    fn random_match(&self, rng: &mut Stream) -> Option<u32> {
        let mut standing = Standing::default();
        let mut dealer = Seat::Seat0;
        while standing.deals < LONGEST_MATCH {
            let deal = standing.deals % self.cycle();
            let setup = Setup { dealer, deal, totals: standing.totals, last_deal: self.ending.is_last(&standing) };
            let over = self.random_deal(setup, rng, |_| {});
            let scores = self.scores(&over);
            standing.add(&scores, self.counts(&over));
            let result = DealResult { dealer, declarer: over.public.declarer, scores };
            if self.ending.places(&standing, &result, self.layout.teams()).is_some() {
                return Some(standing.deals);
            }
            dealer = dealer.left(1, self.players());
        }
        None
    }

    fn means(&self, sums: &SurveySums) -> Vec<MeanScore> {
        let count = sums.count as f64;
        let mut means = Vec::new();
        for (role, &(sum, squares)) in Role::all(self.players()).zip(&sums.scores) {
            let mean = sum as f64 / count;
            let variance = (squares as f64 - sum as f64 * mean) / (count - 1.0).max(1.0);
            let half_width = TWO_SIDED * (variance.max(0.0) / count).sqrt();
            means.push(MeanScore { role: role.name(self.players()), mean, half_width });
        }
        means
    }

    /// Returns, by row, whether it counts for no way in which the tricks can fall.
    ///
    /// Only scores that depend on tricks alone are known for all ways.
    fn dead_rows(&self) -> Vec<bool> {
        let rows = self.file.listed().rows.len();
        let Some(table) = &self.table else { return vec![false; rows] };
        let mut counted = vec![false; rows];
        for facts in table.all_facts() {
            self.score.note_rows(&facts, &mut counted);
        }
        counted.into_iter().map(|counted| !counted).collect()
    }

    /// Returns the problem at the line of each of these rows.
    fn at_rows(&self, rows: &[bool], problem: &str) -> Vec<InputError> {
        let mut errors = Vec::new();
        for (number, _) in rows.iter().enumerate().filter(|(_, is_meant)| **is_meant) {
            let key = ["score", "row", &number.to_string()].map(str::to_owned);
            errors.push(self.file.source().error(&key, problem));
        }
        errors
    }

    /// Returns the error of a match that no scores can end.
    fn out_of_reach(&self) -> Option<InputError> {
        let scores = self.score_range();
        let is_reached = match self.ending {
            Ending::Target { .. } => *scores.end() > 0,
            Ending::Limits { high, .. } => *scores.start() < 0 || high.is_some() && *scores.end() > 0,
            Ending::Deals(_) => true,
        };
        let problem = "never ends: no deal scores towards `target`; set `end = \"deals\"` and `deals`";
        (!is_reached).then(|| self.file.source().error(&["match".to_owned()], problem))
    }
}

fn random_move(legal: Moves, rng: &mut Stream) -> Move {
    let number = rng.random_below(u64::from(legal.len())) as usize;
    legal.iter().nth(number).expect("a deal that is not over has a legal move")
}
