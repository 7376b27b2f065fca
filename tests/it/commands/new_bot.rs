//! `overtrick new-bot` writes bots that play.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use crate::fixtures::sandbox::Sandbox;
use overtrick::game::FullGame;
use overtrick::games::{Variant, Visitor};
use overtrick::protocol::{Message, VariantSeen};
use overtrick::strategies::process::trial::{Played, Trial};
use overtrick::strategies::process::{Params, Session};

struct Play<'a>(&'a mut Session, &'a str);

impl Visitor for Play<'_> {
    type Output = Played;
    fn visit<G: FullGame>(self, game: &Arc<G>) -> Played {
        self.0.tell(&Message::Variant(VariantSeen::of(game.as_ref(), self.1, self.1))).unwrap();
        Trial::new(game.as_ref(), self.1).play(self.0, 0..8, 64)
    }
}

/// Plays every variant with the bot of a manifest.
fn plays(manifest: &Path) {
    let table: toml::Table = fs::read_to_string(manifest).unwrap().parse().unwrap();
    assert_eq!(table["strategy"].as_str(), Some("process"));
    let mut params: Params = table["parameters"].clone().try_into().unwrap();
    // Any machine is fast enough.
    (params.start_timeout, params.move_timeout) = (600.0, 600.0);
    params.folder = manifest.parent().unwrap().join(params.folder);
    let mut session = Session::start(&params, None, &Default::default()).unwrap();
    assert_eq!(session.hello().name, table["name"].as_str().unwrap());
    for variant in Variant::all() {
        let played = variant.game.visit(Play(&mut session, &variant.name));
        assert!(played.end.is_none() && played.illegal.is_empty() && played.decisions() > 16, "{played:?}");
    }
    session.close(Duration::from_secs(2));
}

#[test]
fn a_new_python_bot_plays() {
    let sandbox = Sandbox::new();
    let (code, stdout, stderr) = sandbox.run(&["new-bot", "ada-2", "--lang", "python"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("bots/ada-2.py") && stdout.contains("overtrick check ada-2\n"), "{stdout}");
    plays(&sandbox.path("bots/ada-2.toml"));
    let (code, stdout, _) = sandbox.run(&["list", "parameters", "ada-2"]);
    assert!(code == 0 && stdout.contains("settings.last (of process, kind: true or false"), "{stdout}");
    // A second one shares the helper, which may have been changed.
    sandbox.write("bots/overtrick.py", &(fs::read_to_string(sandbox.path("bots/overtrick.py")).unwrap() + "# mine\n"));
    assert_eq!(sandbox.run(&["new-bot", "bob", "--lang", "python"]).0, 0);
    assert!(fs::read_to_string(sandbox.path("bots/overtrick.py")).unwrap().ends_with("# mine\n"));
    plays(&sandbox.path("bots/bob.toml"));
}

/// Builds the program of a bot in Rust, by a copy in a folder that stays, so that what it depends on is built once.
fn build(package: &Path) {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("new-bot");
    fs::create_dir_all(copy.join("src")).unwrap();
    for file in ["Cargo.toml", "src/main.rs"] {
        fs::copy(package.join(file), copy.join(file)).unwrap();
    }
    // The versions that are known to be there; and no time for optimisation.
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock"), copy.join("Cargo.lock")).unwrap();
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--offline", "--quiet", "--release", "--manifest-path"]).arg(copy.join("Cargo.toml"));
    build.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0").env_remove("CARGO_TARGET_DIR").env_remove("RUSTFLAGS");
    assert!(build.status().unwrap().success());
    fs::create_dir_all(package.join("target/release")).unwrap();
    fs::copy(copy.join("target/release/bot"), package.join("target/release/bot")).unwrap();
}

#[test]
fn a_new_rust_bot_plays() {
    let sandbox = Sandbox::new();
    let (code, stdout, stderr) = sandbox.run(&["new-bot", "ada", "--lang", "rust", "--folder", "elsewhere/mine"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("overtrick check elsewhere/mine/ada.toml\n"), "{stdout}");
    build(&sandbox.path("elsewhere/mine/ada"));
    plays(&sandbox.path("elsewhere/mine/ada.toml"));
}

#[test]
fn nothing_is_overwritten_and_nothing_half_written() {
    let sandbox = Sandbox::new();
    let before = fs::read_to_string(sandbox.path("bots/one.toml")).unwrap();
    let refused = |args: &[&str], problem: &str| {
        let message = sandbox.refused(&[&["new-bot"], args].concat());
        assert!(message.contains(problem), "{message}");
    };
    refused(&["one", "--lang", "python"], "bots/one.toml: is there already");
    sandbox.write("bots/four.py", "print()");
    refused(&["four", "--lang", "python"], "bots/four.py: is there already");
    assert!(!sandbox.path("bots/four.toml").exists() && !sandbox.path("bots/overtrick.py").exists());
    assert_eq!(fs::read_to_string(sandbox.path("bots/one.toml")).unwrap(), before);
    refused(&["five", "--lang", "python", "--folder", "t.toml"], "t.toml: cannot be made a folder");
    for (name, lang, problem) in [
        ("random", "python", "is a module"),
        ("overtrick", "python", "is a module"),
        ("a b", "python", "is no name"),
        ("../x", "python", "is no name"),
        ("", "rust", "is no name"),
        ("all", "rust", "Choose another name"),
        (".x", "python", "is no name for a file"),
        ("7up", "rust", "Begin with a letter"),
        ("a.b", "rust", "leave out dots"),
    ] {
        refused(&[name, "--lang", lang], problem);
    }
}
