//! Completions for shells, and the manual pages.

use crate::fixtures::sandbox::Sandbox;

/// The names of the commands, as `--help` lists them.
fn commands(sandbox: &Sandbox) -> Vec<String> {
    let (_, help, _) = sandbox.run(&["--help"]);
    // Groups of commands come before the options. A command stands at the third column.
    let lines = help.lines().take_while(|line| *line != "Options:").filter(|line| line.starts_with("  "));
    let names: Vec<String> = lines.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect();
    assert!(names.len() == 24 && names.iter().any(|name| name == "new-bot"), "{names:?}");
    names
}

#[test]
fn every_shell_is_told_of_every_command() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let (code, script, stderr) = sandbox.run(&["completions", shell]);
        assert_eq!((code, stderr.as_str()), (0, ""), "{shell}");
        for name in commands(&sandbox) {
            assert!(script.contains(&name), "{shell}: {name}");
        }
        // An option of one of them.
        assert!(script.contains("half-width") || script.contains("checkpoint"), "{shell}");
    }
    let (code, _, stderr) = sandbox.run(&["completions", "cmd"]);
    assert!(code == 2 && stderr.contains("possible values: bash, elvish, fish"), "{stderr}");
}

#[test]
fn the_manual_has_a_page_for_all_and_for_each_command() {
    let sandbox = Sandbox::new();
    let (code, page, _) = sandbox.run(&["man"]);
    assert!(code == 0 && page.starts_with(".ie") && page.contains("\n.TH overtrick 1"), "{page}");
    assert!(!page.contains("overtrick\\-help"), "{page}");
    for name in commands(&sandbox) {
        // Hyphens are escaped.
        let title = format!("overtrick-{name}").replace('-', "\\-");
        assert!(page.contains(&format!("{title}(1)")), "{name}: {page}");
        let (code, own, _) = sandbox.run(&["man", &name]);
        assert!(code == 0 && own.contains(&format!(".TH overtrick-{name} 1  \"overtrick ")), "{own}");
        assert!(own.contains(&format!("\\fBovertrick {name}\\fR").replace('-', "\\-")), "{own}");
    }
    assert!(
        sandbox.refused(&["man", "dule"]).contains("no command \"dule\" (did you mean duel?). There are run, duel")
    );
}
