//! Bots that misbehave, as real processes: each fault is distinguished from the others, nothing hangs and nothing stays
//! behind.

use crate::fixtures;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use overtrick::game::{Game, Setup, Standing, View};
use overtrick::games::dumbo::Dumbo;
use overtrick::protocol::{Asked, Decision, Fault, FaultKind, VariantSeen};
use overtrick::strategies::process::{Isolation, LONGEST_LOG, Level, Params, Patience, Session, Supervisor};

/// Longer than anything takes that does not hang, and shorter than a double sleeps.
const GRACE: Duration = Duration::from_secs(600);

/// The isolation that there is not.
fn open() -> Isolation {
    Isolation { level: Some(Level::None), ..Isolation::default() }
}

fn params(how: &str) -> Params {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doubles/double.py");
    Params {
        command: ["python3", "-S", file, how].map(str::to_owned).into(),
        // Who stalls is waited for in vain; who answers has time enough on any machine.
        move_timeout: if how == "stall" { 0.3 } else { 600.0 },
        start_timeout: 600.0,
        memory_limit: 256,
        ..Params::default()
    }
}

/// Asks a bot for the first move of a deal of Dumbo.
fn ask(session: &mut Session) -> Result<(), Fault> {
    let game = Dumbo::new(Default::default()).unwrap();
    let state = game.deal(Setup::default(), &mut fixtures::stream("process", 0));
    let standing = Standing::default();
    let view = View::new(&game, &state, &standing, state.table.seat_to_move());
    let legal = game.legal(&state);
    let mut asked = Asked::new(vec![Decision::of(&view, legal, 0, 0, 0)]);
    session.ask(&mut asked)?;
    let chosen = asked.chosen(0, &view, legal).expect("no answer is missing")?;
    assert!(legal.contains(chosen));
    Ok(())
}

fn play(how: &str, log: Option<&Path>) -> Result<(), Fault> {
    let mut session = Session::start(&params(how), log, &Default::default())?;
    ask(&mut session)?;
    ask(&mut session)?;
    session.close(GRACE);
    Ok(())
}

#[test]
fn faults_are_told_apart() {
    assert_eq!(play("honest", None), Ok(()));
    for (how, expected) in [
        ("stillborn", FaultKind::NoStart),
        ("foreign", FaultKind::WrongHandshake),
        ("rude", FaultKind::WrongHandshake),
        ("crash", FaultKind::Crash),
        ("exit", FaultKind::Exit),
        ("hang-up", FaultKind::Exit),
        ("stall", FaultKind::TimeOut),
        ("cheat", FaultKind::IllegalMove),
        ("mumble", FaultKind::IllegalMove),
        ("babble", FaultKind::Garbage),
        ("mojibake", FaultKind::NotUtf8),
        ("mix-up", FaultKind::WrongId),
        ("flood", FaultKind::LongLine),
        ("glutton", FaultKind::MemoryLimit),
    ] {
        let fault = play(how, None).expect_err(how);
        assert_eq!(fault.kind, expected, "{how}: {fault}");
    }
}

#[test]
fn threads_and_processes_of_python_work_inside() {
    let params = Params { memory_limit: 4096, ..params("worker") };
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("bot.log");
    let mut session = Session::start(&params, Some(&log), &Default::default()).unwrap();
    let answered = ask(&mut session);
    drop(session);
    assert_eq!(answered, Ok(()), "{}", std::fs::read_to_string(&log).unwrap_or_default());
}

#[test]
fn programs_that_are_not_there_or_say_nothing_do_not_start() {
    let start = |params: &Params| Session::start(params, None, &Default::default()).err().expect("it does not start");
    let absent = Params { command: vec!["/no/such/program".to_owned()], ..params("") };
    assert_eq!(start(&absent).kind, FaultKind::NoStart);
    let homeless = Params { folder: "/no/such/folder".into(), ..params("honest") };
    assert_eq!(start(&homeless).kind, FaultKind::NoStart);
    assert_eq!(start(&Params { start_timeout: 0.3, ..params("mute") }).kind, FaultKind::NoStart);
}

#[test]
fn logs_are_capped_and_a_full_pipe_hangs_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("bot.log");
    assert_eq!(play("rant", Some(&log)), Ok(()));
    assert_eq!(std::fs::metadata(&log).unwrap().len(), LONGEST_LOG);
}

#[test]
fn the_limit_of_a_log_is_one_for_all_processes_of_a_bot() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("bot.log");
    let start = || Session::start(&params("rant"), Some(&log), &Default::default()).unwrap();
    let mut sessions = [start(), start()];
    for session in sessions.iter_mut().chain(&mut [start()]) {
        ask(session).unwrap();
        ask(session).unwrap();
    }
    sessions.into_iter().for_each(|session| session.close(GRACE));
    assert_eq!(std::fs::metadata(&log).unwrap().len(), LONGEST_LOG);
}

