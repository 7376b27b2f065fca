//! The secret of a run with external bots.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// The secret of a run: 128 random bits that are drawn when the run begins and published when it is over. No one can
/// work out the cards and the seeds of the run without it. Its [hash](Secret::hash), published at the beginning, shows
/// that it was not chosen afterwards.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Secret(u128);

/// The error for a text that is not a secret.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("is no secret: it has 32 digits, each 0 to 9 or a to f; leave it out, and one is drawn")]
pub struct ParseSecretError;

/// The error for a system that provides no random numbers.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the system gives no random numbers for a secret ({0}); write one into the config: secret = \"32 random digits 0 to f\""
)]
pub struct DrawError(String);

impl Secret {
    /// Draws a secret from the system's random number generator.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub fn draw() -> Result<Secret, DrawError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| DrawError(error.to_string()))?;
        Ok(Secret(u128::from_le_bytes(bytes)))
    }

    /// Returns the SHA-256 of its text in hexadecimal digits, as printed by `printf %s SECRET | sha256sum`.
    pub fn hash(self) -> String {
        Sha256::digest(self.to_string()).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:032x}", self.0)
    }
}

/// Hides the secret, because debug output may end up where bots can read it.
impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Secret(..)")
    }
}

impl FromStr for Secret {
    type Err = ParseSecretError;

    fn from_str(text: &str) -> Result<Secret, ParseSecretError> {
        let fits = text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let number = u128::from_str_radix(text, 16).ok().filter(|_| fits);
        number.map(Secret).ok_or(ParseSecretError)
    }
}

impl TryFrom<String> for Secret {
    type Error = ParseSecretError;

    fn try_from(text: String) -> Result<Secret, ParseSecretError> {
        text.parse()
    }
}

impl From<Secret> for String {
    fn from(secret: Secret) -> String {
        secret.to_string()
    }
}

/// The seed and the secret that all random choices of a tournament follow from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Luck {
    /// The master seed.
    pub seed: u64,
    /// The secret, if the tournament has one.
    pub secret: Option<Secret>,
}

impl From<u64> for Luck {
    fn from(seed: u64) -> Luck {
        Luck { seed, secret: None }
    }
}

impl Luck {
    /// Returns the key for a purpose and a subject. Neither other keys nor the secret can be derived from it.
    ///
    /// This holds for any number of keys and the data made with them. Without a secret, a small seed can be
    /// found by trial.
    pub(super) fn key(self, purpose: &str, subject: &str) -> [u8; 32] {
        let mut hash = Sha256::new_with_prefix(b"overtrick 1\0");
        for part in [purpose.as_bytes(), b"\0", subject.as_bytes(), b"\0", &self.seed.to_le_bytes()] {
            hash.update(part);
        }
        if let Some(Secret(secret)) = self.secret {
            hash.update(secret.to_le_bytes());
        }
        hash.finalize().into()
    }

    /// Returns a master seed that reveals nothing of the secret.
    pub(super) fn master(self) -> u64 {
        self.key("master", "").iter().take(8).fold(0, |word, &byte| word << 8 | u64::from(byte))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_read_as_they_are_written() {
        let secret: Secret = "00112233445566778899aabbccddeeff".parse().unwrap();
        assert_eq!(secret.to_string(), "00112233445566778899aabbccddeeff");
        // From `printf %s 00112233445566778899aabbccddeeff | sha256sum`.
        assert_eq!(secret.hash(), "5947d7c33d783f94b3b4c1a96ebc8991ed28f1b069b71e03376cba8caa98a720");
        assert_eq!(format!("{secret:?}"), "Secret(..)");
        for wrong in [
            "",
            "00112233445566778899aabbccddeef",
            "00112233445566778899AABBCCDDEEFF",
            "+0112233445566778899aabbccddeeff",
        ] {
            assert_eq!(wrong.parse::<Secret>(), Err(ParseSecretError), "{wrong}");
        }
        assert_ne!(Secret::draw().unwrap(), Secret::draw().unwrap());
    }

    #[test]
    fn keys_differ_by_every_ingredient() {
        let secret: Secret = "00112233445566778899aabbccddeeff".parse().unwrap();
        let luck = Luck { seed: 1, secret: Some(secret) };
        let keys = [
            luck.key("cards", "52"),
            luck.key("told", "52"),
            luck.key("cards", "40"),
            Luck { seed: 2, ..luck }.key("cards", "52"),
            Luck { secret: None, ..luck }.key("cards", "52"),
        ];
        for (i, key) in keys.iter().enumerate() {
            assert!(keys[..i].iter().all(|other| other != key));
        }
    }
}
