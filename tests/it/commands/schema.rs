//! All written JSON has a schema, made from the types that are written. That every output keeps to its schema, and that
//! wrong ones do not, a validator says in the gate (`tests/documents/schemas.py`); here the keys are compared.

use std::fs;

use serde_json::Value;

use crate::fixtures::sandbox::Sandbox;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn schema(sandbox: &Sandbox, name: &str) -> Value {
    let (code, stdout, stderr) = sandbox.run(&["schema", name]);
    assert_eq!((code, stderr.as_str()), (0, ""), "{name}");
    json(&stdout)
}

/// The names of all schemas.
fn names(sandbox: &Sandbox) -> Vec<String> {
    let listed = json(&sandbox.run(&["schema", "--format", "json"]).1);
    listed.as_array().unwrap().iter().map(|row| row["schema"].as_str().unwrap().to_owned()).collect()
}

/// Calls `see` for a schema and all schemas within it.
fn each(schema: &Value, see: &mut impl FnMut(&Value)) {
    see(schema);
    match schema {
        Value::Object(keys) => keys.values().for_each(|inner| each(inner, see)),
        Value::Array(inner) => inner.iter().for_each(|inner| each(inner, see)),
        _ => {}
    }
}

/// Where the keys of a value are not those of its schema: the first such place.
fn stray(whole: &Value, schema: &Value, value: &Value, place: &str) -> Option<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        return stray(whole, whole.pointer(&reference[1..]).unwrap(), value, place);
    }
    if let Some(one_of) = schema["anyOf"].as_array() {
        let all: Vec<_> = one_of.iter().map(|inner| stray(whole, inner, value, place)).collect();
        return if all.contains(&None) { None } else { all.into_iter().flatten().next() };
    }
    match value {
        Value::Object(keys) => {
            let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let missing = required.filter(|key| !keys.contains_key(*key)).map(|key| format!("{place} lacks {key}"));
            let inner = keys.iter().find_map(|(key, value)| {
                let place = format!("{place}/{key}");
                match (&schema["properties"][key], &schema["additionalProperties"]) {
                    (Value::Null, Value::Object(_)) => stray(whole, &schema["additionalProperties"], value, &place),
                    (Value::Null, Value::Bool(true)) => None,
                    (Value::Null, _) => Some(format!("{place} is unknown")),
                    (known, _) => stray(whole, known, value, &place),
                }
            });
            missing.into_iter().next().or(inner)
        }
        Value::Array(values) => (0..).zip(values).find_map(|(at, value)| {
            let inner = schema["prefixItems"].get(at).unwrap_or(&schema["items"]);
            stray(whole, inner, value, &format!("{place}/{at}"))
        }),
        _ => None,
    }
}

/// Checks the keys of a document, and that one too many and one too few would be found.
fn check(sandbox: &Sandbox, name: &str, text: &str) {
    let (schema, document) = (schema(sandbox, name), json(text));
    let stray = |document: &Value| stray(&schema, &schema, document, name);
    assert_eq!(stray(&document), None);
    let spoil = |change: fn(&mut serde_json::Map<String, Value>)| {
        let mut other = document.clone();
        let object = if other.is_array() { &mut other[0] } else { &mut other };
        change(object.as_object_mut().unwrap());
        stray(&other)
    };
    assert!(spoil(|keys| drop(keys.insert("stray".to_owned(), Value::Null))).is_some(), "{name}");
    let less = spoil(|keys| {
        let first = keys.keys().next().unwrap().clone();
        keys.remove(&first);
    });
    assert!(less.is_some(), "{name}");
}

