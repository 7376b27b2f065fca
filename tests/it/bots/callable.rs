//! Code of the program that has the tournament played, as a bot.

use std::path::Path;
use std::sync::Arc;

use crate::fixtures::sandbox::Sandbox;
use overtrick::protocol::{Fault, FaultKind};
use overtrick::run::Run;
use overtrick::stats::Results;
use overtrick::strategies::Questions;
use overtrick::strategies::python::{Callable, Provided};
use overtrick::toml_source::Source;
use overtrick::tournament::{Overrides, Tournament};

type Answers = Result<Vec<i64>, Fault>;

/// Answers by a function.
struct By<F>(F);

impl<F: Fn(&Questions) -> Answers + Send + Sync> Callable for By<F> {
    fn choose_many(&self, variant: &str, questions: Questions) -> Answers {
        assert_eq!(variant, "colour-blind-2");
        assert_eq!(questions.rows.len(), questions.len() * questions.length);
        assert_eq!(questions.legal.len(), questions.len() * questions.moves);
        (self.0)(&questions)
    }
}

/// The first legal move in each decision.
fn first(questions: &Questions) -> Vec<i64> {
    let place = |mask: &[bool]| mask.iter().position(|&is_legal| is_legal).expect("a legal move") as i64;
    questions.legal.chunks(questions.moves).map(place).collect()
}

/// Returns the results of a duel of such a bot against random play.
fn duel(threads: usize, answer: impl Fn(&Questions) -> Answers + Send + Sync + 'static) -> Results {
    let provided = Provided::new("mine", Arc::new(By(answer)));
    let config = format!(
        "seed = 5\ndeals = 200\nformat = \"duel\"\nvariants = [\"colour-blind-2\"]\nbots = [\"random\", {{ name = \"mine\", \
         strategy = \"python\", parameters = {{ callable = {:?} }} }}]",
        provided.name()
    );
    let source = Source::parse(Path::new("duel.toml"), config).unwrap();
    let tournament = Tournament::resolve(&source, Overrides::default()).unwrap();
    Run::new(tournament).threads(threads).play().unwrap().results()
}

fn mean(results: &Results) -> f64 {
    results.bots.iter().find(|row| row.bot == "mine").unwrap().mean.value.unwrap()
}

#[test]
fn its_answers_are_played_on_any_number_of_threads() {
    let one = duel(1, |questions| Ok(first(questions)));
    let two = duel(2, |questions| Ok(first(questions)));
    let last = duel(1, |questions| {
        let place = |mask: &[bool]| mask.iter().rposition(|&is_legal| is_legal).unwrap() as i64;
        Ok(questions.legal.chunks(questions.moves).map(place).collect())
    });
    assert!(one.faults.is_empty() && last.faults.is_empty());
    assert_eq!(mean(&one), mean(&two));
    assert_ne!(mean(&one), mean(&last));
}

#[test]
fn faults_are_those_of_single_decisions() {
    // Fails at about half of the decisions, without regard to the others in the message.
    let odd = |questions: &Questions| {
        let is_odd = |row: &[f32]| row.iter().map(|&number| number as u32).sum::<u32>() % 2 == 1;
        match questions.rows.chunks(questions.length).any(is_odd) {
            true => Err(Fault::new(FaultKind::Failure, "odd")),
            false => Ok(first(questions)),
        }
    };
    let (one, two) = (duel(1, odd), duel(2, odd));
    let faults = |results: &Results| results.bots.iter().find(|row| row.bot == "mine").unwrap().faults;
    assert!(faults(&one) > 100 && faults(&one) == faults(&two), "{} {}", faults(&one), faults(&two));
    assert!(one.faults.iter().all(|row| row.kind == "failure" && row.what == "odd"));
    assert_eq!(mean(&one), mean(&two));

    let kinds = |answer: fn(&Questions) -> Answers| {
        let results = duel(1, answer);
        let row = results.faults.first().expect("faults").clone();
        (row.kind, row.what)
    };
    let (kind, what) = kinds(|_| Ok(Vec::new()));
    assert_eq!((kind, what.as_str()), ("failure", "it gave 0 answers to 1 decisions"));
    let (kind, what) = kinds(|questions| Ok(vec![-1; questions.len()]));
    assert!(kind == "illegal-move" && what.contains("it answered -1, where moves are numbered 0 to"), "{what}");
    let (kind, what) = kinds(|questions| Ok(first(questions).iter().map(|place| (place + 1) % 40).collect()));
    assert!(kind == "illegal-move" && what.contains(", which is "), "{what}");
}

#[test]
fn without_its_program_it_does_not_start() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "t.toml",
        "seed = 1\ndeals = 5\nformat = \"duel\"\nvariants = [\"dumbo\"]\nbots = [\"one\", { name = \"theirs\", strategy = \
         \"python\", parameters = { callable = \"net.choose as theirs\" } }]",
    );
    let message = sandbox.refused(&["run", "t.toml", "--quiet"]);
    assert!(message.contains("theirs does not start") && message.contains("is code of a Python program"), "{message}");
    sandbox.write("net.toml", "name = \"net\"\nstrategy = \"onnx\"\n[parameters]\nmodel = \"net.onnx\"\n");
    let message = sandbox.refused(&["check", "net.toml"]);
    let expected = if cfg!(feature = "onnx") { "cannot be read" } else { "was built without nets" };
    assert!(message.contains(expected), "{message}");
}
