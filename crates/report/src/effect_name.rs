//! The name of an effect of rules, as effects.csv has it and in words.

use overtrick_lab::sweep::{Effect, SweepPlan, ValueChange};

/// The kind of an effect, and its axes with their values and reference values.
pub(super) struct EffectName {
    pub(super) kind: String,
    pub(super) one: [String; 3],
    pub(super) other: [String; 3],
}

impl EffectName {
    /// Returns the name of an effect.
    pub(super) fn of(plan: &SweepPlan, effect: &Effect) -> EffectName {
        let alone = |axis: usize| [plan.axes[axis].key.clone(), String::new(), String::new()];
        let compared = |ValueChange { axis, value, against }| {
            let own = &plan.axes[axis];
            [own.key.clone(), own.text(value), own.text(against)]
        };
        let (kind, one, other) = match *effect {
            Effect::Value(change) => ("value", compared(change), Default::default()),
            Effect::Pair([one, other]) => ("pair", compared(one), compared(other)),
            Effect::Slope { axis } => {
                let (low, high) = plan.axes[axis].ends();
                ("slope", compared(ValueChange { axis, value: high, against: low }), Default::default())
            }
            Effect::Bend { axis } => ("bend", alone(axis), Default::default()),
            Effect::Product { axes: [one, other] } => ("product", alone(one), alone(other)),
        };
        EffectName { kind: kind.to_owned(), one, other }
    }

    /// Returns the effect in words.
    #[cfg(feature = "cli")]
    pub(super) fn in_words(&self) -> String {
        let ([axis, value, against], [other, second, _]) = (&self.one, &self.other);
        match self.kind.as_str() {
            "value" | "slope" => format!("{axis} {value} against {against}"),
            "pair" => format!("{axis} {value} with {other} {second}, beyond each"),
            "bend" => format!("{axis} at its ends against its middle"),
            "product" => format!("{axis} with {other}"),
            kind => format!("{kind} {axis} {value} {other} {second}"),
        }
    }
}
