//! The values of keys under given values of the options, and errors at their lines.

use overtrick_toml::{InputError, in_words};
use serde::de::DeserializeOwned;

use crate::expression::{Expression, ExpressionError, IntegerInterval, Name, NameScope, NameSource, ValueType};
use crate::source::{
    AmountSetting, ChoiceSetting, ConditionSetting, FlagSetting, GameFile, OptionRange, OptionValue, OptionValues,
    path, word,
};

/// The names of a place, under the values of the options and under their whole ranges.
///
/// An expression is read under both. The ranges prove that it holds for all variants, and the values give code
/// and narrow intervals.
#[derive(Clone, Debug)]
pub struct Scopes {
    exact: NameScope,
    wide: NameScope,
}

impl Scopes {
    /// Returns whether there is a name of this text.
    pub fn has(&self, text: &str) -> bool {
        self.exact.get(text).is_some()
    }

    /// Adds a name with the same values in all variants, and returns whether it was free.
    pub fn add(&mut self, name: Name) -> bool {
        self.wide.add(name.clone()) && self.exact.add(name)
    }

    /// Adds a name for an expression that was read in these scopes, and returns whether it was free.
    pub fn add_read(&mut self, name: Name, read: &BothRead) -> bool {
        let wide = Name { interval: read.wide.interval(), ..name.clone() };
        let exact = Name { interval: read.exact.interval(), ..name };
        self.wide.add(wide) && self.exact.add(exact)
    }
}

/// An expression, read under the values of the options and under their ranges.
#[derive(Clone, Debug)]
pub struct BothRead {
    /// The expression under the values.
    pub exact: Expression,
    wide: Expression,
}

/// A file with values of its options.
#[derive(Clone, Copy, Debug)]
pub struct Resolver<'a> {
    /// The file.
    pub file: &'a GameFile,
    /// The values of the options.
    pub values: &'a OptionValues,
}

type Reader = fn(&str, &NameScope) -> Result<Expression, ExpressionError>;

