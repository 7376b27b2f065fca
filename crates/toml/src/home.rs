//! Paths below `~`, the user's home folder. Shells expand it only at the start of a word, and never in files.

use std::path::{Path, PathBuf};

/// Returns `path` with the home folder in place of a leading `~`, and other paths unchanged.
pub fn in_home(path: &Path) -> PathBuf {
    below_home(path).unwrap_or_else(|| path.to_owned())
}

/// Returns advice for a command-line `path` that begins with `~`, and `None` for other paths.
pub fn home_remedy(path: &Path) -> Option<String> {
    let full = below_home(path)?;
    Some(format!("`~` is replaced by shells only, where it begins a word: write {}", full.display()))
}

fn below_home(path: &Path) -> Option<PathBuf> {
    let rest = path.strip_prefix("~").ok()?;
    let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty())?;
    Some(home.join(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_first_part_stands_for_the_home_folder() {
        let home = std::env::home_dir().unwrap();
        assert_eq!(in_home(Path::new("~/a/b")), home.join("a/b"));
        assert_eq!(in_home(Path::new("~")), home.join(""));
        for other in ["~a/b", "a/~/b", "./~/b", "a", "/~"] {
            assert_eq!(in_home(Path::new(other)), Path::new(other));
            assert_eq!(home_remedy(Path::new(other)), None);
        }
        assert!(home_remedy(Path::new("~/a")).unwrap().contains(&home.join("a").display().to_string()));
    }
}
