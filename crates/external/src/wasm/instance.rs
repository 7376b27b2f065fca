//! A running module: started once, and reset to that state before each decision.

use std::sync::Arc;

use overtrick_strategy::protocol::{Fault, FaultKind};
use wasmi::{ExternType, Global, Memory, Store, StoreLimits, StoreLimitsBuilder, TrapCode, TypedFunc, Val};

use super::layout::{SIZE, VERSION};
use super::{Params, Program};

/// The fuel for a start, from instantiation to the end of `overtrick_setup`.
const START_FUEL: u64 = 1_000_000_000;

/// The size of a page of memory, in bytes.
const PAGE: usize = 1 << 16;

/// The most entries of a module's tables.
const TABLE: usize = 1 << 20;

/// A running module.
pub struct Instance {
    program: Arc<Program>,
    setup: Arc<[u8]>,
    params: Params,
    running: Running,
}

/// The parts of a running module.
struct Running {
    store: Store<StoreLimits>,
    memory: Memory,
    decide: TypedFunc<i32, i32>,
    /// The address at which decisions are written.
    address: usize,
    /// The variables, with their values after the start.
    variables: Vec<(Global, Val)>,
    /// The memory after the start.
    snapshot: Vec<u8>,
    /// Whether it has run since the last reset.
    is_used: bool,
}

impl Instance {
    /// Starts a module and passes it `setup`, a text in JSON. Returns `None` if it does not play that variant.
    ///
    /// # Errors
    /// [`FaultKind::OutOfFuel`], [`FaultKind::MemoryLimit`], [`FaultKind::Trap`] or [`FaultKind::WrongHandshake`].
    pub fn start(program: &Arc<Program>, params: &Params, setup: Arc<[u8]>) -> Result<Option<Instance>, Fault> {
        let running = Running::start(program, params, &setup)?;
        let program = Arc::clone(program);
        Ok(running.map(|running| Instance { program, setup, params: params.clone(), running }))
    }

    /// Returns the module's answer to a decision.
    ///
    /// # Errors
    /// The same as [`Instance::start`]. The module can be asked again.
    pub fn decide(&mut self, decision: &[u8; SIZE]) -> Result<u32, Fault> {
        if self.running.is_used && self.program.writes && !self.running.put_back() {
            // A memory cannot shrink again, so the module is started again.
            let again = Running::start(&self.program, &self.params, &self.setup)?;
            self.running = again.ok_or_else(|| Fault::new(FaultKind::WrongHandshake, "it does not play any longer"))?;
        }
        let Running { store, memory, decide, address, is_used, .. } = &mut self.running;
        *is_used = true;
        memory.data_mut(&mut *store)[*address..][..SIZE].copy_from_slice(decision);
        store.set_fuel(self.params.fuel).expect("the engine counts fuel");
        match decide.call(&mut *store, *address as i32) {
            Ok(answer) => Ok(answer as u32),
            Err(error) => Err(fault(&error, &self.params, &format!("its `fuel` for a decision, {}", self.params.fuel))),
        }
    }

    /// Returns the fuel that the last decision took.
    pub fn fuel_used(&self) -> u64 {
        self.params.fuel - self.running.store.get_fuel().expect("the engine counts fuel")
    }
}

impl Running {
    fn start(program: &Program, params: &Params, setup: &[u8]) -> Result<Option<Running>, Fault> {
        let failed = |error: wasmi::Error| fault(&error, params, &format!("the fuel for a start, {START_FUEL}"));
        let bytes = (params.memory_limit as usize) << 20;
        if let Some(ExternType::Memory(memory)) = program.module.get_export("memory")
            && memory.minimum() > (bytes / PAGE) as u64
        {
            return Err(beyond_memory(params));
        }
        let limits = StoreLimitsBuilder::new().memory_size(bytes).table_elements(TABLE).trap_on_grow_failure(true);
        let mut store = Store::new(&program.engine, limits.build());
        store.limiter(|limits| limits);
        store.set_fuel(START_FUEL).map_err(failed)?;
        let instance = wasmi::Instance::new(&mut store, &program.module, &[]).map_err(failed)?;
        let memory = instance.get_memory(&store, "memory").expect("the exports were checked");
        let version = instance.get_typed_func::<(), i32>(&store, "overtrick_version").map_err(failed)?;
        let version = version.call(&mut store, ()).map_err(failed)?;
        if version != VERSION as i32 {
            let what = format!("the module is written for version {version} of the layout, overtrick has {VERSION}");
            return Err(Fault::new(FaultKind::WrongHandshake, what));
        }
        let buffer = instance.get_typed_func::<i32, i32>(&store, "overtrick_buffer").map_err(failed)?;
        let room = |store: &mut Store<StoreLimits>, size: usize| {
            let address = buffer.call(&mut *store, size as i32).map_err(failed)? as u32 as usize;
            let end = memory.data_size(&*store);
            if address.checked_add(size).is_some_and(|last| last <= end) {
                return Ok(address);
            }
            let what = format!("`overtrick_buffer` gave {address} for {size} bytes, in a memory of {end}");
            Err(Fault::new(FaultKind::WrongHandshake, what))
        };
        if let Ok(told) = instance.get_typed_func::<(i32, i32), i32>(&store, "overtrick_setup") {
            let address = room(&mut store, setup.len())?;
            memory.data_mut(&mut store)[address..][..setup.len()].copy_from_slice(setup);
            if told.call(&mut store, (address as i32, setup.len() as i32)).map_err(failed)? == 0 {
                return Ok(None);
            }
        }
        let address = room(&mut store, SIZE)?;
        let variable = |name: &String| {
            let global = instance.get_global(&store, name).expect("they were exported when it was read");
            (global, global.get(&store))
        };
        let variables = program.variables.iter().map(variable).collect();
        let decide = instance.get_typed_func(&store, "overtrick_decide").map_err(failed)?;
        let snapshot = memory.data(&store).to_vec();
        Ok(Some(Running { store, memory, decide, address, variables, snapshot, is_used: false }))
    }

    /// Resets the module to its state after the start.
    ///
    /// Returns false if it has taken more memory since, which cannot be undone.
    fn put_back(&mut self) -> bool {
        if self.memory.data_size(&self.store) != self.snapshot.len() {
            return false;
        }
        self.memory.data_mut(&mut self.store).copy_from_slice(&self.snapshot);
        for (global, value) in &self.variables {
            global.set(&mut self.store, value.clone()).expect("it is a variable of this type");
        }
        true
    }
}

/// Returns the fault of a run that ended with an error. `fuel` describes the fuel that it had.
fn fault(error: &wasmi::Error, params: &Params, fuel: &str) -> Fault {
    match error.as_trap_code() {
        Some(TrapCode::OutOfFuel) => Fault::new(FaultKind::OutOfFuel, format!("it took more than {fuel}")),
        Some(TrapCode::GrowthOperationLimited) => beyond_memory(params),
        Some(code) => Fault::new(FaultKind::Trap, code.to_string()),
        None => Fault::new(FaultKind::Trap, error.to_string()),
    }
}

fn beyond_memory(params: &Params) -> Fault {
    let what = format!("it wanted more memory than its `memory-limit`, {} MiB", params.memory_limit);
    Fault::new(FaultKind::MemoryLimit, what)
}
