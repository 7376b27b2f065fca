//! One seed, one story: the program under a disk that fails, fills, tears and forgets, with bots that die, stall and
//! lie. It goes on to the same results, or ends with one clear error and goes on later.
//!
//! The program is the real one. The kernel hands each of its calls that change files to a supervisor before it is done
//! (`filter`, `listener`, `calls`), which does the harm that the seed has in store (`supervisor`, `faults`) and follows
//! what a power failure would leave of the files (`disk`). A `story` is a few such runs of one of the `plays`.

mod calls;
mod clock;
mod disk;
mod faults;
mod filter;
mod listener;
mod plays;
mod sharp;
mod story;
mod supervisor;

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;

use self::faults::Harm;
use self::plays::{Library, PLAYS};
use self::story::{Tale, tell};

/// The seeds that a test plays, unless `STORIES` names others: `17`, or `100..300`.
fn seeds(usual: Range<u64>) -> Range<u64> {
    let Ok(text) = std::env::var("STORIES") else { return usual };
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("STORIES is {text}: give 17, or 100..300"));
    match text.split_once("..") {
        Some((start, end)) => number(start)..number(end),
        None => number(&text)..number(&text) + 1,
    }
}

/// Plays the stories of these seeds, and says of each that goes wrong how it is repeated.
fn play(seeds: Range<u64>) -> Vec<Tale> {
    let library = Library::new();
    let one = |seed: u64| {
        let whole = |play| library.whole(play).clone();
        let went = catch_unwind(AssertUnwindSafe(|| tell(seed, &library, whole, false)));
        let problem = match went {
            Ok(Ok(tale)) => return Ok(tale),
            Ok(Err(problem)) => problem,
            Err(_) => "it panics".to_owned(),
        };
        Err(format!("story {seed}: {problem}\nSTORIES={seed} cargo test --locked --test it -- stories::two_hundred"))
    };
    let tales: Vec<Result<Tale, String>> = seeds.into_par_iter().map(one).collect();
    let problems: Vec<&String> = tales.iter().filter_map(|tale| tale.as_ref().err()).collect();
    let report: Vec<&str> = problems.iter().take(20).map(|problem| problem.as_str()).collect();
    assert!(problems.is_empty(), "{} stories of {} go wrong\n{}", problems.len(), tales.len(), report.join("\n\n"));
    tales.into_iter().map(Result::unwrap).collect()
}

/// Whether the kernel supervises programs; says why a test is left out if it does not.
fn can_supervise() -> bool {
    let problem = filter::is_there().err();
    if let Some(problem) = &problem {
        println!("left out: this kernel hands no calls to a supervisor ({problem})");
    }
    problem.is_none()
}

/// How many stories have each kind of harm that met a call, how many each play, and how many other things.
fn counts(tales: &[Tale]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let mut count = |name: String, is_so: bool| *counts.entry(name).or_default() += usize::from(is_so);
    for tale in tales {
        Harm::ALL.iter().for_each(|&harm| count(format!("{harm:?}"), story::has(tale, harm)));
        PLAYS.iter().for_each(|play| count(play.name.to_owned(), play.name == tale.play));
        count("ended with an error".to_owned(), tale.chapters.iter().any(|chapter| chapter.error.is_some()));
        count("lost names".to_owned(), tale.chapters.iter().any(|chapter| chapter.losses.names > 0));
        count("lost data".to_owned(), tale.chapters.iter().any(|chapter| chapter.losses.data > 0));
        count(
            "several runs met".to_owned(),
            tale.chapters.iter().filter(|chapter| chapter.struck.is_some()).count() > 1,
        );
        count("several threads".to_owned(), tale.chapters.iter().any(|chapter| chapter.threads > 1));
    }
    counts
}

/// Checks that of a hundred stories at least `least` have each kind of harm and each other thing but plays, of which
/// some are few.
fn check_shares(tales: &[Tale], least: usize) {
    let counts = counts(tales);
    println!("{} stories: {counts:?}", tales.len());
    for (name, count) in counts {
        let least = if PLAYS.iter().any(|play| play.name == name) { 1 } else { least * tales.len() / 100 };
        assert!(tales.len() < 100 || count >= least, "{name}: {count} of {} stories", tales.len());
    }
}

#[test]
fn two_hundred_stories_end_in_the_same_bytes_or_one_clear_error() {
    if can_supervise() {
        check_shares(&play(seeds(0..200)), 4);
    }
}

#[test]
#[ignore = "long: ten thousand stories"]
fn ten_thousand_stories_end_in_the_same_bytes_or_one_clear_error() {
    if can_supervise() {
        check_shares(&play(seeds(200..10_200)), 4);
    }
}
