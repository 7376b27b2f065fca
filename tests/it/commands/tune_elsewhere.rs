//! Tunings whose comparisons are played elsewhere, in pieces: the same files, byte for byte, and the faults of bots.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use overtrick::cli::{Ended, Host};
use overtrick::strategies::Register;
use overtrick::strategies::python::Provided;
use overtrick::toml_source::InputError;
use overtrick::tune::RemoteWorkers;

use crate::fixtures::elsewhere::{Careless, Change, Here};
use crate::fixtures::mutations::Mutator;
use crate::fixtures::sandbox::Sandbox;
use crate::fixtures::tunings::{CONFIG, same_tuning, summary};

/// Tunes into the folder `out` of a sandbox, with pieces played elsewhere.
fn tune(sandbox: &Sandbox, config: &str, workers: &Arc<Here>, out: &str) -> Result<Ended, InputError> {
    let host = Host::new(Register::default(), Some(config.to_owned()));
    let host = Arc::new(host.with_workers(Arc::clone(workers) as Arc<dyn RemoteWorkers>));
    let out = sandbox.path(out).display().to_string();
    host.call(&["tune", "-", "--out", &out, "--threads", "1"].map(str::to_owned))
}

/// Tunes into the folder `out` of a sandbox here.
fn tune_here(sandbox: &Sandbox, config: &str, out: &str) -> Ended {
    let host = Arc::new(Host::new(Register::default(), Some(config.to_owned())));
    let out = sandbox.path(out).display().to_string();
    host.call(&["tune", "-", "--out", &out, "--threads", "2"].map(str::to_owned)).unwrap()
}

/// Tunes here, and elsewhere in each of these numbers of pieces.
fn check_pieces(config: &str, counts: &[u64]) {
    let config = format!("name = \"t\"\n{config}");
    let sandbox = Sandbox::new();
    tune_here(&sandbox, &config, "whole");
    for &pieces in counts {
        let here = Arc::new(Here::new(pieces));
        assert!(matches!(tune(&sandbox, &config, &here, "out"), Ok(Ended::Done)));
        same_tuning(&sandbox.path("whole"), &sandbox.path("out"));
        let games = summary(&sandbox.path("out"))["games"].as_u64().unwrap();
        let played = here.played.load(Ordering::Relaxed);
        // One piece is no piece.
        let is_cut = played > 3 * pieces && played * 500 <= games;
        assert!(if pieces == 1 { played == 0 } else { is_cut }, "{played} pieces of {games} games");
        fs::remove_dir_all(sandbox.path("out")).unwrap();
    }
}

#[test]
fn pieces_of_a_tuning_that_are_played_elsewhere_change_nothing() {
    check_pieces(CONFIG, &[7]);
}

#[test]
#[ignore = "long: tunes twelve times"]
fn pieces_that_are_played_elsewhere_change_nothing() {
    // Two variants, a bot that tuning has not met, and a setting between two that are tried.
    let wide = "seed = 3\n[tune]\nbot = { bot = \"rule-based\", name = \"timid\", parameters = { euchre = { courage = 4.87 } } }\n\
                variants = [\"euchre-24\", \"euchre-32\"]\nunseen = [\"random\"]\ngames = 60000\n[tune.parameters]\n\
                \"euchre.courage\" = { low = 0.0, high = 5.0, step = 0.5 }\n\"euchre.ace\" = {}\n";
    // A race.
    let race =
        "seed = 7\n[tune]\nbots = [\"random\", \"cautious\", \"rule-based\"]\nvariants = [\"dumbo\"]\ngames = 20000\n";
    for config in [CONFIG, wide, race] {
        check_pieces(config, &[2, 7, 1]);
    }
}

/// Tunes here and elsewhere against a bot with faults, by a config that begins and ends with these lines of `tune`.
fn check_faults(name: &str, begin: &str, end: &str) {
    let sandbox = Sandbox::new();
    let careless = Provided::new(name, Arc::new(Careless));
    let config = format!(
        "name = \"t\"\nseed = 7\n[tune]\n{begin}\n\
         against = [\"itself\", {{ name = \"careless\", strategy = \"python\", parameters = {{ callable = {:?} }} }}]\n{end}\n",
        careless.name()
    );
    assert!(matches!(tune_here(&sandbox, &config, "whole"), Ended::Faulty));
    let here = Arc::new(Here::new(3));
    assert!(matches!(tune(&sandbox, &config, &here, "out"), Ok(Ended::Faulty)));
    assert!(here.played.load(Ordering::Relaxed) > 0);
    same_tuning(&sandbox.path("whole"), &sandbox.path("out"));
    assert!(summary(&sandbox.path("out"))["faults"].as_u64().unwrap() > 100);
    drop(careless);
}

#[test]
fn faults_of_bots_in_a_race_come_back() {
    let race = "bots = [\"random\", \"cautious\"]\nvariants = [\"euchre-24\"]\nunseen = []\ngames = 4608";
    check_faults("careless of a race", race, "");
}

#[test]
#[ignore = "long: has hundreds of thousands of decisions made by code of the test"]
fn faults_of_bots_come_back() {
    let begin = "bot = \"rule-based\"\nvariants = [\"dumbo\"]\ngames = 12000";
    check_faults("careless of pieces", begin, "[tune.parameters]\n\"dumbo.ambition\" = {}");
}

#[test]
fn what_comes_back_odd_is_refused() {
    let changes: [(Change, &str); 4] = [
        (|played| played[1..].to_vec(), "it is one of too many or too few"),
        (
            |played| played.iter().map(|_| b"nothing".to_vec()).collect(),
            "it is no piece of tuning that overtrick wrote",
        ),
        (|played| played.iter().map(|piece| piece[..piece.len() - 1].to_vec()).collect(), "it is damaged"),
        (
            |mut played| {
                // Where all pieces have as many deals, nothing is changed.
                let other = played.iter().position(|piece| piece.len() != played[0].len());
                played.swap(0, other.unwrap_or(0));
                played
            },
            "it has other deals",
        ),
    ];
    for (change, why) in changes {
        let sandbox = Sandbox::new();
        let here = Arc::new(Here { change, ..Here::new(7) });
        // Some comparison is cut into pieces that differ in length.
        let config = CONFIG.replace("36000", "60000");
        let error = tune(&sandbox, &config, &here, "out").err().unwrap().to_string();
        assert!(error.contains("a piece of tuning came back odd") && error.contains(why), "{error}");
    }
}

#[test]
fn a_piece_that_is_none_is_refused_in_a_line() {
    let sandbox = Sandbox::new();
    let here = Arc::new(Here::new(4));
    assert!(tune(&sandbox, CONFIG, &here, "out").is_ok());
    let pieces = here.asked.lock().unwrap().clone();
    let mut told = BTreeSet::new();
    let mut refused = |bytes: &[u8]| {
        if let Err(error) = Host::default().play_piece(bytes, 1) {
            let error = error.to_string();
            assert!(!error.contains('\n') && error.contains("a piece of tuning cannot be played here"), "{error}");
            told.insert(error);
        }
    };
    refused(b"");
    refused(&pieces[0][..pieces[0].len() / 2]);
    let mut mutator = Mutator::new(&pieces[..2], 1);
    (0..300).for_each(|_| refused(&mutator.next()));
    assert!(told.len() > 2, "{told:?}");
}
