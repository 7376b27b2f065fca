//! The points that no other beats on what is wanted.

use overtrick_stats::Contrast;

use super::wish::Wish;

/// The numbers of the points that no other beats; `measured` is by wish and point. A point beats another if it is
/// nowhere worse, by what was measured, and somewhere better for sure: the 95% interval of the difference does not
/// reach zero. Points at which something that is wanted was not measured are left out.
pub fn unbeaten(wishes: &[Wish], measured: &[Vec<Option<Contrast>>]) -> Vec<usize> {
    let points = measured.first().map_or(0, Vec::len);
    let losses: Vec<Option<Vec<f64>>> = (0..points)
        .map(|point| {
            let loss =
                |(wish, measured): (&Wish, &Vec<Option<Contrast>>)| Some(wish.loss(measured[point].as_ref()?.value()));
            wishes.iter().zip(measured).map(loss).collect()
        })
        .collect();
    let is_better = |wish: usize, one: usize, other: usize| {
        let (Some(own), Some(theirs)) = (&measured[wish][one], &measured[wish][other]) else { return false };
        let estimate = Contrast::sum(&[(1.0, own), (-1.0, theirs)]).estimate_if_known();
        estimate.half_width.is_some_and(|half| estimate.mean.abs() > half)
    };
    let beats = |one: usize, other: usize| {
        let (Some(own), Some(theirs)) = (&losses[one], &losses[other]) else { return false };
        let is_nowhere_worse = own.iter().zip(theirs).all(|(own, theirs)| own <= theirs);
        is_nowhere_worse && (0..wishes.len()).any(|wish| own[wish] < theirs[wish] && is_better(wish, one, other))
    };
    (0..points).filter(|&point| losses[point].is_some() && !(0..points).any(|other| beats(other, point))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::Wanted;

    /// A measure of about this value, with a standard error of about a hundredth, and errors of its own.
    fn about(value: f64) -> Option<Contrast> {
        let period = 3 + (value * 10.0) as i64;
        let noise = |group: i64| if group * group % period < period / 2 { 80 } else { -80 };
        let groups: Vec<(i64, u64)> = (0..64).map(|group| ((value * 1000.0) as i64 + noise(group), 1000)).collect();
        Contrast::of_mean(&groups)
    }

    #[test]
    fn a_point_is_beaten_by_one_that_is_nowhere_worse_and_somewhere_better_for_sure() {
        let wish = |measure: &str, wanted| Wish { measure: measure.to_owned(), bot: 0, wanted };
        let wishes = [wish("tied", Wanted::Within { min: None, max: Some(0.5) }), wish("skill", Wanted::More)];
        let tied = [0.2, 0.4, 0.9, 0.2, 0.9].map(about).to_vec();
        let skill = [1.0, 1.0, 3.0, 2.0, 2.9].map(about).to_vec();
        // 0 and 1 have less skill than 3; 4 has less than 2, with as many ties; 2 and 3 each have something.
        assert_eq!(unbeaten(&wishes, &[tied.clone(), skill.clone()]), [2, 3]);
        let mut missing = skill;
        missing[3] = None;
        assert_eq!(unbeaten(&wishes, &[tied, missing]), [0, 1, 2]);
    }
}
