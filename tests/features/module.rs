//! WebAssembly modules: what is refused, what ends a decision, and that nothing is kept.

use std::path::Path;
use std::sync::Arc;

use crate::fixtures::wasm::{REMEMBERS, binary, text};
use crate::fixtures::{battery, stream};
use overtrick::game::{FullGame, Move, Setup, Standing, View};
use overtrick::games::{Variant, Visitor};
use overtrick::protocol::{Fault, FaultKind};
use overtrick::strategies::wasm::layout::{SIZE, at};
use overtrick::strategies::wasm::{Instance, Params, Program};
use overtrick::strategies::{Bot, BuildContext};
use overtrick::strategy::{Batch, Notes, Pending};
use overtrick::table::BySeat;
use overtrick::toml_source::Source;

/// Picks a legal move by the decision's seed.
pub const BY_SEED: &str = "(i32.rem_u (i32.load offset=4 (local.get $at)) (i32.load8_u offset=24 (local.get $at)))";

/// A bot of a module, or why it is refused; `parameters` are more of its parameters, in TOML.
fn bot(module: &[u8], parameters: &str) -> Result<Bot, String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bot.wasm"), module).unwrap();
    let manifest = format!("name = \"x\"\nstrategy = \"wasm\"\n[parameters]\nmodule = \"bot.wasm\"\n{parameters}");
    let source = Source::parse(&folder.path().join("x.toml"), manifest).unwrap();
    let folder = folder.path().canonicalize().unwrap();
    Bot::from_table(&source, &[], source.table())
        .map_err(|error| error.to_string().replace(&format!("{}/", folder.display()), ""))
}

fn params(module: &str) -> Params {
    bot(&binary(module), "").unwrap().spec.wasm().unwrap().clone()
}

fn start(params: &Params) -> Result<Option<Instance>, Fault> {
    Instance::start(&params.program()?, params, b"{\"a\":1}".as_slice().into())
}

fn instance(module: &str) -> Instance {
    start(&params(module)).unwrap().unwrap()
}

/// A decision with this number of legal moves.
fn decision(legal: u8) -> [u8; SIZE] {
    let mut bytes = [0; SIZE];
    bytes[at::LEGAL_COUNT] = legal;
    bytes
}

/// Instructions that never end. The loop pays for a body that it leaves at once, so a billion units of fuel are used up
/// in a moment.
pub fn endless() -> String {
    let step = "(global.set $count (i32.add (global.get $count) (i32.const 1)))";
    format!("(loop $again (br_if $again (i32.eqz (global.get $count))) {})", step.repeat(20_000))
}

#[test]
fn modules_that_cannot_be_a_bot_are_refused_with_the_reason() {
    let own = text("", BY_SEED);
    let without = |what: &str| own.replace(what, "other");
    let keeps = |instruction: &str| {
        let parts = "(table $t 2 funcref) (elem $e func $f) (func $f) (data $d \"x\")";
        text(parts, &format!("{instruction} (i32.const 0)"))
    };
    let cases = [
        (without("overtrick_version"), "exports no function \"overtrick_version\" (docs/wasm.md)"),
        (without("overtrick_decide"), "exports no function \"overtrick_decide\" (docs/wasm.md)"),
        (without("overtrick_buffer"), "exports no function \"overtrick_buffer\" (docs/wasm.md)"),
        (own.replace("(export \"memory\")", ""), "exports no memory of the name \"memory\" (docs/wasm.md)"),
        (
            own.replace("(param $at i32) (result i32) ", "(param $at i32) (result i32) (local i64) ").replace(
                "(func (export \"overtrick_version\") (result i32) (i32.const 1))",
                "(func (export \"overtrick_version\") (result i64) (i64.const 1))",
            ),
            "exports \"overtrick_version\" in another form than overtrick_version() -> i32 (docs/wasm.md)",
        ),
        (
            own.replace("(module", "(module (import \"env\" \"now\" (func)) (import \"wasi\" \"read\" (func))"),
            "imports \"now\" of \"env\", \"read\" of \"wasi\"; a bot has no imports: build it without WASI",
        ),
        (keeps("(table.set $t (i32.const 0) (ref.func $f))"), "has the instruction table.set, by which it could keep"),
        (keeps("(table.init $t $e (i32.const 0) (i32.const 0) (i32.const 1))"), "has the instruction table.init"),
        (keeps("(data.drop $d)"), "has the instruction data.drop"),
        (keeps("(elem.drop $e)"), "has the instruction elem.drop"),
        (
            own.replace("(module", "(module (func (drop (v128.const i32x4 0 0 0 0)))"),
            "is no WebAssembly module that can be run: ",
        ),
    ];
    for (module, problem) in cases {
        let said = bot(&binary(&module), "").unwrap_err();
        let found = said.split_once("x.toml:4: `parameters.module`: bot.wasm ").unwrap_or_else(|| panic!("{said}"));
        assert!(found.1.starts_with(problem), "{said}");
    }
    assert!(bot(b"text", "").unwrap_err().contains("is no WebAssembly module"));
    let said = bot(&binary(&own), "fuel = 10").unwrap_err();
    assert!(said.contains("x.toml:5: `parameters.fuel`: is 10, but must be 1000 to 1000000000000"), "{said}");
    let said = bot(&binary(&own), "memory-limit = 0").unwrap_err();
    assert!(said.contains("x.toml:5: `parameters.memory-limit`: is 0, but must be 1 to 1024"), "{said}");
    let nowhere = Source::parse(Path::new("x.toml"), "name = \"x\"\nstrategy = \"wasm\"\n".to_owned()).unwrap();
    let said = Bot::from_table(&nowhere, &[], nowhere.table()).unwrap_err().to_string();
    assert!(said.contains("names no module; write it like \"bot.wasm\""), "{said}");
}

