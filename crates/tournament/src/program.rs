//! The digest of a bot's program, so that two programs are never counted as one bot.
//!
//! It is compared when a run resumes and when shards are merged. It covers the files that the command names
//! and the files in the bot's folder.
//!
//! Some files change although the program stays the same. These are left out: hidden files, configs and
//! manifests (`*.toml`), logs, Python bytecode, and folders of results.
//!
//! A sealed digest leaves out nothing that the bot can read. It shows that a bot was complete when its digest
//! was handed in ([`seal_program`]).

use std::collections::{HashMap, VecDeque};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use overtrick_external::process::Params;
use overtrick_strategies::Bot;
use sha2::{Digest, Sha256};

/// The most files and folders of a bot's folder that its digest covers.
const MOST_FILES: usize = 1000;
/// The most bytes that the digest covers of the bot's folder, and of each file that the command names.
const MOST_BYTES: u64 = 64 << 20;
/// The folders of system programs, whose updates do not make another bot.
const SYSTEM: [&str; 8] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix"];
/// Files that occur only in folders of results.
const RESULTS: [&str; 5] = ["checkpoint.bin", "tally.bin", "points.bin", "summary.json", "secret-hash.txt"];

/// Folders that a sealed digest leaves out, and which are hidden from the bot instead.
const PASSED_OVER: [&str; 3] = [".git", "__pycache__", "results"];

/// The findings about the programs of bots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Programs {
    /// Notes on digests that cannot cover everything.
    pub notes: Vec<String>,
    /// The first bot whose program does not match its digest. With such a bot nothing may be played.
    pub changed: Option<BotProblem>,
}

/// A problem with a bot of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotProblem {
    /// The index of the bot.
    pub bot: usize,
    /// The problem, with the remedy.
    pub problem: String,
}

/// Sets the digest of every bot in a process that names none.
///
/// # Errors
/// The first bot whose folder is not allowed.
pub fn settle_programs<'a>(bots: impl IntoIterator<Item = &'a mut Bot>) -> Result<Programs, BotProblem> {
    let mut folders = HashMap::new();
    let mut programs = Programs::default();
    for (index, bot) in bots.into_iter().enumerate() {
        let Some(params) = bot.spec.process_mut() else { continue };
        let folder_problem = |problem| BotProblem { bot: index, problem: format!("{}: {problem}", bot.name) };
        params.check_folder().map_err(folder_problem)?;
        let folder = folders.entry(params.folder.clone()).or_insert_with(|| Contents::of(params, Coverage::Program));
        if !folder.is_whole {
            programs.notes.push(format!(
                "the folder of {} has more than {MOST_FILES} files or {} MiB, and its digest leaves out the rest: a \
                 change there is not noticed; give it a folder with its files alone",
                bot.name,
                MOST_BYTES >> 20
            ));
        }
        let found = digest(params, folder, Coverage::Program).hash;
        match &params.digest {
            Some(wanted) if *wanted != found => {
                let problem = format!(
                    "{} has another program than that of its `digest`, {wanted}: its files make {found}; put the former \
                     ones back, or take `digest` out and play again",
                    bot.name
                );
                programs.changed.get_or_insert(BotProblem { bot: index, problem });
            }
            _ => params.digest = Some(found),
        }
    }
    Ok(programs)
}

/// Gives a bot in a process the digest of all that it can read in its folder, and hides the folders left out.
///
/// Hidden places of the bot are no part of it.
///
/// # Errors
/// If the digest cannot cover everything.
pub fn seal_program(bot: &mut Bot) -> Result<(), String> {
    let name = bot.name.clone();
    let Some(params) = bot.spec.process_mut() else { return Ok(()) };
    let contents = Contents::of(params, Coverage::Sealed);
    let digest = digest(params, &contents, Coverage::Sealed);
    if !digest.is_whole {
        return Err(format!(
            "{name} has more than {MOST_FILES} files or {} MiB, and its digest must cover them all: give it a folder \
             with its files alone",
            MOST_BYTES >> 20
        ));
    }
    params.digest = Some(digest.hash);
    params.isolation.hidden.extend(contents.passed_over);
    Ok(())
}

