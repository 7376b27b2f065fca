//! The score of a deal in words.

use std::collections::BTreeMap;

use overtrick_toml::InputError;

use crate::source::{AmountSetting, ByWord, ConditionSetting, ForWord, RowKeys};

use super::facts::GameFacts;
use super::page::RulesPage;
use super::vocabulary::Vocabulary;
use super::wording::{cards, listed, sentence};

/// Writes the section on the score, and returns whether points are bad.
pub(super) fn score(facts: &GameFacts<'_>, page: &mut RulesPage) -> Result<bool, InputError> {
    let keys = &facts.resolver.file.keys().score;
    page.heading(2, "Score");
    let partners = facts.seating.partners;
    let by = facts.choice(&["score", "by"], &keys.by, if partners { ByWord::Side } else { ByWord::Seat })?;
    let mut vocabulary = Vocabulary::of(facts, by.value == ByWord::Side);
    values(facts, page)?;
    prizes(facts, &vocabulary, page)?;
    names(facts, &mut vocabulary, page)?;
    if let Some(made) = &keys.made {
        let condition = vocabulary.condition(&["score", "made"], made)?.unwrap_or_else(|| "always".to_owned());
        page.paragraph(&[format!("The declarer makes the contract under this condition: {condition}.")]);
    }
    rows(facts, &vocabulary, page)?;
    let mut sentences = Vec::new();
    if partners && by.value == ByWord::Seat {
        sentences.push(format!("A side scores the sum of both partners{}.", by.note));
    }
    let penalty = facts.flag(&["score", "penalty"], &keys.penalty, false)?;
    if penalty.value {
        sentences.push(format!("Points are bad: the score of a deal is minus their sum{}.", penalty.note));
    }
    if keys.lowest.is_some() {
        let lowest = facts.amount(&["score", "lowest"], &keys.lowest, 0)?;
        sentences.push(format!("A score of a deal below {lowest} counts as {}.", lowest.value));
    }
    if keys.highest.is_some() {
        let highest = facts.amount(&["score", "highest"], &keys.highest, 0)?;
        sentences.push(format!("A score of a deal above {highest} counts as {}.", highest.value));
    }
    page.paragraph(&sentences);
    Ok(penalty.value)
}

/// Writes a table of values by cards.
fn value_table(
    facts: &GameFacts<'_>,
    key: &[&str],
    patterns: &BTreeMap<String, AmountSetting<-100, 100>>,
    page: &mut RulesPage,
) -> Result<(), InputError> {
    let mut lines = Vec::new();
    for (pattern, setting) in patterns {
        let at = [key, &[pattern.as_str()]].concat();
        let value = facts.amount(&at, &Some(setting.clone()), 0)?;
        lines.push((-value.value, vec![sentence(&cards(pattern)), value.to_string()]));
    }
    // The highest value comes first.
    lines.sort();
    let rows: Vec<Vec<String>> = lines.into_iter().map(|(_, cells)| cells).collect();
    page.table(&["cards", "value"], &rows);
    Ok(())
}

/// Writes the values of cards that are won in tricks.
fn values(facts: &GameFacts<'_>, page: &mut RulesPage) -> Result<(), InputError> {
    let keys = &facts.resolver.file.keys().score;
    if keys.values.is_empty() {
        return Ok(());
    }
    page.paragraph(&["Cards won in tricks have these values. All others count 0.".to_owned()]);
    value_table(facts, &["score", "values"], &keys.values, page)
}

/// Writes the values of the cards of a row, if there is a row.
fn prizes(facts: &GameFacts<'_>, vocabulary: &Vocabulary<'_>, page: &mut RulesPage) -> Result<(), InputError> {
    if !facts.dealing.row {
        return Ok(());
    }
    let keys = &facts.resolver.file.keys().score.row_values;
    page.paragraph(&["Prizes have these values. All others count 0.".to_owned()]);
    value_table(facts, &["score", "row-values", "base"], &keys.base, page)?;
    let mut sentences = Vec::new();
    let at = ["score", "row-values", "flip-when"];
    let flips = vocabulary.condition(&at, keys.flip_when.as_ref().unwrap_or(&ConditionSetting::Value(false)))?;
    sentences.push(match flips.as_deref() {
        None => "Black prizes are good, and red ones are bad.".to_owned(),
        Some("never") => "Red prizes are good, and black ones are bad.".to_owned(),
        Some(flips) => {
            format!("Red prizes are good, and black ones are bad. It is the other way round if {flips}.")
        }
    });
    sentences.push("The value of a good prize counts, and that of a bad one counts minus as much.".to_owned());
    page.paragraph(&sentences);
    Ok(())
}

