//! The filter of system calls: what no bot needs and what could reach beyond it.

use std::collections::BTreeMap;
use std::io;

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

/// System calls that are refused: the memory of others, sockets, keys, kernel programs and counters, mounts and
/// namespaces, the machine's clock and kernel, and memory that no limit counts.
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
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
];

/// System calls that are answered as if the kernel did not have them, for which programs have another way. What
/// `clone3` is asked for lies in memory, where a filter cannot look.
const UNKNOWN: &[c_long] =
    &[libc::SYS_clone3, libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register];

/// The flags of `clone` that make namespaces.
const NAMESPACES: &[i32] = &[
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// The requests of `ioctl` that put words into a terminal's input.
const TERMINAL: &[u64] = &[libc::TIOCSTI, libc::TIOCLINUX];

/// The bit that x86-64 sets in the numbers of its calls with 32-bit pointers.
#[cfg(target_arch = "x86_64")]
const OTHER_NUMBERS: &[c_long] = &[0, 0x4000_0000];
#[cfg(not(target_arch = "x86_64"))]
const OTHER_NUMBERS: &[c_long] = &[0];

/// The filters, to be installed one after the other.
pub(super) fn filters() -> io::Result<[BpfProgram; 2]> {
    let rule = |argument, length, operator, value| {
        let condition = SeccompCondition::new(argument, length, operator, value).map_err(io::Error::other)?;
        SeccompRule::new(vec![condition]).map_err(io::Error::other)
    };
    let mut refused: BTreeMap<c_long, Vec<SeccompRule>> = REFUSED.iter().map(|&call| (call, Vec::new())).collect();
    for &flag in NAMESPACES {
        let flag = flag as u32 as u64;
        let new = rule(0, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(flag), flag)?;
        refused.entry(libc::SYS_clone).or_default().push(new);
    }
    for &request in TERMINAL {
        let push = rule(1, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, request)?;
        refused.entry(libc::SYS_ioctl).or_default().push(push);
    }
    let unknown = UNKNOWN.iter().map(|&call| (call, Vec::new())).collect();
    Ok([program(refused, libc::EPERM)?, program(unknown, libc::ENOSYS)?])
}

fn program(rules: BTreeMap<c_long, Vec<SeccompRule>>, error: i32) -> io::Result<BpfProgram> {
    let every = rules.iter().flat_map(|(call, rules)| OTHER_NUMBERS.iter().map(move |bit| (call | bit, rules.clone())));
    let arch = std::env::consts::ARCH.try_into().map_err(io::Error::other)?;
    let filter = SeccompFilter::new(every.collect(), SeccompAction::Allow, SeccompAction::Errno(error as u32), arch);
    filter.and_then(BpfProgram::try_from).map_err(io::Error::other)
}
