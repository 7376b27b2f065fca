"""Tries to do harm as its argument says, says PROOF on standard error if it succeeded, and then plays its first legal
move. Further arguments: the folder of the test, and a number of seconds by which whatever it leaves behind is known."""

import ctypes
import fcntl
import glob
import json
import mmap
import os
import resource
import signal
import socket
import struct
import subprocess
import sys
import time

how, base, mark = sys.argv[1], sys.argv[2], sys.argv[3]
libc = ctypes.CDLL(None, use_errno=True)
HARMS = {}
SECRET = "a secret of the organiser"


def harm(act):
    HARMS[act.__name__.replace("_", "-")] = act
    return act


def call(number, *args):
    """A system call by its number on x86-64 or aarch64."""
    return libc.syscall(number[0] if os.uname().machine == "x86_64" else number[1], *args)


def tells(path):
    with open(path, "rb") as file:
        return SECRET.encode() in file.read(1 << 20)


def wrote(path):
    with open(path, "w") as file:
        file.write("harm")
    return True


def is_open(fd):
    try:
        return bool(os.fstat(fd))
    except OSError:
        return False


def sleeper(**how):
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(["sleep", mark], **quiet, **how)


# Files.
@harm
def read_config(): return tells(base + "/t.toml")
@harm
def read_results(): return os.listdir(base + "/out")
@harm
def read_home(): return tells(base + "/home/secret")
@harm
def read_other_bot(): return tells(base + "/bots/other/secret")
@harm
def read_shadow(): return open("/etc/shadow").read()
@harm
def read_environments(): return any(tells(file) for file in glob.glob("/proc/[0-9]*/environ") if file.split("/")[2] != str(os.getpid()))
@harm
def list_outside(): return "t.toml" in os.listdir(base)
@harm
def up_by_links(): return "t.toml" in os.listdir("/proc/1/root" + base) or "t.toml" in os.listdir("/proc/self/cwd/../..")
@harm
def through_open_files(): return any(os.path.isdir("/proc/self/fd/%d" % fd) for fd in range(3, 256))
@harm
def inherited(): return [fd for fd in range(3, 1024) if is_open(fd)]
@harm
def write_own_folder(): return wrote("harm")
@harm
def write_beside_config(): return wrote(base + "/harm") and not os.path.ismount("/tmp")
@harm
def write_results(): return wrote(base + "/out/harm") and not os.path.ismount("/tmp")
@harm
def write_system(): return wrote("/usr/harm")
@harm
def write_root(): return wrote("/harm")
@harm
def write_kernel(): return wrote("/proc/sys/kernel/core_pattern") or wrote("/proc/sysrq-trigger")
@harm
def change_modes(): os.chmod(__file__, 0o777); return True
@harm
def make_device(): os.mknod("/tmp/disk", 0o600 | 0o060000, os.makedev(8, 0)); return True
@harm
def remount(): return libc.mount(b"none", b"/usr", None, 32 | 4096, None) == 0
@harm
def mount_anew(): return libc.mount(b"proc", b"/tmp", b"proc", 0, None) == 0
@harm
def unmount(): return libc.umount2(b"/tmp", 2) == 0
@harm
def change_root(): os.chroot("/tmp"); return True
@harm
def open_by_handle(): return call((304, 265), -100, ctypes.create_string_buffer(64), 0) >= 0 or ctypes.get_errno() != 1


# Processes.
@harm
def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for fd in range(3):
                os.close(fd)
            os.execvp("sleep", ["sleep", mark])
        os._exit(0)
@harm
def child(): sleeper()
@harm
def child_in_session(): sleeper(start_new_session=True)
@harm
def join_harness(): os.setpgid(0, os.getppid()); return os.getppid() != 1
@harm
def kill_all():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.kill(-1, signal.SIGTERM)
    return False
@harm
def kill_parent():
    for number in (signal.SIGSTOP, signal.SIGKILL, signal.SIGTERM):
        os.kill(os.getppid(), number)
