//! The words of an expression.

use super::ExpressionError;

/// The longest text of an expression, in characters.
const LONGEST: usize = 200;
/// The largest number of tokens in an expression.
const MOST_TOKENS: usize = 64;
/// The largest number that can be written.
const LARGEST: i32 = 1_000_000;

/// A word of an expression with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// The column of its first character, counted from 1.
    pub(super) column: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Number(i32),
    /// A name, or several with dots between them.
    Name(String),
    /// A sign or a word with a fixed meaning.
    Fixed(&'static str),
    End,
}

impl TokenKind {
    /// Returns the token as a message shows it.
    pub(super) fn shown(&self) -> String {
        match self {
            TokenKind::Number(number) => format!("`{number}`"),
            TokenKind::Name(name) => format!("`{name}`"),
            TokenKind::Fixed(text) => format!("`{text}`"),
            TokenKind::End => "the end".to_owned(),
        }
    }
}

/// The signs, longer ones before their beginnings.
const SIGNS: [&str; 13] = ["!=", "<=", ">=", "=", "<", ">", "+", "-", "*", "(", ")", ",", "."];

/// Words that cannot be names.
const WORDS: [&str; 8] = ["if", "then", "else", "or", "and", "not", "div", "mod"];

/// Signs of other languages, each with the form that is read here.
const FOREIGN: [(&str, &str); 7] =
    [("==", "="), ("&&", "and"), ("||", "or"), ("<>", "!="), ("!", "not"), ("/", "div"), ("%", "mod")];

/// Returns whether a word has a fixed meaning, so that it cannot be a name.
pub fn is_reserved(word: &str) -> bool {
    WORDS.contains(&word)
}

/// Returns whether `text` can be a name: words of small letters and digits, with hyphens between them.
///
/// Each word begins with a letter.
pub fn is_name(text: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_lowercase())
            && word.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
    };
    text.split('-').all(is_word)
}

/// Splits a text into tokens. The last is [`TokenKind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ExpressionError> {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() > LONGEST {
        let problem = format!("has {} characters, and {LONGEST} fit; name a part of it in `let`", letters.len());
        return Err(ExpressionError { column: LONGEST + 1, problem });
    }
    let mut found = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        if letters[at] == ' ' {
            at += 1;
            continue;
        }
        if found.len() == MOST_TOKENS {
            let problem = format!("has more than {MOST_TOKENS} words and signs; name a part of it in `let`");
            return Err(ExpressionError { column: at + 1, problem });
        }
        let (kind, length) = token(&letters, at).map_err(|problem| ExpressionError { column: at + 1, problem })?;
        found.push(Token { kind, column: at + 1 });
        at += length;
    }
    found.push(Token { kind: TokenKind::End, column: letters.len() + 1 });
    Ok(found)
}

/// Returns the token that begins at a letter, and its length.
fn token(letters: &[char], at: usize) -> Result<(TokenKind, usize), String> {
    let rest = &letters[at..];
    if rest[0].is_ascii_digit() {
        let digits: String = rest.iter().take_while(|letter| letter.is_ascii_digit()).collect();
        return match digits.parse::<i32>() {
            Ok(number) if number <= LARGEST => Ok((TokenKind::Number(number), digits.len())),
            _ => Err(format!("{digits} is too large; write a number up to {LARGEST}")),
        };
    }
    if rest[0].is_ascii_alphabetic() {
        let length = name_length(rest);
        let name: String = rest[..length].iter().collect();
        let fixed = WORDS.into_iter().find(|word| *word == name).map(TokenKind::Fixed);
        return Ok((fixed.unwrap_or(TokenKind::Name(name)), length));
    }
    let starts = |sign: &str| sign.chars().enumerate().all(|(place, letter)| rest.get(place) == Some(&letter));
    let foreign = |(sign, _): &(&str, &str)| starts(sign) && !(*sign == "!" && starts("!="));
    if let Some((sign, ours)) = FOREIGN.into_iter().find(foreign) {
        return Err(format!("there is no `{sign}`; write `{ours}`"));
    }
    match SIGNS.into_iter().find(|sign| starts(sign)) {
        Some(sign) => Ok((TokenKind::Fixed(sign), sign.len())),
        None => Err(format!("`{}` has no meaning here; leave it out", rest[0].escape_debug())),
    }
}

/// Returns the length of the name at the beginning of `rest`.
///
/// A hyphen or a dot between two letters belongs to the name, so `a-b` is a name, and `a - b` is not.
fn name_length(rest: &[char]) -> usize {
    let mut length = 1;
    while let Some(letter) = rest.get(length) {
        let joins = matches!(letter, '-' | '.') && rest.get(length + 1).is_some_and(char::is_ascii_alphabetic);
        if !letter.is_ascii_alphanumeric() && *letter != '_' && !joins {
            break;
        }
        length += 1;
    }
    length
}
