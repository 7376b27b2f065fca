//! The files of a run are those of the list, wherever they are spoken of.

use std::fs;

use crate::fixtures::sandbox::Sandbox;
use overtrick::report::{OUTPUTS, SHARD_OUTPUTS, output_names};

#[test]
fn the_page_of_outputs_explains_every_file() {
    let page = include_str!("../../../docs/outputs.md");
    for output in OUTPUTS {
        assert!(page.contains(&format!("\n## {}\n", output.name)), "{}", output.name);
    }
}

#[test]
fn the_page_shows_the_output_that_is_tested() {
    let page = include_str!("../../../docs/adding-an-output.md");
    assert!(page.contains(include_str!("../../../examples/outside/markdown.rs")));
    let program = include_str!("../../../examples/outside/main.rs");
    let from = program.find("    let outcome").unwrap();
    let lines = program[from..].lines().take_while(|line| *line != "}");
    assert!(lines.map(str::trim).all(|line| page.contains(line)));
}

#[test]
fn they_are_listed_and_written() {
    let sandbox = Sandbox::new();
    let (_, listed, _) = sandbox.run(&["list", "outputs", "--format", "csv"]);
    let listed: Vec<&str> = listed.lines().skip(1).filter_map(|row| row.split(',').next()).collect();
    assert_eq!(listed, output_names());
    assert!(sandbox.run(&["list", "outputs"]).1.contains("tally.bin"));
    // The gate asks for the same list.
    assert!(include_str!("../../../.ci/run").contains("list outputs --format csv"));
    assert_eq!(sandbox.run(&["run", "t.toml"]).0, 0);
    let written = |folder: &str| {
        let files = fs::read_dir(sandbox.path(folder)).unwrap();
        let mut names: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let mut all = output_names();
    all.sort_unstable();
    assert_eq!(written("results/t"), all);
    assert_eq!(sandbox.run(&["run", "t.toml", "--shard", "1/2"]).0, 0);
    assert_eq!(written("results/t-1-of-2"), SHARD_OUTPUTS);
    assert!(SHARD_OUTPUTS.iter().all(|name| all.contains(name)));
}
