//! The rule-based strategy chooses as it was recorded to, so that what makes it faster changes nothing.

use std::sync::Arc;

use overtrick::cards::SeedSource;
use overtrick::game::{FullGame, Setup, Standing, View};
use overtrick::games::{Variant, Visitor};
use overtrick::strategies::{BuildContext, StrategySpec, rule_based};

/// Deals of each variant.
const DEALS: u64 = 60;

/// By variant: what all choices come to, recorded before its play was made faster. A change of how it plays changes
/// them, too, and is then recorded here.
const RECORDED: [(&str, u64); 18] = [
    ("dumbo", 0xc689_482c_ba86_dcd9),
    ("euchre-32", 0x4cf6_c9c7_94ca_003f),
    ("euchre-24", 0xa1b2_e2a4_ac71_b5ee),
    ("dummy-whist", 0xa0e5_ed71_55b1_1d81),
    ("dummy-whist-downtown", 0x93e9_4d7a_8dce_3a1c),
    ("dummy-whist-jokers", 0xe582_ceb3_4d6d_f8bb),
    ("double-dummy", 0x8882_46f6_5496_f0ba),
    ("humbug", 0x7178_854c_c280_7e71),
    ("humbug-turn-up", 0x5d16_62b5_9df8_5c72),
    ("colour-blind", 0x0776_4f71_4176_9180),
    ("colour-blind-2", 0x4e7d_9b22_7e21_885a),
    ("colour-blind-2-last-card", 0xb4d3_2c02_042f_bc2c),
    ("colour-blind-2-courts", 0xbe77_6920_6081_14f7),
    ("colour-blind-2-courts-last-card", 0x7902_6028_4b13_9eca),
    ("chameleon", 0x71ca_38b6_f75e_73fb),
    ("chameleon-variant", 0x5b72_af1d_c0e4_f196),
    ("dummy-chameleon", 0xb9f8_4e2a_2e91_aec0),
    ("dummy-chameleon-variant", 0x86b7_3155_0d4f_127e),
];

/// A hash of all choices in a variant of this name. One move in eight is random instead, for positions of all sorts.
struct Choices<'a>(&'a str);

impl Visitor for Choices<'_> {
    type Output = u64;

    fn visit<G: FullGame>(self, game: &Arc<G>) -> u64 {
        let game = game.as_ref();
        let mut bot = rule_based::Params::default().build::<G>(&BuildContext::default()).unwrap();
        let (mut hash, mut decisions) = (0xcbf2_9ce4_8422_2325u64, 0u64);
        let standing = Standing::default();
        for number in 0..DEALS {
            let mut rng = SeedSource::new(1, "choices", self.0).stream(number, 0);
            let setup = Setup::single(game, number, number % 7 == 0);
            let mut state = game.deal(setup, &mut rng);
            while !game.is_over(&state) {
                let legal = game.legal(&state);
                let view = View::new(game, &state, &standing, state.table.seat_to_move());
                let mut chosen = bot.choose(&view, legal, &mut rng);
                let place = legal.iter().position(|legal| legal == chosen).unwrap() as u64;
                hash = (hash ^ place ^ decisions << 8).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
                decisions += 1;
                if rng.random_below(8) == 0 {
                    chosen = legal.iter().nth(rng.random_below(legal.len().into()) as usize).unwrap();
                }
                game.play_unchecked(&mut state, chosen);
            }
        }
        hash
    }
}

#[test]
fn rule_based_chooses_as_it_was_recorded_to() {
    let choices = |name| Variant::preset(name).unwrap().game.visit(Choices(name));
    let others: Vec<String> = (RECORDED.into_iter())
        .map(|(name, recorded)| (name, recorded, choices(name)))
        .filter(|(_, recorded, choices)| recorded != choices)
        .map(|(name, _, choices)| format!("(\"{name}\", {choices:#018x})"))
        .collect();
    assert!(others.is_empty(), "{}", others.join("\n"));
}
