//! `overtrick new-bot`.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::new_files::write;
use super::{Ended, help, print};
use crate::games::check_row_name;
use crate::toml_source::InputError;

const HELPER: &str = include_str!("../../bots/examples/overtrick.py");
const PYTHON: &str = include_str!("../../bots/templates/bot.py");
const RUST: &str = include_str!("../../bots/templates/main.rs");
const WASM_RUST: &str = include_str!("../../bots/templates/wasm/lib.rs");
const WASM_RUST_LAYOUT: &str = include_str!("../../bots/templates/wasm/layout.rs");
const WASM_SCRIPT: &str = include_str!("../../bots/templates/wasm/index.ts");
const WASM_SCRIPT_LAYOUT: &str = include_str!("../../bots/templates/wasm/layout.ts");

/// Modules that the helper imports, directly or indirectly. A bot's file with such a name would be imported
/// instead.
const TAKEN: [&str; 36] = [
    "abc",
    "bisect",
    "builtins",
    "codecs",
    "collections",
    "contextlib",
    "copyreg",
    "encodings",
    "enum",
    "functools",
    "genericpath",
    "hashlib",
    "io",
    "itertools",
    "json",
    "keyword",
    "linecache",
    "locale",
    "math",
    "numbers",
    "operator",
    "os",
    "overtrick",
    "posixpath",
    "random",
    "re",
    "reprlib",
    "site",
    "stat",
    "statistics",
    "sys",
    "time",
    "tokenize",
    "types",
    "warnings",
    "zipimport",
];

/// Write a working bot to start from.
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("A script in Python, in bots/", "new-bot mybot --lang python"),
    ("A cargo project in another folder", "new-bot mybot --lang rust --folder elsewhere"),
]))]
pub struct Args {
    /// The bot's name.
    name: String,
    /// Write it in this language.
    #[arg(long, value_enum)]
    lang: Language,
    /// Write it to this folder. Configs find bots in `bots` by name.
    #[arg(long, default_value = "bots")]
    folder: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Language {
    /// A script on a helper module. It needs python3.
    Python,
    /// A cargo project. It needs cargo.
    Rust,
    /// A cargo project for a WebAssembly module. It needs cargo and the target wasm32-unknown-unknown.
    WasmRust,
    /// An npm project in AssemblyScript, which resembles TypeScript, for a WebAssembly module. It needs npm.
    WasmAssemblyScript,
}

impl Language {
    /// Returns whether it is a cargo project.
    fn is_rust(self) -> bool {
        matches!(self, Language::Rust | Language::WasmRust)
    }

    /// Returns the files of the bot's project, by path in the project's folder.
    fn project(self, name: &str) -> Vec<(&'static str, String)> {
        match self {
            Language::Python => Vec::new(),
            Language::Rust => {
                let target = "[[bin]]\nname = \"bot\"\npath = \"src/main.rs\"\n\n[dependencies]\nserde_json = \"1\"";
                vec![
                    ("Cargo.toml", cargo_project(name, target)),
                    ("src/main.rs", RUST.to_owned()),
                    (".gitignore", "/target\n".to_owned()),
                ]
            }
            Language::WasmRust => {
                let target = "[lib]\nname = \"bot\"\ncrate-type = [\"cdylib\", \"rlib\"]\n\n\
                              [profile.release]\npanic = \"abort\"";
                // All memory is restored before each decision, so small is fast; the default stack is 1 MiB.
                let flags = "[target.wasm32-unknown-unknown]\nrustflags = [\"-C\", \"link-arg=-zstack-size=16384\"]\n";
                vec![
                    ("Cargo.toml", cargo_project(name, target)),
                    (".cargo/config.toml", flags.to_owned()),
                    ("src/lib.rs", WASM_RUST.to_owned()),
                    ("src/layout.rs", WASM_RUST_LAYOUT.to_owned()),
                    (".gitignore", "/target\n".to_owned()),
                ]
            }
            Language::WasmAssemblyScript => {
                let build = "asc assembly/index.ts --outFile build/bot.wasm --optimize --runtime stub --use abort=";
                let project = format!(
                    "{{\n  \"name\": \"bot\",\n  \"private\": true,\n  \"scripts\": {{ \"build\": \"{build}\" }},\n  \
                     \"devDependencies\": {{ \"assemblyscript\": \"^0.28.0\" }}\n}}\n"
                );
                vec![
                    ("package.json", project),
                    ("assembly/index.ts", WASM_SCRIPT.to_owned()),
                    ("assembly/layout.ts", WASM_SCRIPT_LAYOUT.to_owned()),
                    (".gitignore", "/build\n/node_modules\n".to_owned()),
                ]
            }
        }
    }

