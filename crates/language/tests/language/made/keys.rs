//! The keys of random games before the score: deck, seats, deal, trumps, bids and play.

use toml::{Table, Value};

use super::{GameMaker, RANKS};

const ROLES: [&str; 4] = ["dealer", "forehand", "middlehand", "rearhand"];

impl GameMaker {
    /// Returns ranks in another order.
    fn shuffled(&mut self, ranks: &str) -> String {
        let mut letters: Vec<char> = ranks.chars().collect();
        for place in (1..letters.len()).rev() {
            let other = self.below(place + 1);
            letters.swap(place, other);
        }
        letters.into_iter().collect()
    }

    /// Returns a role of the players, and rarely one that there may not be.
    fn role(&mut self) -> Value {
        let number = if self.chance(5) { 4 } else { usize::try_from(self.shape.players).unwrap() };
        let roles = match number {
            2 => &["dealer", "forehand"][..],
            3 => &["dealer", "forehand", "rearhand"],
            _ => &ROLES,
        };
        self.word(roles)
    }

    pub(super) fn deck(&mut self) {
        let mut ranks: String = RANKS.chars().filter(|_| self.chance(55)).collect();
        if ranks.len() < 3 {
            ranks = "QKA".to_owned();
        }
        if self.chance(30) {
            ranks = self.shuffled(&ranks);
        }
        let suits = if self.chance(80) { "CDHS" } else { self.pick(&["CD", "HS", "CDH", "S"]) };
        if ranks.len() < 13 || self.chance(50) {
            let value = self.text(&ranks);
            self.set("deck.ranks", value);
        } else {
            ranks = RANKS.to_owned();
        }
        if suits.len() < 4 || self.chance(20) {
            self.set("deck.suits", suits);
        }
        let all = ranks.chars().flat_map(|rank| suits.chars().map(move |suit| format!("{rank}{suit}")));
        self.shape.deck = all.collect();
        if self.chance(20) {
            let jokers = self.within(1, 2);
            let value = self.amount(jokers, 0, 2);
            self.set("deck.jokers", value);
            self.shape.deck.extend(["BJ", "LJ"].into_iter().take(usize::try_from(jokers).unwrap()).map(str::to_owned));
        }
        if self.chance(20) {
            let order = self.shuffled(&ranks);
            let suit = &suits[..1];
            self.set(&format!("deck.suit-ranks.{suit}"), order);
        }
        self.shape.ranks = ranks;
    }

    pub(super) fn seats(&mut self) {
        let players = self.within(2, 4);
        self.shape.players = players;
        let value = self.amount(players, 2, 4);
        self.set("seats.players", value);
        if self.chance(if players == 4 { 60 } else { 2 }) {
            self.shape.partners = players == 4;
            let value = self.word_or_option("opposite", &["none", "opposite"]);
            self.set("seats.partners", value);
        }
        if players < 4 && self.chance(40) {
            for number in 0..4 - players {
                self.dummy(number);
            }
        }
        if self.chance(50) {
            let dealers = ["seat-0", "seat-1", "random", "first-of", "first-of"];
            let dealer = self.pick(&dealers);
            let value = self.word_or_option(dealer, &dealers);
            self.set("seats.first-dealer", value);
            if dealer == "first-of" {
                let first = self.card();
                let value = self.text(&first);
                self.set("seats.first-of", value);
            }
        }
    }

    fn dummy(&mut self, number: i64) {
        let mut table = Table::new();
        let mut name = "dummy".to_owned();
        if number > 0 || self.chance(50) {
            name = format!("blind{number}");
            table.insert("name".to_owned(), name.clone().into());
        }
        let opposite = ROLES[usize::try_from(number).unwrap()];
        if number > 0 || self.chance(50) {
            table.insert("opposite".to_owned(), opposite.into());
        }
        if self.chance(50) {
            let role = self.role();
            table.insert("played-by".to_owned(), role);
        }
        if self.chance(60) {
            let face = self.word(&["up", "after-lead", "player"]);
            table.insert("face".to_owned(), face);
        }
        self.shape.dummies.push(name);
        self.push("seats.dummies", table);
    }

    fn hands(&self) -> usize {
        usize::try_from(self.shape.players).unwrap() + self.shape.dummies.len()
    }

