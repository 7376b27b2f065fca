//! The options of the whist family.

use overtrick_game::{AtTarget, EndMode, Ending, FieldError, FirstDealer, Options, TieRule};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The game of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Three players; the declarer plays with the dummy (WH1, WH3).
    DummyWhist,
    /// Two players, each with their own dummy (DD1).
    DoubleDummy,
    /// Two players without dummies, who may exchange their hands (HB1, HB2).
    Humbug,
}

/// How the declarer discards from a dummy of fifteen (WH15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DummyDiscard {
    /// The declarer looks at the fifteen cards and chooses two.
    Seen,
    /// The declarer discards any two, without seeing the cards.
    Blind,
}

/// When a joker may be played at no trump (WH26).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum JokerPlay {
    /// By a hand that cannot follow suit.
    WhenVoid,
    /// By any hand.
    AnyTime,
}

/// Who pays when the declarer fails (WH37).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SetPenalty {
    /// Each opponent gains the bid.
    OpponentsGain,
    /// The declarer loses the bid.
    DeclarerLoses,
    /// The opponents gain the bid and the declarer loses it.
    Both,
}

/// Where the tricks go that a renege costs (WH32).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RenegeMode {
    /// To the other side.
    Transfer,
    /// To no one.
    Forfeit,
}

/// When the dummy of the declarer's opponent is turned up (DD5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DefenderDummy {
    /// Together with the declarer's dummy, before trumps or the direction are named.
    BeforeDeclaration,
    /// After trumps or the direction are named.
    AfterDeclaration,
}

/// How the players of Humbug choose between their hands (HB5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HumbugChoice {
    /// The non-dealer first, aloud.
    NonDealerFirst,
    /// Both at once.
    Simultaneous,
}

/// How trumps come about in Humbug (HB7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TrumpMethod {
    /// By an auction, as in Dummy Whist.
    Auction,
    /// The last card dealt is turned up.
    TurnUp,
}

/// Who wins if two reach the target (WH45).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WhistTies {
    /// The higher total; level totals play another deal.
    Highest,
    /// Two at the target in one deal play another; from then on a player who leads alone wins.
    ExtraDeal,
    /// The first of them to the left of the declarer.
    LeftOfDeclarer,
}

