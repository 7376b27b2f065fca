//! The rules of three-handed Euchre as options.

use overtrick_game::{EndMode, FieldError, Options};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who deals first (EU4, EU5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EuchreDealer {
    /// The player who is dealt the first black jack, cards going round from seat 0.
    BlackJack,
    /// The first player.
    #[serde(rename = "seat-0")]
    Seat0,
    /// The second player.
    #[serde(rename = "seat-1")]
    Seat1,
    /// The third player.
    #[serde(rename = "seat-2")]
    Seat2,
    /// Anyone, by lot.
    Random,
}

/// Who wins if two reach the target (EU28).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EuchreTies {
    /// Two at the target in one deal play another; from then on a player who leads alone wins.
    ExtraDeal,
    /// The higher total wins; only level totals play another deal.
    Highest,
}

/// The rules of three-handed Euchre.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct EuchreRules {
    /// The pack: 32 cards (seven to ace) or 24 (nine to ace) (EU3).
    pub deck: u8,
    /// Who deals first: "black-jack" (the player who is dealt the first black jack), "seat-0", "seat-1", "seat-2" or
    /// "random" (EU4, EU5).
    pub first_dealer: EuchreDealer,
    /// Whether the dealer may discard the very card that was taken up (EU12).
    pub may_discard_upcard: bool,
    /// Whether the suit that was turned down may be named after all (EU14).
    pub turned_down_allowed: bool,
    /// The maker's points for three or four tricks, 0 to 1000 (EU23).
    pub make_points: i32,
    /// The maker's points for all five tricks, 0 to 1000 (EU23).
    pub march_points: i32,
    /// The points of each defender if the maker wins fewer than three tricks, 0 to 1000 (EU24, EU25).
    pub euchre_points_each: i32,
    /// The event that ends a match: "target" or "deals" (EU27).
    pub end_mode: EndMode,
    /// The total that ends a match, in points, 1 to 100000; counts with end-mode "target" (EU27).
    pub target: i32,
    /// How many deals a match has, 1 to 65536; a multiple of three is fair; counts with end-mode "deals" (EU27).
    pub n_deals: u32,
    /// If two reach the target: "extra-deal" (in the same deal: another deal with any totals, then a player who leads
    /// alone wins) or "highest" (the higher total wins, level totals play another deal); counts with end-mode "target"
    /// (EU28).
    pub tie_rule: EuchreTies,
}

impl Default for EuchreRules {
    fn default() -> EuchreRules {
        EuchreRules {
            deck: 32,
            first_dealer: EuchreDealer::BlackJack,
            may_discard_upcard: false,
            turned_down_allowed: false,
            make_points: 1,
            march_points: 3,
            euchre_points_each: 2,
            end_mode: EndMode::Target,
            target: 10,
            n_deals: 6,
            tie_rule: EuchreTies::ExtraDeal,
        }
    }
}

impl Options for EuchreRules {
    fn validate(&self) -> Result<(), FieldError> {
        if self.deck != 32 && self.deck != 24 {
            let problem = format!("is {}; the pack has 32 or 24 cards (EU3)", self.deck);
            return Err(FieldError { key: "deck", problem });
        }
        FieldError::check("make-points", self.make_points, 0..=1000)?;
        FieldError::check("march-points", self.march_points, 0..=1000)?;
        FieldError::check("euchre-points-each", self.euchre_points_each, 0..=1000)?;
        FieldError::check("target", self.target, 1..=100_000)?;
        FieldError::check("n-deals", self.n_deals, 1..=65_536)
    }
}
