//! Suggestions for names that do not exist.

use std::path::{Path, PathBuf};

/// Names with a lower Jaro similarity are not suggested. The command line uses the same limit for its
/// options.
const ALIKE: f64 = 0.7;

/// Returns the known name most similar to an unknown `name`, if one is similar enough.
fn most_alike<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = name.to_lowercase();
    let alike = known.into_iter().map(|one| (strsim::jaro(&plain, &one.to_lowercase()), one));
    // Of equal names, the first is kept.
    let best = alike.fold((ALIKE, None), |best, (alike, one)| if alike > best.0 { (alike, Some(one)) } else { best });
    best.1
}

/// Returns a question that suggests the known name most similar to an unknown `name`.
///
/// It is empty if no known name is similar enough.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    most_alike(name, known).map(|one| format!(" (did you mean {one}?)")).unwrap_or_default()
}

/// Returns a question that suggests a TOML file in `folders` with a name similar to that of a missing `file`.
///
/// It is empty if no name is similar enough.
pub fn did_you_mean_file(file: &Path, folders: &[&Path]) -> String {
    let files = toml_files(folders);
    let stem = |file: &Path| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let stems: Vec<String> = files.iter().map(|file| stem(file)).collect();
    let meant = most_alike(&stem(file), stems.iter().map(String::as_str));
    let found = stems.iter().zip(&files).find(|(stem, _)| Some(stem.as_str()) == meant);
    found.map(|(_, file)| format!(" (did you mean {}?)", file.display())).unwrap_or_default()
}

/// Returns the TOML files in folders, sorted by path. A folder that cannot be read has none.
pub fn toml_files(folders: &[&Path]) -> Vec<PathBuf> {
    let names = |folder: &Path| {
        let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        std::fs::read_dir(place).into_iter().flatten().flatten().map(|entry| entry.file_name())
    };
    let mut files: Vec<PathBuf> =
        folders.iter().flat_map(|folder| names(folder).map(|name| folder.join(name))).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_suggested_if_they_are_similar() {
        assert_eq!(did_you_mean("Rnadom", ["rule-based", "random"]), " (did you mean random?)");
        assert_eq!(did_you_mean("random", []), "");
    }

    #[test]
    fn files_are_suggested_by_their_names_without_the_ending() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let configs = root.join("configs");
        let meant = |name: &str| did_you_mean_file(&root.join(name), &[&root, &configs]);
        for near in ["quik.toml", "quick.toml", "Quick"] {
            assert_eq!(meant(near), format!(" (did you mean {}?)", configs.join("quick.toml").display()));
        }
        assert_eq!(meant("zzz.toml"), "");
        assert_eq!(did_you_mean_file(Path::new("quick.toml"), &[Path::new("no such folder")]), "");
    }
}
