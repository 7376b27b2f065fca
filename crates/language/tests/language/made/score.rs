//! The score of random games.

use toml::{Table, Value};

use super::GameMaker;

impl GameMaker {
    /// Notes the names that a score of this game can use.
    fn names_of_the_deal(&mut self) {
        let shape = &mut self.shape;
        let name = str::to_owned;
        shape.numbers[0].extend(["tricks", "total"].map(name));
        shape.conditions[0].push(name("dealer"));
        if shape.bids {
            shape.numbers[0].push(name("bid"));
        }
        if shape.row {
            shape.numbers[0].extend(["points", "good", "bad"].map(name));
        }
        if shape.declarer {
            shape.conditions[1].extend(["declarer", "defender"].map(name));
        }
        shape.numbers[1].extend(shape.dummies.iter().cloned());
        let options = super::get(&self.game, "options").and_then(Value::as_table);
        for (name, option) in options.into_iter().flatten() {
            match option["default"] {
                Value::Integer(_) => shape.numbers[1].push(name.clone()),
                Value::Boolean(_) => shape.conditions[1].push(name.clone()),
                _ => {}
            }
        }
    }

    pub(super) fn score(&mut self) {
        self.names_of_the_deal();
        let mut by_side = self.shape.partners;
        if self.chance(if self.shape.partners { 50 } else { 2 }) {
            let by = self.pick(&["seat", "side"]);
            by_side &= by == "side";
            let value = self.word_or_option(by, &["seat", "side"]);
            self.set("score.by", value);
        }
        if self.chance(25) {
            let value = self.flag();
            self.set("score.penalty", value);
        }
        self.values();
        for number in 1..=self.below(3) {
            let alike = self.chance(if self.shape.partners { 60 } else { 10 });
            let is_condition = self.chance(30);
            let text = if is_condition { self.condition(1, alike) } else { self.number(1, alike) };
            let place = usize::from(alike);
            let names = if is_condition { &mut self.shape.conditions[place] } else { &mut self.shape.numbers[place] };
            names.push(format!("let{number}"));
            let mut list = match super::get(&self.game, "score.let") {
                Some(Value::Array(list)) => list.clone(),
                _ => Vec::new(),
            };
            list.push(Value::from(format!("let{number} = {text}")));
            self.set("score.let", list);
        }
        if self.shape.declarer {
            let value = if self.chance(10) { Value::Boolean(true) } else { Value::from(self.condition(1, false)) };
            self.set("score.made", value);
        }
        for number in 0..=self.below(4) {
            let row = self.row(number, by_side);
            self.push("score.row", row);
        }
        self.limits();
    }

    fn values(&mut self) {
        if self.shape.row {
            if self.chance(70) {
                for rank in self.shape.ranks.clone().chars() {
                    let value = self.within(-3, 9);
                    let value = self.amount(value, -100, 100);
                    self.set(&format!("score.row-values.base.{rank}*"), value);
                }
                if self.chance(50) {
                    let text = self.pick(&["red > black", "red = 3", "black < red and red > 2"]);
                    self.set("score.row-values.flip-when", text);
                    self.set("score.row-values.remark", "{colour} is good");
                }
            }
        } else if self.chance(40) {
            let rank = self.shape.ranks[..1].to_owned();
            let value = self.within(-5, 11);
            let value = self.amount(value, -100, 100);
            self.set(&format!("score.values.{rank}*"), value);
            // A value of 0 is none.
            let is_zero = super::get(&self.game, &format!("score.values.{rank}*"))
                .is_some_and(|value| value.as_integer() == Some(0));
            if !is_zero {
                self.shape.numbers[0].push("points".to_owned());
            }
        }
        if self.chance(40) {
            let cards = self.cards();
            let value = self.text(&cards);
            self.set("score.counts.some", value);
            self.shape.numbers[0].push("some".to_owned());
        }
    }

    fn row(&mut self, number: usize, by_side: bool) -> Table {
        let mut row = Table::new();
        let mut put = |key: &str, value: Value| row.insert(key.to_owned(), value);
        if number > 0 && self.chance(25) {
            put("group", "more".into());
        }
        if self.chance(30) {
            let words: &[&str] =
                if self.shape.declarer { &["each", "declarer", "defenders", "dealer"] } else { &["each", "dealer"] };
            put("for", self.pick(words).into());
        }
        match self.below(10) {
            0 => put("when", Value::Boolean(true)),
            1..=6 => put("when", self.condition(1, by_side).into()),
            _ => None,
        };
        match self.below(8) {
            0 => None,
            1 => put("points", Value::Integer(self.within(-9, 9))),
            _ => put("points", self.number(2, by_side).into()),
        };
        if self.chance(50) {
            put("name", Value::from(format!("row {number} of {{tricks}} trick{{s}}")));
        }
        if self.chance(30) {
            put("exceptional", Value::Boolean(true));
        }
        row
    }

    fn limits(&mut self) {
        if self.chance(25) {
            let value = self.within(-20, 0);
            let value = self.amount(value, -30_000, 30_000);
            self.set("score.lowest", value);
        }
        if self.chance(25) {
            let value = self.within(1, 40);
            let value = self.amount(value, -30_000, 30_000);
            self.set("score.highest", value);
        }
        if self.chance(40) {
            let text = match self.shape.row {
                true => "{good-cards} and {bad-cards}: {row}",
                false => "{tricks} trick{s}: {row}",
            };
            self.set("score.reason", text);
        }
    }
}
