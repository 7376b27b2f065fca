//! One deal, move by move: what environments for single games are made of.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

use crate::deals::{Deals, deals};
use crate::errors::OvertrickError;
use crate::variant::variant;

/// A variant, a seed, a number and the moves so far.
type Reduced = (String, u64, u64, Vec<usize>);

/// One deal of a variant, played move by move. Moves are numbers: places among the moves of the variant's encoding.
#[pyclass(module = "overtrick._overtrick", frozen)]
pub struct Deal {
    /// What made it: the variant, the seed and the number.
    origin: (String, u64, u64),
    inside: Mutex<Inside>,
}

struct Inside {
    deals: Box<dyn Deals>,
    /// The moves so far.
    played: Vec<usize>,
}

impl Deal {
    fn inside(&self) -> MutexGuard<'_, Inside> {
        // A panic leaves a whole deal behind: moves are checked before they are made.
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn on<T>(&self, act: impl FnOnce(&mut dyn Deals) -> T) -> T {
        act(&mut *self.inside().deals)
    }
}

/// Checks that a move is legal in a deal.
fn check_legal(deal: &dyn Deals, action: usize) -> PyResult<()> {
    match deal.is_legal(0, action) {
        true => Ok(()),
        false => Err(OvertrickError::new_err(format!("{action} is no legal move: {}", deal.why_not(0, action)))),
    }
}

#[pymethods]
impl Deal {
    #[new]
    #[pyo3(signature = (variant, *, seed=0, number=0))]
    fn new(variant: &str, seed: u64, number: u64) -> PyResult<Deal> {
        let mut deals = deals(&self::variant(variant)?, seed, 1);
        deals.deal(0, number);
        let inside = Inside { deals, played: Vec::new() };
        Ok(Deal { origin: (variant.to_owned(), seed, number), inside: Mutex::new(inside) })
    }

    /// The number of players.
    #[getter]
    fn seats(&self) -> usize {
        self.on(|deal| deal.seats())
    }

    /// The seat that decides; meaningless once the deal is over.
    #[getter]
    fn seat(&self) -> usize {
        self.on(|deal| deal.seat(0))
    }

    /// Whether the deal has ended.
    #[getter]
    fn is_over(&self) -> bool {
        self.on(|deal| deal.is_over(0))
    }

    /// By move: whether it is legal now; none is once the deal is over. A new array of bool.
    fn legal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.on(|deal| {
            let mut mask = vec![false; deal.encoding().moves().len()];
            deal.write_legal(0, &mut mask);
            PyArray1::from_vec(py, mask)
        })
    }

    /// What `seat` sees, as the encoding writes it: a new array of float32.
    fn observe<'py>(&self, py: Python<'py>, seat: usize) -> PyResult<Bound<'py, PyArray1<f32>>> {
        self.on(|deal| {
            if seat >= deal.seats() {
                return Err(OvertrickError::new_err(format!(
                    "there is no seat {seat}: they are 0 to {}",
                    deal.seats() - 1
                )));
            }
            let array = PyArray1::zeros(py, deal.encoding().len(), false);
            deal.write(0, seat, array.readwrite().as_slice_mut()?);
            Ok(array)
        })
    }

    /// Makes a move.
    fn play(&self, action: usize) -> PyResult<()> {
        let Inside { deals, played } = &mut *self.inside();
        check_legal(&**deals, action)?;
        deals.play(0, action);
        played.push(action);
        Ok(())
    }

    /// The text of a legal move.
    fn text(&self, action: usize) -> PyResult<String> {
        self.on(|deal| {
            check_legal(deal, action)?;
            Ok(deal.text(0, action))
        })
    }

    /// By seat: the points, once the deal is over.
    fn scores(&self) -> PyResult<Vec<i32>> {
        self.on(|deal| match deal.is_over(0) {
            true => Ok((0..deal.seats()).map(|seat| deal.points(0, seat)).collect()),
            false => Err(OvertrickError::new_err("the deal is not over")),
        })
    }

    /// The same deal once more, to go on with on its own.
    fn copy(&self) -> Deal {
        let Inside { deals, played } = &*self.inside();
        let inside = Inside { deals: deals.copy(), played: played.clone() };
        Deal { origin: self.origin.clone(), inside: Mutex::new(inside) }
    }

    fn __copy__(&self) -> Deal {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Deal {
        self.copy()
    }

    /// Pickled, it is its beginning and the moves so far.
    fn __reduce__<'py>(this: &Bound<'py, Deal>) -> PyResult<(Bound<'py, PyAny>, Reduced)> {
        let (variant, seed, number) = this.get().origin.clone();
        let played = this.get().inside().played.clone();
        Ok((this.get_type().getattr("_replayed")?, (variant, seed, number, played)))
    }

    /// The deal after some moves.
    #[staticmethod]
    fn _replayed(variant: &str, seed: u64, number: u64, played: Vec<usize>) -> PyResult<Deal> {
        let deal = Deal::new(variant, seed, number)?;
        played.into_iter().try_for_each(|action| deal.play(action))?;
        Ok(deal)
    }
}
