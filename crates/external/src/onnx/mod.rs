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
use super::pinned::{absolute, changed};
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
    net: Loaded,
}

/// A net, or the reason why there is none.
#[derive(Clone, Debug, Default, PartialEq)]
enum Loaded {
    /// The file has not been read yet.
    #[default]
    Unread,
    /// It was read.
    Net(Arc<Net>),
    /// The file is missing or does not have the required hash.
    Lost(String),
}

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
        let net = self.net().cloned();
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
        let refuse = |problem| Err(FieldError { key: "model", problem });
        if self.model.as_os_str().is_empty() {
            return refuse("names no net; write it like \"net.onnx\"".to_owned());
        }
        self.model = absolute(&self.model, base_dir, "model")?;
        match Net::read(&self.model) {
            Ok(net) if self.sha256.is_empty() || self.sha256.eq_ignore_ascii_case(net.sha256()) => {
                self.sha256 = net.sha256().to_owned();
                self.net = Loaded::Net(Arc::new(net));
            }
            Ok(net) => self.net = Loaded::Lost(changed("net", &self.model, net.sha256(), &self.sha256)),
            Err(problem) if self.sha256.is_empty() => return refuse(problem),
            Err(problem) => self.net = Loaded::Lost(format!("the net {problem}")),
        }
        Ok(())
    }
}

impl Params {
    /// Checks that the net is there.
    ///
    /// # Errors
    /// [`FaultKind::NoStart`] with the reason if it is not.
    pub fn is_there(&self) -> Result<(), Fault> {
        self.net().map(|_| ())
    }

    fn net(&self) -> Result<&Arc<Net>, Fault> {
        match &self.net {
            Loaded::Net(net) => Ok(net),
            Loaded::Lost(problem) => Err(Fault::new(FaultKind::NoStart, problem)),
            Loaded::Unread => Err(Fault::new(FaultKind::NoStart, "the net has not been read")),
        }
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
