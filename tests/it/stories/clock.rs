//! A clock that the story winds: it goes on by steps each time that the program looks at it, and jumps now and then.
//!
//! Programs read the time from a page that the kernel lends them (vDSO), which no supervisor hears. So the word that
//! says where that page is gets taken away while the program stands still after exec, and it asks the kernel.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::ptr::null_mut;

use overtrick::cards::Stream;

/// Names of words for a program: of the page's address, and of one that is passed over.
const PAGE: u64 = 33;
const IGNORED: u64 = 1;
const NANOSECONDS: u64 = 1_000_000_000;
/// The number of looks in which the clock jumps once.
const RARE: u64 = 64;
/// The farthest jump, in milliseconds: ten minutes.
const FAR: u64 = 600_000;

/// The time that a program sees.
pub struct Clock {
    now: u64,
    /// How far it goes on from one look to the next.
    step: u64,
    /// When it jumps, and how far.
    luck: Option<Stream>,
}

impl Clock {
    /// A clock that goes on by a microsecond each time.
    pub fn steady() -> Clock {
        Clock { now: NANOSECONDS, step: 1_000, luck: None }
    }

    /// A clock with steps of at most five microseconds, that jumps now and then. If steps were longer, every decision
    /// would seem slow, and the program would look at the clock before and after each.
    pub fn jumping(mut luck: Stream) -> Clock {
        let step = 200 * 5_u64.pow(luck.random_below(3) as u32);
        Clock { now: NANOSECONDS, step, luck: Some(luck) }
    }

    /// A look at the clock: seconds and nanoseconds as a program gets them.
    pub fn look(&mut self) -> [u8; 16] {
        self.now += self.step;
        if let Some(luck) = &mut self.luck
            && luck.random_below(RARE) == 0
        {
            self.now += luck.random_below(FAR) * (NANOSECONDS / 1000);
        }
        let words = [self.now / NANOSECONDS, self.now % NANOSECONDS].map(u64::to_ne_bytes);
        words.concat().try_into().expect("two words")
    }
}

/// Lets the parent of the calling process see when it has come to exec. It is called between fork and exec.
pub fn stand_still() -> bool {
    // SAFETY: it takes no memory.
    unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, null_mut::<u8>(), null_mut::<u8>()) == 0 }
}

/// Takes the page with the time away from a child that stands still after exec, and has it go on.
///
/// # Errors
/// What the system says.
pub fn take_away(process: u32) -> io::Result<()> {
    let mut status = 0;
    // SAFETY: the number lives until the call is over.
    if unsafe { libc::waitpid(process as i32, &raw mut status, 0) } < 0 {
        return Err(io::Error::last_os_error());
    }
    let taken = hide_page(process);
    // SAFETY: it takes no memory.
    match unsafe { libc::ptrace(libc::PTRACE_DETACH, process as i32, null_mut::<u8>(), null_mut::<u8>()) } {
        0 => taken,
        _ => Err(io::Error::last_os_error()),
    }
}

/// Looks through what lies on the stack of a program that begins: its arguments, its environment, words by name.
fn hide_page(process: u32) -> io::Result<()> {
    let memory = OpenOptions::new().read(true).write(true).open(format!("/proc/{process}/mem"))?;
    let mut at = stack(process)?;
    // The number of arguments.
    at += 8;
    for _ in ["arguments", "environment"] {
        while word(&memory, at)? != 0 {
            at += 8;
        }
        at += 8;
    }
    loop {
        match word(&memory, at)? {
            PAGE => return memory.write_all_at(&IGNORED.to_ne_bytes(), at),
            libc::AT_NULL => return Ok(()),
            _ => at += 16,
        }
    }
}

fn word(memory: &File, at: u64) -> io::Result<u64> {
    let mut bytes = [0; 8];
    memory.read_exact_at(&mut bytes, at)?;
    Ok(u64::from_ne_bytes(bytes))
}

/// Where the stack of a program begins: the 28th field of what the system says of it.
fn stack(process: u32) -> io::Result<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The second is a name in brackets.
    let rest = text.rsplit_once(") ").map_or("", |(_, rest)| rest);
    let field = rest.split(' ').nth(28 - 3).and_then(|field| field.parse().ok());
    field.ok_or_else(|| io::Error::other("the system does not say where the stack is"))
}
