//! Stands in for `group` and `pipes` where there are no Unix processes or the feature `process` is off.
//!
//! Starting an external bot then returns an error, and no value of these types ever exists.
#![allow(dead_code)]

use std::convert::Infallible;
use std::io;
use std::path::Path;
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::Params;
use super::quiet::Place;

/// A stand-in for a child and its group.
pub struct Group(Infallible);

impl Group {
    pub fn spawn(_: &Params) -> io::Result<Group> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "external bots need Linux or another Unix, and Overtrick built with the feature `process`",
        ))
    }

    pub fn child(&mut self) -> &mut Child {
        match self.0 {}
    }

    pub fn place(&self) -> &Place {
        match self.0 {}
    }

    pub fn held_too_much(&self) -> bool {
        match self.0 {}
    }

    pub fn ended(&self, _: Instant) -> Option<Status> {
        match self.0 {}
    }
}

/// A stand-in for the status with which a child ended.
pub struct Status(Infallible);

impl Status {
    pub fn terminating_signal(&self) -> Option<i32> {
        match self.0 {}
    }

    pub fn exit_status(&self) -> Option<i32> {
        match self.0 {}
    }
}

/// The reason why no line came.
pub enum Silence {
    Late,
    Closed,
    TooLong,
}

/// A stand-in for the pipes of a child.
pub struct Pipes(Infallible);

impl Pipes {
    pub fn of(_: &mut Child, _: Option<&Path>, _: &Arc<AtomicBool>) -> io::Result<Pipes> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn send(&mut self, _: &mut &[u8], _: Instant) -> Result<(), Silence> {
        match self.0 {}
    }

    pub fn line(&mut self, _: Instant) -> Result<&[u8], Silence> {
        match self.0 {}
    }

    pub fn finish(&mut self, _: Instant) {
        match self.0 {}
    }

    pub fn last_words(&mut self) -> &[u8] {
        match self.0 {}
    }
}
