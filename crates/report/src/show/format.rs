//! Figures as the terminal and pages show them.

use std::time::Duration;

use overtrick_stats::{Figure, Interval, percent_text, worth_showing};

use crate::format::with_half_width;
pub(super) use crate::format::{half_or_ends, number, thousands};

/// Formats a figure with its sign; zero has none.
pub(super) fn signed(figure: impl Into<Figure>, decimals: usize) -> String {
    let text = number(figure, decimals);
    let is_more = text.bytes().any(|c| (b'1'..=b'9').contains(&c)) && !text.starts_with('-');
    if is_more { format!("+{text}") } else { text }
}

/// Formats a figure with half the width of its interval.
pub(super) fn with_interval(figure: Interval, decimals: usize) -> String {
    with_half_width(number(figure.value, decimals), figure, decimals)
}

/// Formats a figure with half the width of its interval, or with both ends if the interval is not symmetric.
pub(super) fn with_ends(figure: Interval, decimals: usize) -> String {
    let Interval { value: Some(middle), low: Some(low), high: Some(high), .. } = figure else {
        return number(figure.value, decimals);
    };
    let is_even = number(middle - low, decimals) == number(high - middle, decimals);
    half_or_ends(number, figure, decimals, is_even)
}

/// Formats a signed figure with half the width of its interval.
pub(super) fn signed_with_interval(figure: Interval, decimals: usize) -> String {
    with_half_width(signed(figure.value, decimals), figure, decimals)
}

/// Formats a share in percent, without a sign.
pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or("-".into(), |share| format!("{:.1}", share * 100.0))
}

/// Formats a share in percent without its interval; a dash if the interval is too wide.
pub(super) fn known_percent(share: Interval) -> String {
    match share.ends() {
        Some((low, high)) if worth_showing(low, high) => percent(share.value),
        _ => "-".to_owned(),
    }
}

/// Formats a share in percent with its interval; "too few deals" if the interval is too wide.
pub(super) fn percent_with_interval(share: Interval, decimals: usize) -> String {
    match share {
        Interval { value: Some(share), low: Some(low), high: Some(high), .. } if worth_showing(low, high) => {
            percent_text(share, low, high, decimals)
        }
        _ => "too few deals".to_owned(),
    }
}

/// Formats a share in percent with its interval; a dash if there is no share.
pub(super) fn known_share(share: Interval) -> String {
    if share.value.is_some() { percent_with_interval(share, 1) } else { "-".to_owned() }
}

/// Returns the name of a bot, with a mark if it had faults.
pub(super) fn marked(bot: &str, at_fault: bool) -> String {
    if at_fault { format!("{bot} (!)") } else { bot.to_owned() }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_as_much_behind_them_as_is_known() {
        let figure = |value: f64, ends| Interval::new(Some(value), ends);
        assert_eq!(with_interval(figure(1.5, None), 2), "1.50");
        assert_eq!(with_interval(figure(1.5, Some((1.0, 2.0))), 2), "1.50 ± 0.50");
        assert_eq!(signed_with_interval(figure(1.5, Some((1.0, 2.0))), 2), "+1.50 ± 0.50");
        assert_eq!(with_ends(figure(1.5, Some((1.0, 2.0))), 2), "1.50 ± 0.50");
        assert_eq!(with_ends(figure(1.5, Some((0.0, 2.0))), 2), "1.50 (0.00 to 2.00)");
        assert_eq!(with_ends(figure(1.5, None), 2), "1.50");
        let uneven = figure(1.5, Some((-0.5, 2.0)));
        assert_eq!(half_or_ends(signed, uneven, 2, false), "+1.50 (-0.50 to +2.00)");
        assert_eq!(half_or_ends(signed, uneven, 2, true), "+1.50 ± 1.25");
        assert_eq!([0.001, -0.001, -0.5].map(|value| signed(value, 2)), ["0.00", "0.00", "-0.50"]);
        assert_eq!(percent_with_interval(figure(0.5, None), 1), "too few deals");
        assert_eq!(percent_with_interval(figure(0.5, Some((0.1, 0.9))), 1), "too few deals");
        assert_eq!(percent_with_interval(figure(0.042, Some((0.029, 0.061))), 1), "4.2% (2.9 to 6.1)");
    }
}
