//! A tally with the names of the things it counts, and the sums that rows are made of.

use std::collections::BTreeMap;

use overtrick_cards::table::{ByRole, Role};
use overtrick_games::AnyGame;
use overtrick_ratings::{Entrant, GroupSum, Outcome};
use overtrick_strategy::ids::{BotId, GroupId, LineUpId, SeatingId};
use overtrick_tournament::{Pattern, Schedule, Tally, Tournament, VariantRun};

/// The parts of a won game, so that two, three or four players can share it.
pub(super) const WIN: i64 = 12;

/// For each of two bots: its scores by group.
pub(super) type Sides = [Vec<GroupSum>; 2];

/// A tally with the names of the things it counts.
pub(super) struct Counted<'a> {
    pub(super) game: &'a AnyGame,
    pub(super) tournament: &'a Tournament,
    pub(super) variant: &'a str,
    pub(super) schedule: &'a Schedule,
    pub(super) tally: &'a Tally,
    /// The run; `None` where only its tally is known.
    pub(super) run: Option<&'a VariantRun>,
}

impl<'a> Counted<'a> {
    /// Returns the tally of variant number `variant` of a tournament.
    pub(super) fn new(tournament: &'a Tournament, variant: usize, tally: &'a Tally) -> Counted<'a> {
        Counted {
            game: &tournament.variants[variant].game,
            tournament,
            variant: &tournament.variants[variant].name,
            schedule: &tournament.schedules[variant],
            tally,
            run: None,
        }
    }
}

impl Counted<'_> {
    /// Returns the bot that has `role` in a seating of a line-up.
    pub(super) fn bot(&self, line_up: LineUpId, seating: SeatingId, role: Role) -> BotId {
        self.schedule.bot_by_role(line_up, seating, role)
    }

    /// Returns by team, from the dealer's, the bots of a line-up in a seating, as entrants of a match.
    pub(super) fn entrants(&self, line_up: LineUpId, seating: SeatingId) -> Vec<Entrant> {
        let bot = |role| self.bot(line_up, seating, role).index();
        self.first_roles().map(|role| Entrant { player: bot(role), seat: Some(role.index()) }).collect()
    }

    /// Returns the first role of each team, from the dealer.
    ///
    /// These are all roles where every seat plays alone. Partners have equal scores, so one of them stands for
    /// both.
    pub(super) fn first_roles(&self) -> impl Iterator<Item = Role> + Clone {
        Role::all(self.schedule.teams.count())
    }

    /// Returns by group the scores of deals on the chairs that `which` picks.
    pub(super) fn groups(&self, which: impl Fn(LineUpId, SeatingId, Role) -> bool) -> Vec<GroupSum> {
        let mut groups = vec![GroupSum::default(); self.tally.groups()];
        for (line_up, seating) in self.schedule.cell_ids() {
            for role in Role::all(self.schedule.seats) {
                if which(line_up, seating, role) {
                    self.add_chair(line_up, seating, role, &mut groups);
                }
            }
        }
        groups
    }

    /// Returns by group the scores of deals of a bot.
    pub(super) fn groups_of(&self, bot: BotId) -> Vec<GroupSum> {
        self.groups(|line_up, seating, role| self.bot(line_up, seating, role) == bot)
    }

    /// Adds by group the scores on a chair.
    fn add_chair(&self, line_up: LineUpId, seating: SeatingId, role: Role, groups: &mut [GroupSum]) {
        for (group, scores) in self.tally.group_ids().zip(groups) {
            scores.sum += self.tally.score(line_up, group, seating, role);
            scores.count += self.tally.deals(line_up, group, seating);
        }
    }

    /// Returns the places of every pattern, by the first role of each team.
    pub(super) fn places(&self) -> Vec<ByRole<u8>> {
        let teams = self.schedule.teams.count();
        (0..Pattern::count(teams)).map(|pattern| Pattern::places(pattern, teams)).collect()
    }

    /// Returns every kind of result with its number in each group, for the ratings.
    pub(super) fn outcomes(&self) -> Vec<Outcome> {
        let games = |group, line_up, seating| self.tally.games(line_up, GroupId::new(group), seating).collect();
        self.outcomes_by(self.tally.groups(), games)
    }

    /// Returns the same for games that `games` counts by group and cell, for each pattern.
    pub fn outcomes_by(&self, groups: usize, games: impl Fn(usize, LineUpId, SeatingId) -> Vec<u64>) -> Vec<Outcome> {
        let teams = self.schedule.teams.count();
        let places = self.places();
        let mut outcomes = Vec::new();
        for (line_up, seating) in self.schedule.cell_ids() {
            let mut counts = vec![Vec::new(); places.len()];
            for group in 0..groups {
                for (counts, count) in counts.iter_mut().zip(games(group, line_up, seating)) {
                    if count > 0 {
                        counts.push((group, count));
                    }
                }
            }
            for (places, counts) in places.iter().zip(counts) {
                if !counts.is_empty() {
                    let entrants = self.entrants(line_up, seating);
                    outcomes.push(Outcome { entrants, places: places.of(teams).to_vec(), counts });
                }
            }
        }
        outcomes
    }

    /// Returns for each pair of bots that meet their scores in the line-ups with both, by group.
    pub(super) fn pairs(&self) -> BTreeMap<(BotId, BotId), Sides> {
        let empty = vec![GroupSum::default(); self.tally.groups()];
        let mut pairs = BTreeMap::new();
        for (line_up, members) in self.schedule.line_up_ids().zip(&self.schedule.line_ups) {
            for &a in members {
                for &b in members {
                    if a < b {
                        let sides = pairs.entry((a, b)).or_insert_with(|| [empty.clone(), empty.clone()]);
                        self.add_pair(line_up, [a, b], sides);
                    }
                }
            }
        }
        pairs
    }

    /// Adds by group the scores of two bots in a line-up.
    fn add_pair(&self, line_up: LineUpId, pair: [BotId; 2], sides: &mut Sides) {
        for seating in self.schedule.seating_ids() {
            for role in Role::all(self.schedule.seats) {
                let bot = self.bot(line_up, seating, role);
                if let Some(side) = pair.iter().position(|&own| own == bot) {
                    self.add_chair(line_up, seating, role, &mut sides[side]);
                }
            }
        }
    }
}
