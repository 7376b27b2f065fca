//! Plays a tournament of three bots and prints which is best.

use overtrick::run::Run;
use overtrick::toml_source::{InputError, Source};
use overtrick::tournament::{Overrides, Tournament};

fn main() -> Result<(), InputError> {
    let config = "seed = 1\ndeals = 500\nvariants = ['dumbo']\n\
                  bots = ['rule-based', 'cautious', 'random']";
    // Errors name the file, so a text without one needs a name.
    let source = Source::parse("mine.toml".as_ref(), config.to_owned())?;
    let tournament = Tournament::resolve(&source, Overrides::default())?;
    println!("{}", Run::new(tournament).play()?.results().headlines[0].text);
    Ok(())
}
