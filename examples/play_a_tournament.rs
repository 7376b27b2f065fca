//! Plays a tournament of two bots and prints which is better.

use overtrick::run::Run;
use overtrick::toml_source::{InputError, Source};
use overtrick::tournament::{Overrides, Tournament};

fn main() -> Result<(), InputError> {
    let config = "seed = 1\ndeals = 500\nvariants = ['dumbo']\nbots = ['rule-based', 'random']";
    // Errors name the file, so a text without one needs a name.
    let source = Source::parse("mine.toml".as_ref(), config.to_owned())?;
    let tournament = Tournament::resolve(&source, Overrides::default())?;
    println!("{}", Run::new(tournament).play()?.results().headlines[0].text);
    Ok(())
}