    pub(super) fn deal(&mut self) {
        let hands = self.hands();
        if hands < 4 && self.chance(50) {
            return self.deal_with_row(hands);
        }
        let turn_up = if self.chance(50) { self.pick(&["next", "next", "dealers-last"]) } else { "none" };
        self.shape.turned = turn_up == "next";
        let room = (self.shape.deck.len() - usize::from(self.shape.turned)) / hands;
        let most = i64::try_from(room.clamp(1, 16)).unwrap();
        let hand = self.within(1, most);
        self.shape.hand = hand;
        let is_even = usize::try_from(hand).unwrap() * hands + usize::from(self.shape.turned) == self.shape.deck.len();
        if self.chance(20) {
            let mut hands = vec![self.amount(hand, 1, 16)];
            for _ in 0..1 + self.below(3) {
                let more = self.within(hand, most);
                hands.push(self.amount(more, 1, 16));
            }
            self.set("deal.hands", hands);
        } else if !is_even || self.chance(50) {
            let value = self.amount(hand, 1, 16);
            self.set("deal.hand", value);
        }
        if turn_up != "none" || self.chance(20) {
            let value = self.word_or_option(turn_up, &["none", "next", "dealers-last"]);
            self.set("deal.turn-up", value);
        }
    }

    /// Deals a row, for which all cards must be dealt. Cards too many are struck out.
    fn deal_with_row(&mut self, hands: usize) {
        let last = usize::from(self.chance(50) && self.shape.deck.len() > hands + 1);
        let hand = ((self.shape.deck.len() - last) / (hands + 1)).clamp(1, 13);
        let wanted = hand * (hands + 1) + last;
        let mut without = Vec::new();
        while self.shape.deck.len() > wanted {
            let place = self.below(self.shape.deck.len());
            without.push(self.shape.deck.remove(place));
        }
        if !without.is_empty() {
            let value = self.text(&without.join(" "));
            self.set("deck.without", value);
        }
        self.shape.hand = i64::try_from(hand).unwrap();
        self.shape.row = true;
        let value = self.amount(self.shape.hand, 0, 13);
        self.set("deal.row", value);
        self.set("deal.hand", self.shape.hand);
        if last > 0 {
            let value = self.amount(1, 0, 1);
            self.set("deal.row-last", value);
            if self.chance(70) {
                let value = self.word(&["none", "last-trick", "last-trick"]);
                self.set("deal.row-last-to", value);
            }
        }
    }

    pub(super) fn trumps(&mut self) {
        let has_all = "CDHS".chars().all(|suit| self.shape.deck.iter().any(|card| card.ends_with(suit)));
        let is_plain = self.shape.deck.iter().all(|card| card != "BJ");
        let can_turn = has_all && is_plain;
        let turn_up = super::get(&self.game, "deal.turn-up").is_some();
        let suit = match self.below(6) {
            0 | 1 if can_turn && (self.shape.turned || self.chance(30)) => "rounds",
            2 | 3 if can_turn && turn_up => "turned",
            4 => self.pick(&["C", "D", "H", "S"]),
            5 if self.chance(10) => "turned",
            _ => "none",
        };
        let suits = ["none", "C", "D", "H", "S", "turned", "rounds"];
        if suit != "none" || self.chance(20) {
            let value = self.word_or_option(suit, &suits);
            self.set("trumps.suit", value);
        }
        if suit != "none" && self.chance(30) {
            let ranks = self.shape.ranks.clone();
            let order = self.shuffled(&ranks);
            self.set("trumps.ranks", order);
        }
        if self.chance(30) {
            let top = match suit {
                "turned" | "rounds" => format!("{0}. {0}~", &self.shape.ranks[..1]),
                _ => self.card(),
            };
            self.set("trumps.top", top);
        }
        if self.chance(20) {
            let value = self.flag();
            self.set("trumps.snap", value);
        } else if self.chance(25) {
            let value = self.word(&["led", "all", "all"]);
            self.set("trumps.compete", value);
        }
        if suit == "rounds" {
            self.rounds();
        }
    }

    fn rounds(&mut self) {
        self.shape.declarer = true;
        if self.chance(50) {
            self.set("trumps.kind", "making");
        }
        let number = self.within(1, 3);
        for place in 1..=number {
            let mut table = Table::new();
            let mut put = |key: &str, value: Value| table.insert(key.to_owned(), value);
            put("call", Value::from(format!("call{place}")));
            let by_turned = self.shape.turned && self.chance(50);
            put("suit", self.word_or_option(if by_turned { "turned" } else { "any" }, &["any", "turned"]));
            if self.shape.turned && self.chance(60) {
                put("taker", "dealer".into());
                if self.chance(60) {
                    put("may-discard-taken", self.flag());
                }
            }
            if self.shape.turned && !by_turned && self.chance(50) {
                put("not-turned", self.flag());
            }
            let last = if place == number && !self.chance(5) { "must" } else { "free" };
            put("last", self.word_or_option(last, &["free", "must"]));
            if self.chance(40) {
                put("kind", Value::from(format!("kind{place}")));
                put("dealer-kind", Value::from(format!("own{place}")));
            }
            self.push("trumps.rounds", table);
        }
    }