    /// Returns the command that builds the project in this folder, as a line of the next steps.
    fn build(self, project: &str) -> String {
        match self {
            Language::Python => String::new(),
            Language::Rust => format!("  cargo build --release --manifest-path {project}/Cargo.toml\n"),
            // Cargo reads `.cargo/config.toml` in its working folder.
            Language::WasmRust => {
                format!("  (cd {project} && cargo build --release --target wasm32-unknown-unknown)\n")
            }
            Language::WasmAssemblyScript => format!("  (cd {project} && npm install && npm run build)\n"),
        }
    }
}

/// Returns the manifest of a cargo project with this `target`.
fn cargo_project(name: &str, target: &str) -> String {
    format!(
        "[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n{target}\n\n\
         # It stands by itself, also in the folder of another project.\n[workspace]\n"
    )
}

pub fn new_bot(args: &Args) -> Result<Ended, InputError> {
    let Args { name, lang, folder } = args;
    check(name, *lang).map_err(InputError::plain)?;
    let at = |file: &str| folder.join(file);
    let process = |command| ("process", format!("command = {command}\nfolder = \".\"    # relative to this file\n"));
    let wasm = |file| ("wasm", format!("module = \"{name}/{file}\"    # relative to this file\n"));
    let (strategy, parameters) = match lang {
        Language::Python => process(format!("[\"python3\", \"{name}.py\"]")),
        Language::Rust => process(format!("[\"{name}/target/release/bot\"]")),
        Language::WasmRust => wasm("target/wasm32-unknown-unknown/release/bot.wasm"),
        Language::WasmAssemblyScript => wasm("build/bot.wasm"),
    };
    let manifest =
        format!("name = {name:?}\nabout = \"a bot of our own\"\nstrategy = {strategy:?}\n\n[parameters]\n{parameters}");
    let mut files = vec![(at(&format!("{name}.toml")), manifest)];
    if *lang == Language::Python {
        files.push((at(&format!("{name}.py")), PYTHON.replace("NAME", name)));
        // Bots in a folder share it, and a user may have changed it.
        if !at("overtrick.py").exists() {
            files.push((at("overtrick.py"), HELPER.to_owned()));
        }
    }
    files.extend(lang.project(name).into_iter().map(|(file, text)| (at(name).join(file), text)));
    write(&files)?;
    files.iter().for_each(|(file, _)| print(&format!("{}\n", file.display())));
    let project = at(name).display().to_string();
    let build = lang.build(&project);
    let known =
        if folder == Path::new("bots") { name.clone() } else { at(&format!("{name}.toml")).display().to_string() };
    print(&format!("next:\n{build}  overtrick check {known}\nthen put {known:?} into the `bots` of a config\n"));
    Ok(Ended::Done)
}

/// Checks that a bot, its files and its project can have this name.
fn check(name: &str, lang: Language) -> Result<(), String> {
    check_row_name(name)?;
    match lang {
        Language::Python if TAKEN.contains(&name) => Err(format!(
            "{name:?} is a module that the bot's helper needs, and its file would hide it. Choose another name"
        )),
        lang if lang.is_rust() && (!name.starts_with(|c: char| c.is_ascii_alphabetic()) || name.contains('.')) => {
            Err(format!("{name:?} cannot be a cargo project. Begin with a letter and leave out dots"))
        }
        _ if name.starts_with('.') || name.starts_with('-') => {
            Err(format!("{name:?} is no name for a file. Begin with a letter"))
        }
        _ => Ok(()),
    }
}
