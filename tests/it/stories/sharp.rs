//! The checks of stories find what is wrong.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use tempfile::TempDir;

use super::calls::{Call, Deed};
use super::can_supervise;
use super::disk::Disk;
use super::faults::{Fault, Harm};
use super::plays::{Library, PLAYS, Whole};
use super::story::{Chapter, Tale, Verdict, judge, tell};
use super::supervisor::Ending;
use crate::fixtures::stream;

/// The seed of a story that ends well.
const SEED: u64 = 1;

#[test]
fn a_story_with_another_end_than_expected_goes_wrong() {
    if !can_supervise() {
        return;
    }
    let library = Library::new();
    let played = |change: &dyn Fn(&mut Whole)| {
        let changed = |play| {
            let mut whole = library.whole(play).clone();
            change(&mut whole);
            whole
        };
        tell(SEED, &library, changed, false)
    };
    played(&|_| ()).unwrap();
    let other = played(&|whole| {
        let content = whole.files.get_mut("out/config.toml").unwrap().as_mut().unwrap();
        *content.last_mut().unwrap() ^= 1;
    });
    assert!(other.unwrap_err().starts_with("out/config.toml differs"));
    let more = played(&|whole| drop(whole.files.insert("out/more".to_owned(), None)));
    assert!(more.unwrap_err().starts_with("there are "));
}

/// A disk that forgets what was synced: results are torn, and some story sees it.
#[test]
fn a_disk_that_lies_is_found_out() {
    if !can_supervise() {
        return;
    }
    let library = Library::new();
    let whole = |play| library.whole(play).clone();
    assert!((0..60).any(|seed| tell(seed, &library, whole, true).is_err()));
}

#[test]
fn an_end_that_may_not_be_is_none() {
    let path = PathBuf::from("/s/out/.bots.csv.part");
    let call = Call::new(Deed::Sync, path, None, Path::new("/s")).unwrap();
    let mut stream = stream("story", 0);
    let mut drawn = |harm: Harm| loop {
        let fault = Fault::draw(&mut stream, std::slice::from_ref(&call));
        if fault.harm == harm {
            return fault;
        }
    };
    let (broken, kill) = (drawn(Harm::Broken), drawn(Harm::Kill));
    let verdict = |status: i32, stderr: &str, struck: bool, fault: Fault| {
        let struck = struck.then(|| call.clone());
        let (status, stderr) = (ExitStatus::from_raw(status), stderr.to_owned());
        judge(&Ending { status, stderr, calls: Vec::new(), struck }, fault, 0)
    };
    let error = "error: out/bots.csv: cannot be written: no\n";
    assert_eq!(verdict(0, "", false, broken), Ok(Verdict::Whole));
    assert_eq!(verdict(2 << 8, error, true, broken), Ok(Verdict::Failed));
    assert_eq!(verdict(libc::SIGKILL, "", true, kill), Ok(Verdict::Killed));
    let bad = [
        // An error without a cause, of several lines, without the file, with another code, after a kill.
        (2 << 8, error, false, broken),
        (2 << 8, &*format!("{error}more\n"), true, broken),
        (2 << 8, "error: no\n", true, broken),
        (101 << 8, error, true, broken),
        (2 << 8, error, true, kill),
        // A success that says something, another code, other signals, and a kill that no test sent.
        (0, "note: a bot\n", true, broken),
        (1 << 8, "", true, broken),
        (libc::SIGSEGV, "", true, kill),
        (libc::SIGKILL, "", false, kill),
        (libc::SIGKILL, "", true, broken),
    ];
    for (status, stderr, struck, fault) in bad {
        assert!(verdict(status, stderr, struck, fault).is_err(), "{status} {stderr}");
    }
}

/// Deals must be safe before a checkpoint counts them: else the log lacks deals after an outage, or has others.
#[test]
fn deals_for_a_log_are_synced_before_a_checkpoint_counts_them() {
    if !can_supervise() {
        return;
    }
    let library = Library::new();
    let log = PLAYS.iter().position(|play| play.name == "log").unwrap();
    let (mut unsafe_files, mut checkpoints) = (BTreeSet::new(), 0);
    for call in &library.whole(log).calls {
        let file = call.file.clone();
        match call.deed {
            Deed::Write { .. } if file.ends_with(".rows") => drop(unsafe_files.insert(file)),
            Deed::Sync => drop(unsafe_files.remove(&file)),
            Deed::Rename if file == "checkpoint.bin" => {
                assert!(unsafe_files.is_empty(), "{unsafe_files:?}");
                checkpoints += 1;
            }
            _ => {}
        }
    }
    assert!(checkpoints > 0);
}

/// A file is written under another name and renamed, with and without a sync between.
#[test]
fn an_outage_loses_what_was_not_synced_and_nothing_else() {
    let left = |seed: u64, is_synced: bool| {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::write(root.join("file"), "old").unwrap();
        let mut disk = Disk::new(&root);
        let (part, file) = (root.join(".file.part"), root.join("file"));
        let call = |deed, to| Call::new(deed, part.clone(), to, &root).unwrap();
        disk.note(&call(Deed::Open, None));
        disk.note(&call(Deed::Write { fd: 3, address: Some(0), length: 3 }, None));
        fs::write(&part, "new").unwrap();
        if is_synced {
            disk.note(&call(Deed::Sync, None));
        }
        disk.note(&call(Deed::Rename, Some(file.clone())));
        fs::rename(&part, &file).unwrap();
        let _ = disk.lose(&mut stream("outage", seed));
        fs::read(&file).unwrap()
    };
    let all = |is_synced| (0..200).map(|seed| left(seed, is_synced)).collect::<BTreeSet<_>>();
    assert_eq!(all(true), [b"old".to_vec(), b"new".to_vec()].into());
    let torn = all(false);
    assert!([&b"old"[..], b"new", b"", b"n", b"n\0\0", b"\0\0\0"].iter().all(|content| torn.contains(*content)));
}

/// With one thread, the clock of the story and no bots from outside nothing is left to chance. A sweep and tuning have
/// a thread that looks at the clock five times a second.
#[test]
fn a_seed_with_one_thread_is_the_same_story_each_time() {
    if !can_supervise() {
        return;
    }
    let library = Library::new();
    let went = |seed| tell(seed, &library, |play| library.whole(play).clone(), false).unwrap();
    let is_alone = |tale: &Tale| {
        let plays_alone = PLAYS.iter().any(|play| play.name == tale.play && play.is_steady());
        plays_alone && tale.chapters.iter().all(|chapter| chapter.threads == 1)
    };
    let tales: Vec<(u64, Tale)> = (0..30).map(|seed| (seed, went(seed))).filter(|(_, tale)| is_alone(tale)).collect();
    assert!(tales.len() > 2);
    for (seed, tale) in tales {
        assert_eq!(outline(&tale), outline(&went(seed)), "{seed}");
    }
}

/// The faults of a tale, with the calls that they met and what these did.
fn outline(tale: &Tale) -> Vec<String> {
    let chapter = |chapter: &Chapter| {
        let struck = chapter.struck.as_ref().map(|call| (&call.file, std::mem::discriminant(&call.deed)));
        format!("{:?} {struck:?} {:?} {:?}", chapter.fault, chapter.losses, chapter.error)
    };
    tale.chapters.iter().map(chapter).collect()
}