/// Writes the names of counts and of `let`, and adds the latter to the vocabulary.
fn names(facts: &GameFacts<'_>, vocabulary: &mut Vocabulary<'_>, page: &mut RulesPage) -> Result<(), InputError> {
    let keys = &facts.resolver.file.keys().score;
    let mut items = Vec::new();
    for (name, text) in &keys.counts {
        let cards = facts.cards(&["score", "counts", name], Some(text))?;
        items.push(format!("The number of `{name}` is that of these cards won in tricks: {cards}."));
    }
    for (place, text) in keys.names.iter().enumerate() {
        let Some((name, expression)) = text.split_once('=') else { continue };
        let (name, place) = (name.trim(), place.to_string());
        let words = vocabulary.words(&["score", "let", &place], expression)?;
        let verb = if words.is_condition { "holds if" } else { "is" };
        items.push(format!("`{name}` {verb} {}.", words.text));
        vocabulary.add(name, words.is_condition);
    }
    if !items.is_empty() {
        page.paragraph(&["The rules of the score use these names:".to_owned()]);
        page.list(false, &items);
    }
    Ok(())
}

/// Writes the rows, a table for each group.
fn rows(facts: &GameFacts<'_>, vocabulary: &Vocabulary<'_>, page: &mut RulesPage) -> Result<(), InputError> {
    let all = &facts.resolver.file.listed().rows;
    let mut groups: Vec<&str> = Vec::new();
    for row in all {
        let group = row.group.as_deref().unwrap_or("main");
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    if groups.len() > 1 {
        let names: Vec<String> = groups.iter().map(|group| format!("`{group}`")).collect();
        page.paragraph(&[format!("The points of these groups are added: {}.", listed(&names, "and"))]);
    }
    for group in &groups {
        let unit = vocabulary.subject().trim_start_matches("the ");
        let of_group = if groups.len() > 1 { format!(" of `{group}`") } else { String::new() };
        page.paragraph(&[format!("For each {unit}, the first row{of_group} that fits counts:")]);
        group_table(facts, vocabulary, group, page)?;
    }
    if all.iter().filter_map(|row| row.name.as_ref()).any(|name| name.contains('{')) {
        page.paragraph(&["A name in braces stands for its value.".to_owned()]);
    }
    let exceptional = all.iter().enumerate().filter(|(_, row)| row.exceptional == Some(true));
    let numbers: Vec<String> = exceptional.map(|(place, _)| (place + 1).to_string()).collect();
    match numbers.len() {
        0 => {}
        1 => page.paragraph(&[format!("Results count a deal with row {} as exceptional.", numbers[0])]),
        _ => page.paragraph(&[format!("Results count deals with rows {} as exceptional.", listed(&numbers, "or"))]),
    }
    Ok(())
}

fn group_table(
    facts: &GameFacts<'_>,
    vocabulary: &Vocabulary<'_>,
    group: &str,
    page: &mut RulesPage,
) -> Result<(), InputError> {
    let rows = facts.resolver.file.listed().rows.iter().enumerate();
    let of_group: Vec<(usize, &RowKeys)> =
        rows.filter(|(_, row)| row.group.as_deref().unwrap_or("main") == group).collect();
    let for_some = of_group.iter().any(|(_, row)| row.seats.is_some_and(|seats| seats != ForWord::Each));
    let mut lines = Vec::new();
    for (place, row) in of_group {
        let number = place.to_string();
        let at = |key: &'static str| ["score", "row", number.as_str(), key];
        let condition = match &row.when {
            Some(when) => vocabulary.condition(&at("when"), when)?,
            None => None,
        };
        let otherwise = if lines.is_empty() { "always" } else { "otherwise" };
        let points = match &row.points {
            Some(points) => vocabulary.words(&at("points"), &points.0)?.text,
            None => "0".to_owned(),
        };
        let name = row.name.clone().unwrap_or_else(|| format!("row {}", place + 1)).replace("{s}", "s");
        let seats = match row.seats.unwrap_or(ForWord::Each) {
            ForWord::Each => "all",
            ForWord::Declarer => "declarer",
            ForWord::Defenders => "defenders",
            ForWord::Dealer => "dealer",
        };
        lines.push(vec![
            (place + 1).to_string(),
            seats.to_owned(),
            condition.unwrap_or_else(|| otherwise.to_owned()),
            points,
            name,
        ]);
    }
    let headings = ["row", if for_some { "for" } else { "" }, "if", "points", "name"];
    page.table(&headings, &lines);
    Ok(())
}