#[test]
fn there_is_a_list_of_schemas() {
    let sandbox = Sandbox::new();
    let (code, listed, stderr) = sandbox.run(&["schema", "--format", "csv"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    insta::assert_snapshot!(listed);
    let (_, text, _) = sandbox.run(&["schema"]);
    assert!(names(&sandbox).iter().all(|name| text.contains(&format!("{name} ("))), "{text}");
    assert!(text.starts_with("run-summary (summary.json of a run)\n    all tables of a run and"), "{text}");
}

#[test]
fn an_unknown_schema_is_one_clear_error() {
    let sandbox = Sandbox::new();
    let message = sandbox.refused(&["schema", "nonsense"]);
    assert!(message.contains("there is no schema \"nonsense\"") && message.contains("run-summary"), "{message}");
    assert_eq!(message.lines().count(), 1);
    assert!(sandbox.refused(&["schema", "run-sumary"]).contains("did you mean run-summary?"));
    assert!(sandbox.refused(&["schema", "log", "--format", "csv"]).contains("Leave out --format csv"));
}

#[test]
fn schemas_are_closed_and_say_what_each_key_means() {
    let sandbox = Sandbox::new();
    for name in names(&sandbox) {
        let schema = schema(&sandbox, &name);
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
        assert!(schema["title"].as_str().unwrap().starts_with("overtrick: ") && schema["$id"].is_null(), "{name}");
        each(&schema, &mut |part| {
            let Some(properties) = part["properties"].as_object() else { return };
            assert_eq!(part["additionalProperties"], false, "{name}: {part}");
            for (key, property) in properties {
                let text = property["description"].as_str().unwrap_or_default();
                assert!(!text.is_empty(), "{name}: {key} is not described");
                // Text that is meant for readers of the source.
                assert!(!["[`", "::", "\n"].iter().any(|odd| text.contains(odd)), "{name}: {key}: {text}");
            }
        });
    }
    for (name, version) in [
        ("run-summary", 3),
        ("run-timing", 3),
        ("tune-summary", 3),
        ("sweep-summary", 3),
        ("league-summary", 3),
        ("record", 1),
    ] {
        assert_eq!(schema(&sandbox, name)["properties"]["schema-version"]["const"], version, "{name}");
    }
    // A figure may be missing.
    let figure = &schema(&sandbox, "compare")["$defs"]["ComparisonRow"]["properties"]["difference"];
    assert_eq!(figure["type"], serde_json::json!(["number", "null"]));
}

#[test]
fn what_is_written_has_the_keys_of_its_schema() {
    let sandbox = Sandbox::new();
    let run = |args: &[&str]| {
        let (code, stdout, stderr) = sandbox.run(args);
        assert_eq!(code, 0, "{args:?}: {stderr}");
        stdout
    };
    run(&["run", "t.toml", "--quiet", "--log", "deals.jsonl"]);
    let file = |name: &str| fs::read_to_string(sandbox.path(name)).unwrap();
    check(&sandbox, "run-summary", &file("results/t/summary.json"));
    check(&sandbox, "run-timing", &file("results/t/timing.json"));
    check(&sandbox, "log", file("deals.jsonl").lines().next().unwrap());
    check(&sandbox, "explain", &run(&["explain", "results/t", "one", "two", "--format", "json"]));
    check(&sandbox, "explain", &file("results/t/explain.json"));
    check(&sandbox, "compare", &run(&["compare", "results/t", "results/t", "--format", "json"]));
    // As short as it can be: bots that search take part.
    let exploit = ["exploit", "random", "--variant", "colour-blind-2", "--first-round", "1", "--deals", "30"];
    check(&sandbox, "exploit", &run(&[&exploit[..], &["--format", "json", "--quiet"]].concat()));
    sandbox.write("small.toml", include_str!("../../data/definition/small.toml"));
    let benchmark = ["--definition", "small.toml", "--format", "json", "--quiet"];
    check(&sandbox, "benchmark", &run(&[&["benchmark", "random", "--out", "all/a.json"], &benchmark[..]].concat()));
    check(&sandbox, "benchmark-result", &file("all/a.json"));
    check(&sandbox, "benchmark-table", &run(&[&["benchmark", "--table", "all"], &benchmark[..]].concat()));
    check(&sandbox, "record", &run(&["replay", "t.toml", "--variant", "dumbo", "--deal", "3", "--format", "json"]));
    check(&sandbox, "check", &run(&["check", "one", "--variant", "dumbo", "--deals", "2", "--format", "json"]));
    check(&sandbox, "rules", &run(&["rules", "dumbo", "--format", "json"]));
    check(&sandbox, "list", &run(&["list", "--format", "json"]));
    for what in ["games", "variants", "strategies", "bots", "parameters", "outputs"] {
        check(&sandbox, &format!("list-{what}"), &run(&["list", what, "--format", "json"]));
    }
    check(&sandbox, "schema", &run(&["schema", "--format", "json"]));
}
