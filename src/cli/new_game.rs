//! `overtrick new-game`.

use std::path::PathBuf;

use super::new_files::write;
use super::{Ended, help, print};
use crate::games::{Games, check_row_name};
use crate::toml_source::InputError;

const TEMPLATE: &str = include_str!("new_game.toml");

/// Write the file of a game to start from.
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("A game that plays, in mygame.toml", "new-game mygame"),
    ("A game in another folder", "new-game mygame --folder results"),
]))]
pub struct Args {
    /// The game's name.
    name: String,
    /// Write it to this folder. The default is the current one.
    #[arg(long)]
    folder: Option<PathBuf>,
}

pub fn new_game(args: &Args) -> Result<Ended, InputError> {
    let Args { name, folder } = args;
    check_row_name(name).map_err(InputError::plain)?;
    if name.starts_with(['.', '-']) {
        return Err(InputError::plain(format!("{name:?} is no name for a file. Begin with a letter")));
    }
    if Games::default().preset(name).is_ok() {
        return Err(InputError::plain(format!("{name:?} comes with overtrick. Choose another name")));
    }
    let mut file = PathBuf::from(format!("{name}.toml"));
    if let Some(folder) = folder {
        file = folder.join(file);
    }
    write(&[(file.clone(), TEMPLATE.replace("NAME", name))])?;
    let shown = file.display();
    print(&format!("{shown}\nnext:\n  overtrick check {shown}\n  overtrick play {shown} --with random\n"));
    Ok(Ended::Done)
}
