//! Deals to begin from: all options with their values, packs laid out, random ones.

use super::Start;
use super::cards::SUITS;

/// The values of every option, the default first.
pub fn options(game: &str) -> &'static str {
    match game {
        "dumbo" => {
            r#"dumbo-exposed = ["before-lead", "after-lead", "dealer-only"]
            snapping = [true, false]
            trick-points = [1]
            match-bonus = [10]
            zero-match-bonus = [20]
            double-match-bonus = [0]
            tie-score = [0]
            sweep-score = [13]
            dumbo-sweep-score = [13]"#
        }
        "colour-blind" => {
            r#"players = [3, 2]
            strip = ["789", "JQK"]
            last-row-card = ["unused", "last-trick"]
            ace-count = [1]
            jack-count = [11]
            queen-count = [12]
            king-count = [13]
            lowest-score = [0, -2000]"#
        }
        "euchre" => {
            r#"deck = [32, 24]
            may-discard-upcard = [false, true]
            turned-down-allowed = [false, true]
            make-points = [1]
            march-points = [3]
            euchre-points-each = [2]"#
        }
        "dummy-whist" => {
            r#"form = ["dummy-whist", "double-dummy", "humbug"]
            jokers = [false, true]
            min-bid = [1, 0, 7]
            downtown-outranks-uptown = [false, true]
            dummy-discard = ["seen", "blind"]
            nt-joker-play = ["when-void", "any-time"]
            set-penalty = ["opponents-gain", "declarer-loses", "both"]
            boston-bid-double = [true, false]
            nt-double = [true, false]
            doubles-stack = [true, false]
            allow-renege = [false, true]
            renege-mode = ["transfer", "forfeit"]
            renege-tricks = [3]
            defender-dummy-exposed = ["before-declaration", "after-declaration"]
            humbug-choice = ["non-dealer-first", "simultaneous"]
            trump-method = ["auction", "turn-up"]
            book-points = [1]
            set-points = [1]
            double-factor = [2]
            one-keeps-factor = [2]
            both-keep-factor = [4]"#
        }
        "chameleon" => {
            r#"players = [3, 2]
            mo-vs-slam = ["mo-higher", "equal", "slam-higher"]
            ouverte-exposed = ["before-lead", "after-first-trick"]
            opponents-score-on-failure = [true, false]
            last-deal-variant = [false, true]
            dummy-exposed = ["after-contract", "before-talon"]
            level-scores = [[36, 49, 64, 81, 100]]
            opponent-trick-scores = [[4, 3, 2, 1, 0]]
            misere-score = [50]
            ouverte-score = [100]
            concession = [36]
            last-deal-points = [5]
            last-deal-dealer-par = [4]
            last-deal-opponent-par = [3]
            last-deal-two-par = [5]"#
        }
        other => panic!("there is no game {other}"),
    }
}

/// Rules: the option at `pick(how many)` of each list of values, then the overrides.
pub fn rules(game: &str, mut pick: impl FnMut(usize) -> usize, overrides: &str) -> toml::Table {
    let lists: toml::Table = options(game).parse().expect("options");
    let mut rules = toml::Table::new();
    for (key, values) in lists {
        let values = values.as_array().expect("a list of values").clone();
        rules.insert(key, values[pick(values.len())].clone());
    }
    rules.extend(overrides.parse::<toml::Table>().expect("overrides"));
    rules
}

pub fn deck(ranks: &str) -> Vec<String> {
    SUITS.iter().flat_map(|suit| ranks.chars().map(move |rank| format!("{rank}{suit}"))).collect()
}

/// Lays out a pack for a game, in the order in which it comes.
pub fn lay_out(game: &str, rules: toml::Table, dealer: usize, last_deal: bool, mut pack: Vec<String>) -> Start {
    let mut start = Start { game: game.to_string(), rules, dealer, last_deal, hands: Vec::new(), table: Vec::new() };
    let mut next = |count: usize| pack.drain(..count).collect::<Vec<_>>();
    let (hands, size): (&[&str], usize) = match game {
        "dumbo" => (&["p0", "p1", "p2", "dummy"], 13),
        "colour-blind" if start.number("players") == 2 => (&["p0", "p1"], 13),
        "colour-blind" => (&["p0", "p1", "p2"], 13),
        "euchre" => (&["p0", "p1", "p2"], 5),
        "chameleon" if start.number("players") == 2 => (&["p0", "p1", "dummy"], 10),
        "chameleon" => (&["p0", "p1", "p2"], 10),
        _ => match start.text("form").as_str() {
            "dummy-whist" => (&["p0", "p1", "p2", "dummy"], 13),
            "double-dummy" => (&["p0", "p1", "dummy0", "dummy1"], 13),
            _ => (&["p0", "p1", "dead0", "dead1"], 13),
        },
    };
    start.hands = hands.iter().map(|name| (name.to_string(), next(size))).collect();
    start.table = match game {
        "colour-blind" if pack.len() == 14 => {
            let last = pack.split_off(13);
            vec![("row".to_string(), pack), ("row-last".to_string(), last)]
        }
        "colour-blind" => vec![("row".to_string(), pack)],
        "euchre" => {
            let stock = pack.split_off(1);
            vec![("up-card".to_string(), pack), ("stock".to_string(), stock)]
        }
        "chameleon" => {
            let mut table = vec![("talon".to_string(), pack)];
            if start.number("players") == 2 && last_deal {
                table.push(("up-card".to_string(), vec![start.hands[2].1[0].clone()]));
            }
            table
        }
        "dummy-whist" if start.is_on("jokers") && start.text("dummy-discard") == "seen" => {
            start.hands[3].1.extend(pack);
            Vec::new()
        }
        "dummy-whist" if start.is_on("jokers") => vec![("discarded".to_string(), pack)],
        "dummy-whist" if start.text("trump-method") == "turn-up" => {
            vec![("up-card".to_string(), vec![start.hands[dealer].1[0].clone()])]
        }
        _ => Vec::new(),
    };
    start
}
