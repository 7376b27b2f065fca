//! The options of the Chameleon family.

use overtrick_game::{FieldError, FirstDealer, Options};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How misère ouverte and ten tricks compare as bids (CH9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum MoVsSlam {
    /// Misère ouverte is the highest bid.
    MoHigher,
    /// Neither overcalls the other.
    Equal,
    /// Ten tricks are the highest bid.
    SlamHigher,
}

/// When the declarer's hand is laid face up in a misère ouverte (CH22).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OuverteExposed {
    /// Before the first lead.
    BeforeLead,
    /// After the first trick.
    AfterFirstTrick,
}

/// When Dummy is turned up (DC6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DummyExposed {
    /// After the final contract, before the lead.
    AfterContract,
    /// Before the declarer takes the talon.
    BeforeTalon,
}

/// The rules of Chameleon and Dummy Chameleon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct ChameleonRules {
    /// The number of players: 3, or 2 with Dummy (CH1, DC1).
    pub players: u8,
    /// Who deals first: "seat-0", "seat-1", "seat-2" (three players) or "random" (CH3).
    pub first_dealer: FirstDealer,
    /// The number of deals in a match, 1 to 65535, a multiple of the number of players (CH4).
    pub n_deals: u32,
    /// Whether a deal that is thrown in counts towards the number of deals; if not, the deal passes on all the same, so
    /// that some may deal more often than others (CH29).
    pub passed_deal_counts: bool,
    /// Whether the last deal is played even if all pass; where single deals are simulated, every deal is then a last
    /// one (CH30, DC20, DC26).
    pub last_deal_variant: bool,
    /// How misere ouverte and ten tricks compare as bids: "mo-higher", "equal" (neither overcalls the other) or
    /// "slam-higher" (CH9).
    pub mo_vs_slam: MoVsSlam,
    /// When the declarer's hand is laid face up in a misere ouverte: "before-lead" or "after-first-trick" (CH22).
    pub ouverte_exposed: OuverteExposed,
    /// When Dummy is turned up: "after-contract" or "before-talon"; only with two players (DC6).
    pub dummy_exposed: DummyExposed,
    /// The points that contracts of 6, 7, 8, 9 and 10 tricks win the declarer, or cost them on failure, 0 to 10000 each
    /// (CH23).
    pub level_scores: [i32; 5],
    /// The points that each trick of an opponent scores that opponent against contracts of 6, 7, 8, 9 and 10 tricks, 0
    /// to 1000 each (CH24, CH26).
    pub opponent_trick_scores: [i32; 5],
    /// Whether the opponents score for their tricks also when the declarer fails (CH25).
    pub opponents_score_on_failure: bool,
    /// The points that misere wins or costs, 0 to 10000 (CH27).
    pub misere_score: i32,
    /// The points that misere ouverte wins or costs, 0 to 10000 (CH27).
    pub ouverte_score: i32,
    /// The points that conceding six in dummy costs, 0 to 10000; only with two players (DC14).
    pub concession: i32,
    /// The points for each trick above par in a last deal that all have passed, 0 to 1000 (CH31, DC25).
    pub last_deal_points: i32,
    /// The dealer's par in such a deal of three players, in tricks, 0 to 10 (CH31).
    pub last_deal_dealer_par: u8,
    /// The par of each of the others there, in tricks, 0 to 10 (CH31).
    pub last_deal_opponent_par: u8,
    /// The par of each player in such a deal of two, in tricks, 0 to 10 (DC25).
    pub last_deal_two_par: u8,
}

impl Default for ChameleonRules {
    fn default() -> ChameleonRules {
        ChameleonRules {
            players: 3,
            first_dealer: FirstDealer::Seat0,
            n_deals: 6,
            passed_deal_counts: true,
            last_deal_variant: false,
            mo_vs_slam: MoVsSlam::MoHigher,
            ouverte_exposed: OuverteExposed::BeforeLead,
            dummy_exposed: DummyExposed::AfterContract,
            level_scores: [36, 49, 64, 81, 100],
            opponent_trick_scores: [4, 3, 2, 1, 0],
            opponents_score_on_failure: true,
            misere_score: 50,
            ouverte_score: 100,
            concession: 36,
            last_deal_points: 5,
            last_deal_dealer_par: 4,
            last_deal_opponent_par: 3,
            last_deal_two_par: 5,
        }
    }
}

impl ChameleonRules {
    /// Returns the number of players.
    pub fn seats(&self) -> usize {
        usize::from(self.players)
    }

    /// Returns whether this is the game for two, with Dummy.
    pub fn with_dummy(&self) -> bool {
        self.players == 2
    }
}

impl Options for ChameleonRules {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("players", self.players, 2..=3)?;
        FieldError::check("n-deals", self.n_deals, 1..=65_535)?;
        for (key, scores, most) in
            [("level-scores", &self.level_scores, 10_000), ("opponent-trick-scores", &self.opponent_trick_scores, 1000)]
        {
            for &score in scores {
                FieldError::check(key, score, 0..=most)?;
            }
        }
        FieldError::check("misere-score", self.misere_score, 0..=10_000)?;
        FieldError::check("ouverte-score", self.ouverte_score, 0..=10_000)?;
        FieldError::check("concession", self.concession, 0..=10_000)?;
        FieldError::check("last-deal-points", self.last_deal_points, 0..=1000)?;
        FieldError::check("last-deal-dealer-par", self.last_deal_dealer_par, 0..=10)?;
        FieldError::check("last-deal-opponent-par", self.last_deal_opponent_par, 0..=10)?;
        FieldError::check("last-deal-two-par", self.last_deal_two_par, 0..=10)?;
        if !self.n_deals.is_multiple_of(u32::from(self.players)) {
            let problem = format!(
                "is {}; all deal equally often, so it is a multiple of the {} players (CH4)",
                self.n_deals, self.players
            );
            return Err(FieldError { key: "n-deals", problem });
        }
        let usual = ChameleonRules::default();
        let (two, last) = (self.with_dummy(), self.last_deal_variant);
        let needs = FieldError::needs;
        needs("dummy-exposed", self.dummy_exposed != usual.dummy_exposed, two, "`players = 2` (DC6)")?;
        needs("concession", self.concession != usual.concession, two, "`players = 2` (DC14)")?;
        let points = self.last_deal_points != usual.last_deal_points;
        needs("last-deal-points", points, last, "`last-deal-variant = true` (CH30, DC26)")?;
        let (with_three, with_two) = (last && !two, last && two);
        let three_players = "`last-deal-variant = true` and three players (CH31)";
        let two_players = "`last-deal-variant = true` and `players = 2` (DC25)";
        let dealer_par = self.last_deal_dealer_par != usual.last_deal_dealer_par;
        needs("last-deal-dealer-par", dealer_par, with_three, three_players)?;
        let opponent_par = self.last_deal_opponent_par != usual.last_deal_opponent_par;
        needs("last-deal-opponent-par", opponent_par, with_three, three_players)?;
        needs("last-deal-two-par", self.last_deal_two_par != usual.last_deal_two_par, with_two, two_players)?;
        self.first_dealer.check(self.seats(), "DC1")
    }
}