/// The rules of Dummy Whist, Double Dummy and Humbug.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct WhistRules {
    /// The game: "dummy-whist" (three players and a dummy; WH1), "double-dummy" (two players, a dummy each; DD1) or
    /// "humbug" (two players who may exchange their hands; HB1).
    pub form: Form,
    /// Whether two jokers are in the pack and fifteen cards in the dummy; form "dummy-whist" only (WH2).
    pub jokers: bool,
    /// The lowest bid, in books over six, 0 to 7 (WH9).
    pub min_bid: u8,
    /// Whether a downtown bid betters an uptown bid of the same number (WH12).
    pub downtown_outranks_uptown: bool,
    /// How the declarer discards two of the dummy's fifteen cards: "seen" (looks and chooses) or "blind" (any two);
    /// only with jokers (WH14, WH15).
    pub dummy_discard: DummyDiscard,
    /// When a joker may be played at no trump: "when-void" (by a hand that cannot follow suit) or "any-time"; only with
    /// jokers (WH26).
    pub nt_joker_play: JokerPlay,
    /// Who pays for a contract that fails: "opponents-gain", "declarer-loses" or "both" (WH37).
    pub set_penalty: SetPenalty,
    /// Whether a bid of seven scores double (WH39).
    pub boston_bid_double: bool,
    /// Whether no trump scores double (WH40).
    pub nt_double: bool,
    /// Whether both doubles count for seven no trump, so that it scores fourfold; only with both doubles (WH42).
    pub doubles_stack: bool,
    /// The factor of a double, 1 to 20; only with one of the doubles (WH39, WH40).
    pub double_factor: i32,
    /// Points for each book over six, when the contract is made or trumps were turned up, 0 to 100 (WH36, HB7).
    pub book_points: i32,
    /// Points for each book of a bid that fails, 0 to 100 (WH37).
    pub set_points: i32,
    /// Whether a seat may fail to follow suit from its own hand and is punished for it in the score, instead of being
    /// refused (WH34).
    pub allow_renege: bool,
    /// How many tricks a renege costs its side, as far as it has them, 0 to 13 (WH31).
    pub renege_tricks: u8,
    /// Where the tricks go that a renege costs: "transfer" (to the other side) or "forfeit" (to no one) (WH32).
    pub renege_mode: RenegeMode,
    /// When the dummy of the declarer's opponent is turned up: "before-declaration" or "after-declaration"; only with
    /// form "double-dummy" (DD5).
    pub defender_dummy_exposed: DefenderDummy,
    /// How the players choose between their hands: "non-dealer-first" (aloud) or "simultaneous"; only with form
    /// "humbug" (HB5).
    pub humbug_choice: HumbugChoice,
    /// How trumps come about: "auction", or "turn-up" (the last card dealt), which is for form "humbug" (HB7).
    pub trump_method: TrumpMethod,
    /// The factor for all scores if just one player keeps their hand, 1 to 100; only with form "humbug" (HB6).
    pub one_keeps_factor: i32,
    /// The factor for all scores if both keep their hands, 1 to 100; only with form "humbug" (HB6).
    pub both_keep_factor: i32,
    /// Who deals first: "seat-0", "seat-1", "seat-2" (three players) or "random" (WH5).
    pub first_dealer: FirstDealer,
    /// The event that ends a match: "target" or "deals" (WH44).
    pub end_mode: EndMode,
    /// The total that ends a match, in points, 1 to 100000; counts with end-mode "target" (WH44, HB11).
    pub target: i32,
    /// How many deals a match has, 1 to 65536; a multiple of the players is fair; counts with end-mode "deals" (WH44).
    pub n_deals: u32,
    /// If two reach the target: "highest" (the higher total wins, level totals play another deal), "extra-deal" (in the
    /// same deal: another deal with any totals, then a player who leads alone wins) or "left-of-declarer" (the first of
    /// them to the left of the declarer, in humbug with a turn-up of the dealer); counts with end-mode "target" (WH45).
    pub tie_rule: WhistTies,
}

impl Default for WhistRules {
    fn default() -> WhistRules {
        WhistRules {
            form: Form::DummyWhist,
            jokers: false,
            min_bid: 1,
            downtown_outranks_uptown: false,
            dummy_discard: DummyDiscard::Seen,
            nt_joker_play: JokerPlay::WhenVoid,
            set_penalty: SetPenalty::OpponentsGain,
            boston_bid_double: true,
            nt_double: true,
            doubles_stack: true,
            double_factor: 2,
            book_points: 1,
            set_points: 1,
            allow_renege: false,
            renege_tricks: 3,
            renege_mode: RenegeMode::Transfer,
            defender_dummy_exposed: DefenderDummy::BeforeDeclaration,
            humbug_choice: HumbugChoice::NonDealerFirst,
            trump_method: TrumpMethod::Auction,
            one_keeps_factor: 2,
            both_keep_factor: 4,
            first_dealer: FirstDealer::Seat0,
            end_mode: EndMode::Target,
            target: 21,
            n_deals: 6,
            tie_rule: WhistTies::Highest,
        }
    }
}

impl WhistRules {
    /// Returns the number of players.
    pub fn seats(&self) -> usize {
        if self.form == Form::DummyWhist { 3 } else { 2 }
    }

    /// Returns whether trumps are turned up instead of bid for.
    pub fn turns_up(&self) -> bool {
        self.trump_method == TrumpMethod::TurnUp
    }

