//! `overtrick new-game` writes a game that plays, and `overtrick check` plays a game at random.

use serde_json::Value;

use crate::fixtures::sandbox::Sandbox;

#[test]
fn a_new_game_is_fine_and_plays() {
    let sandbox = Sandbox::new();
    let (code, stdout, stderr) = sandbox.run(&["new-game", "mine"]);
    assert_eq!((code, &*stderr), (0, ""), "{stderr}");
    assert_eq!(stdout, "mine.toml\nnext:\n  overtrick check mine.toml\n  overtrick play mine.toml --with random\n");
    let (code, stdout, stderr) = sandbox.run(&["check", "mine.toml", "--deals", "2000"]);
    assert_eq!((code, &*stderr), (0, ""), "{stdout}{stderr}");
    assert!(
        stdout.starts_with("mine: 2 000 random deals, seed 1\n") && stdout.ends_with("\nmine is fine\n"),
        "{stdout}"
    );
    let duel = ["duel", "pimc-20", "random", "--variant", "mine.toml", "--deals", "2"];
    let (code, stdout, stderr) = sandbox.run(&[&duel[..], &["--set", "pimc-20:worlds=2"]].concat());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let message = sandbox.refused(&["new-game", "mine"]);
    assert_eq!(message, "error: mine.toml: is there already. Choose another name, or another --folder\n");
    assert_eq!(sandbox.refused(&["new-game", "dumbo"]), "error: \"dumbo\" comes with overtrick. Choose another name\n");
    let message = sandbox.refused(&["check", "mine.toml", "--variant", "dumbo"]);
    assert_eq!(message, "error: `--variant`: is for bots, and mine.toml is a game\n");
}

#[test]
fn a_planted_dead_row_is_named_at_its_line() {
    let sandbox = Sandbox::new();
    let text = "game = \"dead\"\nabout = \"a row that never counts\"\nsource = \"none\"\n[deal]\nhand = 5\n\
                [[score.row]]\nwhen = \"tricks >= 2\"\npoints = \"tricks\"\n[[score.row]]\nwhen = \"tricks = 3\"\n\
                points = \"9\"\n[match]\ntarget = 30\n";
    sandbox.write("dead.toml", text);
    let (code, stdout, _) = sandbox.run(&["check", "dead.toml", "--deals", "500", "--format", "json"]);
    assert_eq!(code, 1, "{stdout}");
    let found: Value = serde_json::from_str(&stdout).unwrap();
    let problem = "dead.toml:9: `score.row #2`: never counts: no result fits it that an earlier row does not cover; \
                   drop it or move it up";
    assert_eq!(found["wrong"], serde_json::json!([problem]));
    assert_eq!((&found["fine"], &found["deals"]), (&Value::from(false), &Value::from(500)));
    let text = sandbox.run(&["check", "dead.toml", "--deals", "500"]).1;
    assert!(text.ends_with(&format!("\nwrong:\n  {problem}\n")), "{text}");
    assert!(text.contains("scores: 0 to 5, of 0 to 5 that the rules allow"), "{text}");
}
