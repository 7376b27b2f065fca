//! The words that docs/style.md asks to avoid are counted, and their number never rises.

use std::path::{Path, PathBuf};

use crate::house::{self, ROOT};

/// The words to avoid, as docs/style.md lists them. Sentences that begin with *what* are counted, too.
const AVOIDED: &[&str] = &[
    "so many",
    "so few",
    "tell",
    "tells",
    "told",
    "telling",
    "nobody",
    "anybody",
    "somebody",
    "everybody",
    "whoever",
    "whatever",
    "whichever",
    "beside",
    "of its own",
    "of their own",
    "is to be",
    "are to be",
    "comes to",
    "anew",
    "seldom",
    "for sure",
];

/// The most of them in comments of the program, in its texts (help, errors, output), in comments of tests, and in
/// pages. Lower a number when fewer are left.
const MOST_IN_COMMENTS: usize = 0;
const MOST_IN_TEXTS: usize = 1;
const MOST_IN_TESTS: usize = 0;
const MOST_IN_PAGES: usize = 0;

/// Returns the words to avoid in a text, each with the words that follow.
fn avoided(text: &str) -> Vec<String> {
    let mut words: Vec<(usize, String)> = Vec::new();
    for (start, letter) in text.char_indices() {
        match words.last_mut() {
            _ if !letter.is_alphanumeric() => {}
            Some((at, word)) if *at + word.len() == start => word.push(letter),
            _ => words.push((start, letter.to_string())),
        }
    }
    let mut found = Vec::new();
    for (place, (start, word)) in words.iter().enumerate() {
        let rest = || text[*start..].chars().take(60).collect::<String>().replace('\n', " ");
        let here: Vec<String> = words[place..].iter().take(3).map(|(_, word)| word.to_lowercase()).collect();
        let here = here.join(" ");
        let is_avoided = |phrase: &&str| here == **phrase || here.starts_with(&format!("{phrase} "));
        if AVOIDED.iter().any(is_avoided) || word == "What" && begins_statement(text, *start) {
            found.push(rest());
        }
    }
    found
}

/// Whether a sentence begins at a place in a text, and is no question.
fn begins_statement(text: &str, start: usize) -> bool {
    let begins = text[..start].trim_end().chars().last().is_none_or(|last| ".!?:|*".contains(last));
    let end = text[start..].find(['.', '?', '!']).map(|length| text[start + length..].chars().next());
    begins && end != Some(Some('?'))
}

/// The comments of a source.
fn comments(source: &str) -> String {
    let mut text = String::new();
    for line in source.lines() {
        match line.trim_start().strip_prefix("//") {
            Some(comment) => text.push_str(comment.trim_start_matches(['/', '!'])),
            // Separate comments are separate sentences.
            None if !text.ends_with(".\n") => text.push('.'),
            None => {}
        }
        text.push('\n');
    }
    text
}

/// The string literals of a source, a paragraph each.
fn literals(source: &str) -> String {
    let mut text = String::new();
    let mut rest = source;
    while let Some(next) = rest.find(['"', '/', '\'']) {
        let tail = &rest[next..];
        rest = if tail.starts_with("//") {
            tail.find('\n').map_or("", |end| &tail[end..])
        } else if tail.starts_with("'\"'") || tail.starts_with("'\\\"'") {
            tail[1..].find('\'').map_or("", |end| &tail[end + 2..])
        } else if let Some(inside) = tail.strip_prefix('"') {
            let hashes = rest[..next].chars().rev().take_while(|&letter| letter == '#').count();
            let end = end_of_literal(inside, hashes);
            text.push_str(&inside[..end]);
            text.push_str(".\n\n");
            inside.get(end + 1..).unwrap_or("")
        } else {
            &tail[1..]
        };
    }
    text
}

/// The length of a literal whose opening quote has been passed.
fn end_of_literal(text: &str, hashes: usize) -> usize {
    if hashes > 0 {
        return text.find(&format!("\"{}", "#".repeat(hashes))).unwrap_or(text.len());
    }
    let mut is_escaped = false;
    for (at, letter) in text.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at,
            _ => {}
        }
    }
    text.len()
}

/// A page without its code.
fn prose(page: &str) -> String {
    let mut text = String::new();
    let mut is_code = false;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code && !line.starts_with("    ") {
            // Quoted code is what a program says.
            let plain: Vec<&str> = line.split('`').step_by(2).collect();
            text.push_str(&plain.join("x"));
        }
        text.push('\n');
    }
    text
}

/// Returns all files with an ending below the folders.
fn files(folders: &[&str], ending: &str) -> Vec<PathBuf> {
    folders.iter().flat_map(|folder| house::files(&Path::new(ROOT).join(folder), ending)).collect()
}

/// Counts the words to avoid in parts of files, and checks that they are at most `most`.
fn check(what: &str, files: &[PathBuf], part: impl Fn(&str) -> String, most: usize) {
    let mut lines = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).unwrap();
        let place = file.strip_prefix(ROOT).unwrap_or(file).display();
        lines.extend(avoided(&part(&text)).into_iter().map(|found| format!("{place}: {found}")));
    }
    println!("{}", lines.join("\n"));
    let count = lines.len();
    assert!(count <= most, "{what} have {count} words that docs/style.md asks to avoid, at most {most} may be there");
}

/// The text of a source up to its unit tests.
fn without_tests(source: &str) -> &str {
    source.split("#[cfg(test)]\nmod tests {").next().unwrap()
}

#[test]
fn comments_have_no_more_words_to_avoid_than_before() {
    let own = files(&["src", "crates", "benches", "examples"], "rs");
    check("comments", &own, |source| comments(without_tests(source)), MOST_IN_COMMENTS);
}

#[test]
fn texts_have_no_more_words_to_avoid_than_before() {
    check("texts", &files(&["src", "crates"], "rs"), |source| literals(without_tests(source)), MOST_IN_TEXTS);
}

#[test]
fn tests_have_no_more_words_to_avoid_than_before() {
    check("comments of tests", &files(&["tests"], "rs"), comments, MOST_IN_TESTS);
}

#[test]
fn pages_have_no_more_words_to_avoid_than_before() {
    let mut pages = files(&["docs"], "md");
    // The guide itself lists the words.
    pages.retain(|page| !page.ends_with("docs/style.md"));
    check("pages", &pages, prose, MOST_IN_PAGES);
}

#[test]
fn words_to_avoid_are_found_and_others_are_not() {
    for text in
        ["It is told here", "As so\nmany do. ", "What it costs.", "Fine. What it costs is known.", "(beside it)"]
    {
        assert_eq!(avoided(text).len(), 1, "{text}");
    }
    for text in ["What is it? Then", "besides", "so much many", "He knows What", "a teller"] {
        assert_eq!(avoided(text), [""; 0], "{text}");
    }
    let source = "// told\nlet a = '\"'; // \"told\"\nlet b = \"anew \\\" told\"; let c = r#\"told\"#;";
    assert_eq!(avoided(&literals(source)).len(), 3);
    assert_eq!(avoided(&comments(source)).len(), 1);
    assert_eq!(avoided(&prose("`told`\n```\ntold\n```\n\ntold")).len(), 1);
}
