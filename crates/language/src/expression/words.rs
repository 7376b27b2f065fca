//! Expressions in words, for pages of rules.

use super::ExpressionError;
use super::syntax::{Operator, Syntax, SyntaxForm, parse};

/// The meaning of a name in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameWords {
    /// A number that each seat has, with or without an article before it: "number of tricks".
    OfSeat {
        /// The noun, without an article.
        noun: String,
        /// Whether "the" stands before the noun.
        article: bool,
    },
    /// A number that is the same for all seats.
    Fixed(String),
    /// A condition of a seat, as the end of a sentence that begins with the seat: "deals".
    Verb {
        /// The end if the condition holds.
        holds: &'static str,
        /// The end if it fails.
        fails: &'static str,
    },
    /// A condition, as sentences.
    Condition {
        /// The sentence if the condition holds.
        holds: String,
        /// The sentence if it fails.
        fails: String,
    },
}

/// The words for the seat whose value an expression has, and for the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatWords {
    /// The seat: "the player" or "the side".
    pub subject: &'static str,
    /// The seats of `mine`.
    pub own: &'static str,
    /// The seats of `others`.
    pub others: &'static str,
}

/// An expression in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionWords {
    /// The words: a noun phrase, or the part of a sentence after "if".
    pub text: String,
    /// Whether the expression is a condition.
    pub is_condition: bool,
}

/// Returns an expression in words. `names` has the meaning of each name.
///
/// # Errors
/// The first error in the text, with its column.
pub fn in_words(
    text: &str,
    names: &dyn Fn(&str) -> NameWords,
    seats: SeatWords,
) -> Result<ExpressionWords, ExpressionError> {
    let syntax = parse(text)?;
    let printer = WordPrinter { names, seats };
    let is_condition = printer.is_condition(&syntax);
    let text = if is_condition { printer.condition(&syntax, true) } else { printer.number(&syntax) };
    Ok(ExpressionWords { text, is_condition })
}

struct WordPrinter<'a> {
    names: &'a dyn Fn(&str) -> NameWords,
    seats: SeatWords,
}

/// Returns whether the words of a part can stand inside others without brackets.
fn is_atom(syntax: &Syntax) -> bool {
    match &syntax.form {
        SyntaxForm::Number(_) | SyntaxForm::Name(_) => true,
        SyntaxForm::Call(name, parts) => {
            matches!(name.as_str(), "mine" | "others" | "all" | "best") && matches!(parts[0].form, SyntaxForm::Name(_))
        }
        SyntaxForm::Negative(part) => matches!(part.form, SyntaxForm::Number(_)),
        _ => false,
    }
}

/// Returns whether a part is a sum or a difference.
fn is_sum(syntax: &Syntax) -> bool {
    matches!(syntax.form, SyntaxForm::Two(Operator::Plus | Operator::Minus, _))
}