#[test]
fn a_pipe_in_place_of_a_log_is_not_waited_for() {
    use rustix::fs::{CWD, FileType, Mode};
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("bot.log");
    rustix::fs::mknodat(CWD, &log, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    assert_eq!(play("rant", Some(&log)), Ok(()));
}

#[test]
fn who_has_closed_their_output_is_not_waited_for_though_their_input_is_full() {
    let mut session = Session::start(&params("mum"), None, &Default::default()).unwrap();
    let fault = (0..100_000).find_map(|_| session.tell(&overtrick::protocol::Message::Variant(dumbo())).err());
    assert_eq!(fault.unwrap().kind, FaultKind::Exit);
}

#[test]
fn who_answers_now_and_then_is_given_up_in_the_end() {
    let patience = Patience::of(Duration::from_secs(10));
    let params = Params { move_timeout: 3.0, patience: patience.clone(), ..params("honest") };
    let mut supervisor = Supervisor::new(params, None, Arc::default());
    let late = Fault::new(FaultKind::TimeOut, "a test");
    for _ in 0..4 {
        assert!(!patience.is_spent());
        supervisor.start(&dumbo()).unwrap();
        supervisor.failed(&late);
        supervisor.answered();
    }
    let fault = supervisor.start(&dumbo()).unwrap_err();
    assert!(
        patience.is_spent() && fault.what.contains("given up") && fault.what.contains("for 10 s in all"),
        "{fault}"
    );
}

#[test]
fn the_environment_is_what_was_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("bot.log");
    let params = Params { environment: vec!["PATH".to_owned()], ..params("nosy") };
    let mut session = Session::start(&params, Some(&log), &Default::default()).unwrap();
    ask(&mut session).unwrap();
    session.close(GRACE);
    let seen = std::fs::read_to_string(&log).unwrap();
    assert!(seen.contains("PATH") && !seen.contains("CARGO") && !seen.contains("HOME"), "{seen}");
}

#[test]
fn what_a_bot_has_started_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("bot.log");
    // Without isolation, since inside of it processes have other numbers.
    let params = Params { isolation: open(), ..params("fork") };
    let mut session = Session::start(&params, Some(&log), &Default::default()).unwrap();
    ask(&mut session).unwrap();
    ask(&mut session).unwrap();
    drop(session);
    let text = std::fs::read_to_string(&log).unwrap();
    let child = text.lines().find_map(|line| line.strip_prefix("child ")).expect("it told its child").to_owned();
    let gone = || {
        let stat = std::fs::read_to_string(format!("/proc/{child}/stat"));
        stat.map_or(true, |stat| stat.contains(") Z ") || !stat.contains("(sleep)"))
    };
    let deadline = Instant::now() + GRACE;
    while !gone() {
        assert!(Instant::now() < deadline, "{child} is still there");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The message that names Dumbo.
fn dumbo() -> VariantSeen {
    VariantSeen::of(&Dumbo::new(Default::default()).unwrap(), "dumbo", "dumbo")
}

#[test]
fn a_process_that_only_fails_is_given_up() {
    let mut supervisor = Supervisor::new(params("crash"), None, Arc::default());
    let mut crashes = 0;
    let last = loop {
        match supervisor.start(&dumbo()) {
            Ok(()) => {
                let fault = ask(supervisor.running().unwrap()).unwrap_err();
                assert_eq!(fault.kind, FaultKind::Crash);
                supervisor.failed(&fault);
                crashes += 1;
            }
            Err(fault) => break fault,
        }
    };
    assert_eq!((crashes, last.kind), (8, FaultKind::Crash));
}

#[test]
fn an_answer_makes_up_for_failures() {
    let mut supervisor = Supervisor::new(params("honest"), None, Arc::default());
    for _ in 0..20 {
        supervisor.start(&dumbo()).unwrap();
        ask(supervisor.running().unwrap()).unwrap();
        supervisor.answered();
        supervisor.failed(&Fault::new(FaultKind::Garbage, "a test"));
    }
    assert!(supervisor.start(&dumbo()).is_ok());
}

#[test]
fn a_stopped_run_waits_for_nobody() {
    let stop = Arc::new(AtomicBool::new(false));
    let mut session = Session::start(&Params { move_timeout: 3600.0, ..params("stall") }, None, &stop).unwrap();
    let start = Instant::now();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(ask(&mut session).unwrap_err().kind, FaultKind::TimeOut);
    assert!(start.elapsed() < GRACE, "{:?}", start.elapsed());
    stopper.join().unwrap();
}
