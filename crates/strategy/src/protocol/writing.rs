//! Writes a list of decisions.
//!
//! The code is written by hand because a harness writes millions of decisions. The reading side is derived,
//! and tests check that both sides agree.

use overtrick_cards::Card;

use super::Decision;

/// Appends the message `decide`, without its line end.
///
/// A tab precedes each decision. JSON skips it as white space, and it occurs nowhere else. So a bot can split
/// a message without parsing it.
pub(super) fn decide(decisions: &[Decision<'_>], out: &mut Vec<u8>) {
    let mut line = Line(out);
    line.raw(r#"{"decide":"#);
    line.list(decisions, |line, decision| {
        line.raw("\t");
        write(decision, line);
    });
    line.raw("}");
}

fn write(decision: &Decision<'_>, line: &mut Line<'_>) {
    line.number(r#"{"id":"#, decision.id);
    line.number(r#","seed":"#, u64::from(decision.seed));
    line.raw(r#","legal":"#);
    line.list(&decision.legal, |line, legal| line.text(legal));
    line.number(r#","deal":"#, decision.deal);
    line.number(r#","seat":"#, decision.seat as u64);
    line.number(r#","dealer":"#, decision.dealer as u64);
    line.raw(r#","hand":"#);
    line.text(&decision.hand);
    line.raw(r#","seen":"#);
    line.map(decision.seen.iter(), |line, cards| line.cards(cards.iter().rev()));
    line.raw(r#","counts":"#);
    line.map(decision.counts.iter(), |line, &count| line.number("", count as u64));
    line.raw(r#","circle":"#);
    line.list(&decision.circle, |line, hand| line.text(hand));
    if !decision.deciders.is_empty() {
        line.raw(r#","deciders":"#);
        line.map(decision.deciders.iter(), |line, &seat| line.number("", seat as u64));
    }
    line.raw(r#","calls":"#);
    line.list(&decision.calls, |line, (seat, call)| {
        line.number("[", *seat as u64);
        line.raw(",");
        line.text_or_null(call.as_deref());
        line.raw("]");
    });
    if let Some(contract) = &decision.contract {
        line.number_or_null(r#","contract":{"declarer":"#, contract.declarer.map(|seat| seat as u64));
        line.number_or_null(r#","level":"#, contract.level.map(u64::from));
        line.raw(r#","trump":"#);
        line.text_or_null(contract.trump.as_deref());
        line.raw(r#","kind":"#);
        line.text(&contract.kind);
        line.raw("}");
    }
    line.raw(r#","tricks":"#);
    line.list(&decision.tricks, |line, trick| {
        line.raw(r#"{"leader":"#);
        line.text(&trick.leader);
        line.raw(r#","cards":"#);
        line.cards(trick.cards.iter().copied());
        line.named(r#","winner":"#, trick.winner.as_deref());
        line.raw("}");
    });
    line.named(r#","led":"#, decision.led.map(Card::text));
    line.named(r#","winning":"#, decision.winning.as_deref());
    line.raw(r#","won":"#);
    line.map(decision.won.iter(), |line, &tricks| line.number("", tricks as u64));
    line.named(r#","up-card":"#, decision.up_card.map(Card::text));
    if !decision.row.is_empty() {
        line.raw(r#","row":"#);
        line.cards(decision.row.iter().copied());
    }
    line.named(r#","trump":"#, decision.trump.as_deref());
    if decision.last_deal {
        line.raw(r#","last-deal":true"#);
    }
    line.raw(r#","standing":"#);
    line.raw(r#"{"totals":"#);
    line.list(&decision.standing.totals, |line, &total| line.signed(total));
    line.number(r#","deals":"#, decision.standing.deals.into());
    line.number(r#","counted":"#, decision.standing.counted.into());
    line.raw("}}");
}

/// A line under construction.
struct Line<'a>(&'a mut Vec<u8>);

impl Line<'_> {
    #[inline(always)]
    fn raw(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
    }

    fn value(&mut self, value: &impl serde::Serialize) {
        serde_json::to_writer(&mut *self.0, value).expect("plain values, and memory takes them");
    }

    /// Writes `before` and a number.
    #[inline(always)]
    fn number(&mut self, before: &str, number: u64) {
        self.raw(before);
        match number {
            0..=9 => self.0.push(b'0' + number as u8),
            _ => self.value(&number),
        }
    }

    fn signed(&mut self, number: i32) {
        self.number(if number < 0 { "-" } else { "" }, number.unsigned_abs().into());
    }

    fn number_or_null(&mut self, before: &str, number: Option<u64>) {
        match number {
            Some(number) => self.number(before, number),
            None => {
                self.raw(before);
                self.raw("null");
            }
        }
    }

    #[inline(always)]
    fn text(&mut self, text: &str) {
        let is_plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
        match *text.as_bytes() {
            // Cards and the hands of players are most of the texts.
            [first, second] if is_plain(first) && is_plain(second) => {
                self.0.extend_from_slice(&[b'"', first, second, b'"']);
            }
            _ if text.bytes().all(is_plain) => {
                self.raw("\"");
                self.raw(text);
                self.raw("\"");
            }
            _ => self.value(&text),
        }
    }

    fn text_or_null(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => self.raw("null"),
        }
    }

    /// Writes a key with its text, if there is one.
    fn named(&mut self, key: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.raw(key);
            self.text(text);
        }
    }

    fn cards(&mut self, cards: impl Iterator<Item = Card>) {
        let mut before = b'[';
        for card in cards {
            let text = card.text().as_bytes();
            self.0.extend_from_slice(&[before, b'"', text[0], text[1], b'"']);
            before = b',';
        }
        self.raw(if before == b'[' { "[]" } else { "]" });
    }

    #[inline(always)]
    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        let mut before = "[";
        for item in items {
            self.raw(before);
            write(self, item);
            before = ",";
        }
        self.raw(if items.is_empty() { "[]" } else { "]" });
    }

    #[inline(always)]
    fn map<'b, T: 'b>(&mut self, values: impl Iterator<Item = (&'b str, &'b T)>, mut write: impl FnMut(&mut Self, &T)) {
        let mut before = "{";
        for (name, value) in values {
            self.raw(before);
            self.text(name);
            self.raw(":");
            write(self, value);
            before = ",";
        }
        self.raw(if before == "{" { "{}" } else { "}" });
    }
}
