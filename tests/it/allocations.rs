//! Counts what the calling thread allocates, so that tests can hold readers of files to a bound.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// The bytes that are allocated, the most that they have been, and all that ever were.
    static COUNTS: Cell<[usize; 3]> = const { Cell::new([0; 3]) };
}

/// The system's allocator, which counts by thread.
pub struct Counting;

fn add(bytes: usize) {
    let _ = COUNTS.try_with(|counts| {
        let [now, most, all] = counts.get();
        let now = now.saturating_add(bytes);
        counts.set([now, most.max(now), all.saturating_add(bytes)]);
    });
}

fn take(bytes: usize) {
    let _ = COUNTS.try_with(|counts| {
        let [now, most, all] = counts.get();
        counts.set([now.saturating_sub(bytes), most, all]);
    });
}

// SAFETY: all is the system's allocator's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: as of the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: as of the caller.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        take(layout.size());
        // SAFETY: as of the caller.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        take(layout.size());
        add(size);
        // SAFETY: as of the caller.
        unsafe { System.realloc(memory, layout, size) }
    }
}

/// Returns the result of `work`, the most bytes that it had allocated at a time on this thread, and all that it ever
/// did.
pub fn counted<T>(work: impl FnOnce() -> T) -> (T, usize, usize) {
    COUNTS.set([0; 3]);
    let result = work();
    let [_, most, all] = COUNTS.get();
    (result, most, all)
}
