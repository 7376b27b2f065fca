//! Dummy whist, double dummy and humbug.

use super::cards::{SUITS, height, is_joker, rank, suit};
use super::tricks::{DISCARDED, Table, discards_of, follow, own, seat_of, strongest};
use super::{Contract, Game, Start};

#[derive(Clone, PartialEq)]
enum Phase {
    /// Humbug: keep or exchange.
    Choice,
    Auction,
    /// Jokers: two cards of the dummy go.
    Discard,
    /// Trumps are named, or the direction.
    Name,
    Play,
}

#[derive(Clone)]
pub struct Whist {
    start: Start,
    table: Table,
    /// `dummy-whist`, `double-dummy` or `humbug`.
    form: String,
    players: usize,
    phase: Phase,
    /// Whose call it is.
    caller: usize,
    /// Humbug: the seats that keep their hands.
    keepers: Vec<usize>,
    /// The best bid: seat, level, and `uptown`, `downtown` or `no-trump`.
    bid: Option<(usize, i64, String)>,
    /// `uptown` or `downtown`.
    direction: String,
    /// A suit, or `NT`.
    trump: String,
    /// The seats that reneged, in order of play.
    reneges: Vec<usize>,
}

impl Whist {
    pub fn new(start: &Start) -> Whist {
        let form = start.text("form");
        let players = if form == "dummy-whist" { 3 } else { 2 };
        let mut table = Table::new(start);
        table.add(DISCARDED, start.on_table("discarded"));
        Whist {
            start: start.clone(),
            table,
            players,
            phase: if form == "humbug" { Phase::Choice } else { Phase::Auction },
            form,
            caller: (start.dealer + 1) % players,
            keepers: Vec::new(),
            bid: None,
            direction: String::new(),
            trump: String::new(),
            reneges: Vec::new(),
        }
    }

    fn turns_up(&self) -> bool {
        self.start.text("trump-method") == "turn-up"
    }

    fn is_secret(&self) -> bool {
        self.start.text("humbug-choice") == "simultaneous"
    }

    fn declarer(&self) -> usize {
        self.bid.as_ref().expect("nobody has bid").0
    }

    fn is_no_trump_bid(&self) -> bool {
        self.bid.as_ref().is_some_and(|(_, _, kind)| kind == "no-trump")
    }

    /// WH10 to WH12: whether a bid is better than the best so far.
    fn is_better(&self, level: i64, kind: &str) -> bool {
        let Some((_, best_level, best_kind)) = &self.bid else { return true };
        level > *best_level
            || level == *best_level
                && (kind == "no-trump" && best_kind != "no-trump"
                    || kind == "downtown" && best_kind == "uptown" && self.start.is_on("downtown-outranks-uptown"))
    }

    fn after_auction(&mut self) {
        let discards = self.start.is_on("jokers") && self.start.text("dummy-discard") == "seen";
        self.phase = if discards { Phase::Discard } else { Phase::Name };
    }

    /// WH3, DD3, HB8: the hands that play, clockwise, led by that of `leader`.
    fn begin_play(&mut self, leader: usize) {
        let left = (leader + 1) % self.players;
        let order = match self.form.as_str() {
            "dummy-whist" => vec![own(leader), own(left), "dummy".to_string(), own((leader + 2) % 3)],
            "double-dummy" => {
                // The dealer, the opponent on the left, then their dummies: from the leader on.
                let (dealer, other) = (self.start.dealer, (self.start.dealer + 1) % 2);
                let mut round = vec![own(dealer), own(other), format!("dummy{dealer}"), format!("dummy{other}")];
                let first = round.iter().position(|hand| *hand == own(leader)).expect("the leader plays");
                round.rotate_left(first);
                round
            }
            _ => vec![own(leader), own(left)],
        };
        self.phase = Phase::Play;
        self.table.begin(order);
    }

    /// The suit that a card belongs to: jokers are trumps (WH24), or of no suit (WH25).
    fn suit(&self, card: &str) -> String {
        if is_joker(card) { self.trump.clone() } else { suit(card).to_string() }
    }

    /// The suit to follow. A joker led at no trump leaves it to the first other card (WH27).
    fn led(&self) -> Option<String> {
        self.table.trick.iter().map(|(_, card)| self.suit(card)).find(|suit| suit != "NT")
    }

    fn strength(&self, card: &str, led: &str) -> i64 {
        if is_joker(card) {
            return match (self.trump.as_str(), card) {
                ("NT", _) => 0,
                (_, "BJ") => 300,
                _ => 200,
            };
        }
        // WH20: the ace is the best card in both directions.
        let height = if self.direction == "downtown" && rank(card) != "A" { 15 - height(card) } else { height(card) };
        if suit(card) == self.trump {
            100 + height
        } else if suit(card) == led {
            height
        } else {
            0
        }
    }

