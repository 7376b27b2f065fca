//! Has a command of the command line done inside of this process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;
use std::time::Duration;

use overtrick::cli::{Ended, Host};
use overtrick::strategies::Register;
use overtrick::tune::RemoteWorkers;
use pyo3::prelude::*;

use crate::bot::{Bots, provided};
use crate::errors::raised;
use crate::pieces::Sender;
use crate::variant::to_toml;

/// How often Ctrl-C and progress are looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Says that the command is over when it is dropped, also by a panic.
struct Say<'a>(&'a AtomicBool, Thread);

impl Drop for Say<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
        self.1.unpark();
    }
}

/// Has a command done: `args` are those of the command line. `config` is JSON that the command reads where it is told
/// to read `-`; in it the text `callables` of a bot's parameters names one of `bots`, which are pairs of that name and
/// a callable. `ask` calls it. `progress` is called with the games played and all games, several times a second.
/// `elsewhere` says into how many pieces comparisons and rounds are cut at most, and who has them played; a [`Sender`]
/// calls it.
///
/// Gives what was printed, the notes, and whether bots had faults; or None in place of all if it was interrupted.
///
/// The interpreter is free for other threads meanwhile.
#[pyfunction]
#[pyo3(signature = (args, config, bots, ask, progress, elsewhere, /))]
pub fn call(
    py: Python<'_>,
    args: Vec<String>,
    config: Option<String>,
    bots: Bots,
    ask: Py<PyAny>,
    progress: Option<Py<PyAny>>,
    elsewhere: Option<(u64, Py<PyAny>)>,
) -> PyResult<Option<(String, Vec<String>, bool)>> {
    let mut config = config;
    let provided = provided(py, &bots, &ask);
    for (one, (name, _)) in provided.iter().zip(&bots) {
        if one.name() != name
            && let Some(config) = &mut config
        {
            // Another thread has a bot of this name. Both are JSON texts.
            let quoted = |text: &str| serde_json::Value::from(text).to_string();
            *config = config.replace(&quoted(name), &quoted(one.name()));
        }
    }
    let config = config.map(|config| to_toml(&config)).transpose()?;
    let names = provided.iter().map(|one| one.name().to_owned()).collect();
    let sender = elsewhere.map(|elsewhere| Arc::new(Sender::new(elsewhere, names)));
    let mut host = Host::new(Register::default(), config);
    if let Some(sender) = &sender {
        host = host.with_workers(Arc::clone(sender) as Arc<dyn RemoteWorkers>);
    }
    let host = Arc::new(host);
    let over = AtomicBool::new(false);
    let mut raised_here: Option<PyErr> = None;
    let called = py.detach(|| {
        let caller = std::thread::current();
        std::thread::scope(|scope| {
            let (over, host, args) = (&over, &host, &args);
            let command = scope.spawn(move || {
                let _say = Say(over, caller);
                host.call(args)
            });
            while !over.load(Ordering::Acquire) {
                std::thread::park_timeout(LOOK);
                if raised_here.is_some() {
                    // It has been told, and takes a moment; whatever begins to listen late is told again.
                    host.stop();
                    continue;
                }
                let told = Python::attach(|py| {
                    py.check_signals()?;
                    if let Some(progress) = &progress {
                        let now = host.progress();
                        progress.call1(py, (now.done, now.all))?;
                    }
                    Ok(())
                });
                raised_here = told.err();
            }
            command.join()
        })
    });
    drop(provided);
    let called = match called {
        Ok(called) => called,
        Err(panic) => std::panic::resume_unwind(panic),
    };
    if let Some(error) = raised_here.or_else(|| sender.and_then(|sender| sender.take_raised())) {
        return Err(error);
    }
    let ended = called.map_err(|error| raised(&error))?;
    let told = |faulty| Some((host.take_printed(), host.take_notes(), faulty));
    Ok(match ended {
        Ended::Done => told(false),
        Ended::Faulty => told(true),
        Ended::Interrupted => None,
    })
}
