//! The checks of stories find what is wrong.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;

use tempfile::TempDir;

use super::calls::{Call, Deed};
use super::disk::Disk;
use super::faults::{Fault, Harm};
use super::plays::{Library, Whole};
use super::story::{Verdict, judge, tell};
use super::supervisor::Ending;
use super::{can_supervise, play};
use crate::fixtures::stream;

/// The seed of a story that ends well.
const SEED: u64 = 1;

#[test]
fn a_story_with_another_end_than_expected_goes_wrong() {
    if !can_supervise() {
        return;
    }
    let library = Library::new();
    let told = |change: &dyn Fn(&mut Whole)| {
        let changed = |play| {
            let mut whole = library.whole(play).clone();
            change(&mut whole);
            whole
        };
        tell(SEED, &library, changed, false)
    };
    told(&|_| ()).unwrap();
    let other = told(&|whole| {
        let content = whole.files.get_mut("out/config.toml").unwrap().as_mut().unwrap();
        *content.last_mut().unwrap() ^= 1;
    });
    assert!(other.unwrap_err().starts_with("out/config.toml differs"));
    let more = told(&|whole| drop(whole.files.insert("out/more".to_owned(), None)));
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
    let call = Call { deed: Deed::Sync, path: PathBuf::from("/s/out/.bots.csv.part"), to: None };
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
        // A success that says something, another code, other signals, and a kill that nobody sent.
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

/// What is left of a file that is written under another name and renamed, with and without a sync between.
#[test]
fn an_outage_loses_what_was_not_synced_and_nothing_else() {
    let left = |seed: u64, is_synced: bool| {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::write(root.join("file"), "old").unwrap();
        let mut disk = Disk::new(&root);
        let (part, file) = (root.join(".file.part"), root.join("file"));
        let call = |deed, to| Call { deed, path: part.clone(), to };
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
    let all = |is_synced| (0..200).map(|seed| left(seed, is_synced)).collect::<std::collections::BTreeSet<_>>();
    assert_eq!(all(true), [b"old".to_vec(), b"new".to_vec()].into());
    let torn = all(false);
    assert!([&b"old"[..], b"new", b"", b"n", b"n\0\0", b"\0\0\0"].iter().all(|content| torn.contains(*content)));
}

#[test]
fn a_seed_tells_the_same_story_each_time() {
    if can_supervise() {
        let told = |seed| play(seed..seed + 1).iter().map(|tale| format!("{tale:?}")).collect::<Vec<_>>();
        assert_eq!(told(SEED), told(SEED));
    }
}
