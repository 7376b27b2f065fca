//! Line-ups and seatings.

use overtrick_cards::table::{BySeat, Role, Seat, Teams};
use overtrick_strategy::ids::{BotId, LineUpId, SeatingId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::schedule_error::ScheduleError;

/// The format of a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Format {
    /// Every line-up of distinct bots, in all seatings.
    #[default]
    RoundRobin,
    /// Two bots, in all seatings in which both sit.
    Duel,
    /// One candidate with every line-up of the others, in all seatings.
    Gauntlet,
    /// Each bot against copies of itself.
    Mirror,
}

impl Format {
    /// Returns the format's name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Format::RoundRobin => "round-robin",
            Format::Duel => "duel",
            Format::Gauntlet => "gauntlet",
            Format::Mirror => "mirror",
        }
    }
}

/// The most line-ups of a schedule. More would take gigabytes, and minutes to list.
pub(super) const MOST_LINE_UPS: usize = 1 << 22;

/// The bots of a line-up, each once, in ascending order.
pub type LineUp = Vec<BotId>;

/// All line-ups of a variant, and the seatings that each of them plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The number of players at the table.
    pub seats: usize,
    /// The teams at the table. All seats of a team have the same bot.
    pub teams: Teams,
    /// The line-ups.
    pub line_ups: Vec<LineUp>,
    /// By seating, then seat: the index of the member of the line-up that sits there.
    pub seatings: Vec<BySeat<u8>>,
    /// By seating, then dealer: the same seating rotated so that the dealer sits at seat 0. It gives the
    /// member in each role.
    rotated: Vec<BySeat<SeatingId>>,
    /// By line-up: the seatings that it plays. Empty if all line-ups play all seatings.
    listed: Vec<Vec<SeatingId>>,
    /// All seatings, for line-ups that play all of them.
    all: Vec<SeatingId>,
    /// The line-ups in which a bot sits twice, whose ids follow those of the others.
    ///
    /// They have other seatings, and no part in the sums of other line-ups.
    pub(super) copies: Option<Box<Schedule>>,
}

impl Schedule {
    /// Makes the schedule of `bots` bots in a game for these `teams`, or for this number of players.
    ///
    /// # Errors
    /// If there are too few or too many bots for the format.
    pub fn new(
        format: Format,
        bots: usize,
        candidate: Option<BotId>,
        teams: impl Into<Teams>,
    ) -> Result<Schedule, ScheduleError> {
        let teams = teams.into();
        let (seats, needed) = (teams.seats(), teams.count());
        // A substitute for bots that forfeit deals has the next id after the last bot.
        if bots > BotId::LAST.index() {
            return Err(ScheduleError::TooManyBots(bots));
        }
        let line_ups = match format {
            Format::RoundRobin => ways_to_choose(bots, needed),
            Format::Gauntlet => ways_to_choose(bots.saturating_sub(1), needed - 1),
            Format::Duel | Format::Mirror => 1,
        };
        if line_ups > MOST_LINE_UPS as u128 {
            return Err(ScheduleError::TooManyLineUps { bots, line_ups, most: MOST_LINE_UPS });
        }
        let everyone: Vec<BotId> = BotId::all(bots).collect();
        let line_ups = match format {
            Format::RoundRobin if bots < needed => return Err(ScheduleError::RoundRobin { seats, needed, bots }),
            Format::RoundRobin => choose(&everyone, needed),
            Format::Duel if bots != 2 => return Err(ScheduleError::Duel(bots)),
            Format::Duel => vec![everyone],
            Format::Gauntlet if bots < needed => return Err(ScheduleError::Gauntlet { seats, needed, bots }),
            Format::Gauntlet => {
                let candidate = candidate.ok_or(ScheduleError::NoCandidate)?;
                let others: Vec<BotId> = everyone.into_iter().filter(|&bot| bot != candidate).collect();
                let mut line_ups = choose(&others, needed - 1);
                for line_up in &mut line_ups {
                    line_up.push(candidate);
                    line_up.sort_unstable();
                }
                line_ups
            }
            Format::Mirror if bots == 0 => return Err(ScheduleError::NoBots),
            Format::Mirror => choose(&everyone, 1),
        };
        let members = line_ups[0].len();
        Ok(Schedule::of(teams, line_ups, seatings(members, teams), Vec::new()))
    }

