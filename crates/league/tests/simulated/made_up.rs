//! Made-up bots: most blocks are ties, and luck is shared by the line-ups of a deal.
//!
//! In a block (a deal in all seatings of a line-up) a bot does nothing special, with points of 0, or it gains or
//! loses a few points. A part of these events belongs to the deal: the bot has it in all line-ups that
//! play the deal. The others belong to one line-up. A skill is the share of gains less that of losses.

use overtrick_cards::{SeedSource, Stream};
use overtrick_league::{GroupPlan, League, LeagueQuestion, LeagueSettings, LineUpShape, RoundPoints};

/// The table of three: six games a block.
pub const TABLE: LineUpShape = LineUpShape { size: 3, seats: 3, games: 6 };

/// The table of two: two games a block.
pub const TABLE_OF_TWO: LineUpShape = LineUpShape { size: 2, seats: 2, games: 2 };

/// The probability of an event with which two bots of a block are tied in 90 of 100 blocks.
pub const MOSTLY_TIES: f64 = 0.051_316_7;

/// Made-up bots.
pub struct MadeUp {
    pub shape: LineUpShape,
    /// By bot, the share of gains less the share of losses among its events.
    pub skills: Vec<f64>,
    /// How much the skill of a bot depends on its opponents, in a cycle.
    pub cycle: f64,
    /// Whether the bots are settings of one parameter, so that an event is the same for all settings on one side
    /// of a random threshold, and is none for the others.
    pub is_grid: bool,
    /// The probability of an event in a block.
    pub chance: f64,
    /// The part of events that belong to the deal.
    pub shared: f64,
    pub seed: u64,
}

