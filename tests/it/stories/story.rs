//! A story: a play that is harmed again and again, goes on each time, and must end as it does unharmed.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;

use tempfile::TempDir;

use super::calls::Call;
use super::clock::Clock;
use super::disk::{Disk, Losses};
use super::faults::{Fault, Harm};
use super::plays::{Library, PLAYS, Whole};
use super::supervisor::{self, Ending, World};
use crate::fixtures::stream;

/// A run of the program that went wrong, or was meant to.
#[derive(Debug)]
pub struct Chapter {
    pub fault: Fault,
    pub threads: u64,
    /// The call that was harmed; none if the fault came too late.
    pub struck: Option<Call>,
    pub losses: Losses,
    /// The error with which the program ended.
    pub error: Option<String>,
}

/// How a story went.
#[derive(Debug)]
pub struct Tale {
    pub play: &'static str,
    pub chapters: Vec<Chapter>,
}

/// The most runs with a fault in a story.
const LONGEST: u64 = 3;

/// Plays the story of a seed on a disk that may lie about what it has synced. `whole` is what it must come to.
///
/// # Errors
/// What is wrong with how it went.
pub fn tell(seed: u64, library: &Library, whole: impl Fn(usize) -> Whole, lies: bool) -> Result<Tale, String> {
    let mut luck = stream("story", seed);
    let mut below = |count: u64| luck.random_below(count);
    let play = drawn(below(PLAYS.iter().map(|play| play.weight).sum()));
    let (chapters, begins_with_resume) = (1 + below(LONGEST), below(2) == 0);
    let root = TempDir::new().unwrap();
    let mut disk = if lies { Disk::lying(root.path()) } else { Disk::new(root.path()) };
    let mut tale = Tale { play: PLAYS[play].name, chapters: Vec::new() };
    let whole = whole(play);
    // A run that reaches its end though a call failed may have left something that the next puts right.
    let mut is_over = false;
    for chapter in 0..chapters {
        let fault = Fault::draw(&mut luck, &library.whole(play).calls);
        // Half of the runs have one thread, so that the seed alone says which call a fault meets.
        let threads = 1 + luck.random_below(8).saturating_sub(4);
        let clock = (!PLAYS[play].has_processes).then(|| Clock::jumping(stream("clock", seed * LONGEST + chapter)));
        let code = code_at_end(play, &whole, root.path());
        let world = World { root: root.path(), disk: &mut disk, clock };
        let ending =
            supervisor::run(library.command(play, threads, chapter > 0 || begins_with_resume), world, Some(fault));
        let mut losses = Losses::default();
        let mut error = None;
        let verdict = judge(&ending, fault, code).map_err(|problem| format!("{problem}\n{tale:#?}"))?;
        match verdict {
            Verdict::Whole => is_over = ending.struck.is_none() || fault.harm == Harm::Short,
            Verdict::Killed if fault.harm.is_outage() => losses = disk.lose(&mut luck),
            Verdict::Killed => {}
            Verdict::Failed => error = Some(ending.stderr),
        }
        tale.chapters.push(Chapter { fault, threads, struck: ending.struck, losses, error });
        if verdict == Verdict::Whole {
            break;
        }
    }
    let happened = |problem: String| format!("{problem}\n{tale:#?}");
    if !is_over {
        let command = library.command(play, 1, true);
        let code = code_at_end(play, &whole, root.path());
        let ending = supervisor::run(command, World { root: root.path(), disk: &mut disk, clock: None }, None);
        if ending.status.code() != Some(code) || !ending.stderr.is_empty() {
            return Err(happened(format!("without a fault it ends with {}: {}", ending.status, ending.stderr)));
        }
    }
    same(&whole, root.path()).map_err(happened)?;
    Ok(tale)
}

/// The play with this place among all, by their weights.
fn drawn(mut place: u64) -> usize {
    let is_it = |weight: u64| {
        let is_it = place < weight;
        place = place.saturating_sub(weight);
        is_it
    };
    PLAYS.iter().map(|play| play.weight).position(is_it).expect("a place below the sum of weights")
}

/// How a run with a fault may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All was played.
    Whole,
    /// It was killed, as it was meant to be.
    Killed,
    /// It ended with an error that says all there is to say.
    Failed,
}

/// Judges how a run ended that a fault was meant for. One that reaches its end has this exit code.
///
/// # Errors
/// If it may not end so.
pub fn judge(ending: &Ending, fault: Fault, code: i32) -> Result<Verdict, String> {
    let Ending { status, stderr, struck, .. } = ending;
    let bad = |what: &str| Err(format!("{what}: {status}, after {fault:?} met {struck:?}: {stderr}"));
    let was_killed = fault.harm.is_deadly() && struck.is_some();
    match (status.code(), struck) {
        (None, _) if was_killed && status.signal() == Some(libc::SIGKILL) => match stderr.as_str() {
            "" => Ok(Verdict::Killed),
            _ => bad("it says something before it is killed"),
        },
        (None, _) => bad("it is ended by a signal"),
        (Some(ended), _) if ended == code => match stderr.as_str() {
            "" => Ok(Verdict::Whole),
            _ => bad("it succeeds, and says something"),
        },
        (Some(2), Some(call)) if fault.harm.is_error() => match () {
            () if stderr.lines().count() != 1 || !stderr.starts_with("error: ") => bad("its error is not one line"),
            () if !stderr.contains(&call.file) => bad("its error does not name the file"),
            () => Ok(Verdict::Failed),
        },
        _ => bad("it may not end so"),
    }
}

/// Returns the exit code with which the next run of a play reaches its end.
///
/// One that finds all results, perhaps with a checkpoint, does not say again that bots had faults.
fn code_at_end(play: usize, whole: &Whole, root: &Path) -> i32 {
    let found = Whole::found(root);
    let is_complete = whole.files.iter().all(|(name, content)| found.get(name) == Some(content));
    if is_complete { 0 } else { PLAYS[play].code }
}

/// Checks that a folder has what it must have.
fn same(whole: &Whole, root: &Path) -> Result<(), String> {
    let found = Whole::found(root);
    let names = |files: &std::collections::BTreeMap<String, _>| files.keys().cloned().collect::<Vec<_>>();
    if names(&found) != names(&whole.files) {
        return Err(format!("there are {:?} and not {:?}", names(&found), names(&whole.files)));
    }
    match found.iter().find(|(name, content)| whole.files[*name] != **content) {
        Some((name, _)) => Err(format!("{name} differs")),
        None => Ok(()),
    }
}

/// Whether a fault of this kind is one of the tale's that met a call.
pub fn has(tale: &Tale, harm: Harm) -> bool {
    tale.chapters.iter().any(|chapter| chapter.fault.harm == harm && chapter.struck.is_some())
}
