//! Plays a duel of two bots and says who is better, by how much, and how sure that is.

use std::path::Path;

use overtrick::run::Run;
use overtrick::toml_source::{InputError, Source};
use overtrick::tournament::{Overrides, Tournament};

fn main() -> Result<(), InputError> {
    let config = r#"
        seed = 1
        format = "duel"
        deals = 500
        variants = ["dumbo"]
        bots = ["rule-based", { name = "meek", strategy = "rule-based", parameters = { dumbo.ambition = 0.0 } }]
    "#;
    // Errors name the file, so a text without one needs a name.
    let source = Source::parse(Path::new("duel.toml"), config.to_owned())?;
    let tournament = Tournament::resolve(&source, Overrides::default())?;
    let results = Run::new(tournament).play()?.results();
    println!("{}", results.headlines[0].text);
    for row in &results.bots {
        println!("{}: {:.3} points a deal", row.bot, row.mean.0.unwrap_or(f64::NAN));
    }
    Ok(())
}