#[test]
fn a_start_is_bounded_like_a_decision() {
    let kind = |module: &str| start(&params(module)).map(|started| started.is_some()).map_err(|fault| fault.kind);
    let never_starts = text(&format!("(func $s {}) (start $s)", endless()), BY_SEED);
    assert_eq!(kind(&never_starts), Err(FaultKind::OutOfFuel));
    assert_eq!(kind(&text("(func $s unreachable) (start $s)", BY_SEED)), Err(FaultKind::Trap));
    let large = text("", BY_SEED).replace("\"memory\") 1)", "\"memory\") 300)");
    assert_eq!(kind(&large), Err(FaultKind::MemoryLimit));
    let newer = text("", BY_SEED).replace("(result i32) (i32.const 1))", "(result i32) (i32.const 2))");
    assert_eq!(kind(&newer), Err(FaultKind::WrongHandshake));
    let outside = text("", BY_SEED).replace("(i32.const 1024)", "(i32.const 65535)");
    assert_eq!(kind(&outside), Err(FaultKind::WrongHandshake));
    // It gets a text, and may decline.
    let setup = |answer: &str| {
        text(&format!("(func (export \"overtrick_setup\") (param i32 i32) (result i32) {answer})"), BY_SEED)
    };
    assert_eq!(kind(&setup("(i32.const 0)")), Ok(false));
    let reads = "(i32.and (i32.eq (i32.load8_u (local.get 0)) (i32.const 123)) (i32.eq (local.get 1) (i32.const 7)))";
    assert_eq!(kind(&setup(reads)), Ok(true));
    assert_eq!(kind(&setup(&format!("{} (i32.const 1)", endless()))), Err(FaultKind::OutOfFuel));
}

#[test]
fn a_fault_is_of_its_kind_and_the_next_decision_is_as_if_nothing_had_been() {
    // Its behaviour depends on the number of legal moves, so that one module shows every way to fail.
    let decide = "
        (i32.store (i32.const 16) (i32.const 99))
        (if (i32.eq (i32.load8_u offset=24 (local.get $at)) (i32.const 2)) (then (loop (br 0))))
        (if (i32.eq (i32.load8_u offset=24 (local.get $at)) (i32.const 3)) (then (unreachable)))
        (if (i32.eq (i32.load8_u offset=24 (local.get $at)) (i32.const 4)) (then (drop (memory.grow (i32.const 999)))))
        (if (i32.eq (i32.load8_u offset=24 (local.get $at)) (i32.const 5)) (then (drop (i32.load (i32.const -4)))))
        (if (i32.eq (i32.load8_u offset=24 (local.get $at)) (i32.const 6)) (then (drop (call $deep (i32.const 0)))))
        (i32.const 7)";
    let deep = "(func $deep (param i32) (result i32) (i32.add (call $deep (local.get 0)) (i32.const 1)))";
    let mut asked = instance(&text(deep, decide));
    let kinds = [FaultKind::OutOfFuel, FaultKind::Trap, FaultKind::MemoryLimit, FaultKind::Trap, FaultKind::Trap];
    for (legal, kind) in (2..).zip(kinds) {
        let fault = asked.decide(&decision(legal)).unwrap_err();
        assert_eq!(fault.kind, kind, "{fault}");
        assert_eq!(asked.decide(&decision(1)), Ok(7));
    }
}

