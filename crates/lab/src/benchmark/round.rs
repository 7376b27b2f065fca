//! Sealed rounds: the secret that cards follow from is committed to before entries close, and shown after.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use overtrick_games::check_name;
use overtrick_run::stage_file;
use overtrick_toml::{InputError, Source, key};
use overtrick_tournament::{ParseSecretError, Secret};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::definition::BenchmarkDefinition;

/// A round whose secret is known, as a result has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayedRound {
    /// The name of the round.
    pub name: String,
    /// The SHA-256 of the secret, which was published before entries closed.
    pub commitment: String,
    /// The secret.
    pub secret: Secret,
}

/// A round as its public file describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchmarkRound {
    /// The name of the round.
    pub name: String,
    /// The SHA-256 of the definition of its benchmark.
    pub benchmark: String,
    /// The SHA-256 of the secret.
    pub commitment: String,
    /// The public file.
    pub file: PathBuf,
}

/// The keys of the public file.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct RoundKeys {
    round: String,
    benchmark: String,
    commitment: String,
}

impl BenchmarkRound {
    /// Draws a secret and writes the files of a round: `PLACE.toml` to publish, and `PLACE.secret` to keep.
    ///
    /// # Errors
    /// If `place` is no name of a file, if one of the files is there, or if one cannot be written.
    pub fn commit(place: &Path, definition: &BenchmarkDefinition) -> Result<BenchmarkRound, InputError> {
        let name = place.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        check_name(&name).map_err(|problem| InputError::plain(problem).at_key("--commit"))?;
        let secret = Secret::draw().map_err(|error| InputError::plain(error.to_string()))?;
        let file = with_ending(place, "toml");
        let round = BenchmarkRound {
            name,
            benchmark: definition.sha256.clone(),
            commitment: secret.hash(),
            file: file.clone(),
        };
        // Neither file is written if one of them is there.
        for place in [&file, &round.secret_file()] {
            if place.exists() {
                let problem = "is there already, and a round has one secret; choose another name with --commit";
                return Err(InputError::file(place, problem));
            }
        }
        write_private(&round.secret_file(), &format!("{secret}\n"))?;
        let staged = stage_file(&file, round.to_toml(definition).as_bytes());
        let written = staged.and_then(|staged| staged.persist_noclobber(&file).map_err(|error| error.error));
        if let Err(error) = written {
            // A secret without a commitment is of no use.
            let _ = fs::remove_file(round.secret_file());
            return Err(unwritable(&file, &error));
        }
        Ok(round)
    }

    /// Returns the text of the public file.
    fn to_toml(&self, definition: &BenchmarkDefinition) -> String {
        format!(
            "# A sealed round of {}. The secret has this SHA-256:\n# printf %s SECRET | sha256sum\n\
             round = {:?}\nbenchmark = {:?}\ncommitment = {:?}\n",
            definition.title(),
            self.name,
            self.benchmark,
            self.commitment
        )
    }

    /// Reads the public file of a round.
    ///
    /// # Errors
    /// The fault of the file, or if it is for another benchmark.
    pub fn read(file: &Path, definition: &BenchmarkDefinition) -> Result<BenchmarkRound, InputError> {
        let source = Source::read(file)?;
        let keys: RoundKeys = source.fields(&[], source.table())?;
        check_name(&keys.round).map_err(|problem| source.error(&key("round"), problem))?;
        let digits =
            |text: &str| text.len() == 64 && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        if !digits(&keys.commitment) {
            let problem = "is no SHA-256, which has 64 digits, each 0 to 9 or a to f";
            return Err(source.error(&key("commitment"), problem));
        }
        if keys.benchmark != definition.sha256 {
            let problem = format!(
                "is {:?}, and {} has {:?}: the round is of another benchmark",
                keys.benchmark,
                definition.title(),
                definition.sha256
            );
            return Err(source.error(&key("benchmark"), problem));
        }
        let RoundKeys { round, benchmark, commitment } = keys;
        Ok(BenchmarkRound { name: round, benchmark, commitment, file: file.to_owned() })
    }

    /// Returns the file of the secret, next to the public file.
    pub fn secret_file(&self) -> PathBuf {
        self.file.with_extension("secret")
    }

