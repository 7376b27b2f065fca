//! The rows of a log.

use overtrick_cards::table::{Role, Seat};
use overtrick_game::ContractResult;
use overtrick_strategy::ids::BotId;
use overtrick_tournament::{LoggedDeal, Schedule, Tournament, Unit};
use schemars::JsonSchema;
use serde::Serialize;

/// A row: one seat of one deal. Seats are counted from 0.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct LogRow<'a> {
    /// The variant.
    pub(super) variant: &'a str,
    /// The match's number, where matches are played.
    pub(super) r#match: Option<u64>,
    /// The deal's number, in its match if it belongs to one.
    pub(super) deal: u64,
    /// The line-up's number.
    pub(super) line_up: u32,
    /// The number of the line-up's seating.
    pub(super) seating: u8,
    /// The dealer's seat.
    pub(super) dealer: u8,
    /// The seat that the row is of.
    pub(super) seat: u8,
    /// The bot in it.
    pub(super) bot: &'a str,
    /// The seat counted from the dealer: `dealer`, `forehand`, `middlehand` or `rearhand`.
    pub(super) role: &'static str,
    /// Points in the deal.
    pub(super) score: i32,
    /// `won`, `tied` or `lost`, as the tables of results count it: the best score alone, shared, or not the best.
    pub(super) result: &'static str,
    /// The place in the match, 1 for the winner, if the deal ended it.
    pub(super) place: Option<u8>,
    /// The tricks won by the hands that the seat played, a dummy's among them.
    pub(super) tricks: u8,
    /// The kind of contract, as contracts.csv names it.
    pub(super) contract: Option<&'a str>,
    /// The seat that declared.
    pub(super) declarer: Option<u8>,
    /// Whether the declarer made the contract.
    pub(super) made: Option<bool>,
    /// Whether the game calls the outcome of the deal exceptional.
    pub(super) exceptional: bool,
    /// Whether a bot has forfeited the deal.
    pub(super) forfeited: bool,
    /// Those of `tricks` that a dummy won.
    pub(super) dummy_tricks: u8,
}

/// The names in the rows of a variant.
pub(super) struct Names<'a> {
    /// The index of the variant.
    pub(super) index: usize,
    variant: &'a str,
    unit: Unit,
    bots: Vec<&'a str>,
    kinds: Vec<String>,
    schedule: &'a Schedule,
}

impl<'a> Names<'a> {
    pub(super) fn new(tournament: &'a Tournament, index: usize) -> Names<'a> {
        let (variant, schedule) = (&tournament.variants[index], &tournament.schedules[index]);
        Names {
            index,
            variant: &variant.name,
            unit: tournament.unit,
            bots: BotId::all(tournament.bots.len()).map(|bot| tournament.bot(bot).name.as_str()).collect(),
            kinds: variant.game.contract_kinds().into_iter().map(|kind| kind.name).collect(),
            schedule,
        }
    }

    /// Returns whether a deal that was read is possible in this variant.
    pub(super) fn has(&self, deal: &LoggedDeal) -> bool {
        let Schedule { seats, line_ups, seatings, .. } = self.schedule;
        if let Some(places) = deal.places
            && places.of(*seats).iter().any(|&place| usize::from(place) >= *seats)
        {
            return false;
        }
        if let Some(ContractResult { kind, declarer, .. }) = deal.contract
            && (usize::from(kind) >= self.kinds.len() || declarer.is_some_and(|seat| seat.index() >= *seats))
        {
            return false;
        }
        deal.line_up.index() < line_ups.len() && deal.seating.index() < seatings.len() && deal.dealer.index() < *seats
    }

    /// Returns the rows of a deal, by seat.
    pub(super) fn rows<'n>(&'n self, deal: &'n LoggedDeal) -> impl Iterator<Item = LogRow<'n>> {
        let seats = self.schedule.seats;
        let bots = self.schedule.bots(deal.line_up, deal.seating);
        let scores = deal.scores.of(seats);
        let best = scores.iter().max().copied();
        let is_shared = scores.iter().filter(|&&score| Some(score) == best).count() > 1;
        let of_match = self.unit == Unit::Match;
        let (mut kind, mut declarer, mut made) = (None, None, None);
        if let Some(contract) = deal.contract {
            kind = Some(self.kinds[usize::from(contract.kind)].as_str());
            if let Some(seat) = contract.declarer {
                (declarer, made) = (Some(seat.index() as u8), Some(contract.made));
            }
        }
        Seat::all(seats).map(move |seat| LogRow {
            variant: self.variant,
            r#match: if of_match { Some(deal.number) } else { None },
            deal: if of_match { u64::from(deal.deal) } else { deal.number },
            line_up: deal.line_up.index() as u32,
            seating: deal.seating.index() as u8,
            dealer: deal.dealer.index() as u8,
            seat: seat.index() as u8,
            bot: self.bots[bots[seat].index()],
            role: Role::of(seat, deal.dealer, seats).name(seats),
            score: deal.scores[seat],
            result: match best {
                Some(best) if deal.scores[seat] < best => "lost",
                _ if is_shared => "tied",
                _ => "won",
            },
            place: deal.places.map(|places| places[seat] + 1),
            tricks: deal.tricks[seat],
            contract: kind,
            declarer,
            made,
            exceptional: deal.is_exceptional,
            forfeited: deal.is_forfeited,
            dummy_tricks: deal.dummy_tricks[seat],
        })
    }
}