    /// The cards that may properly be played.
    fn proper(&self) -> Vec<String> {
        let hand = self.table.cards(&self.table.turn());
        let mut cards = follow(&hand, self.led().as_deref(), |card| self.suit(card));
        if self.trump == "NT" && self.start.text("nt-joker-play") == "any-time" {
            for card in hand {
                if is_joker(&card) && !cards.contains(&card) {
                    cards.push(card);
                }
            }
        }
        cards
    }

    /// The seat that plays a hand's cards.
    fn player(&self, hand: &str) -> usize {
        if hand == "dummy" { self.declarer() } else { seat_of(hand) }
    }

    /// Which side a seat is on: 0 or 1.
    fn side(&self, seat: usize) -> usize {
        if self.form == "dummy-whist" { usize::from(seat != self.declarer()) } else { seat }
    }

    /// The books of the two sides, renege penalties included (WH31, WH32).
    fn books(&self) -> [i64; 2] {
        let mut books = [0, 0];
        for (_, winner) in &self.table.done {
            books[self.side(self.player(winner))] += 1;
        }
        for &seat in &self.reneges {
            let side = self.side(seat);
            let lost = books[side].min(self.start.number("renege-tricks"));
            books[side] -= lost;
            if self.start.text("renege-mode") == "transfer" {
                books[1 - side] += lost;
            }
        }
        books
    }

    /// HB6: what all scores are multiplied by.
    fn humbug_factor(&self) -> i64 {
        match (self.form.as_str(), self.keepers.len()) {
            ("humbug", 1) => self.start.number("one-keeps-factor"),
            ("humbug", 2) => self.start.number("both-keep-factor"),
            _ => 1,
        }
    }

    /// WH39 to WH42: what the contract's score is multiplied by.
    fn contract_factor(&self, level: i64) -> i64 {
        let double = self.start.number("double-factor");
        let no_trump = self.is_no_trump_bid() && self.start.is_on("nt-double");
        let boston = level == 7 && self.start.is_on("boston-bid-double");
        if no_trump && boston && self.start.is_on("doubles-stack") {
            double * double
        } else if no_trump || boston {
            double
        } else {
            1
        }
    }
}

impl Game for Whist {
    fn is_over(&self) -> bool {
        self.phase == Phase::Play && self.table.is_played_out()
    }

    fn seat(&self) -> usize {
        match self.phase {
            Phase::Choice | Phase::Auction => self.caller,
            Phase::Discard | Phase::Name => self.declarer(),
            Phase::Play => self.player(&self.table.turn()),
        }
    }

    fn hand(&self) -> String {
        match self.phase {
            Phase::Discard => "dummy".to_string(),
            Phase::Play => self.table.turn(),
            _ => own(self.seat()),
        }
    }

    fn legal(&self) -> Vec<String> {
        match self.phase {
            Phase::Choice => vec!["exchange".to_string(), "keep".to_string()],
            Phase::Auction => {
                let mut calls = Vec::new();
                for level in self.start.number("min-bid")..=7 {
                    for kind in ["uptown", "downtown", "no-trump"] {
                        if self.is_better(level, kind) {
                            calls.push(format!("bid {level} {kind}"));
                        }
                    }
                }
                // WH7: the dealer must bid if no other player has.
                if self.caller != self.start.dealer || self.bid.is_some() {
                    calls.push("pass".to_string());
                }
                calls
            }
            Phase::Discard => self.table.cards("dummy").iter().map(|card| format!("discard {card}")).collect(),
            Phase::Name if self.is_no_trump_bid() => vec!["name uptown".to_string(), "name downtown".to_string()],
            Phase::Name => SUITS.iter().map(|suit| format!("name {suit}")).collect(),
            Phase::Play => self.proper(),
        }
    }

    fn accepted(&self) -> Vec<String> {
        let hand = self.hand();
        // WH33: dummies cannot renege.
        if self.phase == Phase::Play && self.start.is_on("allow-renege") && hand == own(self.seat()) {
            self.table.cards(&hand)
        } else {
            self.legal()
        }
    }