#[test]
fn fuel_is_exact() {
    let decide = format!(
        "(local $n i32) (loop $l (local.set $n (i32.add (local.get $n) (i32.const 1)))
         (br_if $l (i32.lt_u (local.get $n) (i32.const 5000)))) {BY_SEED}"
    );
    let mut params = params(&text("", &decide));
    let mut asked = start(&params).unwrap().unwrap();
    asked.decide(&decision(3)).unwrap();
    let needed = asked.fuel_used();
    assert!((5_000..100_000).contains(&needed), "{needed}");
    for _ in 0..3 {
        params.fuel = needed;
        assert_eq!(start(&params).unwrap().unwrap().decide(&decision(3)), Ok(0));
        params.fuel = needed - 1;
        let fault = start(&params).unwrap().unwrap().decide(&decision(3)).unwrap_err();
        assert_eq!(fault.kind, FaultKind::OutOfFuel);
        assert!(fault.what.contains(&format!("{}", needed - 1)), "{fault}");
    }
}

#[test]
fn a_module_keeps_nothing_from_one_decision_to_the_next() {
    let module = text("", REMEMBERS);
    let mut one = instance(&module);
    for legal in [9, 3, 9, 5, 3, 3, 200, 9] {
        let fresh = instance(&module).decide(&decision(legal));
        assert_eq!(one.decide(&decision(legal)), fresh, "{legal}");
    }
    // The first time is the only one: it has counted to one twice, and has one page.
    assert_eq!(one.decide(&decision(200)), Ok(3));
}

#[test]
fn nans_have_the_same_bits_everywhere() {
    let nan = "(i32.reinterpret_f32 (f32.div (f32.convert_i32_u (i32.load offset=152 (local.get $at)))
        (f32.convert_i32_u (i32.load offset=152 (local.get $at)))))";
    assert_eq!(instance(&text("", nan)).decide(&decision(1)), Ok(0x7fc0_0000));
}

#[test]
fn the_same_content_has_the_same_hash_and_another_is_not_run() {
    let module = binary(&text("", BY_SEED));
    let hash = Program::new(&module).unwrap().sha256().to_owned();
    let known = bot(&module, &format!("sha256 = {hash:?}")).unwrap();
    assert_eq!(known.spec.parameters()["sha256"].as_str(), Some(hash.as_str()));
    let changed = bot(&binary(&text("", "(i32.const 0)")), &format!("sha256 = {hash:?}")).unwrap();
    let fault = changed.spec.wasm().unwrap().program().unwrap_err();
    assert_eq!(fault.kind, FaultKind::NoStart);
    assert!(fault.what.contains("has changed: its SHA-256 is ") && fault.what.contains(&hash), "{fault}");
}

battery!(a_module_plays_every_variant_alone_and_in_batches_alike, game, name, {
    // Games from files are no presets. Modules for them are tested in tests/it/bots/wasm_layout.rs.
    let Ok(variant) = Variant::preset(name) else { return };
    let context = BuildContext::of(&variant);
    for decide in [BY_SEED, REMEMBERS] {
        let bot = bot(&binary(&text("", decide)), "").unwrap();
        let build = || bot.spec.build::<G>(&context).unwrap();
        let (mut alone, mut together) = (build(), build());
        let standing = Standing::default();
        let dealt = |number: u64| {
            let setup = Setup::single(game.as_ref(), number, number % 2 == 1);
            let state = game.deal(setup, &mut stream("cards", number));
            let streams = BySeat::from_fn(|seat| stream("own", 4 * number + seat.index() as u64));
            Pending::<G>::new(state, standing, streams, BySeat::default())
        };
        let mut deals: Vec<Pending<G>> = (0..12).map(dealt).collect();
        let mut steps = 0;
        loop {
            let going: Vec<u16> = (0..12).filter(|&deal| !game.is_over(&deals[usize::from(deal)].state)).collect();
            if going.is_empty() {
                break;
            }
            let mut singly: Vec<Move> = Vec::new();
            for &slot in &going {
                let deal = &mut deals[usize::from(slot)];
                deal.seat = deal.state.table.seat_to_move();
                deal.legal = game.legal(&deal.state);
                let view = View::new(game.as_ref(), &deal.state, &standing, deal.seat);
                singly.push(alone.try_choose(&view, deal.legal, &mut deal.streams[deal.seat].clone()).unwrap());
            }
            let mut notes = Notes::default();
            together.choose_many(&mut Batch::new(game.as_ref(), &mut deals, &going, &[], &mut notes));
            assert_eq!(notes.faults, []);
            for (&slot, single) in going.iter().zip(singly) {
                let deal = &mut deals[usize::from(slot)];
                assert_eq!(deal.answer, single, "{name}");
                game.play(&mut deal.state, single).unwrap();
                steps += 1;
            }
        }
        assert!(steps > 100, "{name}");
    }
});
