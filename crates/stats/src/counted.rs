//! A tally with the names of the things it counts, and the sums that rows are made of.

use std::collections::BTreeMap;

use overtrick_cards::table::{ByRole, Role};
use overtrick_games::AnyGame;
use overtrick_ratings::{Entrant, Outcome};
use overtrick_strategy::ids::{BotId, LineUpId, SeatingId};
use overtrick_tournament::{Pattern, Schedule, Tally, Tournament};

use super::record::Record;

/// For each of two bots: the sum of scores and the number of deals, by group.
pub(super) type Sides = [Vec<(i64, u64)>; 2];

/// A tally with the names of the things it counts.
pub(super) struct Counted<'a> {
    pub(super) game: &'a AnyGame,
    pub(super) tournament: &'a Tournament,
    pub(super) variant: &'a str,
    pub(super) schedule: &'a Schedule,
    pub(super) tally: &'a Tally,
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
        }
    }
}

impl Counted<'_> {
    /// Returns the bot that has `role` in a seating of a line-up.
    pub(super) fn bot(&self, line_up: LineUpId, seating: SeatingId, role: Role) -> BotId {
        self.schedule.bot_by_role(line_up, seating, role)
    }

    /// Returns by role the bots of a line-up in a seating, as entrants of a match.
    pub(super) fn entrants(&self, line_up: LineUpId, seating: SeatingId) -> Vec<Entrant> {
        let bot = |role| self.bot(line_up, seating, role).index();
        Role::all(self.schedule.seats).map(|role| Entrant { player: bot(role), seat: Some(role.index()) }).collect()
    }

    /// Returns all line-ups, seatings and roles.
    pub(super) fn chairs(&self) -> impl Iterator<Item = (LineUpId, SeatingId, Role)> + '_ {
        let roles = move |(l, s)| Role::all(self.schedule.seats).map(move |role| (l, s, role));
        self.schedule.cell_ids().flat_map(roles)
    }

    /// Returns by group the sum of scores and the number of deals on the chairs that `which` picks.
    pub(super) fn groups(&self, which: impl Fn(LineUpId, SeatingId, Role) -> bool) -> Vec<(i64, u64)> {
        let mut groups = vec![(0, 0); self.tally.groups()];
        for (line_up, seating, role) in self.chairs().filter(|&(l, s, r)| which(l, s, r)) {
            for (group, (sum, deals)) in self.tally.group_ids().zip(&mut groups) {
                *sum += self.tally.score(line_up, group, seating, role);
                *deals += self.tally.deals(line_up, group, seating);
            }
        }
        groups
    }

    /// Returns the places of every pattern, by role.
    pub(super) fn places(&self) -> Vec<ByRole<u8>> {
        let seats = self.schedule.seats;
        (0..Pattern::count(seats)).map(|pattern| Pattern::places(pattern, seats)).collect()
    }

    /// Returns by bot the games won, tied and lost.
    pub(super) fn records(&self) -> Vec<Record> {
        Record::all(self.tournament.bots.len(), &self.outcomes())
    }

    /// Returns every kind of result with its number in each group, for the ratings.
    pub(super) fn outcomes(&self) -> Vec<Outcome> {
        let seats = self.schedule.seats;
        let places = self.places();
        let mut outcomes = Vec::new();
        for (line_up, seating) in self.schedule.cell_ids() {
            let mut counts = vec![Vec::new(); places.len()];
            for group in self.tally.group_ids() {
                for (pattern, count) in self.tally.games(line_up, group, seating).enumerate() {
                    if count > 0 {
                        counts[pattern].push((group.index(), count));
                    }
                }
            }
            for (places, counts) in places.iter().zip(counts).filter(|(_, counts)| !counts.is_empty()) {
                outcomes.push(Outcome {
                    entrants: self.entrants(line_up, seating),
                    places: places.of(seats).to_vec(),
                    counts,
                });
            }
        }
        outcomes
    }

    /// Returns for each pair of bots that meet their scores in the line-ups with both, by group.
    pub(super) fn pairs(&self) -> BTreeMap<(BotId, BotId), Sides> {
        let mut pairs = BTreeMap::new();
        for (line_up, members) in self.schedule.line_up_ids().zip(&self.schedule.line_ups) {
            for (a, b) in members.iter().flat_map(|&a| members.iter().map(move |&b| (a, b))).filter(|(a, b)| a < b) {
                let empty = || [(); 2].map(|()| vec![(0, 0); self.tally.groups()]);
                let sides = pairs.entry((a, b)).or_insert_with(empty);
                for seating in self.schedule.seating_ids() {
                    for role in Role::all(self.schedule.seats) {
                        let Some(side) = [a, b].iter().position(|&bot| bot == self.bot(line_up, seating, role)) else {
                            continue;
                        };
                        for (group, (sum, deals)) in self.tally.group_ids().zip(&mut sides[side]) {
                            *sum += self.tally.score(line_up, group, seating, role);
                            *deals += self.tally.deals(line_up, group, seating);
                        }
                    }
                }
            }
        }
        pairs
    }

    /// Checks the sums that must agree in every tally.
    pub(super) fn check(&self) {
        let (schedule, tally) = (self.schedule, self.tally);
        for line_up in schedule.line_up_ids() {
            // Seatings by role permute with the dealer, so only their sum over a line-up is fixed.
            let all = (schedule.seating_ids())
                .flat_map(|s| tally.group_ids().map(move |g| (s, g)))
                .map(|(s, g)| tally.games(line_up, g, s).sum::<u64>());
            let expected = tally.blocks().count * schedule.seatings.len() as u64;
            assert_eq!(all.sum::<u64>(), expected, "games of line-up {line_up} of {}", self.variant);
        }
        let ended: u64 = tally.group_ids().map(|group| tally.ends(None, group).deals).sum();
        let deals =
            (schedule.cell_ids()).flat_map(|(l, s)| tally.group_ids().map(move |g| tally.deals(l, g, s))).sum::<u64>();
        assert_eq!(ended, deals, "deals of {}", self.variant);
        for bot in self.tournament.bot_ids() {
            let groups = self.groups(|l, s, r| self.bot(l, s, r) == bot);
            let (sum, deals) = groups.iter().fold((0, 0), |(sum, deals), &(s, d)| (sum + i128::from(s), deals + d));
            let scores = tally.scores(bot);
            assert_eq!((sum, deals), (scores.sum(), scores.count()), "scores of bot {bot} in {}", self.variant);
        }
    }
}
