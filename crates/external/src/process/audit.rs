//! Decisions that are asked again.
//!
//! A bot that depends on the decision alone gives the same answer without its history.

use overtrick_strategy::Audited;
use overtrick_strategy::protocol::{Asked, Fault, FaultKind};

use super::Session;
use super::session::GRACE;

/// Asks decisions again of a process that has just `begun`. Returns those that it answers differently, by index.
///
/// If it fails, the first decision without an answer has that fault, and the decisions after it have none.
pub(super) fn ask_again(begun: Result<Session, Fault>, audited: Vec<Audited>) -> Vec<(usize, Fault)> {
    let again = |fault: Fault| Fault { what: format!("when it was asked again: {}", fault.what), ..fault };
    let mut session = match begun {
        Ok(session) => session,
        Err(fault) => return vec![(0, again(fault))],
    };
    let mut faults = Vec::new();
    let size = session.hello().batch.0 as usize;
    for (start, chunk) in (0..).step_by(size).zip(audited.chunks(size)) {
        let decisions = (start as u64..).zip(chunk).map(|(id, Audited { decision, .. })| {
            let mut decision = decision.clone();
            decision.id = id;
            decision
        });
        let mut asked = Asked::new(decisions.collect());
        let ended = session.ask(&mut asked);
        for (number, Audited { answer, .. }) in chunk.iter().enumerate() {
            match asked.text(number) {
                Some(now) if now == answer => {}
                Some(now) => {
                    let what = format!("it answered {answer}, and {now} when it was asked again without its history");
                    faults.push((start + number, Fault::new(FaultKind::Irreproducible, what)));
                }
                None => {
                    let fault = ended.err().unwrap_or_else(|| Fault::new(FaultKind::Exit, "it gave no answer"));
                    faults.push((start + number, again(fault)));
                    return faults;
                }
            }
        }
    }
    session.close(GRACE);
    faults
}
