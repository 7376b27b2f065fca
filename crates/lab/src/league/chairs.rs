//! The chairs at which a line-up plays.

/// Returns the players on the chairs at which a line-up plays, with a chair for each of `seats` teams.
///
/// Two bots at a larger table play in every number, as in a duel.
pub fn chairs_of(line_up: &[usize], seats: usize) -> Vec<Vec<u16>> {
    let id = |&bot: &usize| u16::try_from(bot).expect("few bots");
    match line_up {
        [one, other] if seats > 2 => {
            let duel = |own: usize| [vec![id(one); own], vec![id(other); seats - own]].concat();
            (1..seats).map(duel).collect()
        }
        all => vec![all.iter().map(id).collect()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_bots_at_a_larger_table_have_equally_many_seats() {
        assert_eq!(chairs_of(&[3, 7], 2), [[3, 7]]);
        assert_eq!(chairs_of(&[3, 7], 3), [[3, 7, 7], [3, 3, 7]]);
        assert_eq!(chairs_of(&[3, 5, 7], 3), [[3, 5, 7]]);
        assert_eq!(chairs_of(&[3, 7], 4), [[3, 7, 7, 7], [3, 3, 7, 7], [3, 3, 3, 7]]);
    }
}
