//! The fuzz target's function over its corpus, and over mutations of it: what `cargo fuzz` does for longer.

use crate::fixtures::line;
use std::sync::LazyLock;

use overtrick::protocol::FaultKind;
use proptest::prelude::*;
use proptest::sample::Index;

/// The corpus, in the order of its names.
static CORPUS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/line");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
});

#[test]
fn the_corpus_reaches_every_fault_of_a_line_and_legal_moves() {
    let mut outcomes = line::Outcomes::new();
    CORPUS.iter().for_each(|bytes| outcomes.extend(line::read(bytes)));
    let kinds =
        [FaultKind::WrongHandshake, FaultKind::Garbage, FaultKind::NotUtf8, FaultKind::WrongId, FaultKind::IllegalMove];
    assert_eq!(outcomes, kinds.into_iter().map(Some).chain([None]).collect());
}

/// A change to a text. Places in it are given as parts of its length.
#[derive(Clone, Debug)]
enum Edit {
    Truncate(Index),
    Flip(Index, u8),
    Insert(Index, Vec<u8>),
    /// A piece of another text of the corpus in place of a piece.
    Splice([Index; 2], Index, [Index; 2]),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let at = any::<Index>;
    let edit = prop_oneof![
        1 => at().prop_map(Edit::Truncate),
        4 => (at(), 0..8_u8).prop_map(|(at, bit)| Edit::Flip(at, bit)),
        2 => (at(), prop::collection::vec(any::<u8>(), 1..8)).prop_map(|(at, bytes)| Edit::Insert(at, bytes)),
        2 => (at(), "[0-9\"\\[\\]{},:\\\\nu]{1,6}").prop_map(|(at, text)| Edit::Insert(at, text.into_bytes())),
        4 => ([at(), at()], at(), [at(), at()]).prop_map(|(here, other, there)| Edit::Splice(here, other, there)),
    ];
    prop::collection::vec(edit, 1..5)
}

fn piece(length: usize, ends: [Index; 2]) -> std::ops::Range<usize> {
    let [one, other] = ends.map(|end| end.index(length + 1));
    one.min(other)..one.max(other)
}

fn edited(mut bytes: Vec<u8>, edits: &[Edit]) -> Vec<u8> {
    for edit in edits {
        let length = bytes.len();
        match edit {
            Edit::Truncate(at) => bytes.truncate(at.index(length + 1)),
            Edit::Flip(at, bit) if length > 0 => bytes[at.index(length)] ^= 1 << bit,
            Edit::Flip(..) => {}
            Edit::Insert(at, new) => {
                let at = at.index(length + 1);
                bytes.splice(at..at, new.iter().copied());
            }
            Edit::Splice(here, other, there) => {
                let other = other.get(&CORPUS);
                bytes.splice(piece(length, *here), other[piece(other.len(), *there)].iter().copied());
            }
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]
    #[test]
    fn mutations_of_the_corpus_break_no_promise(start in any::<Index>(), edits in edits()) {
        line::read(&edited(start.get(&CORPUS).clone(), &edits));
    }
}
