//! The names that an expression may use at its place.

use overtrick_toml::did_you_mean;

use super::IntegerInterval;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// A whole number.
    Integer,
    /// A condition, which holds or not.
    Condition,
    /// A word. Expressions cannot use it.
    Word,
}

/// The source of a name's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameSource {
    /// The value of an option. The interval of the name has the values that the option may have.
    Option(i32),
    /// A value of the deal, by its index in [`Circumstances::deal`](super::Circumstances::deal).
    Deal(usize),
    /// A value of each seat, by its index in [`Circumstances::seats`](super::Circumstances::seats).
    Seat(usize),
}

/// A name with its meaning.
#[derive(Clone, Debug)]
pub struct Name {
    /// The text of the name.
    pub text: String,
    /// The type of its values.
    pub value_type: ValueType,
    /// The values that it may have.
    pub interval: IntegerInterval,
    /// The source of its value.
    pub source: NameSource,
}

/// The names that an expression may use.
#[derive(Clone, Debug, Default)]
pub struct NameScope {
    /// All names, in the order in which messages list them.
    names: Vec<Name>,
    /// Whether the expression is evaluated for one seat.
    by_seat: bool,
    /// Whether there may be a declarer, so that `declarer.NAME` has a meaning.
    declarer: bool,
}

impl NameScope {
    /// Makes names for an expression with one value for all seats.
    pub fn for_all() -> NameScope {
        NameScope::default()
    }

    /// Makes names for an expression that is evaluated for each seat.
    ///
    /// `declarer` says whether `declarer.NAME` has a meaning.
    pub fn by_seat(declarer: bool) -> NameScope {
        NameScope { by_seat: true, declarer, ..NameScope::default() }
    }

    /// Adds a name, and returns whether it was free.
    pub fn add(&mut self, name: Name) -> bool {
        let free = self.get(&name.text).is_none();
        if free {
            self.names.push(name);
        }
        free
    }

    /// Returns the name of this text.
    pub fn get(&self, text: &str) -> Option<&Name> {
        self.names.iter().find(|name| name.text == text)
    }

    /// Returns whether the expression is evaluated for one seat.
    pub fn is_by_seat(&self) -> bool {
        self.by_seat
    }

    /// Returns whether `declarer.NAME` has a meaning.
    pub(super) fn has_declarer(&self) -> bool {
        self.declarer
    }

    /// Returns the problem of an unknown name.
    pub(super) fn unknown(&self, text: &str) -> String {
        let parts = text.split_once('-').filter(|(left, right)| self.get(left).and(self.get(right)).is_some());
        if let Some((left, right)) = parts {
            return format!("`{text}` is one name; write `{left} - {right}` for a difference");
        }
        let known = || self.names.iter().filter(|name| name.value_type != ValueType::Word);
        let meant = did_you_mean(text, known().map(|name| name.text.as_str()));
        let list = known().map(|name| name.text.as_str()).collect::<Vec<_>>().join(", ");
        match (meant.as_str(), list.as_str()) {
            (_, "") => format!("`{text}` is no name here, and there are no names; write a number"),
            _ => format!("`{text}` is no name here{meant}; there are {list}"),
        }
    }
}
