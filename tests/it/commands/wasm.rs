//! Bots that are WebAssembly modules, in the commands.

use std::path::Path;

use crate::fixtures::sandbox::Sandbox;

#[test]
fn templates_are_written_for_both_languages() {
    let sandbox = Sandbox::new();
    for (lang, files) in [
        ("wasm-rust", &["Cargo.toml", "src/lib.rs", "src/layout.rs", ".cargo/config.toml", ".gitignore"][..]),
        ("wasm-assembly-script", &["package.json", "assembly/index.ts", "assembly/layout.ts", ".gitignore"]),
    ] {
        let (code, stdout, stderr) = sandbox.run(&["new-bot", "my-bot", "--lang", lang, "--folder", lang]);
        assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
        assert!(stdout.contains("next:\n") && stdout.contains("overtrick check"), "{stdout}");
        assert!(sandbox.path(&format!("{lang}/my-bot.toml")).exists());
        for file in files {
            assert!(sandbox.path(&format!("{lang}/my-bot/{file}")).exists(), "{file}");
        }
    }
    // A template reads each value at the offset where it is written.
    for file in ["wasm-rust/my-bot/src/layout.rs", "wasm-assembly-script/my-bot/assembly/layout.ts"] {
        check_offsets(&sandbox.path(file));
    }
}

/// Checks every offset that a template names.
fn check_offsets(file: &Path) {
    use overtrick::strategies::wasm::layout::{self, at};
    let text = std::fs::read_to_string(file).unwrap();
    let known = [
        ("VERSION", layout::VERSION as usize),
        ("SIZE", layout::SIZE),
        ("SEED", at::SEED),
        ("LEGAL_CARDS", at::LEGAL_CARDS),
        ("LEGAL_CALLS", at::LEGAL_CALLS),
        ("LEGAL_COUNT", at::LEGAL_COUNT),
        ("SEAT", at::SEAT),
        ("HAND", at::HAND),
        ("PLAY_COUNT", at::PLAY_COUNT),
        ("LED", at::LED),
        ("WINNING", at::WINNING),
        ("SEEN", at::SEEN),
        ("PLAYS", at::PLAYS),
        ("LEGAL", at::LEGAL),
    ];
    let mut found = 0;
    for line in text.lines().filter(|line| line.contains(" const ")) {
        let (name, value) = line.split_once("const ").unwrap().1.split_once(':').unwrap();
        let value: usize = value.split_once('=').unwrap().1.trim().trim_end_matches(';').parse().unwrap();
        let place = known.iter().find(|(own, _)| *own == name).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(value, place.1, "{name}");
        found += 1;
    }
    assert_eq!(found, known.len(), "{}", file.display());
}

#[cfg(not(feature = "wasm"))]
#[test]
fn without_the_feature_a_module_is_refused_with_how_to_build() {
    let sandbox = Sandbox::new();
    std::fs::write(sandbox.path("bots/x.wasm"), b"").unwrap();
    sandbox.write("bots/x.toml", "name = \"x\"\nstrategy = \"wasm\"\n[parameters]\nmodule = \"x.wasm\"\n");
    let message = sandbox.refused(&["check", "x"]);
    assert!(message.contains("bots/x.toml:4: `parameters.module`: "), "{message}");
    assert!(message.contains("build it with `cargo build --release --features wasm`"), "{message}");
}
