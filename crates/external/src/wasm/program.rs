//! A compiled module, checked so that it can neither reach outside nor keep anything.

use std::fmt;
use std::path::Path;

use sha2::{Digest, Sha256};
use wasmi::{CompilationMode, Config, Engine, ExternType, FuncType, Module, ValType};
use wasmparser::{Operator, Parser, Payload};

/// The most nested calls, and the most bytes of values that they may take.
///
/// They are fixed here, since a module that exceeds them has a fault, which must be the same everywhere.
const DEEPEST: usize = 1000;
const STACK: usize = 1 << 20;

/// The largest size of a module, in bytes.
const LARGEST: usize = 64 << 20;

/// The prefix of the names under which a module's internal variables are exported.
const VARIABLE: &str = "overtrick variable ";

/// The length of the magic number and the version with which a binary module begins.
const HEADER: usize = 8;
/// The id of the section that lists the exports.
const EXPORT_SECTION: u8 = 7;
/// The kind of an export that is a global variable.
const GLOBAL_KIND: u8 = 3;

/// The functions that a module exports: name, numbers of i32 parameters and results, and whether it is required.
const FUNCTIONS: [(&str, usize, usize, bool); 4] = [
    ("overtrick_version", 0, 1, true),
    ("overtrick_buffer", 1, 1, true),
    ("overtrick_setup", 2, 1, false),
    ("overtrick_decide", 1, 1, true),
];

/// A module that can be run.
pub struct Program {
    pub(super) engine: Engine,
    pub(super) module: Module,
    /// Whether some instruction in it changes its memory or a variable.
    pub(super) writes: bool,
    /// The names of the variables that it can change.
    pub(super) variables: Vec<String>,
    sha256: String,
}

impl fmt::Debug for Program {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Program({})", self.sha256)
    }
}

/// Modules with the same content are equal.
impl PartialEq for Program {
    fn eq(&self, other: &Program) -> bool {
        self.sha256 == other.sha256
    }
}

/// Facts about the code of a module and its variables.
#[derive(Default)]
struct Findings {
    writes: bool,
    /// The indices of the variables that can be changed.
    variables: Vec<u32>,
}

impl Program {
    /// Reads a module from a file.
    ///
    /// # Errors
    /// The reason why it cannot be run.
    pub fn read(file: &Path) -> Result<Program, String> {
        let shown = file.display();
        let bytes = std::fs::read(file).map_err(|error| format!("{shown} cannot be read: {error}"))?;
        Program::new(&bytes).map_err(|problem| format!("{shown} {problem}"))
    }

    /// Reads a module from its bytes.
    ///
    /// # Errors
    /// The reason why it cannot be run.
    pub fn new(bytes: &[u8]) -> Result<Program, String> {
        if bytes.len() > LARGEST {
            return Err(format!("has {} bytes; {LARGEST} are the most", bytes.len()));
        }
        let mut config = Config::default();
        config.consume_fuel(true).compilation_mode(CompilationMode::Eager).ignore_custom_sections(true);
        config.wasm_multi_memory(false).set_max_recursion_depth(DEEPEST).set_max_stack_height(STACK);
        let engine = Engine::new(&config);
        let invalid = |error: &dyn fmt::Display| format!("is no WebAssembly module that can be run: {error}");
        let module = Module::new(&engine, bytes).map_err(|error| invalid(&error))?;
        check_imports(&module)?;
        check_exports(&module)?;
        let findings = findings(bytes)?;
        let names: Vec<String> = findings.variables.iter().map(|number| format!("{VARIABLE}{number}")).collect();
        let entries: Vec<(&str, u32)> = names.iter().map(String::as_str).zip(findings.variables).collect();
        let opened = with_exports(bytes, &entries).ok_or_else(|| invalid(&"its exports cannot be read"))?;
        let module = Module::new(&engine, opened).map_err(|error| invalid(&error))?;
        let sha256 = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Program { engine, module, writes: findings.writes, variables: names, sha256 })
    }

    /// Returns the SHA-256 of its content, in hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }
}

/// Refuses a module with imports.
fn check_imports(module: &Module) -> Result<(), String> {
    let mut foreign = Vec::new();
    for import in module.imports() {
        foreign.push(format!("{:?} of {:?}", import.name(), import.module()));
    }
    if foreign.is_empty() {
        return Ok(());
    }
    Err(format!("imports {}; a bot has no imports: build it without WASI and without a host", foreign.join(", ")))
}

