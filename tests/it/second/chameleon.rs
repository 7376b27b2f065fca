//! Chameleon, for three and for two with a dummy, with their last deals.

use super::bids::{self, Bid};
use super::cards::{SUITS, height, suit};
use super::tricks::{Table, discards_of, follow_printed, own, seat_of, strongest};
use super::{Contract, Game, Start};

const DUMMY: &str = "dummy";

#[derive(Clone, PartialEq)]
enum Phase {
    Auction,
    /// Two players: six in dummy, or pass again.
    SixInDummy,
    /// Who took six in dummy names trumps or concedes.
    Name,
    /// The declarer's two discards.
    Discard,
    /// The declarer confirms the bid or raises it.
    Contract,
    /// A last deal: one discard of a player who took a card of the talon.
    LastDiscard,
    Play,
    PassedOut,
    Conceded,
}

#[derive(Clone)]
pub struct Chameleon {
    start: Start,
    table: Table,
    players: usize,
    phase: Phase,
    /// The seat that decides, up to the play.
    turn: usize,
    /// The seats that have passed, and all bids in order with their seats.
    passed: Vec<usize>,
    bids: Vec<(usize, Bid)>,
    /// Who took six in dummy.
    taker: Option<usize>,
    contract: Option<Bid>,
    /// The suit of trumps of a last deal, and the card exposed for it.
    last_trump: String,
    exposed: Option<String>,
}

impl Chameleon {
    pub fn new(start: &Start) -> Chameleon {
        let players = start.number("players") as usize;
        let mut table = Table::new(start);
        table.add("talon", start.on_table("talon"));
        Chameleon {
            start: start.clone(),
            table,
            players,
            phase: Phase::Auction,
            turn: (start.dealer + 1) % players,
            passed: Vec::new(),
            bids: Vec::new(),
            taker: None,
            contract: None,
            last_trump: String::new(),
            exposed: None,
        }
    }

    fn forehand(&self) -> usize {
        (self.start.dealer + 1) % self.players
    }

    /// The last bidder.
    fn declarer(&self) -> usize {
        self.bids.last().expect("nobody has bid").0
    }

    fn last_bid(&self) -> &Bid {
        &self.bids.last().expect("nobody has bid").1
    }

    fn is_last_deal(&self) -> bool {
        self.start.last_deal && self.start.is_on("last-deal-variant")
    }

    fn call(&mut self, text: &str) {
        match text.strip_prefix("bid ") {
            Some(bid) => self.bids.push((self.turn, Bid::parse(bid))),
            None => self.passed.push(self.turn),
        }
        if self.passed.len() == self.players {
            // CH6, DC12: all players have passed.
            self.turn = self.forehand();
            if self.players == 2 {
                self.phase = Phase::SixInDummy;
            } else if self.is_last_deal() {
                self.begin_last_deal();
            } else {
                self.phase = Phase::PassedOut;
            }
        } else if self.passed.len() == self.players - 1 && !self.bids.is_empty() {
            self.take_talon();
        } else {
            self.turn = (self.turn + 1) % self.players;
            while self.passed.contains(&self.turn) {
                self.turn = (self.turn + 1) % self.players;
            }
        }
    }

    /// CH13: the declarer takes the talon.
    fn take_talon(&mut self) {
        self.turn = self.declarer();
        for card in self.table.cards("talon") {
            self.table.shift(&card, "talon", &own(self.turn));
        }
        self.phase = Phase::Discard;
    }

    /// The seat whose turn it is takes the top card of the talon, and must discard.
    fn take_one_of_talon(&mut self) {
        let top = self.table.cards("talon")[0].clone();
        self.table.shift(&top, "talon", &own(self.turn));
        self.phase = Phase::LastDiscard;
    }

    /// CH30, DC21: no player has bid in a last deal.
    fn begin_last_deal(&mut self) {
        let exposed = if self.players == 3 {
            self.turn = self.start.dealer;
            self.table.cards("talon")[0].clone()
        } else {
            self.turn = self.forehand();
            self.start.on_table("up-card")[0].clone()
        };
        self.last_trump = suit(&exposed).to_string();
        self.exposed = Some(exposed);
        self.take_one_of_talon();
    }