/// The files that a digest covers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Coverage {
    /// All but files that may change although the program stays the same.
    Program,
    /// All that the bot can read in its folder.
    Sealed,
}

impl Coverage {
    /// Returns the text that the hash begins with.
    const fn title(self) -> &'static [u8] {
        match self {
            Coverage::Program => b"overtrick program 1",
            Coverage::Sealed => b"overtrick sealed program 1",
        }
    }

    /// Returns true if a file or folder is left out.
    fn leaves_out(self, place: &Path, is_folder: bool) -> bool {
        match self {
            Coverage::Program => is_left_out(place, is_folder),
            Coverage::Sealed => is_folder && PASSED_OVER.iter().any(|name| place.file_name() == Some(name.as_ref())),
        }
    }
}

/// The digest of a program.
struct ProgramDigest {
    hash: String,
    /// Whether it covers all files.
    is_whole: bool,
}

/// Returns the digest of a program, over the files that the command names and the contents of its folder.
fn digest(params: &Params, folder: &Contents, coverage: Coverage) -> ProgramDigest {
    let mut hash = Sha256::new();
    let mut is_whole = folder.is_whole;
    hash.update(coverage.title());
    for (number, part) in params.command.iter().enumerate() {
        // A file may stand alone or after an option, as in `--weights=net.bin`.
        let names = [Some(part.as_str()), part.split_once('=').map(|(_, value)| value)];
        // A first part without a slash is looked up among the system's programs.
        let files = names.into_iter().flatten().filter(|name| number > 0 || name.contains('/'));
        for file in files.filter_map(|name| params.folder.join(name).canonicalize().ok()) {
            if file.is_file() && !SYSTEM.iter().any(|system| file.starts_with(system)) {
                hash.update((number as u64).to_le_bytes());
                is_whole &= file.metadata().is_ok_and(|data| data.len() <= MOST_BYTES);
                add_file(&mut hash, &file, MOST_BYTES);
            }
        }
    }
    hash.update(folder.hash);
    let hash = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    ProgramDigest { hash, is_whole }
}

/// The contents of a folder that belong to a program.
struct Contents {
    hash: [u8; 32],
    /// Whether the hash covers all of them.
    is_whole: bool,
    /// The folders that were left out.
    passed_over: Vec<PathBuf>,
}

impl Contents {
    /// Reads the contents of a bot's folder, without places hidden from bots. Upper levels come first.
    fn of(params: &Params, coverage: Coverage) -> Contents {
        let hidden: Vec<PathBuf> =
            params.isolation.hidden.iter().filter_map(|place| place.canonicalize().ok()).collect();
        let (mut hash, mut passed_over) = (Sha256::new(), Vec::new());
        let (mut files, mut bytes) = (0, 0);
        let mut left = VecDeque::from([PathBuf::new()]);
        while let Some(place) = left.pop_front() {
            for name in names(&params.folder.join(&place)) {
                let (own, file) = (place.join(&name), params.folder.join(&place).join(&name));
                let Ok(link) = file.symlink_metadata() else { continue };
                let real = file.canonicalize();
                let is_hidden = real.as_ref().is_ok_and(|real| hidden.contains(real));
                // A bot can read the name of a link, even if it leads to a hidden place.
                if is_hidden && !(coverage == Coverage::Sealed && link.is_symlink()) {
                    continue;
                }
                if coverage.leaves_out(&file, link.is_dir()) {
                    passed_over.extend(real);
                    continue;
                }
                // A link to a folder counts by its name, so that no link leads into a cycle.
                let size = file.metadata().ok().filter(fs::Metadata::is_file).map_or(0, |data| data.len());
                (files, bytes) = (files + 1, bytes + size);
                if files > MOST_FILES || bytes > MOST_BYTES {
                    return Contents { hash: hash.finalize().into(), is_whole: false, passed_over };
                }
                if coverage == Coverage::Sealed {
                    // A folder that holds a hidden place may be there for that place alone.
                    if link.is_dir() && real.is_ok_and(|real| hidden.iter().any(|place| place.starts_with(&real))) {
                        left.push_back(own);
                        continue;
                    }
                    add_name(&mut hash, &own, &file, &link);
                }
                if link.is_dir() {
                    left.push_back(own);
                    continue;
                }
                if coverage == Coverage::Program {
                    add(&mut hash, own.to_string_lossy().as_bytes());
                }
                if file.is_file() && !is_hidden {
                    add_file(&mut hash, &file, MOST_BYTES);
                }
            }
        }
        Contents { hash: hash.finalize().into(), is_whole: true, passed_over }
    }
}

