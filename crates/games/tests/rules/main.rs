//! Tests of the rules of each game, by number.

mod fixtures;

mod chameleon_auction;
mod chameleon_match;
mod chameleon_rules;
mod chameleon_scoring;
mod chameleon_views;
mod colour_blind_rules;
mod colour_blind_scoring;
mod double_dummy_rules;
mod dumbo_match;
mod dumbo_rules;
mod dumbo_scoring;
mod dummy_chameleon_last_deal;
mod dummy_chameleon_rules;
mod dummy_chameleon_six;
mod euchre_play;
mod euchre_rules;
mod euchre_scoring;
mod humbug_rules;
mod rules_docs;
mod whist_play;
mod whist_renege;
mod whist_rules;
mod whist_scoring;
