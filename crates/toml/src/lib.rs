//! Reads TOML and reports errors with file, line, key and remedy.

mod alike;
mod error;
mod home;
mod joined;
mod messages;
mod printable;
mod source;

pub use alike::{did_you_mean, did_you_mean_file, toml_files};
pub use error::{InputError, STANDARD_INPUT, read_text};
pub use home::{home_remedy, in_home};
pub use joined::Joined;
pub use messages::in_words;
pub use printable::{printable, printable_lines, push_printable};
pub use source::{Source, key, line_of};