/// Adds the kind and the name of a file, a folder or a link, with the place that a link names.
fn add_name(hash: &mut Sha256, own: &Path, file: &Path, link: &fs::Metadata) {
    let kind = if link.is_dir() {
        b"folder"
    } else if link.is_symlink() {
        b"a link"
    } else {
        b"a file"
    };
    hash.update(kind);
    add(hash, own.as_os_str().as_encoded_bytes());
    if let Ok(to) = fs::read_link(file) {
        add(hash, to.as_os_str().as_encoded_bytes());
    }
}

/// Returns the names in a folder, in order; none if it cannot be read.
fn names(folder: &Path) -> Vec<std::ffi::OsString> {
    let mut names: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    names
}

/// Returns true if a file or folder may change although the program stays the same.
fn is_left_out(place: &Path, is_folder: bool) -> bool {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    if name.starts_with('.') {
        return true;
    }
    if is_folder {
        return ["__pycache__", "results"].contains(&&*name) || RESULTS.iter().any(|file| place.join(file).exists());
    }
    [".log", ".pyc", ".pyo", ".toml"].iter().any(|ending| name.ends_with(ending))
}

/// Adds bytes after their length, so that no two lists of texts have the same hash.
fn add(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

/// Adds the length of a file and at most its first `most` bytes. A file that cannot be read is marked as
/// such.
fn add_file(hash: &mut Sha256, file: &Path, most: u64) {
    let mut read = || -> io::Result<()> {
        let mut open = File::open(file)?;
        let length = open.metadata()?.len();
        hash.update(length.to_le_bytes());
        let (mut left, mut buffer) = (length.min(most), [0; 1 << 14]);
        while left > 0 {
            let room = buffer.len().min(left as usize);
            let count = open.read(&mut buffer[..room])?;
            if count == 0 {
                break;
            }
            hash.update(&buffer[..count]);
            left -= count as u64;
        }
        Ok(())
    };
    if read().is_err() {
        hash.update(u64::MAX.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use overtrick_strategies::AnySpec;

    use super::*;

    /// A bot's folder in which files can be written, and whose digest can be computed.
    struct Place(tempfile::TempDir);

    impl Place {
        fn new() -> Place {
            let place = Place(tempfile::tempdir().unwrap());
            place.write("bot.py", "import helper");
            place.write("helper.py", "one");
            place
        }

        fn write(&self, name: &str, text: &str) {
            let file = self.0.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }

        fn params(&self) -> Params {
            let mut params = Params { folder: self.0.path().to_owned(), ..Params::default() };
            params.command = ["python3", "bot.py", "--net=net.log"].map(str::to_owned).into();
            params.isolation.hidden.push(self.0.path().join("out"));
            params
        }

        fn digest(&self) -> String {
            digest(&self.params(), &Contents::of(&self.params(), Coverage::Program), Coverage::Program).hash
        }

        /// Returns the bot after it was sealed.
        fn sealed(&self) -> Result<Params, String> {
            let spec = AnySpec::Process(self.params());
            let mut bot = Bot { name: "mine".to_owned(), about: String::new(), spec };
            seal_program(&mut bot).map(|()| bot.spec.process().unwrap().clone())
        }
    }

    #[test]
    fn a_program_is_another_one_if_a_file_of_it_changes() {
        let place = Place::new();
        let mut seen = vec![place.digest()];
        for (name, text) in [
            ("bot.py", "import helper, os"),
            ("helper.py", "two"),
            ("data/book.bin", "opening"),
            ("data/book2.bin", ""),
            // The command names it, so its extension does not matter.
            ("net.log", "weights"),
        ] {
            place.write(name, text);
            let digest = place.digest();
            assert!(!seen.contains(&digest), "{name}");
            seen.push(digest);
        }
        fs::rename(place.0.path().join("data/book.bin"), place.0.path().join("data/book3.bin")).unwrap();
        assert!(!seen.contains(&place.digest()));
    }

    #[test]
    fn what_comes_and_goes_with_runs_makes_no_difference() {
        let place = Place::new();
        let before = place.digest();
        for name in [
            ".cache/x",
            ".git",
            "__pycache__/helper.cpython-312.pyc",
            "data/old.pyc",
            "mybot.toml",
            "bot.log",
            "out/part",
            "results/deals.csv.gz",
            "mine/tally.bin",
            "mine/bots.csv",
        ] {
            place.write(name, name);
        }
        assert_eq!(place.digest(), before);
    }

    #[test]
    fn a_folder_of_too_many_files_is_covered_in_part() {
        let place = Place::new();
        for number in 0..MOST_FILES {
            place.write(&format!("deep/{number}"), "");
        }
        let contents = Contents::of(&place.params(), Coverage::Program);
        assert!(!contents.is_whole);
        // Files at the top are covered nevertheless.
        place.write("helper.py", "two");
        assert_ne!(Contents::of(&place.params(), Coverage::Program).hash, contents.hash);
    }

    #[test]
    fn a_sealed_digest_leaves_out_nothing_that_the_bot_can_read() {
        let place = Place::new();
        let mut seen = vec![place.sealed().unwrap().digest];
        for name in [".cards", ".cache/x", "data.toml", "data.pyc", "bot.log", "mine/tally.bin", "mine/cards", "é"] {
            for text in ["", "solved"] {
                place.write(name, text);
                let digest = place.sealed().unwrap().digest;
                assert!(!seen.contains(&digest), "{name}");
                seen.push(digest);
            }
        }
        // The name of a folder may be a message, too.
        fs::create_dir(place.0.path().join("2c3c")).unwrap();
        assert!(!seen.contains(&place.sealed().unwrap().digest));
    }

    #[test]
    fn folders_that_a_sealed_digest_leaves_out_are_hidden() {
        let place = Place::new();
        place.write("data/book", "");
        let before = place.sealed().unwrap();
        for name in [".git/cards", "data/__pycache__/cards.pyc", "results/a.json", "out/part"] {
            place.write(name, "solved");
        }
        let after = place.sealed().unwrap();
        assert_eq!(after.digest, before.digest);
        let root = place.0.path().canonicalize().unwrap();
        for name in [".git", "data/__pycache__", "results", "out"] {
            let is_here = |hidden: &PathBuf| hidden.canonicalize().is_ok_and(|hidden| hidden == root.join(name));
            assert!(after.isolation.hidden.iter().any(is_here), "{name}");
        }
    }

    #[test]
    fn a_digest_that_is_not_whole_seals_nothing() {
        let place = Place::new();
        // A file without content takes no room on the disk.
        File::create(place.0.path().join("net.log")).unwrap().set_len(MOST_BYTES + 1).unwrap();
        assert!(
            place.sealed().unwrap_err().starts_with("mine has more than 1000 files or 64 MiB, and its digest must")
        );
        place.write("net.log", "weights");
        for number in 0..MOST_FILES {
            place.write(&format!("deep/{number}"), "");
        }
        assert!(place.sealed().is_err());
    }
}
