//! Words for numbers, lists and cards.

/// The numbers that are written as words.
const NUMBERS: [&str; 13] =
    ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// Returns a number as a word, or in digits from 13 on.
pub(super) fn number(value: i64) -> String {
    let word = usize::try_from(value).ok().and_then(|value| NUMBERS.get(value));
    word.map_or_else(|| value.to_string(), |word| (*word).to_owned())
}

/// Returns a number of things: "one card", "13 cards".
pub(super) fn counted(value: i64, thing: &str) -> String {
    format!("{} {thing}{}", number(value), if value == 1 { "" } else { "s" })
}

/// Returns a sentence with a capital letter at its beginning.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns things as a list with a word before the last: "clubs, hearts and spades".
pub(super) fn listed(things: &[String], word: &str) -> String {
    match things {
        [] => "none".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

/// Returns the name of a rank.
fn rank(letter: char) -> Option<&'static str> {
    Some(match letter {
        '2' => "two",
        '3' => "three",
        '4' => "four",
        '5' => "five",
        '6' => "six",
        '7' => "seven",
        '8' => "eight",
        '9' => "nine",
        'T' => "ten",
        'J' => "jack",
        'Q' => "queen",
        'K' => "king",
        'A' => "ace",
        _ => return None,
    })
}

/// Returns the name of a suit.
pub(super) fn suit(letter: char) -> Option<&'static str> {
    Some(match letter {
        'C' => "clubs",
        'D' => "diamonds",
        'H' => "hearts",
        'S' => "spades",
        _ => return None,
    })
}

/// Returns the cards of a pattern.
fn pattern(text: &str) -> String {
    let plural = |rank: &'static str| if rank == "six" { "sixes".to_owned() } else { format!("{rank}s") };
    let letters: Vec<char> = text.chars().collect();
    let words = match letters[..] {
        ['B', 'J'] => Some("the big joker (BJ)".to_owned()),
        ['L', 'J'] => Some("the little joker (LJ)".to_owned()),
        ['*', '*'] => Some("all cards".to_owned()),
        ['*', of] => suit(of).map(|suit| format!("all {suit}")),
        [of, '*'] => rank(of).map(|rank| format!("all {}", plural(rank))),
        [of, '.'] => rank(of).map(|rank| format!("the {rank} of trumps")),
        [of, '~'] => rank(of).map(|rank| format!("the other {rank} of the colour of trumps")),
        [of, in_suit] => {
            rank(of).zip(suit(in_suit)).map(|(rank, suit)| format!("the {rank} of {suit} ({of}{in_suit})"))
        }
        _ => None,
    };
    words.unwrap_or_else(|| text.to_owned())
}

/// Returns the cards of patterns with spaces between them.
pub(super) fn cards(text: &str) -> String {
    let named: Vec<String> = text.split_whitespace().map(pattern).collect();
    listed(&named, "and")
}

/// Returns ranks with spaces between them.
pub(super) fn ranks(text: &str) -> String {
    text.chars().map(String::from).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_have_names() {
        for (text, wanted) in [
            ("*H QS", "all hearts and the queen of spades (QS)"),
            ("6* TD BJ", "all sixes, the ten of diamonds (TD) and the big joker (BJ)"),
            ("J. J~", "the jack of trumps and the other jack of the colour of trumps"),
            ("**", "all cards"),
            ("", "none"),
        ] {
            assert_eq!(cards(text), wanted, "{text}");
        }
        assert_eq!(ranks("789TJ"), "7 8 9 T J");
    }

    #[test]
    fn numbers_are_words_up_to_twelve() {
        assert_eq!((counted(1, "card"), counted(12, "card")), ("one card".to_owned(), "twelve cards".to_owned()));
        assert_eq!((counted(0, "card"), counted(-3, "point")), ("no cards".to_owned(), "-3 points".to_owned()));
        assert_eq!((number(13), sentence("each player")), ("13".to_owned(), "Each player".to_owned()));
    }
}