impl WordPrinter<'_> {
    fn is_condition(&self, syntax: &Syntax) -> bool {
        match &syntax.form {
            SyntaxForm::Number(_) | SyntaxForm::Negative(_) => false,
            SyntaxForm::Name(name) => {
                let inner = name.strip_prefix("declarer.").unwrap_or(name);
                matches!((self.names)(inner), NameWords::Verb { .. } | NameWords::Condition { .. })
            }
            SyntaxForm::Call(name, _) => name == "any",
            SyntaxForm::Not(_) => true,
            SyntaxForm::If(parts) => self.is_condition(&parts[1]),
            SyntaxForm::Two(operator, _) => {
                !matches!(operator, Operator::Plus | Operator::Minus | Operator::Times | Operator::Div | Operator::Mod)
            }
        }
    }

    /// Returns the printer of a part that is asked for a single player.
    fn of_player(&self) -> WordPrinter<'_> {
        WordPrinter { names: self.names, seats: SeatWords { subject: "the player", ..self.seats } }
    }

    /// Returns a number as a noun phrase.
    fn number(&self, syntax: &Syntax) -> String {
        match &syntax.form {
            SyntaxForm::Number(number) => number.to_string(),
            SyntaxForm::Name(name) => self.number_of_name(name),
            SyntaxForm::Negative(part) => format!("minus {}", self.operand(part)),
            SyntaxForm::Call(name, parts) => self.function(name, parts),
            SyntaxForm::If(parts) => {
                let condition = self.condition(&parts[0], true);
                let [_, then, otherwise] = parts.each_ref().map(|part| self.operand_or_sum(part));
                format!("{then} if {condition}, and otherwise {otherwise}")
            }
            SyntaxForm::Two(operator, parts) => self.arithmetic(*operator, parts),
            SyntaxForm::Not(_) => self.condition(syntax, true),
        }
    }

    fn number_of_name(&self, name: &str) -> String {
        let (whose, inner) = match name.strip_prefix("declarer.") {
            Some(inner) => ("the declarer's ", inner),
            None => ("", name),
        };
        match (self.names)(inner) {
            NameWords::OfSeat { noun, .. } if !whose.is_empty() => format!("{whose}{noun}"),
            NameWords::OfSeat { noun, article: true } => format!("the {noun}"),
            NameWords::OfSeat { noun, .. } | NameWords::Fixed(noun) => noun,
            NameWords::Verb { .. } | NameWords::Condition { .. } => self.condition_of_name(name, true),
        }
    }

    /// Returns a number, in brackets unless it is short.
    fn operand(&self, syntax: &Syntax) -> String {
        if is_atom(syntax) { self.number(syntax) } else { format!("({})", self.number(syntax)) }
    }

    /// Returns a number, in brackets if a condition belongs to it.
    fn operand_or_sum(&self, syntax: &Syntax) -> String {
        let nests = matches!(syntax.form, SyntaxForm::If(_)) || self.is_condition(syntax);
        if nests { format!("({})", self.number(syntax)) } else { self.number(syntax) }
    }

    fn arithmetic(&self, operator: Operator, parts: &[Syntax; 2]) -> String {
        let is_product = |part: &Syntax| matches!(part.form, SyntaxForm::Two(Operator::Times, _));
        let bare = |part: &Syntax| is_product(part) || matches!(part.form, SyntaxForm::Call(..));
        let left = |bare: bool| if bare { self.number(&parts[0]) } else { self.operand(&parts[0]) };
        let right = |bare: bool| if bare { self.number(&parts[1]) } else { self.operand(&parts[1]) };
        match operator {
            Operator::Plus => {
                let (one, other) = (left(is_sum(&parts[0]) || bare(&parts[0])), right(bare(&parts[1])));
                format!("{one} plus {other}")
            }
            Operator::Minus => {
                let (one, other) = (left(is_sum(&parts[0]) || bare(&parts[0])), right(bare(&parts[1])));
                format!("{one} minus {other}")
            }
            Operator::Times => format!("{} times {}", left(is_product(&parts[0])), right(false)),
            Operator::Div => format!("{} divided by {} and rounded down", left(false), right(false)),
            Operator::Mod => format!("the remainder of {} divided by {}", left(false), right(false)),
            _ => String::new(),
        }
    }

    fn function(&self, name: &str, parts: &[Syntax]) -> String {
        let mut listed: Vec<String> = parts.iter().map(|part| self.operand(part)).collect();
        let last = listed.pop().unwrap_or_default();
        match name {
            "min" | "max" => {
                let which = if name == "min" { "least" } else { "greatest" };
                format!("the {which} of {} and {last}", listed.join(", "))
            }
            "abs" => format!("{last} without its sign"),
            "up" => format!("{last} rounded up to a multiple of {}", listed.join(", ")),
            "count" => format!("the number of players for whom {}", self.of_player().condition(&parts[0], true)),
            _ => self.over_seats(name, &parts[0]),
        }
    }

    /// Returns a function over the values of seats.
    fn over_seats(&self, name: &str, part: &Syntax) -> String {
        let SeatWords { own, others, .. } = self.seats;
        let value = match &part.form {
            SyntaxForm::Name(inner) => match (self.names)(inner) {
                NameWords::OfSeat { noun, .. } => Some(noun),
                _ => None,
            },
            _ => None,
        };
        let first = "the number of the first seat from the dealer's left with the highest";
        match (name, value) {
            ("mine", Some(noun)) => format!("the {noun} of {own}"),
            ("others", Some(noun)) => format!("the {noun} of {others} together"),
            ("all", Some(noun)) => format!("the {noun} of all players together"),
            ("best", Some(noun)) => format!("the highest {noun} of all players"),
            ("same", Some(noun)) => format!("the number of players with the same {noun}"),
            ("most", Some(noun)) => format!("{first} {noun}"),
            (_, _) => {
                let part = self.of_player().operand(part);
                match name {
                    "mine" => format!("the sum of {part} over {own}"),
                    "others" => format!("the sum of {part} over {others}"),
                    "all" => format!("the sum of {part} over all players"),
                    "best" => format!("the highest value of {part} among all players"),
                    "same" => format!("the number of players with the same value of {part}"),
                    _ => format!("{first} value of {part}"),
                }
            }
        }
    }

    /// Returns a condition as the part of a sentence after "if", or its opposite.
    fn condition(&self, syntax: &Syntax, holds: bool) -> String {
        match &syntax.form {
            SyntaxForm::Name(name) => self.condition_of_name(name, holds),
            SyntaxForm::Not(part) => self.condition(part, !holds),
            SyntaxForm::Call(_, parts) => {
                let inner = self.of_player().condition(&parts[0], true);
                format!("for {} player, {inner}", if holds { "at least one" } else { "no" })
            }
            SyntaxForm::If(parts) => {
                let condition = self.condition(&parts[0], true);
                let [then, otherwise] = [1, 2].map(|part| self.condition(&parts[part], holds));
                format!("({then}) if {condition}, and otherwise ({otherwise})")
            }
            SyntaxForm::Two(operator @ (Operator::And | Operator::Or), parts) => {
                let word = if (*operator == Operator::And) == holds { "and" } else { "or" };
                let [one, other] = parts.each_ref().map(|part| self.part_of_condition(part, *operator, holds));
                format!("{one} {word} {other}")
            }
            SyntaxForm::Two(operator, parts) => {
                let word = comparison(*operator, holds);
                format!("{} {word} {}", self.number(&parts[0]), self.number(&parts[1]))
            }
            _ => self.number(syntax),
        }
    }

    /// Returns a part of a condition, in brackets where "and" and "or" would mix.
    fn part_of_condition(&self, part: &Syntax, outer: Operator, holds: bool) -> String {
        let text = self.condition(part, holds);
        let mut inside = part;
        while let SyntaxForm::Not(inner) = &inside.form {
            inside = inner;
        }
        let is_simple = match &inside.form {
            SyntaxForm::Call(..) | SyntaxForm::If(_) => false,
            SyntaxForm::Two(operator @ (Operator::And | Operator::Or), _) => {
                *operator == outer && std::ptr::eq(inside, part)
            }
            _ => true,
        };
        if is_simple { text } else { format!("({text})") }
    }

    fn condition_of_name(&self, name: &str, holds: bool) -> String {
        let inner = name.strip_prefix("declarer.");
        let subject = if inner.is_some() { "the declarer" } else { self.seats.subject };
        match (self.names)(inner.unwrap_or(name)) {
            NameWords::Verb { holds: yes, fails: no } => format!("{subject} {}", if holds { yes } else { no }),
            NameWords::Condition { holds: yes, fails: no } => {
                let text = if holds { yes } else { no };
                if inner.is_some() { format!("{text} for the declarer") } else { text }
            }
            NameWords::OfSeat { noun, .. } | NameWords::Fixed(noun) => noun,
        }
    }
}

