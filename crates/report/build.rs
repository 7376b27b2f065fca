//! Records the commit that the program is built from, if it is known.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The parts of a checkout that go into the program.
const PARTS: [&str; 4] = ["src", "crates", "Cargo.toml", "Cargo.lock"];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for part in PARTS {
        // A path that does not exist would run the script at every build.
        if root.join(part).exists() {
            println!("cargo::rerun-if-changed={}", root.join(part).display());
        }
    }
    let commit = of_checkout(&root).or_else(of_package);
    let version = env!("CARGO_PKG_VERSION");
    match commit {
        Some(commit) => {
            println!("cargo::rustc-env=OVERTRICK_COMMIT={commit}");
            // Twelve digits identify a commit; `-dirty` stays.
            let (digits, rest) = commit.split_once('-').unwrap_or((&commit, ""));
            let dash = if rest.is_empty() { "" } else { "-" };
            println!("cargo::rustc-env=OVERTRICK_VERSION={version} ({}{dash}{rest})", &digits[..digits.len().min(12)]);
        }
        None => println!("cargo::rustc-env=OVERTRICK_VERSION={version}"),
    }
}

/// Returns the commit that is checked out, with `-dirty` if a part of the program has changed since. Returns
/// `None` without git, or if the package lies within another repository.
fn of_checkout(root: &Path) -> Option<String> {
    let root = root.canonicalize().ok()?;
    let top = PathBuf::from(git(&root, &["rev-parse", "--show-toplevel"])?).canonicalize().ok()?;
    if root != top {
        return None;
    }
    // These files change when another commit is checked out or made.
    let branch = git(&root, &["symbolic-ref", "-q", "HEAD"]).unwrap_or_else(|| "HEAD".to_owned());
    for name in ["HEAD", "logs/HEAD", "packed-refs", &branch] {
        if let Some(path) = git(&root, &["rev-parse", "--git-path", name]) {
            let path = root.join(path);
            if path.exists() {
                println!("cargo::rerun-if-changed={}", path.display());
            }
        }
    }
    let commit = git(&root, &["rev-parse", "HEAD"])?;
    let status = [&["status", "--porcelain", "--"][..], &PARTS].concat();
    Some(if git(&root, &status).is_none() { commit } else { format!("{commit}-dirty") })
}

/// Returns the commit that a package was made from, which cargo records in it.
fn of_package() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    Some(rest.split('"').nth(1)?.to_owned())
}

/// Returns the output of git in `folder`; `None` if it fails or prints nothing.
fn git(folder: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(args).output().ok()?;
    if !output.status.success() {
        return None;
    }
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}