@harm
def kill_group(): signal.signal(signal.SIGTERM, signal.SIG_IGN); os.kill(0, signal.SIGTERM)
@harm
def see_others(): return [pid for pid in os.listdir("/proc") if pid.isdigit() and int(pid) > 2 and int(pid) != os.getpid()]
@harm
def see_command_line(): return any(b"overtrick\0" in open(file, "rb").read() for file in glob.glob("/proc/[0-9]*/cmdline") + ["/proc/%d/cmdline" % os.getppid()])
@harm
def see_first(): return os.path.exists("/proc/1") and os.getpid() != 1
@harm
def see_machine(): return [name for name in ("locks", "loadavg", "meminfo", "stat", "net", "sysvipc") if os.path.exists("/proc/" + name)]
@harm
def raise_limits(): resource.setrlimit(resource.RLIMIT_NPROC, (4096, 4096)); return True
@harm
def fork_bomb():
    # Bounded, so that a sandbox that fails takes no machine with it.
    born = 0
    try:
        while born < 400:
            if os.fork() == 0:
                time.sleep(3)
                os._exit(0)
            born += 1
    except OSError:
        pass
    return born == 400


# The memory of others.
@harm
def trace(): return libc.ptrace(16, os.getppid(), None, None) == 0
@harm
def read_memory(): return call((310, 270), os.getppid(), None, 0, None, 0, 0) >= 0
@harm
def write_memory(): return call((311, 271), os.getppid(), None, 0, None, 0, 0) >= 0
@harm
def open_memory(): return open("/proc/%d/mem" % os.getppid(), "rb")
@harm
def see_maps(): return open("/proc/%d/maps" % os.getppid()).read()
@harm
def take_files(): return call((438, 438), os.pidfd_open(os.getppid()), 0, 0) >= 0


# The network.
def reach(family, kind, address):
    with socket.socket(family, kind) as out:
        out.settimeout(2)
        out.connect(address)
        out.send(b"x")
    return True


@harm
def tcp(): return reach(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 22))
@harm
def udp(): return reach(socket.AF_INET, socket.SOCK_DGRAM, ("192.0.2.1", 9))
@harm
def listen(): return socket.socket(socket.AF_INET).bind(("0.0.0.0", 0)) is None
@harm
def netlink(): return socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)
@harm
def unix_socket(): return socket.socket(socket.AF_UNIX).bind("/tmp/socket") is None
@harm
def see_interfaces(): return [name for _, name in socket.if_nameindex() if name != "lo"]


# The terminal.
@harm
def push_input(): fcntl.ioctl(0, 0x5412, b"x"); return True
@harm
def push_to_console(): return any(fcntl.ioctl(fd, 0x541C, b"\2") is not None for fd in range(3))
@harm
def open_terminal(): return open("/dev/tty", "w")
@harm
def list_terminals(): return os.path.exists("/dev/pts") or os.path.exists("/dev/ptmx")


# The kernel.
@harm
def unshare(): return libc.unshare(0x10000000) == 0
@harm
def clone_namespace(): return call((56, 220), 0x10000000 | 17, 0, 0, 0, 0) >= 0
@harm
def enter_namespace(): return libc.setns(os.open("/proc/1/ns/mnt", os.O_RDONLY), 0) == 0
@harm
def keys(): return call((248, 217), b"user", b"harm", b"x", 1, -3) >= 0
@harm
def kernel_program(): return call((321, 280), 0, None, 0) >= 0 or ctypes.get_errno() != 1
@harm
def counters(): return call((298, 241), None, 0, -1, -1, 0) >= 0 or ctypes.get_errno() != 1
@harm
def page_faults(): return call((323, 282), 1) >= 0
@harm
def rings(): return call((425, 425), 8, ctypes.create_string_buffer(256)) >= 0
@harm
def set_clock(): time.clock_settime(time.CLOCK_REALTIME, 0); return True
@harm
def host_name(): return libc.sethostname(b"harm", 4) == 0
@harm
def become_root(): os.setuid(0); return True
@harm
def gain_by_program(): return subprocess.run(["su", "-c", "id -u"], stdin=subprocess.DEVNULL, capture_output=True).returncode == 0
@harm
def other_numbers(): return os.uname().machine == "x86_64" and libc.syscall(0x40000000 | 521, 0, 0, 0, 0) == 0


# Room and time.
@harm
def fill_disk():
    with open("/tmp/large", "wb") as file:
        for _ in range(200):
            file.write(b"x" * (1 << 20))
    return True
@harm
def many_names():
    for number in range(20000):
        open("/tmp/%d" % number, "w").close()
    return True
