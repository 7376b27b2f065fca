//! The fields of an encoding: their names, meanings and positions.

/// The name of each field, and the meaning of its numbers.
const ABOUT: [(&str, &str); 22] = [
    ("seen", "1 for each card that the seat sees at a place"),
    ("counts", "the number of cards at a place, seen or not, as a share of the pack"),
    ("to-play", "1 for the hand whose card or call is due"),
    ("chooses", "1 for each hand whose cards the seat chooses: its own, and dummies"),
    ("played", "1 for each card that a hand has played"),
    ("trick", "1 for each card of the trick in progress, by hand"),
    ("led", "1 for the card that set the suit of the trick in progress"),
    ("winning", "1 for the hand that is winning the trick in progress"),
    ("won", "the tricks that a hand has won, as a share of all"),
    ("voids", "1 for each card that a hand has shown not to hold, as it did not follow suit"),
    ("trumps", "1 for each card that is a trump, or would be after the call that is due"),
    ("calls", "how often a seat has made a call that the seat knows of"),
    ("hidden-calls", "the number of calls of a seat that the seat may not know, in tenths"),
    ("declarer", "1 for the declarer of the contract"),
    ("level", "the level of the contract, as a share of the tricks"),
    ("strain", "1 for the trump suit of the contract, or for no trump"),
    ("dealer", "1 for the dealer"),
    ("up-card", "1 for the card that was turned up"),
    ("row", "1 for the card at a place of the row, in the order in which they are taken, taken ones included"),
    ("last-deal", "1 if this is the last deal of a match, where it has other rules"),
    ("totals", "the points in the match before this deal, in units of the most that a deal can bring"),
    ("deals", "the number of deals of the match before this one, in hundreds"),
];

/// A part of the row of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The field's name.
    pub name: &'static str,
    /// The index of its first number in the row.
    pub start: usize,
    /// The lengths of its axes. Neighbours on the last axis are neighbours in the row.
    pub shape: Vec<usize>,
    /// For each axis, the meanings of its positions.
    pub labels: Vec<Vec<String>>,
    /// The meaning of its numbers.
    pub about: &'static str,
}

impl Field {
    /// Returns the number of numbers in the field.
    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }
}

/// The indices of the first number of each field.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Starts {
    pub(super) seen: usize,
    pub(super) counts: usize,
    pub(super) to_play: usize,
    pub(super) chooses: usize,
    pub(super) played: usize,
    pub(super) trick: usize,
    pub(super) led: usize,
    pub(super) winning: usize,
    pub(super) won: usize,
    pub(super) voids: usize,
    pub(super) trumps: usize,
    pub(super) calls: usize,
    pub(super) hidden_calls: usize,
    pub(super) declarer: usize,
    pub(super) level: usize,
    pub(super) strain: usize,
    pub(super) dealer: usize,
    pub(super) up_card: usize,
    pub(super) row: usize,
    pub(super) last_deal: usize,
    pub(super) totals: usize,
    pub(super) deals: usize,
}

/// A list of fields that is built from front to back.
#[derive(Default)]
pub(super) struct Fields {
    pub(super) list: Vec<Field>,
    pub(super) len: usize,
}

impl Fields {
    /// Adds a field with these labels by axis, and returns the index of its first number.
    pub(super) fn add(&mut self, name: &'static str, labels: &[&[String]]) -> usize {
        let (_, about) = ABOUT.into_iter().find(|(known, _)| *known == name).expect("every field is described");
        let shape: Vec<usize> = match labels {
            [] => vec![1],
            _ => labels.iter().map(|axis| axis.len()).collect(),
        };
        let start = self.len;
        let field = Field { name, start, shape, labels: labels.iter().map(|axis| axis.to_vec()).collect(), about };
        self.len += field.size();
        // A game without calls has no field of calls.
        if field.size() > 0 {
            self.list.push(field);
        }
        start
    }
}
