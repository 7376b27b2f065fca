//! Tests of what features add: WebAssembly bots and logs in Parquet. They are a separate program, so that the others
//! are not compiled a second time for them.

mod commands;
#[allow(dead_code, unused_imports, unused_macros)]
#[path = "../it/fixtures/mod.rs"]
mod fixtures;
mod module;
mod parquet_log;