/// Returns the words of a comparison, or of its opposite.
fn comparison(operator: Operator, holds: bool) -> &'static str {
    match (operator, holds) {
        (Operator::Equal, true) | (Operator::NotEqual, false) => "is",
        (Operator::Equal, false) | (Operator::NotEqual, true) => "is not",
        (Operator::Less, true) | (Operator::GreaterOrEqual, false) => "is less than",
        (Operator::Less, false) | (Operator::GreaterOrEqual, true) => "is at least",
        (Operator::Greater, true) | (Operator::LessOrEqual, false) => "is more than",
        _ => "is at most",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEATS: SeatWords = SeatWords { subject: "the player", own: "the side", others: "the other side" };

    fn words(text: &str) -> String {
        let names = |name: &str| match name {
            "tricks" => NameWords::OfSeat { noun: "number of tricks".to_owned(), article: true },
            "own" => NameWords::OfSeat { noun: "`own`".to_owned(), article: false },
            "dealer" => NameWords::Verb { holds: "deals", fails: "does not deal" },
            "all-won" => NameWords::Condition { holds: "`all` holds".to_owned(), fails: "`all` fails".to_owned() },
            _ => NameWords::Fixed(format!("3 (`{name}`)")),
        };
        in_words(text, &names, SEATS).unwrap().text
    }

    #[test]
    fn numbers_are_noun_phrases_with_brackets_where_the_order_needs_them() {
        for (text, wanted) in [
            ("tricks + bonus", "the number of tricks plus 3 (`bonus`)"),
            ("10 * own + tricks - own", "10 times `own` plus the number of tricks minus `own`"),
            ("(tricks + 1) * 2", "(the number of tricks plus 1) times 2"),
            ("5 - (own - 1)", "5 minus (`own` minus 1)"),
            ("-own", "minus `own`"),
            ("max(own - 6, 0)", "the greatest of (`own` minus 6) and 0"),
            ("own div 2 mod 3", "the remainder of (`own` divided by 2 and rounded down) divided by 3"),
            ("mine(tricks)", "the number of tricks of the side"),
            ("others(tricks + 1)", "the sum of (the number of tricks plus 1) over the other side"),
            ("best(tricks) - tricks", "the highest number of tricks of all players minus the number of tricks"),
            ("declarer.tricks", "the declarer's number of tricks"),
            ("count(tricks = 2)", "the number of players for whom the number of tricks is 2"),
            ("if dealer then 2 else -1", "2 if the player deals, and otherwise minus 1"),
            ("most(tricks)", "the number of the first seat from the dealer's left with the highest number of tricks"),
            ("up(5, own)", "`own` rounded up to a multiple of 5"),
            ("abs(own)", "`own` without its sign"),
        ] {
            assert_eq!(words(text), wanted, "{text}");
        }
    }

    #[test]
    fn conditions_are_parts_of_sentences_and_can_be_turned_around() {
        for (text, wanted) in [
            ("tricks = 13", "the number of tricks is 13"),
            ("tricks != own", "the number of tricks is not `own`"),
            ("not tricks > 3", "the number of tricks is at most 3"),
            ("not (tricks > 3 and dealer)", "the number of tricks is at most 3 or the player does not deal"),
            ("dealer or own = 1 and all-won", "the player deals or (`own` is 1 and `all` holds)"),
            ("dealer and own = 1 and all-won", "the player deals and `own` is 1 and `all` holds"),
            ("not any(all-won)", "for no player, `all` holds"),
            ("any(dealer) and own < 2", "(for at least one player, the player deals) and `own` is less than 2"),
            ("not declarer.dealer", "the declarer does not deal"),
            ("declarer.all-won", "`all` holds for the declarer"),
        ] {
            assert_eq!(words(text), wanted, "{text}");
        }
    }

    #[test]
    fn a_wrong_text_has_no_words() {
        let names = |_: &str| NameWords::Fixed(String::new());
        assert_eq!(in_words("1 +", &names, SEATS).unwrap_err().column, 4);
    }
}
