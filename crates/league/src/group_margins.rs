//! The margins of bots over a group.

use crate::GroupPlan;
use crate::pair_sums::LARGEST_MARGIN;

/// Returns by bot its margin over the group, or `None` if the group does not measure it.
///
/// A margin is `size - 1` times the points of the bot less the points of the others of its line-up, so that
/// it is an integer. Returns `None` if the points do not fit the line-ups, or are too large for sums of them.
pub(crate) fn group_margins(plan: &GroupPlan, points: &[Vec<i64>]) -> Option<Vec<Option<i64>>> {
    if points.len() != plan.line_ups.len() {
        return None;
    }
    let mut totals = Vec::with_capacity(points.len());
    for (line_up, points) in plan.line_ups.iter().zip(points) {
        let largest = LARGEST_MARGIN / (2 * i64::try_from(line_up.len()).ok()?);
        let is_sound = points.len() == line_up.len()
            && points.iter().all(|points| points.unsigned_abs() <= largest.unsigned_abs());
        if !is_sound {
            return None;
        }
        totals.push(points.iter().sum::<i64>());
    }
    let mut margins = vec![None; plan.measured_in.len()];
    for (bot, at) in plan.measured_in.iter().enumerate() {
        let Some(at) = *at else { continue };
        let (line_up, points) = (&plan.line_ups[at], &points[at]);
        let member = line_up.iter().position(|&other| other == bot)?;
        margins[bot] = Some(i64::try_from(line_up.len()).ok()? * points[member] - totals[at]);
    }
    Some(margins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_is_ahead_of_the_others_of_the_line_up() {
        let plan = GroupPlan {
            number: 0,
            deals: 0..4,
            is_full: false,
            line_ups: vec![vec![0, 1, 2], vec![0, 2, 3]],
            measured_in: vec![Some(0), Some(0), None, Some(1)],
        };
        let points = [vec![10, 4, 1], vec![0, 0, 9]];
        assert_eq!(group_margins(&plan, &points), Some(vec![Some(15), Some(-3), None, Some(18)]));
        assert_eq!(group_margins(&plan, &points[..1]), None);
        assert_eq!(group_margins(&plan, &[vec![10, 4], vec![0, 0, 9]]), None);
        assert_eq!(group_margins(&plan, &[vec![i64::MIN, 4, 1], vec![0, 0, 9]]), None);
    }
}