    /// Makes a schedule of listed line-ups. Each names a bot for every chair by index, possibly several
    /// times.
    ///
    /// Where partners play, a line-up may name a bot for each side instead. Every line-up is played in every
    /// different seating.
    ///
    /// # Errors
    /// If the list is empty, if a line-up does not have a bot for every chair, or if it has different bots
    /// for partners.
    pub fn listed(chairs: &[Vec<u16>], teams: impl Into<Teams>) -> Result<Schedule, ScheduleError> {
        let teams = teams.into();
        let seats = teams.seats();
        if chairs.is_empty() {
            return Err(ScheduleError::NoLineUp);
        }
        let (mut line_ups, mut seated, mut listed) = (Vec::new(), Vec::new(), Vec::new());
        for (number, bots) in (1..).zip(chairs) {
            if bots.len() != seats && bots.len() != teams.count() {
                return Err(ScheduleError::Chairs { line_up: number, bots: bots.len(), seats });
            }
            let (sides, partners) = bots.split_at(teams.count());
            if partners.chunks(teams.count()).any(|partners| partners != sides) {
                return Err(ScheduleError::Partners(number));
            }
            let bots: LineUp = sides.iter().map(|&bot| BotId::new(usize::from(bot))).collect();
            let mut members = bots.clone();
            members.sort_unstable();
            members.dedup();
            let chairs_by_member: Vec<usize> = members.iter().map(|member| count(member, &bots)).collect();
            let mut played = Vec::new();
            for seating in seatings(members.len(), teams) {
                let of_teams = seating.of(teams.count());
                let is_played =
                    (0..).zip(&chairs_by_member).all(|(member, &chairs)| count(&member, of_teams) == chairs);
                if is_played {
                    played.push(id_of(seating, &mut seated));
                }
            }
            line_ups.push(members);
            listed.push(played);
        }
        Ok(Schedule::of(teams, line_ups, seated, listed))
    }

    fn of(teams: Teams, line_ups: Vec<LineUp>, seatings: Vec<BySeat<u8>>, listed: Vec<Vec<SeatingId>>) -> Schedule {
        let seats = teams.seats();
        let rotated = seatings.iter().map(|seating| rotations(seating, &seatings, seats)).collect();
        let all = SeatingId::all(seatings.len()).collect();
        Schedule { seats, teams, line_ups, seatings, rotated, listed, all, copies: None }
    }

    /// Removes the line-ups of a bot. Returns false and changes nothing if no line-up would be left.
    pub(super) fn drop_bot(&mut self, bot: BotId) -> bool {
        let is_left: Vec<bool> = self.line_ups.iter().map(|line_up| !line_up.contains(&bot)).collect();
        if !is_left.contains(&true) {
            return false;
        }
        let (mut line_ups, mut listed) = (is_left.iter(), is_left.iter());
        self.line_ups.retain(|_| line_ups.next() == Some(&true));
        self.listed.retain(|_| listed.next() == Some(&true));
        if self.copies.as_mut().is_some_and(|copies| !copies.drop_bot(bot)) {
            self.copies = None;
        }
        true
    }

    /// Returns the seatings that a line-up plays.
    #[inline]
    pub fn played(&self, line_up: LineUpId) -> &[SeatingId] {
        let (part, line_up) = self.part(line_up);
        part.listed.get(line_up.index()).unwrap_or(&part.all)
    }

    /// Returns the schedule that has a line-up, which may be that of copies, and its id there.
    #[inline(always)]
    fn part(&self, line_up: LineUpId) -> (&Schedule, LineUpId) {
        match &self.copies {
            Some(copies) if line_up.index() >= self.line_ups.len() => {
                (copies, LineUpId::new(line_up.index() - self.line_ups.len()))
            }
            _ => (self, line_up),
        }
    }

    /// Returns the number of bots in a line-up.
    pub fn members(&self) -> usize {
        self.line_ups[0].len()
    }

    /// Returns the number of games played for each deal or match number, without line-ups of copies.
    pub fn games_a_number(&self) -> usize {
        if self.listed.is_empty() { self.cells() } else { self.listed.iter().map(Vec::len).sum() }
    }

    /// Returns the games played for each deal or match number, in order, those of copies last.
    pub fn games(&self) -> impl Iterator<Item = (LineUpId, SeatingId)> {
        LineUpId::all(self.line_ups_with_copies())
            .flat_map(|line_up| self.played(line_up).iter().map(move |&seating| (line_up, seating)))
    }

    /// Returns the number of pairs of a line-up and a seating, played or not.
    pub fn cells(&self) -> usize {
        self.line_ups.len() * self.seatings.len()
    }

    /// Returns the ids of all line-ups but those of copies, in order.
    pub fn line_up_ids(&self) -> impl Iterator<Item = LineUpId> + use<> {
        LineUpId::all(self.line_ups.len())
    }

