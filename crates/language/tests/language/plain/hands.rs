//! A deal as lists of cards.

/// A card: the letters of its rank and of its suit.
pub type PlainCard = (char, char);

/// A trick that was won.
#[derive(Clone, Debug)]
pub struct PlainTrick {
    pub winner: usize,
    pub cards: Vec<PlainCard>,
}

/// A deal in progress, for four players.
#[derive(Clone, Debug)]
pub struct PlainDeal {
    pub dealer: usize,
    pub hands: [Vec<PlainCard>; 4],
    pub turned: Option<PlainCard>,
    pub size: usize,
    pub turn: usize,
    /// The place of the deal in the cycle of a match.
    pub place: usize,
    /// The points before the deal, by player.
    pub totals: [i32; 4],
    /// The cards that each player has chosen to pass.
    pub passed: [Vec<PlainCard>; 4],
    /// The bids so far, by player.
    pub bids: [Option<usize>; 4],
    pub leader: usize,
    /// The cards of the trick in progress.
    pub trick: Vec<PlainCard>,
    pub tricks: Vec<PlainTrick>,
}

impl PlainDeal {
    pub fn new(dealer: usize, hands: [Vec<PlainCard>; 4], turned: Option<PlainCard>, size: usize) -> PlainDeal {
        let (bids, trick, tricks) = ([None; 4], Vec::new(), Vec::new());
        let (place, totals, passed) = (0, [0; 4], Default::default());
        PlainDeal {
            dealer,
            hands,
            turned,
            size,
            turn: dealer,
            place,
            totals,
            passed,
            bids,
            leader: dealer,
            trick,
            tricks,
        }
    }

    pub fn is_over(&self) -> bool {
        self.tricks.len() == self.size
    }

    /// Returns the cards of the player whose turn it is.
    pub fn own(&self) -> &[PlainCard] {
        &self.hands[self.turn]
    }

    /// Returns the cards that follow suit, or all cards if none does.
    pub fn following(&self) -> Vec<PlainCard> {
        let own = self.own().to_vec();
        let Some(led) = self.trick.first() else { return own };
        let same: Vec<PlainCard> = own.iter().copied().filter(|card| card.1 == led.1).collect();
        if same.is_empty() { own } else { same }
    }

    /// Returns whether a card was played, in this trick or before.
    pub fn was_played(&self, meant: impl Fn(PlainCard) -> bool) -> bool {
        let before = self.tricks.iter().flat_map(|trick| &trick.cards);
        before.chain(&self.trick).any(|card| meant(*card))
    }

    /// Returns the cards that the player whose turn it is may choose next, where each passes `count` cards.
    ///
    /// Cards are chosen in the order of suits and ranks.
    pub fn choices(&self, count: usize) -> Vec<PlainCard> {
        let chosen = &self.passed[self.turn];
        let mut own = self.own().to_vec();
        own.sort_by_key(|card| ("CDHS".find(card.1), "23456789TJQKA".find(card.0)));
        let first = chosen.last().map_or(0, |last| own.iter().position(|card| card == last).unwrap() + 1);
        own[first..own.len() + 1 - (count - chosen.len())].to_vec()
    }

    /// Chooses a card to pass. When all have chosen `count` cards, each gets those of the player `steps` before.
    pub fn pass(&mut self, card: PlainCard, count: usize, steps: usize) {
        self.passed[self.turn].push(card);
        if self.passed[self.turn].len() == count {
            self.turn = (self.turn + 1) % 4;
        }
        if self.passed.iter().all(|passed| passed.len() == count) {
            for player in 0..4 {
                let given = self.passed[player].clone();
                self.hands[player].retain(|own| !given.contains(own));
                self.hands[(player + steps) % 4].extend(given);
            }
        }
    }

    pub fn bid(&mut self, bid: usize) {
        self.bids[self.turn] = Some(bid);
        self.turn = (self.turn + 1) % 4;
    }

    /// Plays a card. The highest trump wins the trick, or else the highest card of the suit led.
    pub fn play(&mut self, card: PlainCard, ranks: &str, trump: Option<char>) {
        if self.trick.is_empty() {
            self.leader = self.turn;
        }
        self.hands[self.turn].retain(|own| *own != card);
        self.trick.push(card);
        self.turn = (self.turn + 1) % 4;
        if self.trick.len() < 4 {
            return;
        }
        let led = self.trick[0].1;
        let mut best = 0;
        for place in 1..4 {
            let height = |card: PlainCard| ranks.find(card.0).unwrap();
            let (new, old) = (self.trick[place], self.trick[best]);
            let beats = if new.1 == old.1 { height(new) > height(old) } else { Some(new.1) == trump };
            // A card of another suit than the one led never leads the trick, unless it is a trump.
            assert!(old.1 == led || Some(old.1) == trump);
            if beats {
                best = place;
            }
        }
        let winner = (self.leader + best) % 4;
        let cards = std::mem::take(&mut self.trick);
        self.tricks.push(PlainTrick { winner, cards });
        self.turn = winner;
    }

    pub fn tricks_of(&self, player: usize) -> usize {
        self.tricks.iter().filter(|trick| trick.winner == player).count()
    }

    /// Returns the cards in the tricks that a player won.
    pub fn taken(&self, player: usize) -> Vec<PlainCard> {
        self.tricks.iter().filter(|trick| trick.winner == player).flat_map(|trick| trick.cards.clone()).collect()
    }
}