    /// Reads the secret and checks it against the commitment.
    ///
    /// # Errors
    /// If it is not published yet, or is not the secret that was committed to.
    pub fn reveal(&self) -> Result<PlayedRound, InputError> {
        let file = self.secret_file();
        let text = fs::read_to_string(&file).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => InputError::file(
                &file,
                format!("there is no such file: round {} is played when its secret is published", self.name),
            ),
            _ => InputError::unreadable(&file, &error),
        })?;
        let secret: Secret =
            text.trim_end().parse().map_err(|error: ParseSecretError| InputError::file(&file, error.to_string()))?;
        if secret.hash() != self.commitment {
            let problem = format!(
                "has the SHA-256 {}, and round {} is committed to {}: it is not the secret of this round",
                secret.hash(),
                self.name,
                self.commitment
            );
            return Err(InputError::file(&file, problem));
        }
        Ok(PlayedRound { name: self.name.clone(), commitment: self.commitment.clone(), secret })
    }
}

impl PlayedRound {
    /// Returns whether the secret is the one that was committed to.
    pub fn is_sound(&self) -> bool {
        self.secret.hash() == self.commitment
    }
}

/// Returns a path with an ending after the whole of its name.
fn with_ending(place: &Path, ending: &str) -> PathBuf {
    let mut name = place.as_os_str().to_owned();
    name.push(format!(".{ending}"));
    PathBuf::from(name)
}

/// Writes a new file that only its owner may read, or leaves none.
fn write_private(file: &Path, text: &str) -> Result<(), InputError> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut open = options.write(true).create_new(true).open(file).map_err(|error| unwritable(file, &error))?;
    let written = open.write_all(text.as_bytes()).and_then(|()| open.sync_all());
    written.map_err(|error| {
        let _ = fs::remove_file(file);
        unwritable(file, &error)
    })
}

/// Returns the error for a file that cannot be written.
fn unwritable(file: &Path, error: &std::io::Error) -> InputError {
    let problem = format!("cannot be written: {error}; choose another place with --commit");
    InputError::file(file, problem).by_system(error)
}

#[cfg(test)]
mod tests {
    use super::super::definition::tests::{SMALL, resolved};
    use super::*;

    #[test]
    fn a_round_is_revealed_by_the_secret_that_was_committed_to() {
        let folder = tempfile::tempdir().unwrap();
        let definition = resolved(SMALL).unwrap();
        let place = folder.path().join("round-1.5");
        let round = BenchmarkRound::commit(&place, &definition).unwrap();
        let read = BenchmarkRound::read(&folder.path().join("round-1.5.toml"), &definition).unwrap();
        assert_eq!(read, round);
        let secret = folder.path().join("round-1.5.secret");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(secret.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
        let played = read.reveal().unwrap();
        assert!(played.is_sound() && played.commitment == round.commitment);
        let again = BenchmarkRound::commit(&place, &definition).unwrap_err().to_string();
        assert!(again.contains("round-1.5.toml: is there already"), "{again}");
        std::fs::write(&secret, Secret::draw().unwrap().to_string()).unwrap();
        let error = read.reveal().unwrap_err().to_string();
        assert!(
            error.contains("round-1.5.secret: has the SHA-256 ") && error.contains("not the secret of this round"),
            "{error}"
        );
        std::fs::write(&secret, "hello").unwrap();
        assert!(read.reveal().unwrap_err().to_string().contains("is no secret: it has 32 digits"));
        std::fs::remove_file(&secret).unwrap();
        let error = read.reveal().unwrap_err().to_string();
        assert!(
            error.ends_with("there is no such file: round round-1.5 is played when its secret is published"),
            "{error}"
        );
    }

    #[test]
    fn bad_rounds_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let definition = resolved(SMALL).unwrap();
        let file = folder.path().join("r.toml");
        let good = format!("round = \"r\"\nbenchmark = {:?}\ncommitment = \"{}\"\n", definition.sha256, "0".repeat(64));
        let refused = |text: &str| {
            std::fs::write(&file, text).unwrap();
            BenchmarkRound::read(&file, &definition).unwrap_err().to_string()
        };
        assert!(refused(&good.replace("\"r\"", "\"../r\"")).contains("r.toml:1: `round`: \"../r\" is no name"));
        assert!(refused(&good.replace("000", "")).contains("r.toml:3: `commitment`: is no SHA-256"));
        assert!(
            refused(&good.replace(&definition.sha256, "x"))
                .contains("r.toml:2: `benchmark`: is \"x\", and small 1 has")
        );
        assert!(refused(&good.replace("round", "rounds")).contains("unknown key `rounds` (did you mean round?)"));
        let place = folder.path().join("a b");
        let error = BenchmarkRound::commit(&place, &definition).unwrap_err().to_string();
        assert!(error.starts_with("`--commit`: \"a b\" is no name"), "{error}");
        let nowhere = folder.path().join("missing/r");
        assert!(
            BenchmarkRound::commit(&nowhere, &definition)
                .unwrap_err()
                .to_string()
                .contains("r.secret: cannot be written")
        );
    }
}
