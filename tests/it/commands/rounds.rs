//! Rounds of games with external bots: no process meets a deal of which one that lived at the same time has heard, and
//! none that plays lives at the same time as one that is asked again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::fixtures::sandbox::{SECRET, Sandbox};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doubles");

/// The processes of some bots, by their names: `BOT/NUMBER/SINCE`.
#[derive(Default)]
struct Diary {
    /// By process: one that lived at the same time, or at that of one that did, and so on; the first is the process
    /// itself.
    beside: BTreeMap<String, String>,
    /// By deal: the processes that heard of it.
    met: BTreeMap<String, Vec<String>>,
    /// The processes that were asked about deals of which they had not heard.
    audits: BTreeSet<String>,
}

impl Diary {
    fn read(file: &Path) -> Diary {
        let mut diary = Diary::default();
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let [process, word, what] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let (process, what) = (process.to_owned(), what.to_owned());
            match word {
                "begins" => assert!(diary.beside.insert(process.clone(), process).is_none(), "{line}"),
                "beside" => {
                    let (one, other) = (diary.first(&process), diary.first(&what));
                    diary.beside.insert(one, other);
                }
                "meets" => diary.met.entry(what).or_default().push(process),
                "audits" => assert!(diary.audits.insert(process), "{line}"),
                _ => panic!("{line}"),
            }
        }
        diary
    }

    /// The process that stands for all that may have heard of each other.
    fn first(&self, process: &str) -> String {
        let mut first = process;
        while self.beside[first] != first {
            first = &self.beside[first];
        }
        first.to_owned()
    }
}

/// Plays deals of two bots that keep a diary, with one of the program if `is_three`, and checks the diary.
fn check(deals: usize, threads: usize, is_three: bool) {
    let sandbox = Sandbox::new();
    let file = sandbox.path("diary");
    let bot = |name: &str| {
        format!(
            "{{name = {name:?}, strategy = \"process\", parameters = {{command = [\"python3\", \"-S\", \
             \"{FOLDER}/curious.py\"], move-timeout = 600, start-timeout = 600, \
             settings = {{bot = {name:?}, diary = {file:?}}}}}}}"
        )
    };
    let third = if is_three { ", \"one\"" } else { "" };
    sandbox.write(
        "t.toml",
        &format!(
            "seed = 3\ndeals = {deals}\nsecret = {SECRET:?}\naudit = 0.02\nvariants = [\"colour-blind-2\"]\n\
             bots = [{}, {}{third}]\n",
            bot("x"),
            bot("y")
        ),
    );
    let threads = threads.to_string();
    let args = ["run", "t.toml", "--out", "out", "--threads", &threads, "--quiet", "--sandbox", "none"];
    let (code, _, stderr) = sandbox.run(&args);
    assert_eq!(code, 0, "{stderr}");
    let diary = Diary::read(&file);
    // Each two of the bots play each deal in both seatings. Two that meet in a game both hear of it.
    let (games, hearers) = if is_three { (6, 8) } else { (2, 4) };
    assert_eq!(diary.met.len(), deals);
    for (deal, processes) in &diary.met {
        assert_eq!(processes.len(), hearers, "{deal}: {processes:?}");
        assert_eq!(processes.iter().collect::<BTreeSet<_>>().len(), hearers, "{deal}: {processes:?}");
        let heard: BTreeSet<String> = processes.iter().map(|process| diary.first(process)).collect();
        assert_eq!(heard.len(), games, "{deal}: {processes:?}");
    }
    let players: BTreeSet<String> = diary.met.values().flatten().map(|process| diary.first(process)).collect();
    assert!(!diary.audits.is_empty());
    for process in &diary.audits {
        assert!(!players.contains(&diary.first(process)), "{process} lived beside one that played");
    }
}

#[test]
fn no_process_meets_a_deal_that_another_beside_it_has_met() {
    check(40, 2, true);
    check(40, 4, false);
    check(600, 4, false);
}

#[test]
#[ignore = "long: plays thousands of deals with bots outside of the process"]
fn no_process_meets_a_deal_that_another_beside_it_has_met_whatever_the_threads() {
    for threads in [1, 2, 4, 8] {
        for deals in [40, 400, 1500] {
            check(deals, threads, true);
        }
    }
}
