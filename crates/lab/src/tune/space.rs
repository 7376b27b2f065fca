//! The space that is searched: each parameter is an axis from 0 to 1.

use toml::{Table, Value};

use super::constants::{FEWEST_STEPS, MOST_COARSE};
use super::setting::Setting;

/// The values that a parameter may take.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterValues {
    /// Numbers `low`, `low + step` and so on, `count` of them.
    Numbers {
        /// The lowest number.
        low: f64,
        /// The distance from each number to the next.
        step: f64,
        /// The number of values, at least two.
        count: u32,
        /// Whether they are whole numbers.
        whole: bool,
    },
    /// Some values in no order.
    Choices(Vec<Value>),
}

/// A parameter that is tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct TuneAxis {
    /// The key in the bot's parameters, with dots for nested tables.
    pub key: String,
    /// The values that it may take.
    pub values: ParameterValues,
}

/// The parameters that are tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// The axes, in the order of their keys.
    pub axes: Vec<TuneAxis>,
}

impl ParameterValues {
    /// Returns the numbers from `low` to `high`.
    ///
    /// They are in steps of `step`, or in steps that are fine but give values with few digits.
    pub fn numbers(low: f64, high: f64, step: Option<f64>, whole: bool) -> ParameterValues {
        let fine = || 10f64.powi(libm::floor(libm::log10((high - low) / FEWEST_STEPS)) as i32);
        let step = step.unwrap_or_else(|| if whole { 1.0 } else { fine() });
        // Except for rounding, the last value may lie on the limit.
        let count = libm::floor((high - low) / step + 1e-9) as u32 + 1;
        ParameterValues::Numbers { low, step, count, whole }
    }

    /// Returns the number of values.
    pub fn count(&self) -> usize {
        match self {
            ParameterValues::Numbers { count, .. } => *count as usize,
            ParameterValues::Choices(all) => all.len(),
        }
    }

    /// Returns the indices of the first and the last number, or of all choices.
    pub(super) fn ends_or_choices(&self) -> Vec<usize> {
        let last = self.count() - 1;
        match self {
            ParameterValues::Numbers { .. } => vec![0, last],
            ParameterValues::Choices(_) => (0..=last).collect(),
        }
    }

    /// Returns whether there are few values, so that a search must heed the distance between them.
    pub fn is_coarse(&self) -> bool {
        self.count() <= MOST_COARSE
    }

    /// Returns the index of the value at a coordinate.
    pub fn index(&self, coordinate: f64) -> usize {
        let last = (self.count() - 1) as f64;
        libm::round(coordinate.clamp(0.0, 1.0) * last) as usize
    }

    /// Returns the coordinate of the value with this index.
    pub fn coordinate(&self, index: usize) -> f64 {
        index as f64 / (self.count() - 1).max(1) as f64
    }

    /// Returns the value with this index.
    pub fn value(&self, index: usize) -> Value {
        match self {
            ParameterValues::Numbers { low, step, whole: true, .. } => {
                Value::Integer((low + step * index as f64) as i64)
            }
            ParameterValues::Numbers { low, step, .. } => {
                // Decimals beyond those of `low` and `step` are rounding errors.
                let text = format!("{:.10}", low + step * index as f64);
                Value::Float(text.parse().expect("a number"))
            }
            ParameterValues::Choices(all) => all[index].clone(),
        }
    }

    /// Returns the index of the value nearest to `value`.
    ///
    /// `None` if it lies outside, or is none of the choices.
    pub fn nearest(&self, value: &Value) -> Option<usize> {
        match self {
            ParameterValues::Numbers { low, step, count, .. } => {
                let number = value.as_float().or(value.as_integer().map(|whole| whole as f64))?;
                let steps = (number - low) / step;
                let last = f64::from(count - 1);
                (-1e-6..=last + 1e-6).contains(&steps).then(|| libm::round(steps.clamp(0.0, last)) as usize)
            }
            ParameterValues::Choices(all) => {
                // `1` is `1.0` if a number is meant.
                let number = |value: &Value| value.as_float().or(value.as_integer().map(|whole| whole as f64));
                let is_same =
                    |choice: &Value| choice == value || number(choice).is_some_and(|n| number(value) == Some(n));
                all.iter().position(is_same)
            }
        }
    }
}

impl Space {
    /// Returns the number of parameters.
    pub fn dimensions(&self) -> usize {
        self.axes.len()
    }

    /// Returns the number of different settings, if it is at most 65,536.
    pub fn settings(&self) -> Option<usize> {
        self.axes
            .iter()
            .try_fold(1usize, |all, axis| all.checked_mul(axis.values.count()).filter(|&all| all <= 1 << 16))
    }