    /// CH18, DC9: forehand leads.
    fn begin_play(&mut self) {
        let (forehand, dealer) = (self.forehand(), self.start.dealer);
        let order = if self.players == 3 {
            vec![own(forehand), own((forehand + 1) % 3), own(dealer)]
        } else if self.contract.is_some() {
            // DC2: Dummy sits between the non-dealer and the dealer.
            vec![own(forehand), DUMMY.to_string(), own(dealer)]
        } else {
            // DC23: in a last deal Dummy is not played.
            vec![own(forehand), own(dealer)]
        };
        self.phase = Phase::Play;
        self.table.begin(order);
    }

    /// The suit of trumps, or `NT`.
    fn trump(&self) -> String {
        match &self.contract {
            Some(Bid::Tricks(_, suit)) => suit.clone(),
            Some(_) => "NT".to_string(),
            None => self.last_trump.clone(),
        }
    }

    fn winner(&self) -> String {
        let led = suit(&self.table.trick[0].1);
        let trump = self.trump();
        strongest(&self.table.trick, |card| {
            if suit(card) == trump {
                100 + height(card)
            } else if suit(card) == led {
                height(card)
            } else {
                0
            }
        })
    }

    /// CH23 to CH27: scores of a deal with a contract.
    fn contract_scores(&self, contract: &Bid) -> Vec<i64> {
        let declarer = self.declarer();
        let tricks = self.table.won(&own(declarer));
        let (made, value, a_trick) = match contract {
            Bid::Tricks(number, _) => {
                let level = (number - 6) as usize;
                let made = tricks >= *number;
                let values = (self.start.numbers("level-scores"), self.start.numbers("opponent-trick-scores"));
                let opponents_score = made || self.start.is_on("opponents-score-on-failure");
                (made, values.0[level], if opponents_score { values.1[level] } else { 0 })
            }
            Bid::Misere => (tricks == 0, self.start.number("misere-score"), 0),
            Bid::Ouverte => (tricks == 0, self.start.number("ouverte-score"), 0),
        };
        (0..self.players)
            .map(|seat| {
                if seat != declarer {
                    a_trick * self.table.won(&own(seat))
                } else if made {
                    value
                } else {
                    -value
                }
            })
            .collect()
    }

    /// CH31, DC25: scores of a last deal without a contract.
    fn last_scores(&self) -> Vec<i64> {
        (0..self.players)
            .map(|seat| {
                let par = if self.players == 2 {
                    self.start.number("last-deal-two-par")
                } else if seat == self.start.dealer {
                    self.start.number("last-deal-dealer-par")
                } else {
                    self.start.number("last-deal-opponent-par")
                };
                (self.table.won(&own(seat)) - par).max(0) * self.start.number("last-deal-points")
            })
            .collect()
    }

    /// CH20, CH22: whether the play has exposed a player's hand to the others.
    fn is_exposed(&self, place: &str) -> bool {
        if self.phase != Phase::Play {
            return false;
        }
        match &self.contract {
            Some(Bid::Tricks(10, _)) => place.starts_with('p'),
            Some(Bid::Ouverte) if place == own(self.declarer()) => match self.start.text("ouverte-exposed").as_str() {
                "before-lead" => true,
                "after-first-trick" => !self.table.done.is_empty(),
                other => panic!("ouverte-exposed = {other}"),
            },
            _ => false,
        }
    }

    /// DC6: whether Dummy lies face up.
    fn is_dummy_exposed(&self) -> bool {
        match self.phase {
            Phase::Play => self.contract.is_some(),
            Phase::Discard | Phase::Contract => self.start.text("dummy-exposed") == "before-talon",
            _ => false,
        }
    }
}

impl Game for Chameleon {
    fn is_over(&self) -> bool {
        match self.phase {
            Phase::PassedOut | Phase::Conceded => true,
            Phase::Play => self.table.is_played_out(),
            _ => false,
        }
    }

    fn seat(&self) -> usize {
        if self.phase != Phase::Play {
            return self.turn;
        }
        let hand = self.table.turn();
        // DC8: the declarer's opponent plays Dummy.
        if hand == DUMMY { 1 - self.declarer() } else { seat_of(&hand) }
    }

    fn hand(&self) -> String {
        if self.phase == Phase::Play { self.table.turn() } else { own(self.turn) }
    }