    fn apply(&mut self, text: &str) {
        let seat = self.seat();
        match self.phase {
            Phase::Choice => {
                if text == "keep" {
                    self.keepers.push(seat);
                }
                // HB5: those who choose in secret take up no other hand before both have chosen.
                let dealer = self.start.dealer;
                let now = match (self.is_secret(), seat == dealer) {
                    (true, false) => vec![],
                    (true, true) => vec![0, 1],
                    (false, _) => vec![seat],
                };
                for seat in now.into_iter().filter(|seat| !self.keepers.contains(seat)) {
                    self.table.swap(&own(seat), &format!("dead{seat}"));
                }
                self.caller = 1 - seat;
                if seat == self.start.dealer && self.turns_up() {
                    // HB7: the card turned up makes trumps, and the non-dealer leads.
                    self.trump = suit(&self.start.on_table("up-card")[0]).to_string();
                    self.direction = "uptown".to_string();
                    self.begin_play(1 - seat);
                } else if seat == self.start.dealer {
                    self.phase = Phase::Auction;
                }
            }
            Phase::Auction => {
                if let Some(bid) = text.strip_prefix("bid ") {
                    let (level, kind) = bid.split_once(' ').expect("a bid has a level and a kind");
                    self.bid = Some((seat, level.parse().expect("a level"), kind.to_string()));
                }
                self.caller = (seat + 1) % self.players;
                if seat == self.start.dealer {
                    self.after_auction();
                }
            }
            Phase::Discard => {
                self.table.shift(&text["discard ".len()..], "dummy", &discards_of(seat));
                if self.table.cards("dummy").len() == 13 {
                    self.phase = Phase::Name;
                }
            }
            Phase::Name => {
                let named = text["name ".len()..].to_string();
                if self.is_no_trump_bid() {
                    self.direction = named;
                    self.trump = "NT".to_string();
                } else {
                    self.direction = self.bid.as_ref().expect("a bid").2.clone();
                    self.trump = named;
                }
                self.begin_play(seat);
            }
            Phase::Play => {
                if !self.proper().iter().any(|card| card == text) {
                    self.reneges.push(seat);
                }
                if self.table.play(text) {
                    let led = self.led().expect("a trick has a card that is no joker");
                    let winner = strongest(&self.table.trick, |card| self.strength(card, &led));
                    self.table.finish(&winner);
                }
            }
        }
    }

    fn table(&self) -> &Table {
        &self.table
    }

    fn scores(&self) -> Vec<i64> {
        let books = self.books();
        let humbug = self.humbug_factor();
        let book_points = self.start.number("book-points");
        let Some((declarer, level, _)) = self.bid.clone() else {
            return books.map(|books| (books - 6).max(0) * book_points * humbug).to_vec();
        };
        let factor = self.contract_factor(level) * humbug;
        let books = books[self.side(declarer)];
        let penalty = level * self.start.number("set-points") * factor;
        let set_penalty = self.start.text("set-penalty");
        let (opponents_gain, declarer_loses) = match set_penalty.as_str() {
            "opponents-gain" => (true, false),
            "declarer-loses" => (false, true),
            "both" => (true, true),
            other => panic!("set-penalty = {other}"),
        };
        (0..self.players)
            .map(|seat| match (seat == declarer, books >= 6 + level) {
                (true, true) => (books - 6) * book_points * factor,
                (true, false) if declarer_loses => -penalty,
                (false, false) if opponents_gain => penalty,
                _ => 0,
            })
            .collect()
    }

    fn contract(&self) -> Option<Contract> {
        let trump = Some(self.trump.clone());
        Some(match &self.bid {
            Some((declarer, level, _)) => (Some(*declarer), Some(*level), trump, self.direction.clone()),
            None => (None, None, trump, "turn-up".to_string()),
        })
    }

    fn knows(&self, seat: usize, place: &str, card: &str) -> bool {
        let declared = self.phase == Phase::Play;
        let auction_over = declared || self.phase == Phase::Name;
        if place == own(seat) || place == discards_of(seat) {
            return true;
        }
        match self.form.as_str() {
            "dummy-whist" if place == "dummy" => {
                auction_over || self.phase == Phase::Discard && seat == self.declarer()
            }
            "double-dummy" if place.starts_with("dummy") => {
                // DD5: when the dummy of the other side is exposed.
                let early = self.start.text("defender-dummy-exposed") == "before-declaration";
                declared || auction_over && (early || seat_of(place) == self.declarer())
            }
            "humbug" => {
                // A player knows the hand that they threw in, and all players the card that was turned up.
                let early = !self.is_secret() && seat != self.start.dealer && self.caller != seat;
                let chose = self.phase != Phase::Choice || early;
                let threw_in = place == format!("dead{seat}") && chose && !self.keepers.contains(&seat);
                threw_in || self.turns_up() && self.start.on_table("up-card").iter().any(|up| up == card)
            }
            _ => false,
        }
    }
}
