//! `onnx`: a learned player, which is a net in an ONNX file that scores the moves of an encoded view.
//!
//! This module has its settings; `net` reads nets and runs them.

#[cfg(not(feature = "onnx"))]
mod absent;
#[cfg(feature = "onnx")]
mod net;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use overtrick_game::{FieldError, FullGame, Options};
use overtrick_games::encoding::Encoding;
use overtrick_strategy::Strategy;
use overtrick_strategy::protocol::{Fault, FaultKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Table;

use super::Questions;
use super::numbers::{Learned, Player};
use super::pinned::{FileKind, Pinned};
use crate::{BuildContext, written};
#[cfg(not(feature = "onnx"))]
use absent::Net;
#[cfg(feature = "onnx")]
use net::Net;

/// Which net plays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// The net's file. A relative one is looked for next to the file that names it, or else below the folder that
    /// Overtrick runs in. From then on it is an absolute one.
    pub model: PathBuf,
    /// The SHA-256 of the file, in hexadecimal. Results have it in their config.toml, so that a net that was changed is
    /// refused; in a manifest of your own leave it out.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub sha256: String,
    /// The net as it was read.
    #[serde(skip)]
    net: Pinned<Net>,
}

const NET: FileKind<Net> = FileKind { key: "model", name: "net", read: Net::read, sha256: Net::sha256 };

impl Options for Params {
    fn validate(&self) -> Result<(), FieldError> {
        Ok(())
    }
}

impl Params {
    /// The name of the strategy.
    pub const NAME: &'static str = "onnx";
    /// The description of the strategy, in one line.
    pub const ABOUT: &'static str = "a learned player of yours: a net in an ONNX file";

    /// Returns the strategy that asks the net.
    ///
    /// # Errors
    /// If the net does not fit the game.
    pub fn build<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
        let net = NET.content(&self.net);
        // A missing net is reported when bots start, so that results can be read without it.
        if let (Ok(net), Some(game)) = (&net, &context.game) {
            let wrong = |problem| FieldError { key: "model", problem: format!("{} {problem}", self.model.display()) };
            net.fit(&Encoding::of(game), &context.variant).map_err(wrong)?;
        }
        Ok(Box::new(Player::new(Scorer { net, variant: context.variant.clone() })))
    }

    /// Returns every parameter with its value.
    pub fn parameters(&self) -> Table {
        written(self)
    }

    /// Makes the path absolute, resolves links in a relative one, and reads the net.
    ///
    /// # Errors
    /// An empty path, a path that is not UTF-8, or a net without `sha256` that cannot be read.
    pub fn resolve_paths(&mut self, base_dir: &Path) -> Result<(), FieldError> {
        if self.model.as_os_str().is_empty() {
            let problem = "names no net; write it like \"net.onnx\"".to_owned();
            return Err(FieldError { key: "model", problem });
        }
        self.net = NET.load(&mut self.model, base_dir, &mut self.sha256)?;
        Ok(())
    }

    /// Checks that the net is there.
    ///
    /// # Errors
    /// [`FaultKind::NoStart`] with the reason if it is not.
    pub fn is_there(&self) -> Result<(), Fault> {
        NET.content(&self.net).map(|_| ())
    }
}

/// A net that scores the moves of one variant.
struct Scorer {
    net: Result<Arc<Net>, Fault>,
    variant: String,
}

impl Learned for Scorer {
    const IS_EXTERNAL: bool = false;

    fn answer(
        &mut self,
        encoding: &Encoding,
        count: usize,
        gather: &dyn Fn(Range<usize>) -> Questions,
    ) -> Vec<Result<i64, Fault>> {
        let failure = |what: String| Fault::new(FaultKind::Failure, what);
        let best = || {
            // The net was fitted before, unless the game was not known then.
            let fitted =
                self.net.clone()?.fit(encoding, &self.variant).map_err(|why| failure(format!("the net {why}")))?;
            fitted.best(&gather(0..count)).map_err(failure)
        };
        match best() {
            Ok(answers) => answers.into_iter().map(|answer| answer.map_err(failure)).collect(),
            Err(fault) => vec![Err(fault); count],
        }
    }
}