    /// Returns the setting with this index, below [`Space::settings`]; the last axis changes fastest.
    pub fn setting(&self, mut index: usize) -> Setting {
        let mut coordinates = vec![0.0; self.dimensions()];
        for (coordinate, axis) in coordinates.iter_mut().zip(&self.axes).rev() {
            *coordinate = axis.values.coordinate(index % axis.values.count());
            index /= axis.values.count();
        }
        coordinates.into()
    }

    /// Returns the setting of the values nearest to a point.
    pub fn snap(&self, point: &[f64]) -> Setting {
        self.axes.iter().zip(point).map(|(axis, &x)| axis.values.coordinate(axis.values.index(x))).collect()
    }

    /// Returns the values at a point, by axis.
    pub fn values(&self, point: &[f64]) -> Vec<Value> {
        self.axes.iter().zip(point).map(|(axis, &x)| axis.values.value(axis.values.index(x))).collect()
    }

    /// Returns the parameters at a point as a manifest writes them, in nested tables.
    pub fn table(&self, point: &[f64]) -> Table {
        let mut table = Table::new();
        for (axis, value) in self.axes.iter().zip(self.values(point)) {
            set(&mut table, &axis.key, value);
        }
        table
    }

    /// Returns a point as text: `dumbo.ambition = 0.4, ...`.
    pub fn text(&self, point: &[f64]) -> String {
        self.text_of(&self.values(point))
    }

    /// Returns values as text, by axis.
    pub(super) fn text_of(&self, values: &[Value]) -> String {
        let one = |(axis, value): (&TuneAxis, &Value)| format!("{} = {value}", axis.key);
        self.axes.iter().zip(values).map(one).collect::<Vec<_>>().join(", ")
    }
}

/// Sets a key with dots, in nested tables.
fn set(table: &mut Table, key: &str, value: Value) {
    match key.split_once('.') {
        None => {
            table.insert(key.to_owned(), value);
        }
        Some((outer, inner)) => {
            let within = table.entry(outer).or_insert_with(|| Value::Table(Table::new()));
            set(within.as_table_mut().expect("keys of parameters are tables or values, not both"), inner, value);
        }
    }
}

/// Returns the value of a key with dots, in nested tables.
pub fn get<'a>(table: &'a Table, key: &str) -> Option<&'a Value> {
    match key.split_once('.') {
        None => table.get(key),
        Some((outer, inner)) => get(table.get(outer)?.as_table()?, inner),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(key: &str, values: ParameterValues) -> TuneAxis {
        TuneAxis { key: key.to_owned(), values }
    }

    #[test]
    fn values_have_few_digits_and_their_coordinate_leads_back_to_them() {
        let values = ParameterValues::numbers(0.0, 3.0, None, false);
        assert_eq!(values.count(), 3001);
        assert_eq!(values.value(values.index(0.123_456)), Value::Float(0.37));
        for number in [0, 1, 1234, 3000] {
            assert_eq!(values.index(values.coordinate(number)), number);
            assert_eq!(values.nearest(&values.value(number)), Some(number));
        }
        assert_eq!(values.nearest(&Value::Float(3.1)), None);
        assert_eq!(values.nearest(&Value::Integer(3)), Some(3000));
        let steps = ParameterValues::numbers(-2.0, 3.0, Some(0.1), false);
        assert_eq!((steps.count(), steps.value(50), steps.value(3)), (51, Value::Float(3.0), Value::Float(-1.7)));
        let whole = ParameterValues::numbers(1.0, 4.0, None, true);
        assert_eq!((whole.count(), whole.value(3)), (4, Value::Integer(4)));
    }

    #[test]
    fn settings_are_counted_and_written_as_a_manifest_has_them() {
        let choices = ParameterValues::Choices(vec!["random".into(), "rule-based".into()]);
        let space = Space {
            axes: vec![
                axis("dumbo.ambition", ParameterValues::numbers(0.0, 1.0, Some(0.5), false)),
                axis("rollout", choices),
                axis("dumbo.spite", ParameterValues::numbers(0.0, 1.0, Some(1.0), false)),
            ],
        };
        assert_eq!(space.settings(), Some(12));
        let all: Vec<Setting> = (0..12).map(|number| space.setting(number)).collect();
        assert_eq!((all[0].clone(), all[11].clone()), (vec![0.0; 3].into(), vec![1.0; 3].into()));
        assert!((0..12).all(|one| (0..one).all(|other| all[one] != all[other])));
        let text = toml::to_string(&space.table(&space.snap(&[0.3, 0.7, 0.2]))).unwrap();
        assert_eq!(text, "rollout = \"rule-based\"\n\n[dumbo]\nambition = 0.5\nspite = 0.0\n");
        assert_eq!(get(&space.table(&all[11]), "dumbo.spite"), Some(&Value::Float(1.0)));
    }
}
