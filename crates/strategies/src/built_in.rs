//! The bots that come with the program, and the search for a bot by name.

use std::path::{Path, PathBuf};

use overtrick_toml::{InputError, Source, did_you_mean, toml_files};

use super::{Bot, Register, UnknownBot};

macro_rules! register {
    ($($name:literal),* $(,)?) => {
        /// The manifests in `bots/`, by name.
        const BUILT_IN: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../../bots/", $name, ".toml")))),*];
    };
}

register!["cautious", "ismcts-10k", "ismcts-1k", "pimc-100", "pimc-20", "random", "rule-based"];

impl Bot {
    /// Returns the bots that need no file, in the order of their names.
    pub fn built_in() -> impl Iterator<Item = Bot> {
        BUILT_IN.iter().map(|(name, text)| {
            let source = Source::parse(Path::new(name), (*text).to_owned());
            source
                .and_then(|source| Bot::from_table(&source, &[], source.table()))
                .expect("the built-in manifests are valid")
        })
    }

    /// Returns the bot in the first existing file of `places`, or else the built-in bot `name`.
    ///
    /// A bot from a file may use any strategy of `register`.
    ///
    /// # Errors
    /// The outer error if there is no such bot: it lists the places searched. The inner error if the manifest
    /// is faulty.
    pub fn find(name: &str, places: &[PathBuf], register: &Register) -> Result<Result<Bot, InputError>, UnknownBot> {
        if let Some(file) = places.iter().find(|file| file.exists()) {
            return Ok(register.read_bot(file));
        }
        Bot::built_in().find(|bot| bot.name == name).map(Ok).ok_or_else(|| {
            let built_in: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
            let meant = Bot::meant(name, places, &built_in);
            UnknownBot { name: name.to_owned(), tried: places.to_vec(), built_in, meant }
        })
    }

    /// Returns a question that suggests a file next to `places` or a built-in bot for the unknown `name`.
    fn meant(name: &str, places: &[PathBuf], built_in: &[&str]) -> String {
        let folders: Vec<&Path> = places.iter().filter_map(|place| place.parent()).collect();
        let files = toml_files(&folders);
        let names = files.iter().filter_map(|file| file.file_stem()?.to_str());
        did_you_mean(name, names.chain(built_in.iter().copied()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_register_is_the_folder() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bots");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<PathBuf> =
            files.filter(|file| file.extension().is_some_and(|extension| extension == "toml")).collect();
        files.sort();
        let written: Vec<Bot> = files.iter().map(|file| Bot::read(file).unwrap()).collect();
        assert_eq!(Bot::built_in().collect::<Vec<_>>(), written);
        let names: Vec<String> = written.into_iter().map(|bot| bot.name).collect();
        assert!(BUILT_IN.iter().map(|(name, _)| *name).eq(names), "a built-in bot is found by its own name");
    }

    #[test]
    fn a_file_comes_before_a_bot_that_is_built_in() {
        let folder = tempfile::tempdir().unwrap();
        let places = [folder.path().join("random.toml")];
        assert_eq!(
            Bot::find("random", &places, &Register::default()).unwrap().unwrap().about,
            "any legal move, every one equally likely"
        );
        std::fs::write(&places[0], "name = \"random\"\nabout = \"mine\"\nstrategy = \"random\"\n").unwrap();
        assert_eq!(Bot::find("random", &places, &Register::default()).unwrap().unwrap().about, "mine");
        let error = Bot::find("randon", &[folder.path().join("randon.toml")], &Register::default()).unwrap_err();
        let said = error.to_string().replace(&folder.path().display().to_string(), "bots");
        let told =
            "there is no bot \"randon\" (did you mean random?); looked for bots/randon.toml; built in are cautious, ";
        assert!(said.starts_with(told) && said.contains("pimc-20") && error.name == "randon", "{said}");
    }
}
