//! Figures as text.

use overtrick_stats::{Figure, Interval};

/// Formats a figure with `decimals` decimals, or a dash if it is missing.
pub(super) fn number(figure: impl Into<Figure>, decimals: usize) -> String {
    let text = |value: f64| {
        let text = format!("{value:.decimals$}");
        // A loss that rounds to zero is shown without a sign.
        if text.trim_start_matches('-').bytes().all(|c| matches!(c, b'0' | b'.')) {
            text.replace('-', "")
        } else {
            text
        }
    };
    figure.into().0.map_or("-".into(), text)
}

/// Adds half the width of a figure's interval to its text, if there is an interval.
pub(super) fn with_half_width(text: String, figure: Interval, decimals: usize) -> String {
    match figure.ends() {
        Some((low, high)) => format!("{text} ± {:.decimals$}", (high - low) / 2.0),
        None => text,
    }
}

/// Formats a figure that has an interval with `shown`. If it `is_even` about the figure, half its width is
/// given, or else both ends.
pub(super) fn half_or_ends(
    shown: fn(Option<f64>, usize) -> String,
    figure: Interval,
    decimals: usize,
    is_even: bool,
) -> String {
    let text = shown(figure.value, decimals);
    if is_even {
        with_half_width(text, figure, decimals)
    } else {
        format!("{text} ({} to {})", shown(figure.low, decimals), shown(figure.high, decimals))
    }
}

/// Formats a whole number with its thousands separated.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(["7", "1 000", "12 345 678"], [7, 1000, 12_345_678].map(thousands).each_ref().map(String::as_str));
    }
}