    pub(super) fn passing(&mut self) {
        if !self.chance(25) {
            return;
        }
        let cards = self.within(1, self.shape.hand.min(4));
        let value = self.amount(cards, 0, 8);
        self.set("passing.cards", value);
        if self.chance(70) {
            let all = if self.shape.players == 4 || self.chance(5) { 4 } else { 3 };
            let to = (0..1 + self.below(4)).map(|_| self.word(&["left", "right", "none", "across"][..all]));
            let to: Vec<Value> = to.collect();
            self.set("passing.to", to);
        }
    }

    pub(super) fn auction(&mut self) {
        if self.shape.declarer || !self.chance(40) {
            return;
        }
        self.shape.bids = true;
        let value = self.word_or_option("exact", &["none", "exact"]);
        self.set("auction.style", value);
        if self.chance(50) {
            let role = self.role();
            self.set("auction.first", role);
        }
        let mut low = 0;
        if self.chance(50) {
            low = self.within(0, self.shape.hand.min(2));
            let levels = [low, self.shape.hand].map(|level| self.amount(level, 0, 26));
            self.set("auction.levels", levels.to_vec());
        }
        if self.shape.partners && self.chance(40) {
            let most = self.within(2 * low, 2 * self.shape.hand);
            let value = self.amount(most, 0, 52);
            self.set("auction.side-most", value);
        } else if self.chance(50) {
            let value = self.amount(self.shape.hand, 0, 104);
            self.set("auction.sum-not", value);
        }
    }

    pub(super) fn play(&mut self) {
        let dealt = self.hands() * usize::try_from(self.shape.hand).unwrap();
        let all_dealt = dealt == self.shape.deck.len();
        let has_first = self.chance(35);
        if has_first {
            let card = self.card();
            let value = self.text(&card);
            self.set("play.first-card", value);
        }
        if has_first && (all_dealt || self.chance(10)) {
            self.set("play.leads", "holder");
        } else if self.chance(40) {
            let role = self.role();
            self.set("play.leads", role);
        }
        for _ in 0..[0, 0, 1, 2][self.below(4)] {
            let mut table = Table::new();
            let cards = self.cards();
            table.insert("cards".to_owned(), self.text(&cards));
            if self.chance(70) {
                let when = self.word(&["lead", "first-trick", "any"]);
                table.insert("when".to_owned(), when);
            }
            if self.chance(60) {
                let until = self.cards();
                table.insert("until-played".to_owned(), self.text(&until));
            }
            self.push("play.bar", table);
        }
    }

    /// Sets the duties of players who do not lead, and rarely ones that contradict each other.
    pub(super) fn duties(&mut self) {
        if !self.chance(60) {
            return;
        }
        const WORDS: [&str; 4] = ["follow", "trump", "beat", "beat-if-trump"];
        let lists = [
            "",
            "follow",
            "follow trump",
            "follow beat",
            "follow beat-if-trump",
            "follow trump beat",
            "follow beat trump",
            "follow trump beat-if-trump",
            "beat",
            "beat-if-trump",
        ];
        let list = if self.chance(2) { "beat follow trump" } else { self.pick(&lists) };
        let words: Vec<Value> = list.split_whitespace().map(|word| self.word_or_option(word, &WORDS)).collect();
        let has_more = words.len() > 1 || list.starts_with("beat");
        self.set("play.must", words);
        if self.shape.partners && has_more && self.chance(70) || self.chance(1) {
            let free = if list.starts_with("follow") { "free-if-void" } else { "free" };
            let free = self.pick(&["bound", "free", free]);
            let value = self.word_or_option(free, &["bound", "free", "free-if-void"]);
            self.set("play.partner-wins", value);
        }
    }

    pub(super) fn ending(&mut self) {
        let is_target = self.chance(60);
        if !is_target || self.chance(30) {
            let value = self.word_or_option(if is_target { "target" } else { "deals" }, &["target", "deals"]);
            self.set("match.end", value);
        }
        if is_target || self.chance(20) {
            let target = self.within(1, 60);
            let value = self.amount(target, 1, 1000);
            self.set("match.target", value);
        }
        if is_target && self.chance(30) {
            let loss = self.within(-50, -1);
            let value = self.amount(loss, -1000, -1);
            self.set("match.loss-at", value);
        }
        if !is_target {
            let deals = self.within(1, 9);
            let value = self.amount(deals, 1, 1000);
            self.set("match.deals", value);
        }
        if self.chance(40) {
            let value = self.word(&["extra-deal", "shared", "seat", "seat", "play-on"]);
            self.set("match.ties", value);
        }
    }
}