/// Draws a number from 0 to below 1.
pub fn uniform(stream: &mut Stream) -> f64 {
    (stream.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Draws from the standard normal distribution.
pub fn normal(stream: &mut Stream) -> f64 {
    let (radius, angle) = (1.0 - uniform(stream), uniform(stream));
    (-2.0 * libm::log(radius)).sqrt() * libm::cos(std::f64::consts::TAU * angle)
}

/// The decay of the sizes of events: sizes from 1, with a mean of `1 / (1 - DECAY)`.
const DECAY: f64 = 0.7;

/// Returns the points of an event of a bot of this skill: a geometric number with a sign.
fn event(stream: &mut Stream, skill: f64) -> i64 {
    let is_gain = uniform(stream) < f64::midpoint(1.0, skill);
    let size = 1 + (libm::log(1.0 - uniform(stream)) / libm::log(DECAY)).floor() as i64;
    if is_gain { size } else { -size }
}

/// Returns the skill of acting at a threshold: a gain below a third, and a loss above it.
fn gain_at(threshold: f64) -> f64 {
    0.9 * (1.0 - 3.0 * threshold).max(-1.0)
}

/// Returns the skill of a setting: its gains and losses over all thresholds up to it.
fn gain_up_to(setting: f64) -> f64 {
    let bent = setting.min(2.0 / 3.0);
    0.9 * (bent - 1.5 * bent * bent) - 0.9 * (setting - bent)
}

impl MadeUp {
    /// Returns bots whose skills are spread like normal numbers, each moved a little within its rank.
    ///
    /// They stand in order of skill, the best first.
    pub fn ladder(bots: usize, seed: u64) -> MadeUp {
        let mut stream = SeedSource::new(seed, "league", "test ladder").stream(0, 0);
        let mut skills: Vec<f64> = (0..bots)
            .map(|rank| {
                let place = (rank as f64 + 0.2 + 0.6 * uniform(&mut stream)) / bots as f64;
                0.45 * upper_quantile(place)
            })
            .collect();
        skills.sort_by(|one, other| other.total_cmp(one));
        for skill in &mut skills {
            *skill = skill.clamp(-0.98, 0.98);
        }
        MadeUp { shape: TABLE, skills, cycle: 0.0, is_grid: false, chance: MOSTLY_TIES, shared: 0.5, seed }
    }

    /// Returns bots that are settings of one parameter, evenly from 0 to 1. The best is a third of the way.
    pub fn grid(bots: usize, seed: u64) -> MadeUp {
        let skills = (0..bots).map(|bot| gain_up_to((bot as f64 + 0.5) / bots as f64)).collect();
        MadeUp { is_grid: true, skills, ..MadeUp::ladder(bots, seed) }
    }

    /// Returns the points of an event of a bot in a line-up.
    fn event(&self, stream: &mut Stream, bot: usize, line_up: &[usize]) -> i64 {
        if !self.is_grid {
            return event(stream, self.skill(bot, line_up));
        }
        let threshold = uniform(stream);
        let points = event(stream, gain_at(threshold));
        if (bot as f64 + 0.5) / self.skills.len() as f64 > threshold { points } else { 0 }
    }

    /// Returns the settings of a league of these bots.
    pub fn settings(&self, question: LeagueQuestion) -> LeagueSettings {
        LeagueSettings::new(self.skills.len(), self.shape, question, self.seed)
    }

    /// Returns the skill of a bot in a line-up.
    fn skill(&self, bot: usize, line_up: &[usize]) -> f64 {
        if self.cycle == 0.0 {
            return self.skills[bot];
        }
        let turn = std::f64::consts::TAU / self.skills.len() as f64;
        // By how much a bot meets opponents before it in the cycle; itself adds 0.
        let edge: f64 = line_up.iter().map(|&other| libm::sin(turn * (bot as f64 - other as f64))).sum();
        self.skills[bot] + self.cycle * edge
    }

    /// Plays a group: the points of each bot of each line-up.
    pub fn play(&self, group: &GroupPlan) -> Vec<Vec<i64>> {
        let of_deals = SeedSource::new(self.seed, "league", "test deals");
        let mut own = SeedSource::new(self.seed, "league", "test blocks").stream(group.number, 0);
        let mut points: Vec<Vec<i64>> = group.line_ups.iter().map(|line_up| vec![0; line_up.len()]).collect();
        let bots = self.skills.len() as u64;
        for (line_up, points) in group.line_ups.iter().zip(&mut points) {
            for deal in group.deals.clone() {
                let mut of_block = own.clone();
                for (&bot, points) in line_up.iter().zip(points.iter_mut()) {
                    // Settings of one parameter have the same luck, where they play alike.
                    let mut of_deal = of_deals.stream(deal * bots + if self.is_grid { 0 } else { bot as u64 }, 0);
                    if self.is_grid {
                        of_block = own.clone();
                    }
                    if uniform(&mut of_deal) < self.chance * self.shared {
                        *points += self.event(&mut of_deal, bot, line_up);
                    }
                    if uniform(&mut of_block) < self.chance * (1.0 - self.shared) {
                        *points += self.event(&mut of_block, bot, line_up);
                    }
                }
                own = of_block;
            }
        }
        points
    }

    /// Plays a round.
    pub fn play_round(&self, league: &mut League) -> bool {
        let Some(plan) = league.plan() else { return false };
        let mut points = RoundPoints::new(&plan);
        for (index, group) in plan.groups.iter().enumerate() {
            points.set(index, self.play(group));
        }
        league.add(&points).unwrap();
        true
    }

    /// Plays a league to its end.
    pub fn play_league(&self, settings: LeagueSettings) -> League {
        let mut league = League::new(settings).unwrap();
        while self.play_round(&mut league) {}
        league
    }

    /// Returns the value of each bot in points a game: its mean over all line-ups.
    pub fn values(&self) -> Vec<f64> {
        let bots = self.skills.len();
        let (mut sums, mut counts) = (vec![0.0; bots], vec![0.0; bots]);
        for line_up in line_ups(bots, self.shape.size) {
            let means: Vec<f64> = line_up.iter().map(|&bot| self.mean_event() * self.skill(bot, &line_up)).collect();
            let total: f64 = means.iter().sum();
            for (&bot, mean) in line_up.iter().zip(&means) {
                sums[bot] += mean - (total - mean) / (self.shape.size - 1) as f64;
                counts[bot] += 1.0;
            }
        }
        sums.iter().zip(&counts).map(|(sum, count)| sum / count / self.shape.seats_a_bot()).collect()
    }

    /// Returns the mean points of a bot that only gains, in a block.
    fn mean_event(&self) -> f64 {
        self.chance / (1.0 - DECAY)
    }

    /// Returns the number of line-ups of the smallest round-robin that has two bots in the right order with 95%.
    ///
    /// It plays whole deals. `one` is the better bot. Without a cycle, the variance of their difference is exact.
    pub fn round_robin(&self, one: usize, other: usize) -> f64 {
        let values = self.values();
        let gap = (values[one] - values[other]) * self.shape.seats_a_bot();
        let deals = (1.644_854 / gap).powi(2) * self.round_robin_variance(one, other);
        deals.ceil() * line_ups(self.skills.len(), self.shape.size).len() as f64
    }

    /// Returns the variance of the difference of two bots over a deal of the round-robin, in points a block.
    pub fn round_robin_variance(&self, one: usize, other: usize) -> f64 {
        let (bots, size) = (self.skills.len() as f64, self.shape.size as f64);
        let square = (1.0 + DECAY) / (1.0 - DECAY).powi(2);
        let variance = |bot: usize, chance: f64| chance * square - (chance / (1.0 - DECAY) * self.skills[bot]).powi(2);
        let both = |part: f64| variance(one, self.chance * part) + variance(other, self.chance * part);
        let of_deals = both(self.shared) * (bots / (bots - 1.0)).powi(2);
        // Line-ups of a bot, and of two bots together. Opponents have other skills and nearly the same variance.
        let (alone, together) = of_two(self.skills.len(), self.shape.size);
        let own = both(1.0 - self.shared);
        let ahead = size / (size - 1.0);
        let of_blocks = own * ((alone - together) * ahead + together * ahead.powi(2)) / alone.powi(2);
        of_deals + of_blocks
    }
}

/// Returns the number of line-ups with one bot, and of those with two.
fn of_two(bots: usize, size: usize) -> (f64, f64) {
    let all = line_ups(bots, size);
    let with = |members: &[usize]| all.iter().filter(|line_up| members.iter().all(|bot| line_up.contains(bot))).count();
    (with(&[0]) as f64, with(&[0, 1]) as f64)
}

/// Returns all line-ups of `size` of the bots.
pub fn line_ups(bots: usize, size: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..size {
        let mut longer = Vec::new();
        for line_up in &all {
            for bot in line_up.last().map_or(0, |last| last + 1)..bots {
                longer.push([&line_up[..], &[bot]].concat());
            }
        }
        all = longer;
    }
    all
}

/// Returns the normal quantile that is exceeded with this probability (Abramowitz & Stegun 26.2.23).
fn upper_quantile(probability: f64) -> f64 {
    if probability > 0.5 {
        return -upper_quantile(1.0 - probability);
    }
    let t = (-2.0 * libm::log(probability)).sqrt();
    t - (2.515_517 + 0.802_853 * t + 0.010_328 * t * t)
        / (1.0 + 1.432_788 * t + 0.189_269 * t * t + 0.001_308 * t * t * t)
}

#[test]
fn values_and_variances_are_those_that_are_played() {
    let plain = MadeUp { chance: 0.5, ..MadeUp::ladder(6, 3) };
    let variance = played_variance(&plain);
    let expected = plain.round_robin_variance(0, 1);
    assert!((variance / expected - 1.0).abs() < 0.08, "{variance} {expected}");
    played_variance(&MadeUp { cycle: 0.1, ..plain });
}

/// Plays round-robins, compares values with means, and returns the variance of two bots.
fn played_variance(made_up: &MadeUp) -> f64 {
    let all = line_ups(6, 3);
    let deals = 10_000;
    let (mut margins, mut squares) = (vec![0.0; 6], 0.0);
    for number in 0..deals {
        let league = League::new(LeagueSettings { group_deals: 1, ..made_up.settings(LeagueQuestion::Best) }).unwrap();
        let mut group = league.plan().unwrap().groups[0].clone();
        (group.number, group.deals, group.line_ups) = (number, number..number + 1, all.clone());
        let mut of_deal = [0.0; 6];
        for (line_up, points) in all.iter().zip(made_up.play(&group)) {
            let total: i64 = points.iter().sum();
            for (&bot, points) in line_up.iter().zip(points) {
                of_deal[bot] += points as f64 - (total - points) as f64 / 2.0;
            }
        }
        for (margin, of_deal) in margins.iter_mut().zip(of_deal) {
            *margin += of_deal / 10.0;
        }
        squares += ((of_deal[0] - of_deal[1]) / 10.0).powi(2);
    }
    let deals = deals as f64;
    for (margin, value) in margins.iter().zip(made_up.values()) {
        assert!((margin / deals - value * 6.0).abs() < 0.12, "{margins:?} {:?}", made_up.values());
    }
    squares / deals - ((margins[0] - margins[1]) / deals).powi(2)
}
