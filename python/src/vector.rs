//! Thousands of deals in step, as arrays that lie in this module's memory.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::ndarray::{Array1, Array2};
use numpy::{PyArray, PyArray1, PyArray2, PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::deals::{Deals, deals};
use crate::errors::OvertrickError;
use crate::variant::variant;

/// The most deals side by side.
const MOST: usize = 1 << 20;

/// The arrays. Their memory is shared with Python and never moves, though the values change with every step.
struct Arrays {
    observation: Array2<f32>,
    legal: Array2<bool>,
    seat: Array1<i64>,
    number: Array1<i64>,
    reward: Array2<f32>,
    done: Array1<bool>,
}

struct Inside {
    deals: Box<dyn Deals>,
    arrays: Arrays,
    /// The number of the next deal.
    next: u64,
}

/// Many deals of a variant in step. See `overtrick.VectorEnv`.
#[pyclass(module = "overtrick._overtrick", frozen)]
pub struct VectorEnv {
    inside: Mutex<Inside>,
    rows: usize,
}

impl VectorEnv {
    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inside {
    /// Deals the next deal to a row.
    fn deal(&mut self, row: usize) {
        self.deals.deal(row, self.next);
        self.arrays.number[row] = self.next as i64;
        self.next += 1;
    }

    /// Writes the decision that is due in a row.
    fn ask(&mut self, row: usize) {
        let seat = self.deals.seat(row);
        let Arrays { observation, legal, seat: seats, .. } = &mut self.arrays;
        seats[row] = seat as i64;
        self.deals.write(row, seat, observation.row_mut(row).into_slice().expect("rows are whole"));
        self.deals.write_legal(row, legal.row_mut(row).into_slice().expect("rows are whole"));
    }
}

/// An array of `this` that shares its memory.
macro_rules! shared {
    ($this:ident, $name:ident) => {{
        let inside = $this.get().inside();
        // SAFETY: the array lives as long as this object, which becomes the base of what is returned, and it is never
        // reallocated: it lies in a frozen class, and its length is that of the number of rows.
        unsafe { PyArray::borrow_from_array(&inside.arrays.$name, $this.clone().into_any()) }
    }};
}

#[pymethods]
impl VectorEnv {
    #[new]
    #[pyo3(signature = (variant, rows, *, seed=0, first=0))]
    fn new(variant: &str, rows: usize, seed: u64, first: u64) -> PyResult<VectorEnv> {
        if !(1..=MOST).contains(&rows) {
            return Err(OvertrickError::new_err(format!("there can be 1 to {MOST} deals side by side, not {rows}")));
        }
        let deals = deals(&self::variant(variant)?, seed, rows);
        let (length, moves, seats) = (deals.encoding().len(), deals.encoding().moves().len(), deals.seats());
        let arrays = Arrays {
            observation: Array2::zeros((rows, length)),
            legal: Array2::from_elem((rows, moves), false),
            seat: Array1::zeros(rows),
            number: Array1::zeros(rows),
            reward: Array2::zeros((rows, seats)),
            done: Array1::from_elem(rows, false),
        };
        let env = VectorEnv { inside: Mutex::new(Inside { deals, arrays, next: 0 }), rows };
        env.reset(first);
        Ok(env)
    }

    /// By row: what the seat that decides sees. float32, shape (rows, length of the encoding).
    #[getter]
    fn observation<'py>(this: &Bound<'py, Self>) -> Bound<'py, PyArray2<f32>> {
        shared!(this, observation)
    }

    /// By row, by move: whether it is legal. bool, shape (rows, moves).
    #[getter]
    fn legal<'py>(this: &Bound<'py, Self>) -> Bound<'py, PyArray2<bool>> {
        shared!(this, legal)
    }

    /// By row: the seat that decides. int64, shape (rows,).
    #[getter]
    fn seat<'py>(this: &Bound<'py, Self>) -> Bound<'py, PyArray1<i64>> {
        shared!(this, seat)
    }

    /// By row: the number of the deal. int64, shape (rows,).
    #[getter]
    fn number<'py>(this: &Bound<'py, Self>) -> Bound<'py, PyArray1<i64>> {
        shared!(this, number)
    }

    /// By row, by seat: the points of the deal that the last step ended, else 0. float32, shape (rows, seats).
    #[getter]
    fn reward<'py>(this: &Bound<'py, Self>) -> Bound<'py, PyArray2<f32>> {
        shared!(this, reward)
    }

    /// By row: whether the last step ended a deal. bool, shape (rows,).
    #[getter]
    fn done<'py>(this: &Bound<'py, Self>) -> Bound<'py, PyArray1<bool>> {
        shared!(this, done)
    }

    /// The number of deals side by side.
    #[getter]
    fn rows(&self) -> usize {
        self.rows
    }

    /// The number of players.
    #[getter]
    fn seats(&self) -> usize {
        self.inside().deals.seats()
    }

    /// Begins anew with the deals of numbers `first` and up.
    #[pyo3(signature = (first=0))]
    fn reset(&self, first: u64) {
        let inside = &mut *self.inside();
        inside.next = first;
        inside.arrays.reward.fill(0.0);
        inside.arrays.done.fill(false);
        for row in 0..self.rows {
            inside.deal(row);
            inside.ask(row);
        }
    }

    /// Makes a move in every row: `actions` has a place among the moves for each. A row whose deal ends gets the next
    /// deal. If a move is not legal, nothing has changed.
    fn step(&self, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let inside = &mut *self.inside();
        let wrong = |what: String| Err(PyTypeError::new_err(what));
        let Ok(actions) = actions.extract::<PyReadonlyArray1<'_, i64>>() else {
            return wrong(
                "actions are a numpy array of int64 with one axis; `actions.astype(numpy.int64)` makes one".to_owned(),
            );
        };
        if actions.len() != self.rows {
            return wrong(format!("there are {} actions for {} rows", actions.len(), self.rows));
        }
        let actions = actions.as_array();
        for (row, &action) in actions.iter().enumerate() {
            let legal = usize::try_from(action).is_ok_and(|action| inside.deals.is_legal(row, action));
            if !legal {
                let why = inside.deals.why_not(row, usize::try_from(action).unwrap_or(usize::MAX));
                let what = format!("{action} is no legal move in row {row}: {why}; nothing was played");
                return Err(OvertrickError::new_err(what));
            }
        }
        for (row, &action) in actions.iter().enumerate() {
            inside.deals.play(row, action as usize);
            let is_over = inside.deals.is_over(row);
            for seat in 0..inside.deals.seats() {
                let points = if is_over { inside.deals.points(row, seat) } else { 0 };
                inside.arrays.reward[(row, seat)] = points as f32;
            }
            inside.arrays.done[row] = is_over;
            if is_over {
                inside.deal(row);
            }
            inside.ask(row);
        }
        Ok(())
    }
}
