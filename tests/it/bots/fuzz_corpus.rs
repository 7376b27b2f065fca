//! The fuzz targets' functions over their corpora, and over mutations of them: what `cargo fuzz` does for longer.

use std::path::PathBuf;

use crate::allocations;
use crate::fixtures::line;
use crate::fixtures::mutations::Mutator;
use crate::fixtures::strangers::{TARGETS, made};

use overtrick::protocol::FaultKind;

/// The most bytes that a mutation may have allocated at a time, and in all: what it allocates stands for its steps.
const MOST_AT_A_TIME: usize = 64 << 20;
const MOST_IN_ALL: usize = 512 << 20;

/// The files of a corpus, in the order of their names.
fn corpus(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data")).join(name);
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|file| (file.clone(), std::fs::read(file).unwrap())).collect()
}

fn contents(name: &str) -> Vec<Vec<u8>> {
    corpus(name).into_iter().map(|(_, bytes)| bytes).collect()
}

#[test]
fn the_corpus_reaches_every_fault_of_a_line_and_legal_moves() {
    let mut outcomes = line::Outcomes::new();
    contents("line").iter().for_each(|bytes| outcomes.extend(line::read(bytes)));
    let kinds =
        [FaultKind::WrongHandshake, FaultKind::Garbage, FaultKind::NotUtf8, FaultKind::WrongId, FaultKind::IllegalMove];
    assert_eq!(outcomes, kinds.into_iter().map(Some).chain([None]).collect());
}

#[test]
fn mutations_of_the_corpus_break_no_promise() {
    let corpus = contents("line");
    let mut mutator = Mutator::new(&corpus, 1);
    for _ in 0..20_000 {
        line::read(&mutator.next());
    }
}

#[test]
fn every_corpus_has_files_that_are_accepted() {
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        for (file, bytes) in made::all() {
            std::fs::write(PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data")).join(file), bytes)
                .unwrap();
        }
    }
    for &(name, target) in TARGETS {
        let files = corpus(name);
        let refused: Vec<_> = files.iter().filter(|(_, bytes)| !target(bytes)).map(|(file, _)| file).collect();
        let remedy = "if a form has changed: INSTA_UPDATE=always cargo test --test it fuzz_corpus";
        assert!(!files.is_empty() && refused.is_empty(), "{refused:?} of {name} are refused; {remedy}");
    }
}

/// Reads `count` mutations of each corpus. One for which this fails is reached again by the same number.
fn check_mutations(count: u32) {
    for &(name, target) in TARGETS {
        let corpus = contents(name);
        let mut mutator = Mutator::new(&corpus, 1);
        let mut accepted = 0;
        let began = std::time::Instant::now();
        let mut largest = (0, 0);
        for number in 0..count {
            let bytes = mutator.next();
            let read = || std::panic::catch_unwind(|| target(&bytes));
            let (read, at_a_time, in_all) = allocations::counted(read);
            let shown = || format!("{name}, mutation {number}: {}", bytes.escape_ascii());
            accepted += u32::from(read.unwrap_or_else(|_| panic!("{}", shown())));
            largest = largest.max((at_a_time, in_all));
            assert!(at_a_time <= MOST_AT_A_TIME && in_all <= MOST_IN_ALL, "{at_a_time}, {in_all}: {}", shown());
        }
        println!("{name}: {accepted} accepted, {:?}, {largest:?}", began.elapsed());
    }
}

#[test]
fn some_mutations_of_files_are_read_or_refused_within_bounds() {
    check_mutations(40);
}

#[test]
#[ignore = "long: reads a thousand mutations of each corpus"]
fn mutations_of_files_are_read_or_refused_within_bounds() {
    check_mutations(1_000);
}