/// Refuses a module that lacks the exports that Overtrick calls.
fn check_exports(module: &Module) -> Result<(), String> {
    match module.get_export("memory") {
        Some(ExternType::Memory(_)) => {}
        _ => return Err("exports no memory of the name \"memory\" (docs/wasm.md)".to_owned()),
    }
    for (name, takes, gives, is_needed) in FUNCTIONS {
        let form = FuncType::new(vec![ValType::I32; takes], vec![ValType::I32; gives]);
        match module.get_export(name) {
            None if !is_needed => {}
            None => return Err(format!("exports no function {name:?} (docs/wasm.md)")),
            Some(ExternType::Func(found)) if found == form => {}
            Some(_) => {
                let takes = vec!["i32"; takes].join(", ");
                return Err(format!("exports {name:?} in another form than {name}({takes}) -> i32 (docs/wasm.md)"));
            }
        }
    }
    Ok(())
}

/// Scans a valid module without imports, and refuses instructions that change lasting state.
fn findings(bytes: &[u8]) -> Result<Findings, String> {
    let mut found = Findings::default();
    let invalid = |error: wasmparser::BinaryReaderError| format!("cannot be read: {error}");
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.map_err(invalid)? {
            Payload::GlobalSection(globals) => {
                for (number, global) in (0..).zip(globals) {
                    if global.map_err(invalid)?.ty.mutable {
                        found.variables.push(number);
                    }
                }
            }
            Payload::CodeSectionEntry(body) => {
                for operator in body.get_operators_reader().map_err(invalid)? {
                    let operator = operator.map_err(invalid)?;
                    if let Some(name) = lasting(&operator) {
                        return Err(format!(
                            "has the instruction {name}, by which it could keep what it knows from one decision to the \
                             next; build it without"
                        ));
                    }
                    found.writes |= writes(&operator);
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Returns the name of an instruction that makes a change that cannot be undone.
fn lasting(operator: &Operator<'_>) -> Option<&'static str> {
    Some(match operator {
        Operator::TableSet { .. } => "table.set",
        Operator::TableGrow { .. } => "table.grow",
        Operator::TableFill { .. } => "table.fill",
        Operator::TableCopy { .. } => "table.copy",
        Operator::TableInit { .. } => "table.init",
        Operator::ElemDrop { .. } => "elem.drop",
        Operator::DataDrop { .. } => "data.drop",
        _ => return None,
    })
}

/// Returns whether an instruction changes the memory or a variable.
fn writes(operator: &Operator<'_>) -> bool {
    use Operator::*;
    matches!(
        operator,
        I32Store { .. }
            | I64Store { .. }
            | F32Store { .. }
            | F64Store { .. }
            | I32Store8 { .. }
            | I32Store16 { .. }
            | I64Store8 { .. }
            | I64Store16 { .. }
            | I64Store32 { .. }
            | MemoryGrow { .. }
            | MemoryFill { .. }
            | MemoryCopy { .. }
            | MemoryInit { .. }
            | GlobalSet { .. }
    )
}

/// Returns the module with these globals exported as well, since a host reaches no others.
///
/// `None` if it has no exports.
fn with_exports(bytes: &[u8], entries: &[(&str, u32)]) -> Option<Vec<u8>> {
    let mut start = HEADER;
    while let Some((&id, rest)) = bytes.get(start..)?.split_first() {
        let (size, width) = read_leb(rest)?;
        let content = start + 1 + width;
        let end = content.checked_add(size as usize)?;
        if id != EXPORT_SECTION {
            start = end;
            continue;
        }
        let (count, width) = read_leb(bytes.get(content..end)?)?;
        let mut section = Vec::new();
        write_leb(count + entries.len() as u32, &mut section);
        section.extend(&bytes[content + width..end]);
        for (name, number) in entries {
            write_leb(name.len() as u32, &mut section);
            section.extend(name.as_bytes());
            section.push(GLOBAL_KIND);
            write_leb(*number, &mut section);
        }
        let mut opened = bytes[..=start].to_vec();
        write_leb(section.len() as u32, &mut opened);
        opened.extend(section);
        opened.extend(&bytes[end..]);
        return Some(opened);
    }
    None
}

/// Reads a number of at most 32 bits in LEB128. Returns the number and its length in bytes.
fn read_leb(bytes: &[u8]) -> Option<(u32, usize)> {
    let mut number = 0;
    for (nth, byte) in bytes.iter().take(5).enumerate() {
        number |= u32::from(byte & 127) << (7 * nth);
        if byte & 128 == 0 {
            return Some((number, nth + 1));
        }
    }
    None
}

fn write_leb(mut number: u32, out: &mut Vec<u8>) {
    while number >= 128 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}