    /// Returns the ids of all seatings, in order.
    pub fn seating_ids(&self) -> impl Iterator<Item = SeatingId> + use<> {
        SeatingId::all(self.seatings.len())
    }

    /// Returns all pairs of a line-up and a seating, played or not, ordered by line-up.
    pub fn cell_ids(&self) -> impl Iterator<Item = (LineUpId, SeatingId)> {
        self.line_up_ids().flat_map(|line_up| self.seating_ids().map(move |seating| (line_up, seating)))
    }

    /// Returns, by seat, the bots of a line-up in a seating.
    #[inline(always)]
    pub fn bots(&self, line_up: LineUpId, seating: SeatingId) -> BySeat<BotId> {
        let (part, line_up) = self.part(line_up);
        let members = &part.line_ups[line_up.index()];
        part.seatings[seating.index()].map(|member| members[usize::from(member)])
    }

    /// Returns the bot that has a role, for a seating by roles.
    #[inline]
    pub fn bot_by_role(&self, line_up: LineUpId, seating: SeatingId, role: Role) -> BotId {
        self.bots(line_up, seating).of(self.seats)[role.index()]
    }

    /// Returns the seating by roles: the members at the dealer's seat, to its left, and so on, at seats 0,
    /// 1...
    #[inline]
    pub fn by_role(&self, seating: SeatingId, dealer: Seat) -> SeatingId {
        self.rotated[seating.index()][dealer]
    }
}

/// Returns a line-up of one player against copies of another, with a player for each of these teams.
pub fn one_against<T: Clone>(one: T, other: T, teams: Teams) -> Vec<T> {
    let mut players = vec![other; teams.count()];
    players[0] = one;
    players
}

/// Returns the number of ways to choose `size` of `items` items.
fn ways_to_choose(items: usize, size: usize) -> u128 {
    (0..size as u128).fold(1, |ways, chosen| ways * (items as u128).saturating_sub(chosen) / (chosen + 1))
}

/// Returns all ways to choose `size` of `items`, in lexical order.
fn choose(items: &[BotId], size: usize) -> Vec<LineUp> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let with_first = |(i, &first): (usize, &BotId)| {
        let mut rest = choose(&items[i + 1..], size - 1);
        rest.iter_mut().for_each(|choice| choice.insert(0, first));
        rest
    };
    items.iter().enumerate().flat_map(with_first).collect()
}

/// Returns the number of times that an item is in a list.
fn count<T: PartialEq>(item: &T, list: &[T]) -> usize {
    list.iter().filter(|other| *other == item).count()
}

/// Returns the id of a seating, and adds it to `seatings` if it is new.
fn id_of(seating: BySeat<u8>, seatings: &mut Vec<BySeat<u8>>) -> SeatingId {
    let known = seatings.iter().position(|other| *other == seating);
    SeatingId::new(known.unwrap_or_else(|| {
        seatings.push(seating);
        seatings.len() - 1
    }))
}

/// Returns all seatings of `members` members in which each of them has a seat, and partners are the same.
///
/// Four players who play for themselves sit in all 24 orders. An order around the table with its four
/// rotations balances the places. Three of the six orders would also balance the left neighbours if the
/// twelve ordered pairs of four bots could be split into three circles. They cannot (Tillson 1980, *J.
/// Combin. Theory B* 29), so it takes all six.
fn seatings(members: usize, teams: Teams) -> Vec<BySeat<u8>> {
    let mut all = vec![BySeat::default()];
    for seat in Seat::all(teams.count()) {
        let next = |seating: BySeat<u8>| {
            (0..).take(members).map(move |member| {
                let mut seating = seating;
                seating[seat] = member;
                seating
            })
        };
        all = all.into_iter().flat_map(next).collect();
    }
    all.retain(|seating| (0..).take(members).all(|member| seating.of(teams.count()).contains(&member)));
    all.into_iter().map(|seating| teams.spread(seating)).collect()
}

