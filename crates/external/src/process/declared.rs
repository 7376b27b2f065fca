//! The parameters that a bot declares, which must be the same for all its processes.

use std::sync::{Arc, OnceLock};

use overtrick_strategy::protocol::{Fault, FaultKind, Hello, Knobs};
use toml::Table;

/// The declaration of a bot, shared by all its processes. The first one that starts makes it.
#[derive(Clone, Debug, Default)]
pub struct Declared(Arc<OnceLock<Option<Knobs>>>);

impl Declared {
    /// Returns the parameters; `None` if no process has started yet, or if the bot declares nothing.
    pub fn knobs(&self) -> Option<&Knobs> {
        self.0.get()?.as_ref()
    }

    /// Checks the introduction of a process: its declaration is that of the first one, and the settings fit it.
    ///
    /// # Errors
    /// [`FaultKind::WrongHandshake`].
    pub(super) fn check(&self, hello: &Hello, settings: &Table) -> Result<(), Fault> {
        let wrong = |what: String| Err(Fault::new(FaultKind::WrongHandshake, what));
        let first = self.0.get_or_init(|| hello.parameters.clone());
        let difference = match (first, &hello.parameters) {
            (Some(first), Some(now)) => first.difference(now),
            (None, None) => None,
            (Some(_), None) => Some("there are none now".to_owned()),
            (None, Some(_)) => Some("there were none before".to_owned()),
        };
        if let Some(difference) = difference {
            return wrong(format!(
                "it declares other parameters than a process of it did before: {difference}; let it declare the same at \
                 each start, for any settings"
            ));
        }
        match hello.parameters.as_ref().map(|knobs| knobs.check(settings)) {
            Some(Err(refusal)) => wrong(refusal.to_string()),
            _ => Ok(()),
        }
    }
}

/// Always equal: a declaration is no setting, so bots with equal settings are equal.
impl PartialEq for Declared {
    fn eq(&self, _: &Declared) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use overtrick_strategy::protocol::Knob;

    use super::*;

    fn hello(knobs: Option<Vec<Knob>>) -> Hello {
        Hello { parameters: knobs.map(Knobs::from), ..Hello::default() }
    }

    fn said(first: &Hello, second: &Hello, settings: &str) -> String {
        let (declared, settings) = (Declared::default(), settings.parse().unwrap());
        declared.check(first, &settings).and_then(|()| declared.check(second, &settings)).unwrap_err().what
    }

    #[test]
    fn all_processes_declare_the_same() {
        let risk = |high| hello(Some(vec![Knob::integer("risk", 0..=high, 0)]));
        let more = hello(Some(vec![Knob::integer("risk", 0..=5, 0), Knob::switch("bold", false)]));
        let (none, open) = (hello(Some(Vec::new())), hello(None));
        let (risk, other) = (risk(5), risk(6));
        for (first, second, difference) in [
            (&risk, &other, "`risk` is a whole number, 0 to 6, and was a whole number, 0 to 5"),
            (&risk, &more, "`bold` was not there before"),
            (&more, &risk, "`bold` is missing"),
            (&risk, &open, "there are none now"),
            (&open, &none, "there were none before"),
        ] {
            let message = said(first, second, "");
            assert!(message.contains(&format!("did before: {difference}; let it declare")), "{message}");
        }
        let declared = Declared::default();
        assert_eq!(declared.knobs(), None);
        (0..2).for_each(|_| declared.check(&more, &Table::new()).unwrap());
        assert_eq!(declared.clone().knobs().unwrap().all().len(), 2);
    }

    #[test]
    fn settings_must_fit_a_declaration_and_need_none() {
        let knobs = hello(Some(vec![Knob::number("nerve", 0.0..=1.0, 0.5)]));
        assert_eq!(said(&knobs, &knobs, "nerve = 2.5"), "`settings.nerve` is 2.5, but must be 0 to 1");
        Declared::default().check(&hello(None), &"nerve = 2.5\nother = [1]".parse().unwrap()).unwrap();
        let none = hello(Some(Vec::new()));
        let message = "`settings.x` is no parameter of the bot, which declares none: take it out";
        assert_eq!(said(&none, &none, "x = 1"), message);
    }
}