    fn legal(&self) -> Vec<String> {
        let texts = |texts: &[&str]| texts.iter().map(|text| text.to_string()).collect::<Vec<_>>();
        match self.phase {
            Phase::Auction => {
                let mut calls = texts(&["pass"]);
                let every = bids::all(&SUITS);
                calls.extend(
                    every
                        .iter()
                        .filter(|bid| bids::may_bid(&self.start, &self.bids, bid))
                        .map(|bid| format!("bid {}", bid.text())),
                );
                calls
            }
            Phase::SixInDummy => texts(&["pass", "six-in-dummy"]),
            Phase::Name => texts(&["concede", "name C", "name D", "name H", "name S"]),
            Phase::Discard | Phase::LastDiscard => {
                self.table.cards(&own(self.turn)).iter().map(|card| format!("discard {card}")).collect()
            }
            Phase::Contract => {
                let every = bids::all(&["C", "D", "H", "S", "NT"]);
                let contracts = every.iter().filter(|bid| bids::may_contract(&self.start, self.last_bid(), bid));
                contracts.map(|bid| format!("contract {}", bid.text())).collect()
            }
            Phase::Play => follow_printed(&self.table),
            Phase::PassedOut | Phase::Conceded => Vec::new(),
        }
    }

    fn apply(&mut self, text: &str) {
        match self.phase {
            Phase::Auction => self.call(text),
            Phase::SixInDummy => {
                if text == "six-in-dummy" {
                    // DC13: the declarer's own hand becomes Dummy.
                    self.table.swap(&own(self.turn), DUMMY);
                    self.taker = Some(self.turn);
                    self.phase = Phase::Name;
                } else if self.turn == self.forehand() {
                    self.turn = self.start.dealer;
                } else if self.is_last_deal() {
                    self.begin_last_deal();
                } else {
                    self.phase = Phase::PassedOut;
                }
            }
            Phase::Name => match text.strip_prefix("name ") {
                Some(suit) => {
                    self.bids.push((self.turn, Bid::Tricks(6, suit.to_string())));
                    self.take_talon();
                }
                None => self.phase = Phase::Conceded,
            },
            Phase::Discard => {
                self.table.shift(&text["discard ".len()..], &own(self.turn), &discards_of(self.turn));
                if self.table.cards(&own(self.turn)).len() == 10 {
                    self.phase = Phase::Contract;
                }
            }
            Phase::Contract => {
                self.contract = Some(Bid::parse(&text["contract ".len()..]));
                self.begin_play();
            }
            Phase::LastDiscard => {
                self.table.shift(&text["discard ".len()..], &own(self.turn), &discards_of(self.turn));
                // DC22: forehand first, then the dealer, who is the only one to do it with three players.
                if self.turn == self.start.dealer {
                    self.begin_play();
                } else {
                    self.turn = self.start.dealer;
                    self.take_one_of_talon();
                }
            }
            Phase::Play => {
                if self.table.play(text) {
                    let winner = self.winner();
                    self.table.finish(&winner);
                }
            }
            Phase::PassedOut | Phase::Conceded => panic!("the deal is over"),
        }
    }

    fn table(&self) -> &Table {
        &self.table
    }

    fn scores(&self) -> Vec<i64> {
        match (&self.phase, &self.contract) {
            (Phase::PassedOut, _) => vec![0; self.players],
            (Phase::Conceded, _) => {
                let concession = self.start.number("concession");
                (0..self.players).map(|seat| if Some(seat) == self.taker { -concession } else { 0 }).collect()
            }
            (_, Some(contract)) => self.contract_scores(contract),
            _ => self.last_scores(),
        }
    }

    fn contract(&self) -> Option<Contract> {
        let trump = Some(self.trump());
        Some(match (&self.phase, &self.contract) {
            (Phase::PassedOut, _) => (None, None, None, "passed-out".to_string()),
            (Phase::Conceded, _) => (self.taker, Some(6), None, "conceded".to_string()),
            (_, None) => (None, None, trump, "last-deal".to_string()),
            (_, Some(Bid::Tricks(number, suit))) => {
                let kind = if suit == "NT" { "no-trump" } else { "suit" };
                (Some(self.declarer()), Some(*number), trump, kind.to_string())
            }
            (_, Some(misere)) => (Some(self.declarer()), None, trump, misere.text()),
        })
    }

    fn knows(&self, seat: usize, place: &str, card: &str) -> bool {
        if place == own(seat) || place == discards_of(seat) || self.is_exposed(place) {
            return true;
        }
        let is_exposed_card = self.exposed.as_deref() == Some(card);
        if place == DUMMY {
            // DC16, DC21: who took six in dummy knows the hand laid down; a last deal shows the top card only.
            return self.is_dummy_exposed() || self.taker == Some(seat) || is_exposed_card;
        }
        // CH30: all players saw the dealer take this card, and know where it is until it may have been discarded.
        is_exposed_card && self.phase == Phase::LastDiscard && place == own(self.start.dealer)
    }
}
