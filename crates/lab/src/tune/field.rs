//! The field: the tables at which candidates are tried, and the margin of a deal there.

use serde::{Deserialize, Serialize};

/// The player on a chair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Chair {
    /// The setting that is tried.
    Candidate,
    /// The setting that it is compared with.
    Incumbent,
    /// A bot of the field, by its number.
    Other(usize),
}

/// A line-up of one variant in which candidates are tried, in all seatings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldTable {
    /// The index of the variant.
    pub variant: usize,
    /// The players: at least one candidate and one other.
    pub chairs: Vec<Chair>,
    /// Its weight among the tables of its variant.
    pub weight: f64,
}

/// The scores of a line-up in all seatings of one deal, by kind of chair.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableScores {
    /// The sum of the scores of candidates.
    pub candidates: i64,
    /// The sum of the scores of incumbents.
    pub incumbents: i64,
    /// The sum of the scores of others.
    pub others: i64,
}

impl FieldTable {
    fn count(&self, kind: impl Fn(&Chair) -> bool) -> i64 {
        self.chairs.iter().filter(|chair| kind(chair)).count() as i64
    }

    /// Returns the numbers of chairs of candidates, of incumbents and of others.
    fn counts(&self) -> [i64; 3] {
        [
            self.count(|chair| *chair == Chair::Candidate),
            self.count(|chair| *chair == Chair::Incumbent),
            self.count(|chair| matches!(chair, Chair::Other(_))),
        ]
    }

    /// Returns whether only candidate and incumbent sit at the table.
    ///
    /// The incumbent in the candidate's place is then neither ahead nor behind, and need not play.
    pub fn is_duel(&self) -> bool {
        self.counts()[2] == 0
    }

    /// Returns the number of different seatings with these kinds of bots.
    pub fn seatings(&self) -> i64 {
        orders(&self.chairs)
    }

    /// Returns the number of different seatings with the incumbent in the candidate's place.
    pub fn baseline_seatings(&self) -> i64 {
        let incumbent = |&chair: &Chair| if chair == Chair::Candidate { Chair::Incumbent } else { chair };
        orders(&self.chairs.iter().map(incumbent).collect::<Vec<_>>())
    }

    /// Returns the margin of the candidate over the incumbent, in points a deal.
    ///
    /// It is the lead of the candidate over the rest of its table, less the lead of the incumbent in its
    /// place. Both come from the scores of all seatings of a deal. The margin is exactly zero if both scored
    /// the same.
    pub fn margin(&self, own: &TableScores, baseline: &TableScores) -> f64 {
        let [candidates, incumbents, others] = self.counts();
        let rest = incumbents + others;
        let (seatings, baseline_seatings) = (self.seatings(), self.baseline_seatings());
        // All figures are in units of one over the product of these numbers, so that nothing is rounded
        // before the end.
        let own_unit = candidates * rest * seatings;
        let own = own.candidates * rest - (own.incumbents + own.others) * candidates;
        if self.is_duel() {
            return own as f64 / own_unit as f64;
        }
        // Any chair of the incumbent may stand for the candidate's, so the mean over them is taken.
        let both = candidates + incumbents;
        let unit = both * rest * baseline_seatings;
        let baseline = baseline.incumbents * rest - (baseline.incumbents * incumbents + baseline.others * both);
        (own * unit - baseline * own_unit) as f64 / (own_unit * unit) as f64
    }
}

/// Returns the games for each deal number when `candidates` candidates are compared.
pub fn games_a_number(tables: &[FieldTable], candidates: usize) -> u64 {
    let games = |table: &FieldTable| {
        let baseline = if table.is_duel() { 0 } else { table.baseline_seatings() };
        (table.seatings() * candidates as i64 + baseline) as u64
    };
    tables.iter().map(games).sum()
}

/// Returns the number of different orders of chairs.
fn orders(chairs: &[Chair]) -> i64 {
    let (mut orders, mut repeated) = (1, 1);
    for (number, chair) in (1..).zip(chairs) {
        orders *= number;
        repeated *= chairs[..number].iter().filter(|other| *other == chair).count();
    }
    (orders / repeated) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use Chair::{Candidate, Incumbent, Other};

    fn table(chairs: &[Chair]) -> FieldTable {
        FieldTable { variant: 0, chairs: chairs.to_vec(), weight: 1.0 }
    }

    #[test]
    fn every_different_seating_counts_once() {
        assert_eq!(table(&[Candidate, Incumbent, Incumbent]).seatings(), 3);
        assert_eq!(table(&[Candidate, Incumbent, Other(0)]).seatings(), 6);
        assert_eq!(table(&[Candidate, Incumbent, Other(0)]).baseline_seatings(), 3);
        assert_eq!(table(&[Candidate, Candidate, Other(0)]).baseline_seatings(), 3);
        assert_eq!(table(&[Candidate, Incumbent]).baseline_seatings(), 1);
    }

    #[test]
    fn a_margin_is_what_the_candidate_is_ahead_of_its_table_less_what_the_incumbent_would_be() {
        // A duel for three has 3 seatings. The candidate's chair has 5 points a deal, the others 2 each.
        let duel = TableScores { candidates: 15, incumbents: 12, others: 0 };
        assert_eq!(table(&[Candidate, Incumbent, Incumbent]).margin(&duel, &TableScores::default()), 3.0);
        // Against two of a kind: ahead by 5 - 2 = 3, the incumbent by 4 - 2.5 = 1.5.
        let own = TableScores { candidates: 15, incumbents: 0, others: 12 };
        let baseline = TableScores { candidates: 0, incumbents: 12, others: 15 };
        assert_eq!(table(&[Candidate, Other(0), Other(0)]).margin(&own, &baseline), 1.5);
    }

    #[test]
    fn the_same_scores_are_no_margin_at_all() {
        // Two equal bots and another have three seatings. With the candidate apart, each is counted twice.
        let mixed = table(&[Candidate, Incumbent, Other(0)]);
        let own = TableScores { candidates: 7, incumbents: 7, others: 22 };
        let baseline = TableScores { candidates: 0, incumbents: 7, others: 11 };
        assert_eq!(mixed.margin(&own, &baseline), 0.0);
    }
}