    pub(super) fn ending(&self) -> Ending {
        let ties = match self.tie_rule {
            WhistTies::Highest => AtTarget::Highest(TieRule::HighestThenExtraDeal),
            WhistTies::ExtraDeal => AtTarget::PlayOn,
            WhistTies::LeftOfDeclarer => AtTarget::LeftOfDeclarer,
        };
        self.end_mode.ending(self.n_deals, self.target, ties)
    }
}

impl Options for WhistRules {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("min-bid", self.min_bid, 0..=7)?;
        FieldError::check("renege-tricks", self.renege_tricks, 0..=13)?;
        FieldError::check("double-factor", self.double_factor, 1..=20)?;
        FieldError::check("book-points", self.book_points, 0..=100)?;
        FieldError::check("set-points", self.set_points, 0..=100)?;
        FieldError::check("one-keeps-factor", self.one_keeps_factor, 1..=100)?;
        FieldError::check("both-keep-factor", self.both_keep_factor, 1..=100)?;
        FieldError::check("target", self.target, 1..=100_000)?;
        FieldError::check("n-deals", self.n_deals, 1..=65_536)?;
        let usual = WhistRules::default();
        let (double_dummy, humbug) = (self.form == Form::DoubleDummy, self.form == Form::Humbug);
        let auction = !self.turns_up();
        let (boston, no_trump) = (self.boston_bid_double, self.nt_double);
        let needs = FieldError::needs;
        let (keeps, renege) = ("`form = \"humbug\"` (HB6)", "`allow-renege = true` (WH34)");
        needs("jokers", self.jokers, self.form == Form::DummyWhist, "`form = \"dummy-whist\"` (DD9, HB10)")?;
        needs("dummy-discard", self.dummy_discard != usual.dummy_discard, self.jokers, "`jokers = true` (WH14)")?;
        needs("nt-joker-play", self.nt_joker_play != usual.nt_joker_play, self.jokers, "`jokers = true` (WH26)")?;
        needs(
            "defender-dummy-exposed",
            self.defender_dummy_exposed != usual.defender_dummy_exposed,
            double_dummy,
            "`form = \"double-dummy\"` (DD5)",
        )?;
        needs("humbug-choice", self.humbug_choice != usual.humbug_choice, humbug, "`form = \"humbug\"` (HB5)")?;
        needs("trump-method", !auction, humbug, "`form = \"humbug\"` (HB7)")?;
        needs("one-keeps-factor", self.one_keeps_factor != usual.one_keeps_factor, humbug, keeps)?;
        needs("both-keep-factor", self.both_keep_factor != usual.both_keep_factor, humbug, keeps)?;
        needs("min-bid", self.min_bid != usual.min_bid, auction, "an auction (HB7)")?;
        needs("downtown-outranks-uptown", self.downtown_outranks_uptown, auction, "an auction (HB7)")?;
        needs("set-penalty", self.set_penalty != usual.set_penalty, auction, "an auction (HB7)")?;
        needs("boston-bid-double", !self.boston_bid_double, auction, "an auction (HB7)")?;
        needs("nt-double", !self.nt_double, auction, "an auction (HB7)")?;
        needs("doubles-stack", !self.doubles_stack, auction, "an auction (HB7)")?;
        needs("double-factor", self.double_factor != usual.double_factor, auction, "an auction (HB7)")?;
        needs("doubles-stack", !self.doubles_stack, boston && no_trump, "both doubles (WH42)")?;
        needs("double-factor", self.double_factor != usual.double_factor, boston || no_trump, "a double (WH39, WH40)")?;
        needs("set-points", self.set_points != usual.set_points, auction, "an auction (HB7)")?;
        needs("renege-tricks", self.renege_tricks != usual.renege_tricks, self.allow_renege, renege)?;
        needs("renege-mode", self.renege_mode != usual.renege_mode, self.allow_renege, renege)?;
        self.first_dealer.check(self.seats(), "WH5")
    }
}
