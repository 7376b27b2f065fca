//! The name of an effect of rules, as effects.csv has it and in words.

use overtrick_lab::sweep::{Effect, SweepPlan, ValueChange};

/// The kind of an effect and its one or two axes.
pub(super) struct EffectName {
    pub(super) kind: String,
    pub(super) one: AxisText,
    pub(super) other: AxisText,
}

/// An axis with its value and its reference value. A text is empty if the effect has none.
#[derive(Default)]
pub(super) struct AxisText {
    pub(super) axis: String,
    pub(super) value: String,
    pub(super) against: String,
}

impl EffectName {
    /// Returns the name of an effect.
    pub(super) fn of(plan: &SweepPlan, effect: &Effect) -> EffectName {
        let alone = |axis: usize| AxisText { axis: plan.axes[axis].key.clone(), ..AxisText::default() };
        let compared = |ValueChange { axis, value, against }| {
            let own = &plan.axes[axis];
            AxisText { axis: own.key.clone(), value: own.text(value), against: own.text(against) }
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
        let AxisText { axis, value, against } = &self.one;
        let AxisText { axis: other, value: second, .. } = &self.other;
        match self.kind.as_str() {
            "value" | "slope" => format!("{axis} {value} against {against}"),
            "pair" => format!("{axis} {value} with {other} {second}, beyond each"),
            "bend" => format!("{axis} at its ends against its middle"),
            "product" => format!("{axis} with {other}"),
            kind => format!("{kind} {axis} {value} {other} {second}"),
        }
    }
}