@harm
def many_files(): return len([os.open("/dev/null", os.O_RDONLY) for _ in range(5000)])
@harm
def anonymous_file(): return os.memfd_create("harm")
@harm
def take_memory(): return bytearray(1 << 30)
@harm
def larger_socket():
    for end in socket.socketpair():
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    return True
@harm
def pin_in_pipes():
    held = ctypes.create_string_buffer(4096)
    part = struct.pack("QQ", ctypes.addressof(held), 4096)
    return call((278, 75), os.pipe()[1], part, 1, 0) > 0


# To go on when stopped.
@harm
def go_on_by_signal(): os.kill(os.getpid(), signal.SIGCONT); return True
@harm
def go_on_by_group(): os.killpg(0, signal.SIGCONT); return True
@harm
def go_on_by_thread(): return call((234, 131), os.getpid(), os.getpid(), signal.SIGCONT) == 0
@harm
def go_on_by_queue(): return call((129, 138), os.getpid(), signal.SIGCONT, struct.pack("iiii112x", signal.SIGCONT, 0, -1, 0)) == 0
@harm
def go_on_by_handle(): signal.pidfd_send_signal(os.pidfd_open(os.getpid()), signal.SIGCONT); return True
@harm
def go_on_by_end_of_parent(): return libc.prctl(1, int(signal.SIGCONT), 0, 0, 0) == 0
@harm
def go_on_by_end_of_child():
    child = call((56, 220), int(signal.SIGCONT), 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    return child > 0
@harm
def go_on_by_timer():
    event = struct.pack("qii48x", 0, signal.SIGCONT, 0)
    return call((222, 107), 1, event, ctypes.create_string_buffer(8)) == 0


# Collusion: each of a kind looks for what another one has left.
def rendezvous(path):
    if os.path.exists(path):
        return True
    wrote(path)
    return False


@harm
def meet_in_tmp(): return rendezvous("/tmp/meeting-" + mark)
@harm
def meet_in_memory(): return rendezvous("/dev/shm/meeting-" + mark)
@harm
def meet_in_folder(): return rendezvous("meeting-" + mark)
@harm
def meet_in_var(): return rendezvous("/var/tmp/meeting-" + mark)
@harm
def meet_by_segment(): return libc.shmget(int(mark.split(".")[1]), 4096, 0o1666) >= 0
@harm
def meet_by_queue(): return libc.msgget(int(mark.split(".")[1]), 0o1666) >= 0
@harm
def meet_by_posix_queue(): return ctypes.CDLL("librt.so.1").mq_open(b"/harm", 0o102, 0o600, None) >= 0
@harm
def meet_by_abstract_socket(): return socket.socket(socket.AF_UNIX).bind("\0harm-" + mark) is None
@harm
def meet_by_semaphore(): return libc.semget(int(mark.split(".")[1]), 1, 0o1666) >= 0
@harm
def use_semaphore(): return libc.semop(0, None, 0) >= 0 or ctypes.get_errno() != 1


# Channels between processes that may open the same file: locks of all kinds, news of it, its pages in memory.
def asks(request, what, path=sys.executable):
    """Whether a request of `fcntl` about a file is granted."""
    with open(path, "rb") as file:
        fcntl.fcntl(file, request, what)
    return True


def lock_of(kind): return struct.pack("hhqqi4x", kind, 0, 0, 0, 0)


def own_file():
    with open("/tmp/own", "wb") as file:
        file.write(b"x" * 8192)
    return "/tmp/own"


def page_of(path=sys.executable):
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 4096, mmap.MAP_SHARED, mmap.PROT_READ)


