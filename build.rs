//! Tells the program which commit it is built from, where that can be known.

use std::path::Path;
use std::process::Command;

/// What of a checkout goes into the program.
const OWN: [&str; 4] = ["src", "build.rs", "Cargo.toml", "Cargo.lock"];

fn main() {
    for path in OWN {
        println!("cargo::rerun-if-changed={path}");
    }
    let commit = of_checkout().or_else(of_package);
    let version = env!("CARGO_PKG_VERSION");
    match commit {
        Some(commit) => {
            println!("cargo::rustc-env=OVERTRICK_COMMIT={commit}");
            // As many digits as tell it apart; what comes behind them stays.
            let (digits, rest) = commit.split_once('-').unwrap_or((&commit, ""));
            let dash = if rest.is_empty() { "" } else { "-" };
            println!("cargo::rustc-env=OVERTRICK_VERSION={version} ({}{dash}{rest})", &digits[..digits.len().min(12)]);
        }
        None => println!("cargo::rustc-env=OVERTRICK_VERSION={version}"),
    }
}

/// The commit that is checked out, `-dirty` behind it if what goes into the program has changed since. None without
/// git, and none where the package lies within a repository that is not its own.
fn of_checkout() -> Option<String> {
    let root = Path::new(&git(&["rev-parse", "--show-toplevel"])?).canonicalize().ok()?;
    if Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().ok()? != root {
        return None;
    }
    // These change when another commit is checked out or made. A file that is not there would have the script run every
    // time.
    let branch = git(&["symbolic-ref", "-q", "HEAD"]).unwrap_or_else(|| "HEAD".to_owned());
    for name in ["HEAD", "logs/HEAD", "packed-refs", &branch] {
        if let Some(path) = git(&["rev-parse", "--git-path", name]).filter(|path| Path::new(path).exists()) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let commit = git(&["rev-parse", "HEAD"])?;
    let status = [&["status", "--porcelain", "--"][..], &OWN].concat();
    Some(if git(&status).is_none() { commit } else { format!("{commit}-dirty") })
}

/// The commit that a package was made from, which cargo notes in it.
fn of_package() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    Some(rest.split('"').nth(1)?.to_owned())
}

/// What git prints; none if it fails or prints nothing.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}
