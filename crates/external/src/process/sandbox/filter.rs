//! The filter of system calls: it refuses those that no bot needs and that could reach beyond the bot.

use std::collections::BTreeMap;
use std::io;

use libc::c_long;
use seccompiler::SeccompCmpOp::{Eq, MaskedEq, Ne};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

/// System calls that are refused.
///
/// They reach the memory of other processes, sockets, keys, kernel programs and counters, mounts, namespaces,
/// the clock and the kernel. Some take memory that no limit counts. Others let separate processes
/// communicate: locks, watches, the cache of shared files, and the system's queues and semaphores.
const REFUSED: &[c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_socket,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_fanotify_init,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_setns,
    libc::SYS_unshare,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_quotactl,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_personality,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_flock,
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    libc::SYS_fanotify_mark,
    libc::SYS_mincore,
    libc::SYS_fadvise64,
    libc::SYS_vmsplice,
    libc::SYS_readahead,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_inotify_init,
];

/// The number of `cachestat`, which reports the pages of a file in memory; the same on all machines.
const CACHESTAT: c_long = 451;

/// System calls that are answered as if the kernel did not have them, since programs have alternatives.
///
/// The arguments of `clone3` lie in memory, where a filter cannot look. `preadv2` and `cachestat` can reveal
/// which pages of a file are in memory.
const UNKNOWN: &[c_long] = &[
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_preadv2,
    CACHESTAT,
    // Its timers can send SIGCONT. Programs can use `setitimer` instead.
    libc::SYS_timer_create,
];

/// The requests of `fcntl` that are allowed: those about the descriptor itself.
///
/// Refused are locks and leases of all kinds, lasting hints on files, notices of changes to a folder, and
/// pipes of another size.
const ABOUT_DESCRIPTORS: &[i32] = &[
    libc::F_DUPFD,
    libc::F_GETFD,
    libc::F_SETFD,
    libc::F_GETFL,
    libc::F_SETFL,
    libc::F_SETOWN,
    libc::F_GETOWN,
    libc::F_DUPFD_CLOEXEC,
    libc::F_GETPIPE_SZ,
    libc::F_ADD_SEALS,
    libc::F_GET_SEALS,
];

/// The advice of `madvise` that affects pages of other processes: to merge equal pages, and to page them out.
const TO_OTHERS: &[i32] = &[libc::MADV_MERGEABLE, libc::MADV_COLD, libc::MADV_PAGEOUT];

/// Calls that could resume stopped processes, with the index of their signal argument.
const SIGNALS: &[(c_long, u8)] = &[
    (libc::SYS_kill, 1),
    (libc::SYS_tkill, 1),
    (libc::SYS_tgkill, 2),
    (libc::SYS_rt_sigqueueinfo, 1),
    (libc::SYS_rt_tgsigqueueinfo, 2),
    (libc::SYS_pidfd_send_signal, 1),
];

/// The flags of `clone` that create namespaces.
const NAMESPACES: &[i32] = &[
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// Socket options that enlarge the send buffer. The count of memory assumes its default size.
const LARGER: &[i32] = &[libc::SO_SNDBUF, libc::SO_SNDBUFFORCE];

/// The requests of `ioctl` that write into the input of a terminal.
const TERMINAL: &[i32] = &[libc::TIOCSTI as i32, libc::TIOCLINUX as i32];

/// The bit that x86-64 sets in the numbers of its calls with 32-bit pointers.
#[cfg(target_arch = "x86_64")]
const OTHER_NUMBERS: &[c_long] = &[0, 0x4000_0000];
#[cfg(not(target_arch = "x86_64"))]
const OTHER_NUMBERS: &[c_long] = &[0];

/// Returns the filters, in the order of their installation.
pub(super) fn filters() -> io::Result<[BpfProgram; 2]> {
    let mut refused = CallRules::new();
    let mut unknown = CallRules::new();
    for &call in REFUSED {
        refused.insert(call, Vec::new());
    }
    for &call in UNKNOWN {
        unknown.insert(call, Vec::new());
    }
    for &flag in NAMESPACES {
        let flag = flag as u32 as u64;
        refuse(&mut refused, libc::SYS_clone, vec![masked(0, flag, flag)?])?;
    }
    for &request in TERMINAL {
        refuse(&mut refused, libc::SYS_ioctl, vec![compared(1, Eq, request)?])?;
    }
    for &advice in TO_OTHERS {
        refuse(&mut refused, libc::SYS_madvise, vec![compared(2, Eq, advice)?])?;
    }
    for &option in LARGER {
        refuse(&mut refused, libc::SYS_setsockopt, vec![compared(2, Eq, option)?])?;
    }
    refuse(&mut refused, libc::SYS_prctl, vec![compared(0, Eq, libc::PR_SET_MEMORY_MERGE)?])?;
    for &(call, argument) in SIGNALS {
        refuse(&mut refused, call, vec![compared(argument, Eq, libc::SIGCONT)?])?;
    }
    // `prctl` and `clone` can request SIGCONT at the end of a parent or a child.
    let at_end = vec![compared(0, Eq, libc::PR_SET_PDEATHSIG)?, compared(1, Eq, libc::SIGCONT)?];
    refuse(&mut refused, libc::SYS_prctl, at_end)?;
    refuse(&mut refused, libc::SYS_clone, vec![masked(0, 0xff, libc::SIGCONT as u64)?])?;
    let mut others = Vec::with_capacity(ABOUT_DESCRIPTORS.len());
    for &request in ABOUT_DESCRIPTORS {
        others.push(compared(1, Ne, request)?);
    }
    refuse(&mut refused, libc::SYS_fcntl, others)?;
    Ok([program(&refused, libc::EPERM)?, program(&unknown, libc::ENOSYS)?])
}

/// The rules of each system call, of which one must match; a call without rules always matches.
type CallRules = BTreeMap<c_long, Vec<SeccompRule>>;

/// Adds a rule that matches a call if all conditions hold.
fn refuse(rules: &mut CallRules, call: c_long, conditions: Vec<SeccompCondition>) -> io::Result<()> {
    let rule = SeccompRule::new(conditions).map_err(io::Error::other)?;
    rules.entry(call).or_default().push(rule);
    Ok(())
}

/// Returns the condition that the lower half of an argument compares like this with `value`.
fn compared(argument: u8, operator: SeccompCmpOp, value: i32) -> io::Result<SeccompCondition> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value as u64).map_err(io::Error::other)
}

/// Returns the condition that an argument has `value` in the bits of `mask`.
fn masked(argument: u8, mask: u64, value: u64) -> io::Result<SeccompCondition> {
    let operator = MaskedEq(mask);
    SeccompCondition::new(argument, SeccompCmpArgLen::Qword, operator, value).map_err(io::Error::other)
}

/// Returns a filter that answers these calls with an error number.
fn program(rules: &CallRules, error: i32) -> io::Result<BpfProgram> {
    let mut every = CallRules::new();
    for (call, rules) in rules {
        for bit in OTHER_NUMBERS {
            every.insert(call | bit, rules.clone());
        }
    }
    let arch = std::env::consts::ARCH.try_into().map_err(io::Error::other)?;
    let filter = SeccompFilter::new(every, SeccompAction::Allow, SeccompAction::Errno(error as u32), arch);
    filter.and_then(BpfProgram::try_from).map_err(io::Error::other)
}
