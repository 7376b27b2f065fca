//! The table of results: one result for each bot of a round, and all entries of an author.

use overtrick_stats::{Figure, Interval, rows};

use super::definition::BenchmarkDefinition;
use super::entry::BenchmarkClass;
use super::result_file::BenchmarkResult;
use super::scoring::BenchmarkScore;

/// The round of results on the open deals.
const OPEN: &str = "open";
/// The author of bots whose author is not named.
const UNNAMED: &str = "";

rows! {
    /// A bot in the table.
    pub struct StandingRow {
        /// The round, or `open` for the open deals.
        round: String,
        /// The first digits of the commitment of the round.
        commitment: String,
        /// The class: `wasm` or `unlimited`.
        class: &'static str,
        /// The rank in its round and class.
        rank: usize,
        /// The bot.
        bot: String,
        /// The author, if one is named.
        author: String,
        /// The number of entries of this author in the round and class.
        entries: usize,
        /// The score: 0 and 100 are the levels of two references.
        score: Interval,
        /// The faults of the bot.
        faults: u64,
        /// The number of result files of this bot in the round.
        files: usize,
        /// Whether these files disagree, so that the bot does not play the same each time.
        differing: bool,
        /// The SHA-256 of the bot's strategy and parameters.
        sha256: String,
        /// The first of its files.
        file: String,
    }

    /// An author in the table, with all entries.
    pub struct AuthorRow {
        /// The round, or `open` for the open deals.
        round: String,
        /// The first digits of the commitment of the round.
        commitment: String,
        /// The class: `wasm` or `unlimited`.
        class: &'static str,
        /// The author.
        author: String,
        /// The number of entries.
        entries: usize,
        /// The mean score of all entries.
        mean: Figure,
        /// The lowest score of an entry.
        lowest: Figure,
        /// The highest score of an entry. The best of many looks better than it is.
        highest: Figure,
    }
}

/// The table of a benchmark.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    /// The bots, by round, class and rank.
    pub rows: Vec<StandingRow>,
    /// The authors with more than one entry, by round, class and mean.
    pub authors: Vec<AuthorRow>,
}

/// The place of a result: its round by name and commitment, and its class.
type TablePlace = (String, String, BenchmarkClass);

fn table_place(result: &BenchmarkResult) -> TablePlace {
    let round = result.round.as_ref();
    let name = round.map_or(OPEN, |round| &round.name);
    let commitment = round.map_or("", |round| &round.commitment);
    (name.to_owned(), commitment.to_owned(), result.bot.class)
}

/// Returns the digits of a commitment that tables show.
fn first_digits(commitment: &str) -> String {
    commitment.chars().take(12).collect()
}

impl Standings {
    /// Makes the table of results, which are in the order of their files.
    ///
    /// Results must be of this benchmark and have its shape. Of several results of a bot in a round the first
    /// counts.
    pub fn new(definition: &BenchmarkDefinition, results: &[(String, BenchmarkResult)]) -> Standings {
        let mut rows: Vec<(TablePlace, StandingRow)> = Vec::new();
        let mut firsts: Vec<&BenchmarkResult> = Vec::new();
        for (file, result) in results {
            let place = table_place(result);
            let known = rows.iter().position(|(other, row)| *other == place && row.sha256 == result.bot.sha256);
            if let Some(known) = known {
                let row = &mut rows[known].1;
                row.files += 1;
                row.differing |= firsts[known].duels != result.duels;
                continue;
            }
            let row = row(definition, file, result, &place);
            rows.push((place, row));
            firsts.push(result);
        }
        rows.sort_by(|(place, row), (other_place, other)| {
            let score = |row: &StandingRow| row.score.value.unwrap_or(f64::NEG_INFINITY);
            place.cmp(other_place).then(score(other).total_cmp(&score(row))).then(row.bot.cmp(&other.bot))
        });
        let authors = authors(&rows);
        let places: Vec<TablePlace> = rows.iter().map(|(place, _)| place.clone()).collect();
        let mut rows: Vec<StandingRow> = rows.into_iter().map(|(_, row)| row).collect();
        for at in 0..rows.len() {
            let first = places.iter().position(|place| *place == places[at]).unwrap_or(at);
            rows[at].rank = at - first + 1;
            let is_own = |other: usize| places[other] == places[at] && rows[other].author == rows[at].author;
            let is_named = rows[at].author != UNNAMED;
            rows[at].entries = if is_named { (0..rows.len()).filter(|&other| is_own(other)).count() } else { 1 };
        }
        Standings { rows, authors }
    }
}

impl Standings {
    /// Returns what a reader needs to know of results that disagree.
    pub fn notes(&self) -> Vec<String> {
        let note = |row: &StandingRow| {
            format!(
                "{} has {} results in {} that differ: it does not play the same each time, and the first file, {}, counts",
                row.bot, row.files, row.round, row.file
            )
        };
        self.rows.iter().filter(|row| row.differing).map(note).collect()
    }
}

/// Returns the row of a result, without rank and entries.
fn row(definition: &BenchmarkDefinition, file: &str, result: &BenchmarkResult, place: &TablePlace) -> StandingRow {
    StandingRow {
        round: place.0.clone(),
        commitment: first_digits(&place.1),
        class: place.2.name(),
        bot: result.bot.name.clone(),
        author: result.bot.author.clone().unwrap_or_default(),
        score: BenchmarkScore::new(definition, &result.duels).total,
        faults: result.duels.iter().map(|duel| duel.faults).sum(),
        files: 1,
        sha256: result.bot.sha256.clone(),
        file: file.to_owned(),
        ..StandingRow::default()
    }
}