fn rotations(seating: &BySeat<u8>, seatings: &[BySeat<u8>], seats: usize) -> BySeat<SeatingId> {
    let mut rotated = BySeat::default();
    for dealer in Seat::all(seats) {
        let mut roles = BySeat::default();
        for seat in Seat::all(seats) {
            roles[seat] = seating[dealer.left(seat.index(), seats)];
        }
        let number = seatings.iter().position(|other| *other == roles);
        rotated[dealer] = number.map(SeatingId::new).expect("all seatings are closed under rotation");
    }
    rotated
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(format: Format, bots: usize, teams: impl Into<Teams>) -> Schedule {
        Schedule::new(format, bots, Some(BotId::new(1)), teams).unwrap()
    }

    fn line_ups(schedule: &Schedule) -> Vec<Vec<usize>> {
        schedule.line_ups.iter().map(|bots| bots.iter().map(|bot| bot.index()).collect()).collect()
    }

    fn texts(schedule: &Schedule) -> Vec<String> {
        let letter = |&member: &u8| char::from(b'A' + member);
        let text = |seating: &BySeat<u8>| seating.of(schedule.seats).iter().map(letter).collect();
        schedule.seatings.iter().map(text).collect()
    }

    #[test]
    fn a_round_robin_plays_every_line_up_in_all_seatings() {
        let three = schedule(Format::RoundRobin, 4, 3);
        assert_eq!(line_ups(&three), [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]);
        assert_eq!(texts(&three), ["ABC", "ACB", "BAC", "BCA", "CAB", "CBA"]);
        let two = schedule(Format::RoundRobin, 3, 2);
        assert_eq!(line_ups(&two), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(texts(&two), ["AB", "BA"]);
    }

    #[test]
    fn a_duel_plays_all_mixed_seatings() {
        let duel = schedule(Format::Duel, 2, 3);
        assert_eq!(texts(&duel), ["AAB", "ABA", "ABB", "BAA", "BAB", "BBA"]);
        assert_eq!(texts(&schedule(Format::Duel, 2, 2)), ["AB", "BA"]);
    }

    #[test]
    fn four_alone_sit_in_every_order() {
        let four = schedule(Format::RoundRobin, 5, 4);
        assert_eq!((four.line_ups.len(), four.seatings.len()), (5, 24));
        // By member: the times that it has each role, and that each other member sits at its left.
        let (mut places, mut left) = ([[0; 4]; 4], [[0; 4]; 4]);
        for seating in &four.seatings {
            let members: [u8; 4] = seating.into_array();
            for (place, &member) in members.iter().enumerate() {
                places[usize::from(member)][place] += 1;
                left[usize::from(member)][usize::from(members[(place + 1) % 4])] += 1;
            }
        }
        assert_eq!(places, [[6; 4]; 4]);
        for (member, left) in left.iter().enumerate() {
            for (other, &times) in left.iter().enumerate() {
                assert_eq!(times, if other == member { 0 } else { 8 }, "{other} left of {member}");
            }
        }
        assert_eq!(schedule(Format::Duel, 2, 4).seatings.len(), 14);
        assert_eq!(texts(&schedule(Format::Mirror, 1, 4)), ["AAAA"]);
        // Turned by the dealer's seat, a seating is another of the same line-up.
        let listed = Schedule::listed(&[vec![3, 3, 1, 2], vec![0, 0, 0, 1], vec![0, 0, 1, 1]], 4).unwrap();
        for line_up in listed.line_up_ids() {
            let played = listed.played(line_up);
            for seating in played {
                assert!(Seat::all(4).all(|dealer| played.contains(&listed.by_role(*seating, dealer))));
            }
        }
        assert_eq!(listed.line_up_ids().map(|line_up| listed.played(line_up).len()).collect::<Vec<_>>(), [12, 4, 6]);
    }

    #[test]
    fn partners_are_seated_opposite_each_other() {
        for format in [Format::Duel, Format::RoundRobin] {
            assert_eq!(texts(&schedule(format, 2, Teams::PARTNERS)), ["ABAB", "BABA"]);
        }
        let three = schedule(Format::RoundRobin, 3, Teams::PARTNERS);
        assert_eq!(line_ups(&three), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(line_ups(&schedule(Format::Gauntlet, 3, Teams::PARTNERS)), [[0, 1], [1, 2]]);
        assert_eq!(texts(&schedule(Format::Mirror, 3, Teams::PARTNERS)), ["AAAA"]);
        let [one, other] = [0, 1].map(SeatingId::new);
        assert_eq!(Seat::ALL.map(|dealer| three.by_role(one, dealer)), [one, other, one, other]);
        let listed = |chairs: &[Vec<u16>]| Schedule::listed(chairs, Teams::PARTNERS);
        let schedule = listed(&[vec![5, 2], vec![2, 5, 2, 5], vec![7, 7]]).unwrap();
        assert_eq!(line_ups(&schedule), [vec![2, 5], vec![2, 5], vec![7]]);
        assert_eq!(texts(&schedule), ["ABAB", "BABA", "AAAA"]);
        assert_eq!(schedule.games_a_number(), 5);
        let refused = |chairs: &[Vec<u16>]| listed(chairs).unwrap_err().to_string();
        assert_eq!(
            refused(&[vec![1, 2], vec![1, 2, 1, 3]]),
            "line-up 2 names different bots for partners; name one bot for each side"
        );
        assert!(refused(&[vec![1, 2, 1]]).contains("names 3 bots, and the game has 4 chairs"));
        let few = Schedule::new(Format::RoundRobin, 1, None, Teams::PARTNERS).unwrap_err().to_string();
        assert!(few.contains("a game for 4 needs at least 2 bots, and there is 1"), "{few}");
    }

    #[test]
    fn a_gauntlet_puts_the_candidate_into_every_line_up() {
        let gauntlet = schedule(Format::Gauntlet, 4, 3);
        assert_eq!(line_ups(&gauntlet), [[0, 1, 2], [0, 1, 3], [1, 2, 3]]);
    }

    #[test]
    fn a_mirror_seats_each_bot_with_itself() {
        let mirror = schedule(Format::Mirror, 2, 3);
        assert_eq!(line_ups(&mirror), [[0], [1]]);
        assert_eq!(texts(&mirror), ["AAA"]);
    }

    #[test]
    fn line_ups_that_are_listed_play_every_different_seating() {
        let schedule = Schedule::listed(&[vec![7, 2, 7], vec![1, 2, 3], vec![4, 4, 4]], 3).unwrap();
        assert_eq!(line_ups(&schedule), [vec![2, 7], vec![1, 2, 3], vec![4]]);
        let texts = texts(&schedule);
        let text = |&seating: &SeatingId| texts[seating.index()].as_str();
        let played: Vec<Vec<_>> =
            schedule.line_up_ids().map(|line_up| schedule.played(line_up).iter().map(text).collect()).collect();
        assert_eq!(played[0], ["ABB", "BAB", "BBA"]);
        assert_eq!(played[1], ["ABC", "ACB", "BAC", "BCA", "CAB", "CBA"]);
        assert_eq!(played[2], ["AAA"]);
        assert_eq!((schedule.games_a_number(), schedule.cells()), (10, 30));
        let refused = |chairs: &[Vec<u16>]| Schedule::listed(chairs, 3).unwrap_err().to_string();
        assert_eq!(refused(&[]), "there is no line-up");
        assert!(refused(&[vec![1, 2, 3], vec![1, 2]]).starts_with("line-up 2 names 2 bots, and the game has 3 chairs"));
    }

    #[test]
    fn roles_are_counted_from_the_dealer() {
        let three = schedule(Format::RoundRobin, 3, 3);
        // Seating ABC with the dealer at seat 1: B deals, then C, then A.
        let [first, fourth, fifth] = [0, 3, 4].map(SeatingId::new);
        assert_eq!(three.by_role(first, Seat::Seat1), fourth);
        assert_eq!(texts(&three)[fourth.index()], "BCA");
        assert_eq!(three.by_role(fifth, Seat::Seat0), fifth);
        let bots = three.bots(LineUpId::default(), fourth);
        assert_eq!(bots.map(BotId::index), BySeat::new([1, 2, 0]));
        assert_eq!(
            Role::all(3).map(|role| three.bot_by_role(LineUpId::default(), fourth, role)).collect::<Vec<_>>(),
            bots.of(3)
        );
    }

    #[test]
    fn too_few_or_too_many_bots_are_refused_with_a_remedy() {
        let refused = |format, bots, seats| Schedule::new(format, bots, None, seats).unwrap_err().to_string();
        assert!(refused(Format::RoundRobin, 2, 3).contains("needs at least 3 bots, and there are 2"));
        assert!(refused(Format::Duel, 3, 3).contains("exactly two"));
        assert!(refused(Format::Duel, 1, 3).contains("there is 1"));
        assert!(refused(Format::Gauntlet, 2, 3).contains("at least 2 others"));
        assert!(refused(Format::Gauntlet, 3, 3).contains("needs `candidate`"));
        assert!(refused(Format::Mirror, 0, 3).contains("needs bots"));
        let crowd = refused(Format::RoundRobin, 1_000, 3);
        assert!(crowd.starts_with("1000 bots make 166167000 line-ups, and at most 4194304 can be counted"), "{crowd}");
        assert!(refused(Format::Gauntlet, 10_000, 3).contains("49985001 line-ups"));
        assert!(refused(Format::Mirror, 65_536, 3).contains("65536 bots are too many; enter at most 65535"));
        assert_eq!(Schedule::new(Format::Mirror, 65_535, None, 3).unwrap().line_ups.len(), 65_535);
    }
}
