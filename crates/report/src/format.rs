//! Figures as text.

use std::time::Duration;

use overtrick_stats::{Figure, percent_text, worth_showing};

/// Formats a figure with `decimals` decimals, or a dash if it is missing.
pub(super) fn number(figure: Figure, decimals: usize) -> String {
    let text = |value: f64| {
        let text = format!("{value:.decimals$}");
        // A loss that rounds to zero is shown without a sign.
        if text.trim_start_matches('-').bytes().all(|c| matches!(c, b'0' | b'.')) {
            text.replace('-', "")
        } else {
            text
        }
    };
    figure.0.map_or("-".into(), text)
}

/// Formats a figure with its sign; zero has none.
pub(super) fn signed(figure: Figure, decimals: usize) -> String {
    let text = number(figure, decimals);
    let is_more = text.bytes().any(|c| (b'1'..=b'9').contains(&c)) && !text.starts_with('-');
    if is_more { format!("+{text}") } else { text }
}

/// Adds half the width of a figure's interval to its text, if there is an interval.
pub(super) fn with_half_width(text: String, low: Figure, high: Figure, decimals: usize) -> String {
    match low.0.zip(high.0) {
        Some((low, high)) => format!("{text} ± {:.decimals$}", (high - low) / 2.0),
        None => text,
    }
}

/// Formats a figure with half the width of its interval.
pub(super) fn with_interval(value: Figure, low: Figure, high: Figure, decimals: usize) -> String {
    with_half_width(number(value, decimals), low, high, decimals)
}

/// Formats a figure with half the width of its interval, or with both ends if the interval is not symmetric.
pub(super) fn with_ends(value: Figure, low: Figure, high: Figure, decimals: usize) -> String {
    let (Some(middle), Some(low_end), Some(high_end)) = (value.0, low.0, high.0) else {
        return number(value, decimals);
    };
    let shown = |end: f64| number(end.into(), decimals);
    let is_even = shown(middle - low_end) == shown(high_end - middle);
    half_or_ends(number, [value, low, high], decimals, is_even)
}

/// Formats a figure that has an interval with `shown`. If it `is_even` about the figure, half its width is
/// given, or else both ends.
pub(super) fn half_or_ends(
    shown: fn(Figure, usize) -> String,
    [value, low, high]: [Figure; 3],
    decimals: usize,
    is_even: bool,
) -> String {
    match is_even {
        true => with_half_width(shown(value, decimals), low, high, decimals),
        false => format!("{} ({} to {})", shown(value, decimals), shown(low, decimals), shown(high, decimals)),
    }
}

/// Formats a signed figure with half the width of its interval.
pub(super) fn signed_with_interval(value: Figure, low: Figure, high: Figure, decimals: usize) -> String {
    with_half_width(signed(value, decimals), low, high, decimals)
}

/// Formats a share in percent, without a sign.
pub(super) fn percent(figure: Figure) -> String {
    figure.0.map_or("-".into(), |share| format!("{:.1}", share * 100.0))
}

/// Formats a share in percent without its interval; a dash if the interval is too wide.
pub(super) fn known_percent(share: Figure, low: Figure, high: Figure) -> String {
    match low.0.zip(high.0) {
        Some((low, high)) if worth_showing(low, high) => percent(share),
        _ => "-".to_owned(),
    }
}

/// Formats a share in percent with its interval; "too few deals" if the interval is too wide.
pub(super) fn percent_with_interval(share: Figure, low: Figure, high: Figure, decimals: usize) -> String {
    match (share.0, low.0, high.0) {
        (Some(share), Some(low), Some(high)) if worth_showing(low, high) => percent_text(share, low, high, decimals),
        _ => "too few deals".to_owned(),
    }
}

/// Formats a duration with about three digits.
pub fn time_text(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let units = [(1.0, "s"), (1e3, "ms"), (1e6, "µs"), (1e9, "ns")];
    let (scale, unit) = units.into_iter().find(|(scale, _)| seconds * scale >= 1.0).unwrap_or((1e9, "ns"));
    let value = seconds * scale;
    let decimals = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.decimals$} {unit}")
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

    #[test]
    fn figures_have_as_much_behind_them_as_is_known() {
        let none = Figure(None);
        assert_eq!(with_interval(1.5.into(), none, none, 2), "1.50");
        assert_eq!(with_interval(1.5.into(), 1.0.into(), 2.0.into(), 2), "1.50 ± 0.50");
        assert_eq!(signed_with_interval(1.5.into(), 1.0.into(), 2.0.into(), 2), "+1.50 ± 0.50");
        assert_eq!(with_ends(1.5.into(), 1.0.into(), 2.0.into(), 2), "1.50 ± 0.50");
        assert_eq!(with_ends(1.5.into(), 0.0.into(), 2.0.into(), 2), "1.50 (0.00 to 2.00)");
        assert_eq!(with_ends(1.5.into(), none, none, 2), "1.50");
        let figures = [1.5, -0.5, 2.0].map(Figure::from);
        assert_eq!(half_or_ends(signed, figures, 2, false), "+1.50 (-0.50 to +2.00)");
        assert_eq!(half_or_ends(signed, figures, 2, true), "+1.50 ± 1.25");
        assert_eq!([0.001, -0.001, -0.5].map(|value| signed(value.into(), 2)), ["0.00", "0.00", "-0.50"]);
        assert_eq!(percent_with_interval(0.5.into(), none, none, 1), "too few deals");
        assert_eq!(percent_with_interval(0.5.into(), 0.1.into(), 0.9.into(), 1), "too few deals");
        assert_eq!(percent_with_interval(0.042.into(), 0.029.into(), 0.061.into(), 1), "4.2% (2.9 to 6.1)");
    }
}
