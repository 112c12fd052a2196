"""Which system calls a submission may make: a list of those allowed, compiled by libseccomp to a filter of the kernel.

The list is what the book's notebooks and the tests of the sandbox were seen to call (`tests/sandbox/trace_calls.py` prints it),
and what else of the same kinds an exercise may come to. What is not on it fails with ENOSYS, as if the kernel were older, so that
libraries fall back; what people try on purpose, with EPERM. Without libseccomp (a package of every distribution) `rights` refuses
a list of calls instead.
"""
from __future__ import annotations

import errno
import socket
import tempfile

from course.sandbox.rights import FAMILIES

_ALLOWED = {
    "files": "access faccessat faccessat2 open openat openat2 creat close close_range read pread64 readv preadv preadv2 write "
             "pwrite64 writev pwritev pwritev2 lseek stat lstat fstat newfstatat statx statfs fstatfs getdents getdents64 "
             "ioctl readlink readlinkat rename renameat renameat2 link linkat symlink symlinkat unlink unlinkat mkdir mkdirat "
             "rmdir mknod mknodat chmod fchmod fchmodat chown fchown fchownat lchown truncate ftruncate fallocate fadvise64 "
             "readahead utime utimes utimensat futimesat umask chdir fchdir getcwd dup dup2 dup3 fcntl flock fsync "
             "fdatasync sync_file_range syncfs sendfile copy_file_range splice tee pipe pipe2 inotify_init inotify_init1 "
             "inotify_add_watch inotify_rm_watch getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr",
    "memory": "brk mmap munmap mremap mprotect madvise msync mincore mlock munlock mlock2 membarrier rseq pkey_alloc pkey_free "
              "pkey_mprotect get_mempolicy set_mempolicy mbind",
    "processes": "execve execveat exit exit_group wait4 waitid fork vfork kill tkill tgkill pidfd_open pidfd_send_signal "
                 "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait rt_sigqueueinfo "
                 "rt_tgsigqueueinfo sigaltstack pause alarm getitimer setitimer restart_syscall prctl arch_prctl set_tid_address "
                 "set_robust_list get_robust_list futex futex_waitv sched_yield getpid getppid gettid getpgid setpgid getpgrp "
                 "getsid setsid getrlimit getrusage times sysinfo uname getrandom getcpu sched_getaffinity sched_getparam "
                 "sched_getscheduler sched_getattr sched_get_priority_max sched_get_priority_min sched_rr_get_interval "
                 "getpriority ioprio_get",
    "who": "getuid geteuid getgid getegid getresuid getresgid getgroups capget setuid setgid setreuid setregid setresuid "
           "setresgid setfsuid setfsgid setgroups",       # without a capability they change nothing
    "time": "time gettimeofday clock_gettime clock_getres clock_nanosleep nanosleep timer_create timer_settime timer_gettime "
            "timer_getoverrun timer_delete timerfd_create timerfd_settime timerfd_gettime",
    "waiting": "select pselect6 poll ppoll epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd "
               "eventfd2 signalfd signalfd4",
    # No sendmsg: descriptors on their way are counted for all sandboxes together, so one could take them from the others.
    "sockets": "socketpair bind connect listen accept accept4 getsockname getpeername getsockopt setsockopt shutdown sendto "
               "recvfrom recvmsg recvmmsg",
}
_OWN = ("prlimit64", "sched_setaffinity", "sched_setparam", "sched_setscheduler", "sched_setattr")  # the first argument: of whom
_REFUSED = ("ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp", "mount", "umount2", "move_mount",
            "open_tree", "sendmsg", "sendmmsg",
            "fsopen", "fsmount", "mount_setattr", "pivot_root", "chroot", "unshare", "setns", "bpf", "perf_event_open",
            "userfaultfd", "io_uring_setup", "memfd_create", "memfd_secret", "shmget", "msgget", "semget", "mq_open", "add_key",
            "request_key", "keyctl", "sethostname", "setdomainname", "reboot", "kexec_load", "init_module", "finit_module",
            "delete_module", "swapon", "swapoff", "syslog", "acct", "quotactl", "settimeofday", "clock_settime", "clock_adjtime",
            "adjtimex", "iopl", "ioperm", "nfsservctl", "lookup_dcookie", "vhangup", "capset", "seccomp", "open_by_handle_at",
            "name_to_handle_at", "fanotify_init", "personality", "setrlimit", "ioprio_set", "setxattr", "lsetxattr", "fsetxattr",
            "migrate_pages", "move_pages", "process_madvise", "process_mrelease", "landlock_create_ruleset")
_NAMESPACES = 0x7E020000        # the flags of clone that make new ones


def names() -> set[str]:
    """The calls that are allowed, some of them with certain arguments only."""
    return {*" ".join(_ALLOWED.values()).split(), *_OWN, "clone", "socket", "setpriority"}


def allowlist() -> bytes | None:
    """The filter as a classic BPF program for this machine; None where libseccomp is not to be had."""
    try:
        import pyseccomp as seccomp
    except (ImportError, OSError, RuntimeError):
        return None
    made = seccomp.SyscallFilter(seccomp.ERRNO(errno.ENOSYS))

    def rule(action: int, name: str, *conditions) -> None:
        try:
            made.add_rule(action, name, *conditions)
        except OSError:         # this architecture has no call of this name
            pass

    refuse = seccomp.ERRNO(errno.EPERM)
    for name in " ".join(_ALLOWED.values()).split():
        rule(seccomp.ALLOW, name)
    for name in _REFUSED:
        rule(refuse, name)
    for name in _OWN:
        rule(seccomp.ALLOW, name, seccomp.Arg(0, seccomp.EQ, 0))
        rule(refuse, name, seccomp.Arg(0, seccomp.NE, 0))
    rule(seccomp.ALLOW, "setpriority", seccomp.Arg(0, seccomp.EQ, 0), seccomp.Arg(1, seccomp.EQ, 0))
    rule(refuse, "setpriority", seccomp.Arg(0, seccomp.NE, 0))
    rule(refuse, "setpriority", seccomp.Arg(0, seccomp.EQ, 0), seccomp.Arg(1, seccomp.NE, 0))
    rule(seccomp.ALLOW, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, _NAMESPACES, 0))
    for bit in (1 << n for n in range(32) if _NAMESPACES & 1 << n):
        rule(refuse, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, bit, bit))
    for family in FAMILIES:
        rule(seccomp.ALLOW, "socket", seccomp.Arg(0, seccomp.EQ, int(family)))
    for family in range(socket.AF_UNSPEC, 64):
        if family not in FAMILIES:
            rule(seccomp.ERRNO(errno.EAFNOSUPPORT), "socket", seccomp.Arg(0, seccomp.EQ, family))
    with tempfile.TemporaryFile() as file:
        made.export_bpf(file)
        file.seek(0)
        return file.read()