/// Returns the authors with more than one entry, by round, class and mean.
fn authors(rows: &[(TablePlace, StandingRow)]) -> Vec<AuthorRow> {
    let mut found: Vec<(TablePlace, String, Vec<f64>)> = Vec::new();
    for (place, row) in rows.iter().filter(|(_, row)| row.author != UNNAMED) {
        let Some(score) = row.score.value else { continue };
        match found.iter_mut().find(|(other, author, _)| other == place && *author == row.author) {
            Some((.., scores)) => scores.push(score),
            None => found.push((place.clone(), row.author.clone(), vec![score])),
        }
    }
    let mean = |scores: &[f64]| scores.iter().sum::<f64>() / scores.len() as f64;
    found.retain(|(.., scores)| scores.len() > 1);
    found.sort_by(|(place, _, scores), (other_place, _, others)| {
        place.cmp(other_place).then(mean(others).total_cmp(&mean(scores)))
    });
    let row = |(place, author, scores): (TablePlace, String, Vec<f64>)| AuthorRow {
        commitment: first_digits(&place.1),
        round: place.0,
        class: place.2.name(),
        author,
        entries: scores.len(),
        mean: mean(&scores).into(),
        lowest: scores.iter().copied().reduce(f64::min).into(),
        highest: scores.iter().copied().reduce(f64::max).into(),
    };
    found.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::super::definition::tests::{SMALL, resolved};
    use super::super::result_file::tests::made_up;
    use super::super::round::PlayedRound;
    use super::*;

    fn standings(results: Vec<BenchmarkResult>) -> Standings {
        let results: Vec<(String, BenchmarkResult)> =
            results.into_iter().enumerate().map(|(number, result)| (format!("{number}.json"), result)).collect();
        Standings::new(&resolved(SMALL).unwrap(), &results)
    }

    fn names(standings: &Standings) -> Vec<(usize, &str, usize, &str)> {
        standings.rows.iter().map(|row| (row.rank, row.bot.as_str(), row.files, row.file.as_str())).collect()
    }

    #[test]
    fn the_first_result_of_a_bot_counts_and_running_again_gains_nothing() {
        let once = standings(vec![made_up("random", 1, None), made_up("cautious", 5, None)]);
        assert_eq!(names(&once), [(1, "cautious", 1, "1.json"), (2, "random", 1, "0.json")]);
        // Fifty more runs of a bot, the last of which is better.
        let mut results = vec![made_up("random", 1, None); 50];
        results.insert(1, made_up("cautious", 5, None));
        results.push(made_up("random", 9, None));
        let again = standings(results);
        assert_eq!(names(&again), [(1, "cautious", 1, "1.json"), (2, "random", 51, "0.json")]);
        assert_eq!(again.rows.iter().map(|row| row.differing).collect::<Vec<_>>(), [false, true]);
        assert_eq!(again.rows[1].score, once.rows[1].score);
    }

    #[test]
    fn all_entries_of_an_author_are_shown() {
        let entered = vec![
            made_up("random", 1, Some("Ann")),
            made_up("cautious", 5, Some("Ann")),
            made_up("rule-based", 4, Some("Bob")),
        ];
        let table = standings(entered);
        assert_eq!(table.rows.iter().map(|row| row.entries).collect::<Vec<_>>(), [2, 1, 2]);
        assert_eq!(table.authors.len(), 1);
        let ann = &table.authors[0];
        let scores = [table.rows[0].score.value.unwrap(), table.rows[2].score.value.unwrap()];
        assert_eq!((ann.entries, ann.highest.0, ann.lowest.0), (2, Some(scores[0]), Some(scores[1])));
        assert_eq!(ann.mean.0, Some((scores[0] + scores[1]) / 2.0));
        // Bots without an author are not of one author.
        let unnamed = standings(vec![made_up("random", 1, None), made_up("cautious", 5, None)]);
        assert!(unnamed.authors.is_empty() && unnamed.rows.iter().all(|row| row.entries == 1));
    }

    #[test]
    fn rounds_and_classes_are_ranked_apart() {
        let secret = "00112233445566778899aabbccddeeff".parse().unwrap();
        let round = PlayedRound { name: "2027".to_owned(), commitment: "ab".repeat(32), secret };
        let sealed = BenchmarkResult { round: Some(round), ..made_up("random", 1, None) };
        let mut module = made_up("cautious", 1, None);
        module.bot.class = BenchmarkClass::Wasm;
        let table = standings(vec![made_up("random", 3, None), sealed, module]);
        let shown: Vec<(&str, &str, usize)> =
            table.rows.iter().map(|row| (row.round.as_str(), row.class, row.rank)).collect();
        assert_eq!(shown, [("2027", "unlimited", 1), ("open", "wasm", 1), ("open", "unlimited", 1)]);
        assert_eq!(table.rows[0].commitment, "abababababab");
    }

    #[test]
    fn a_forged_round_of_the_same_name_is_another_group() {
        let in_round = |bot: &str, digits: &str| {
            let secret = "00112233445566778899aabbccddeeff".parse().unwrap();
            let round = PlayedRound { name: "2027".to_owned(), commitment: digits.repeat(32), secret };
            BenchmarkResult { round: Some(round), ..made_up(bot, 1, Some("Ann")) }
        };
        let table = standings(vec![in_round("random", "ab"), in_round("cautious", "ab"), in_round("rule-based", "cd")]);
        let shown: Vec<(&str, usize)> = table.rows.iter().map(|row| (row.commitment.as_str(), row.rank)).collect();
        assert_eq!(shown, [("abababababab", 1), ("abababababab", 2), ("cdcdcdcdcdcd", 1)]);
        let authors: Vec<(&str, usize)> =
            table.authors.iter().map(|author| (author.commitment.as_str(), author.entries)).collect();
        assert_eq!(authors, [("abababababab", 2)]);
    }
}