impl Resolver<'_> {
    /// Returns an error at a key of the file.
    pub fn error(&self, key: &[&str], problem: impl Into<String>) -> InputError {
        self.file.source().error(&path(key), problem)
    }

    /// Returns the options as names, for an expression that has one value for all seats.
    pub fn scopes_for_all(&self) -> Scopes {
        self.with_options(NameScope::for_all())
    }

    /// Returns the options as names, for an expression that is evaluated for each seat.
    pub fn scopes_by_seat(&self, declarer: bool) -> Scopes {
        self.with_options(NameScope::by_seat(declarer))
    }

    fn with_options(&self, empty: NameScope) -> Scopes {
        let mut scopes = Scopes { exact: empty.clone(), wide: empty };
        for option in self.file.options() {
            if let Some(value) = self.values.get(&option.name) {
                scopes.exact.add(option.as_name(value, false));
                scopes.wide.add(option.as_name(value, true));
            }
        }
        scopes
    }

    fn read(&self, key: &[&str], text: &str, scopes: &Scopes, reader: Reader) -> Result<BothRead, InputError> {
        // The column counts an equals sign before the expression.
        let (text, shift) = text.strip_prefix('=').map_or((text, 0), |rest| (rest, 1));
        let wrong = |error: ExpressionError| {
            self.error(key, ExpressionError { column: error.column + shift, ..error }.to_string())
        };
        let wide = reader(text, &scopes.wide).map_err(wrong)?;
        let exact = reader(text, &scopes.exact).map_err(wrong)?;
        Ok(BothRead { exact, wide })
    }

    /// Reads an integer or a condition.
    ///
    /// # Errors
    /// The first error of the text.
    pub fn any(&self, key: &[&str], text: &str, scopes: &Scopes) -> Result<BothRead, InputError> {
        self.read(key, text, scopes, Expression::read)
    }

    /// Reads an integer.
    ///
    /// # Errors
    /// The first error of the text.
    pub fn integer(&self, key: &[&str], text: &str, scopes: &Scopes) -> Result<Expression, InputError> {
        self.read(key, text, scopes, Expression::integer).map(|read| read.exact)
    }

    /// Reads a condition.
    ///
    /// # Errors
    /// The first error of the text.
    pub fn condition(&self, key: &[&str], of: &ConditionSetting, scopes: &Scopes) -> Result<Expression, InputError> {
        match of {
            ConditionSetting::Value(value) => {
                Ok(Expression::constant(crate::expression::ValueType::Condition, i32::from(*value)))
            }
            ConditionSetting::Text(text) => self.read(key, text, scopes, Expression::condition).map(|read| read.exact),
        }
    }

    /// Returns a number.
    ///
    /// # Errors
    /// If an expression is wrong, or could leave the range of the key under some values of the options.
    pub fn amount<const LOW: i32, const HIGH: i32>(
        &self,
        key: &[&str],
        setting: &AmountSetting<LOW, HIGH>,
    ) -> Result<i32, InputError> {
        self.amount_among(key, setting, &self.scopes_for_all())
    }

    /// Returns a number that may depend on the cards of each hand in the deal, `hand`.
    ///
    /// # Errors
    /// As those of [`Resolver::amount`].
    pub fn amount_of_deal<const LOW: i32, const HIGH: i32>(
        &self,
        key: &[&str],
        setting: &AmountSetting<LOW, HIGH>,
        hand: u32,
    ) -> Result<i32, InputError> {
        let mut scopes = self.scopes_for_all();
        let name = |interval| Name {
            text: "hand".to_owned(),
            value_type: ValueType::Integer,
            interval,
            source: NameSource::Option(i32::try_from(hand).unwrap_or(0)),
        };
        scopes.exact.add(name(IntegerInterval::of(hand)));
        scopes.wide.add(name(IntegerInterval::new(1, 26)));
        self.amount_among(key, setting, &scopes)
    }

    /// Returns a number whose expression may use these names.
    fn amount_among<const LOW: i32, const HIGH: i32>(
        &self,
        key: &[&str],
        setting: &AmountSetting<LOW, HIGH>,
        scopes: &Scopes,
    ) -> Result<i32, InputError> {
        let text = match setting {
            AmountSetting::Value(value) => return Ok(*value),
            AmountSetting::Text(text) => text,
        };
        let read = self.read(key, text, scopes, Expression::integer)?;
        let interval = read.wide.interval();
        let outside =
            [interval.low, interval.high].into_iter().find(|end| !(i64::from(LOW)..=i64::from(HIGH)).contains(end));
        if let Some(outside) = outside {
            let problem = format!("could be {outside}, and must be {LOW} to {HIGH}; narrow the ranges of its options");
            return Err(self.error(key, problem));
        }
        Ok(read.exact.as_constant().unwrap_or(LOW))
    }

    /// Returns a truth value.
    ///
    /// # Errors
    /// If an expression is wrong.
    pub fn flag(&self, key: &[&str], setting: &FlagSetting) -> Result<bool, InputError> {
        match setting {
            FlagSetting::Value(value) => Ok(*value),
            FlagSetting::Text(text) => {
                let read = self.read(key, text, &self.scopes_for_all(), Expression::condition)?;
                Ok(read.exact.as_constant() == Some(1))
            }
        }
    }

    /// Returns a text, which may be the word of an option.
    ///
    /// # Errors
    /// If `=` is followed by no option of words.
    pub fn text<'t>(&'t self, key: &[&str], text: &'t str) -> Result<&'t str, InputError> {
        let Some(name) = text.strip_prefix('=') else { return Ok(text) };
        match self.values.get(name.trim()) {
            Some(OptionValue::Word(word)) => Ok(word),
            _ => Err(self.error(key, format!("needs an option of words, and `{}` is none", name.trim()))),
        }
    }

    /// Returns a word.
    ///
    /// # Errors
    /// If the text names no option of words, or if a word of that option has no meaning here.
    pub fn choice<T: Copy + DeserializeOwned>(
        &self,
        key: &[&str],
        setting: &ChoiceSetting<T>,
    ) -> Result<T, InputError> {
        let text = match setting {
            ChoiceSetting::Value(word) => return Ok(*word),
            ChoiceSetting::Text(text) => text,
        };
        let name = text.trim_start_matches('=').trim();
        let option = self.file.options().iter().find(|option| option.name == name);
        let Some(OptionRange::Words(words)) = option.map(|option| &option.range) else {
            let problem = match option {
                Some(_) => format!("needs a word, and option `{name}` is none; give the option `values`"),
                None => format!("names the option `{name}`, which the file does not have; add it to `options`"),
            };
            return Err(self.error(key, problem));
        };
        for text in words {
            word::<T>(text).map_err(|problem| {
                let problem = in_words(&problem);
                self.error(
                    key,
                    format!("could be {text:?} by option `{name}`, and that has no meaning here: {problem}"),
                )
            })?;
        }
        let chosen = match self.values.get(name) {
            Some(OptionValue::Word(chosen)) => word(chosen).ok(),
            _ => None,
        };
        chosen.ok_or_else(|| self.error(key, format!("has no word from option `{name}`")))
    }
}
