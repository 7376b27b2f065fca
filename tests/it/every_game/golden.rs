//! The first 20 deals of every variant, pinned: cards, random play and scores. If this changes, the results of all
//! users change: raise the seeding version and say so in the change log.

use crate::fixtures;
use std::fmt::Write;

use overtrick::cards::Card;
use overtrick::tournament::replay;

#[test]
fn the_first_twenty_deals_of_every_variant_are_pinned() {
    fixtures::each_variant(|variant| {
        let tournament = fixtures::tournament(&variant.name, "deals = 20");
        let mut text = String::new();
        for record in (0..20).flat_map(|number| replay(&tournament, 0, number, &fixtures::random_bots(variant), false))
        {
            writeln!(text, "deal {}, p{} deals", record.deal, record.dealer.index()).unwrap();
            for (hand, cards) in &record.hands {
                writeln!(text, "  {hand} {cards}").unwrap();
            }
            for aside in &record.table {
                let cards: Vec<String> = aside.cards.iter().map(Card::to_string).collect();
                writeln!(text, "  {} {}", aside.name, cards.join(" ")).unwrap();
            }
            let moves: Vec<&str> = record.moves.iter().map(|made| made.text.as_str()).collect();
            writeln!(text, "  {}", moves.join(" ")).unwrap();
            writeln!(text, "  scores {:?}", record.scores).unwrap();
        }
        insta::assert_snapshot!(variant.name.clone(), text);
    });
}
