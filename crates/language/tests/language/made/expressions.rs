//! Random expressions of the names that a random game has.

use super::GameMaker;

impl GameMaker {
    /// Returns the names of a kind. `alike` leaves out those that differ between partners.
    fn name_of(&mut self, conditions: bool, alike: bool) -> Option<String> {
        let [differing, same] = if conditions { &self.shape.conditions } else { &self.shape.numbers };
        let names: Vec<String> = same.iter().chain(differing.iter().filter(|_| !alike)).cloned().collect();
        if names.is_empty() {
            return None;
        }
        let place = self.below(names.len());
        Some(names[place].clone())
    }

    /// Returns a number that any seat has, as it may stand in a function over seats.
    fn of_a_seat(&mut self) -> String {
        let names: Vec<String> = self.shape.numbers.iter().flatten().cloned().collect();
        let place = self.below(names.len());
        if self.chance(20) { format!("{} * 2 + 1", names[place]) } else { names[place].clone() }
    }

    /// Returns a number. With `alike` it has the same value for partners.
    pub(super) fn number(&mut self, depth: usize, alike: bool) -> String {
        if depth == 0 || self.chance(30) {
            return self.leaf(alike);
        }
        let (one, other) = (self.number(depth - 1, alike), self.number(depth - 1, alike));
        let step = self.within(1, 5);
        match self.below(9) {
            0 | 1 => format!("{one} + {other}"),
            2 => format!("{one} - ({other})"),
            3 => format!("({one}) * {step}"),
            4 => format!("({one}) div {step}"),
            5 => format!("({one}) mod {step}"),
            6 => format!("{}({one}, {other})", self.pick(&["min", "max"])),
            7 => format!("up({step}, abs({one}))"),
            _ => format!("(if {} then {one} else {other})", self.condition(0, alike)),
        }
    }

    fn leaf(&mut self, alike: bool) -> String {
        match self.below(6) {
            0 => self.within(0, 9).to_string(),
            1 => {
                let function = self.pick(&["mine", "others", "all", "best", "most"]);
                format!("{function}({})", self.of_a_seat())
            }
            2 if self.shape.declarer => "declarer.tricks".to_owned(),
            3 => self.pick(&["hand", "players"]).to_owned(),
            _ => self.name_of(false, alike).unwrap_or_else(|| "1".to_owned()),
        }
    }

    /// Returns a condition. With `alike` it has the same value for partners.
    pub(super) fn condition(&mut self, depth: usize, alike: bool) -> String {
        if depth > 0 && self.chance(40) {
            let (one, other) = (self.condition(depth - 1, alike), self.condition(depth - 1, alike));
            return match self.below(3) {
                0 => format!("not ({one})"),
                1 => format!("({one}) and ({other})"),
                _ => format!("({one}) or ({other})"),
            };
        }
        match self.below(8) {
            0 => {
                let seat = self.of_a_seat();
                let function = self.pick(&["any", "count"]);
                format!("{function}({seat} > 2){}", if function == "any" { "" } else { " > 1" })
            }
            1 if !alike => format!("same({}) = 1", self.of_a_seat()),
            2 | 3 => self.name_of(true, alike).unwrap_or_else(|| "hand > 1".to_owned()),
            _ => {
                let sign = self.pick(&["=", "!=", "<", "<=", ">", ">="]);
                format!("{} {sign} {}", self.number(1, alike), self.number(0, alike))
            }
        }
    }
}