@harm
def meet_by_lock():
    with open(sys.executable, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    return True
@harm
def lock_range(): return asks(fcntl.F_SETLK, lock_of(fcntl.F_RDLCK))
@harm
def lock_and_wait(): return asks(fcntl.F_SETLKW, lock_of(fcntl.F_RDLCK))
@harm
def ask_for_locks(): return asks(fcntl.F_GETLK, lock_of(fcntl.F_WRLCK))
@harm
def lock_open_file(): return asks(37, lock_of(fcntl.F_RDLCK))
@harm
def wait_for_open_file(): return asks(38, lock_of(fcntl.F_RDLCK))
@harm
def ask_for_open_locks(): return asks(36, lock_of(fcntl.F_WRLCK))
@harm
def lease(): return asks(fcntl.F_SETLEASE, fcntl.F_RDLCK, own_file())
@harm
def ask_for_leases(): return asks(fcntl.F_GETLEASE, 0)
@harm
def news_of_folder():
    folder = os.open("/usr", os.O_RDONLY)
    fcntl.fcntl(folder, fcntl.F_NOTIFY, fcntl.DN_ACCESS | fcntl.DN_MULTISHOT)
    return True
@harm
def leave_hint(): return asks(1036, struct.pack("Q", 2), own_file())
@harm
def leave_hint_with_file(): return asks(1038, struct.pack("Q", 2), own_file())
@harm
def large_pipe(): return fcntl.fcntl(os.pipe()[1], 1031, 1 << 20)
@harm
def news_of_files(): return libc.inotify_init1(0) >= 0 or ctypes.get_errno() != 1
@harm
def watch_files(): return libc.inotify_add_watch(0, b"/usr", 1) >= 0 or ctypes.get_errno() != 1
@harm
def news_of_everything(): return libc.fanotify_init(0, 0) >= 0 or ctypes.get_errno() != 1
@harm
def pages_in_memory():
    # The call refuses an address that is none: with another error than that of the filter.
    return call((27, 232), 1, 4096, None) >= 0 or ctypes.get_errno() != 1
@harm
def count_pages_in_memory():
    with open(sys.executable, "rb") as file:
        return call((451, 451), file.fileno(), ctypes.create_string_buffer(16), ctypes.create_string_buffer(40), 0) >= 0
@harm
def read_what_is_in_memory():
    with open(sys.executable, "rb") as file:
        return os.preadv(file.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT)
@harm
def put_out_of_memory():
    with open(sys.executable, "rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return True
@harm
def read_ahead():
    with open(sys.executable, "rb") as file:
        return libc.readahead(file.fileno(), ctypes.c_int64(0), ctypes.c_size_t(4096)) == 0
@harm
def page_out(): page_of().madvise(21); return True
@harm
def let_cool(): page_of().madvise(20); return True
@harm
def merge_pages(): mmap.mmap(-1, 4096).madvise(mmap.MADV_MERGEABLE); return True
@harm
def merge_all_pages(): return libc.prctl(67, 1, 0, 0, 0) == 0


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


# Tried without a separate root folder.
WITHOUT_ROOT = (
    "read-config", "read-results", "read-environments", "list-outside", "write-own-folder", "write-beside-config",
    "write-results", "see-command-line",
)


def introduce():
    """Says who this process is, and which harm it could do."""
    identities = {"Uid": os.getresuid(), "Gid": os.getresgid(), "Groups": os.getgroups(), "NoNewPrivs": [libc.prctl(39, 0, 0, 0, 0)]}
    for name, numbers in identities.items():
        sys.stderr.write("%s: %s\n" % (name, " ".join(map(str, numbers))))
    sets = (ctypes.c_uint32 * 6)()
    check = libc.capget((ctypes.c_uint32 * 2)(0x20080522, 0), sets)
    rights = {name: sets[place] | sets[place + 3] << 32 for place, name in enumerate(("CapEff", "CapPrm", "CapInh"))}
    rights["CapBnd"] = sum((libc.prctl(23, number, 0, 0, 0) == 1) << number for number in range(64))
    rights["CapAmb"] = sum((libc.prctl(47, 1, number, 0, 0) == 1) << number for number in range(64))
    for name, bits in rights.items():
        sys.stderr.write("%s: %s\n" % (name, "unknown" if check else "%016x" % bits))
    done = []
    for harm in WITHOUT_ROOT:
        try:
            if HARMS[harm]():
                done.append(harm)
        except OSError:
            pass
    sys.stderr.write("Done: %s\n" % " ".join(done))
    sys.stderr.flush()


if __name__ == "__main__":
    if how == "list":
        print("\n".join(HARMS))
        sys.exit(0)
    for line in sys.stdin:
        message = json.loads(line)
        if how == "who" and "hello" in message:
            introduce()
        if "hello" in message:
            say({"hello": {"name": how, "protocol": 1, "variants": ["all"], "batch": 64, "deals": False}})
            tried = False
        elif "decide" in message:
            if how in HARMS and not tried:
                tried = True
                try:
                    # Who is one of many processes is not shut in: that is proof enough, and nothing is done.
                    if os.getpid() > 1000 or HARMS[how]():
                        sys.stderr.write("PROOF %s\n" % how)
                except (OSError, MemoryError, ValueError) as error:
                    sys.stderr.write("%s\n" % error)
                sys.stderr.flush()
            say({"moves": [[d["id"], d["legal"][0]] for d in message["decide"]]})
