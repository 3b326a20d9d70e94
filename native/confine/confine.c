/*
 * Runs one command confined, where nothing is installed that does: files by Landlock, system calls by
 * seccomp, and what neither can judge (where a socket connects, whose file is changed) by this process,
 * which the command's calls are sent to and which does them itself with its own copy of what they name.
 *
 *   confine --probe            tells what this kernel lets it do
 *   confine --run RULES -- PROGRAM ARGUMENT…
 *
 * RULES is a file of records that end in NUL, each a letter and a value; it is removed once it is read:
 *   r PATH  read and run what is there and below        w PATH  write it, too
 *   d PATH  a device: read, write, control              g PATH  keep it as it is (needs N)
 *   m PATH  a folder that is not to be renamed (needs N; those above first)
 *   T PATH  where the machine's temporary files lie     N       namespaces of its own
 *   t PATH  what stands in their place (needs N)        b PATH  a folder below T that stays there
 *   p PORT  a port of this machine that may be reached
 *
 * Whatever cannot be applied ends it with 125 before the command runs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SOURCE_HASH
#define SOURCE_HASH "unknown"
#endif
#define FAILED 125
#define MOST 65536

static void fail(const char *what) {
  fprintf(stderr, "cairn's helper runs nothing: %s (%s)\n", what, strerror(errno));
  exit(FAILED);
}

/* ---- rules -------------------------------------------------------------------------------------- */

struct rule { char kind; const char *value; };
static struct rule rules[MOST];
static int rule_count, wants_namespaces;
static const char *tmp = "/tmp";

static void read_rules(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  struct stat info;
  if (fd < 0 || fstat(fd, &info) < 0) fail("its rules cannot be read");
  char *text = malloc(info.st_size + 1);
  if (text == NULL) fail("memory");
  off_t have = 0;
  while (have < info.st_size) {
    ssize_t got = read(fd, text + have, info.st_size - have);
    if (got <= 0) fail("its rules cannot be read");
    have += got;
  }
  text[have] = 0;
  close(fd);
  if (unlink(path) < 0) fail("its rules cannot be removed");
  for (char *at = text; at < text + have; at += strlen(at) + 1) {
    if (rule_count == MOST) { errno = E2BIG; fail("its rules"); }
    if (strchr("rwdgmTtbpN", *at) == NULL || *at == 0) { errno = EINVAL; fail("its rules"); }
    if (*at == 'N') wants_namespaces = 1;
    if (*at == 'T') tmp = at + 1;
    rules[rule_count++] = (struct rule){*at, at + 1};
  }
}

static int is_below(const char *path, const char *folder) {
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == 0 || path[length] == '/');
}

static int is_writable(const char *path) {
  int found = 0;
  for (int i = 0; i < rule_count; i++) {
    if (rules[i].kind == 'g' && is_below(path, rules[i].value)) return 0;
    if (rules[i].kind == 'w' && is_below(path, rules[i].value)) found = 1;
    if (rules[i].kind == 't' && is_below(path, tmp)) found = 1;
  }
  return found;
}

/* ---- namespaces --------------------------------------------------------------------------------- */

static int write_text(const char *path, const char *text) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t put = write(fd, text, strlen(text));
  close(fd);
  return put < 0 ? -1 : 0;
}

/* Mounts and System V memory of its own; who is not root becomes, for mounts alone, root of a user namespace. */
static int enter_namespaces(void) {
  char text[64];
  uid_t uid = getuid();
  gid_t gid = getgid();
  if (unshare(CLONE_NEWNS | CLONE_NEWIPC) == 0) goto mounts;
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC) < 0) return -1;
  if (write_text("/proc/self/setgroups", "deny") < 0 && errno != ENOENT) return -1;
  snprintf(text, sizeof text, "%u %u 1", uid, uid);
  if (write_text("/proc/self/uid_map", text) < 0) return -1;
  snprintf(text, sizeof text, "%u %u 1", gid, gid);
  if (write_text("/proc/self/gid_map", text) < 0) return -1;
mounts:
  return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

static int mount_read_only(const char *path) {
  if (mount(path, path, NULL, MS_BIND, NULL) < 0) return -1;
  /* What the mount below forbids stays forbidden: a user namespace may not lift it. */
  for (int more = 0; more < 8; more++) {
    unsigned long flags = MS_BIND | MS_REMOUNT | MS_RDONLY | ((more & 1) ? MS_NOSUID : 0) |
                          ((more & 2) ? MS_NODEV : 0) | ((more & 4) ? MS_NOEXEC : 0);
    if (mount(NULL, path, NULL, flags, NULL) == 0) return 0;
  }
  return -1;
}

/* Makes the folders above a path, and it, where they are missing. */
static void make_folders(const char *path) {
  char part[4096];
  for (size_t at = 1; path[at - 1] != 0 && at < sizeof part; at++) {
    if (path[at] != '/' && path[at] != 0) continue;
    memcpy(part, path, at), part[at] = 0;
    if (mkdir(part, 0700) < 0 && errno != EEXIST) fail(part);
  }
}

static void replace_tmp(const char *place) {
  static int kept[64];
  int count = 0;
  char link[64];
  for (int i = 0; i < rule_count && count < 64; i++) {
    if (rules[i].kind == 'b' && (kept[count++] = open(rules[i].value, O_PATH | O_CLOEXEC)) < 0) fail(rules[i].value);
  }
  if (mount(place, tmp, NULL, MS_BIND, NULL) < 0) fail(place);
  for (int i = 0, next = 0; i < rule_count && next < count; i++) {
    if (rules[i].kind != 'b') continue;
    make_folders(rules[i].value);
    snprintf(link, sizeof link, "/proc/self/fd/%d", kept[next]);
    if (mount(link, rules[i].value, NULL, MS_BIND | MS_REC, NULL) < 0) fail(rules[i].value);
    close(kept[next++]);
  }
}

static void set_up_mounts(void) {
  if (enter_namespaces() < 0) fail("namespaces");
  mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777,size=25%");
  /* What is mounted cannot be renamed: else another would stand in its place, which nobody guards. */
  for (int i = 0; i < rule_count; i++) {
    const char *path = rules[i].value;
    if (rules[i].kind == 'm' && mount(path, path, NULL, MS_BIND, NULL) < 0 && errno != ENOENT) fail(path);
  }
  for (int i = 0; i < rule_count; i++) {
    if (rules[i].kind == 'g' && mount_read_only(rules[i].value) < 0 && errno != ENOENT) fail(rules[i].value);
  }
  /* Last: what is guarded may lie below it. */
  for (int i = 0; i < rule_count; i++) {
    if (rules[i].kind == 't') replace_tmp(rules[i].value);
  }
}

/* ---- Landlock ----------------------------------------------------------------------------------- */

struct landlock_ruleset { uint64_t files, network, scoped; };
struct landlock_beneath { uint64_t allowed; int32_t fd; } __attribute__((packed));

#define EXECUTE (1ULL << 0)
#define WRITE_FILE (1ULL << 1)
#define READ_FILE (1ULL << 2)
#define READ_DIR (1ULL << 3)
#define MAKE_CHAR (1ULL << 6)
#define MAKE_BLOCK (1ULL << 11)
#define TRUNCATE (1ULL << 14)
#define IOCTL_DEV (1ULL << 15)
#define OF_FILES (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV)
#define LEAST_ABI 3 /* Before it a file could be emptied that could not be written. */

static int landlock_abi(void) { return syscall(444, NULL, 0, 1); }

static void allow(int ruleset, const char *path, uint64_t allowed) {
  struct stat info;
  int fd = open(path, O_PATH | O_CLOEXEC);
  if (fd < 0) {
    if (errno == ENOENT || errno == EACCES || errno == ENOTDIR) return; /* Nothing is allowed then. */
    fail(path);
  }
  if (fstat(fd, &info) < 0) fail(path);
  if (!S_ISDIR(info.st_mode)) allowed &= OF_FILES;
  struct landlock_beneath beneath = {allowed, fd};
  if (syscall(445, ruleset, 1, &beneath, 0) < 0) fail(path);
  close(fd);
}

static void apply_landlock(void) {
  int abi = landlock_abi();
  if (abi < LEAST_ABI) fail("Landlock is not there");
  uint64_t all = (1ULL << (abi >= 5 ? 16 : 15)) - 1;
  uint64_t reading = EXECUTE | READ_FILE | READ_DIR;
  uint64_t writing = all & ~(MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV);
  /* Every connection and port goes by the supervisor: none is allowed here. Signals stay inside. */
  struct landlock_ruleset handled = {all, abi >= 4 ? 3 : 0, abi >= 6 ? 3 : 0};
  size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
  int ruleset = syscall(444, &handled, size, 0);
  if (ruleset < 0) fail("Landlock");
  for (int i = 0; i < rule_count; i++) {
    const char *path = rules[i].value;
    if (rules[i].kind == 'r') allow(ruleset, path, reading);
    if (rules[i].kind == 'w') allow(ruleset, path, writing);
    if (rules[i].kind == 't') allow(ruleset, tmp, writing);
    if (rules[i].kind == 'd') allow(ruleset, path, (reading | WRITE_FILE | TRUNCATE | IOCTL_DEV) & all);
  }
  if (wants_namespaces) allow(ruleset, "/dev/shm", writing);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) fail("no_new_privs");
  if (syscall(446, ruleset, 0) < 0) fail("Landlock");
  close(ruleset);
}

/* ---- rights ------------------------------------------------------------------------------------- */

struct cap_header { uint32_t version; int pid; };
struct cap_data { uint32_t effective, permitted, inheritable; };

/* Of root's rights those about files, and about whom to be, are left: builds in containers need them. */
static void drop_rights(void) {
  const uint64_t kept = 1ULL << 0 | 1ULL << 1 | 1ULL << 2 | 1ULL << 3 | 1ULL << 4 | 1ULL << 5 | 1ULL << 6 | 1ULL << 7;
  for (int cap = 0; cap < 64; cap++) {
    if (!(kept >> cap & 1) && prctl(PR_CAPBSET_READ, cap, 0, 0, 0) == 1) prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
  }
  struct cap_header header = {0x20080522, 0};
  struct cap_data data[2];
  if (syscall(SYS_capget, &header, data) < 0) fail("capabilities");
  int is_root = getuid() == 0;
  for (int i = 0; i < 2; i++) {
    uint32_t mask = is_root && i == 0 ? (uint32_t)kept : 0;
    data[i].effective &= mask, data[i].permitted &= mask, data[i].inheritable = 0;
  }
  if (syscall(SYS_capset, &header, data) < 0) fail("capabilities");
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
}

/* ---- seccomp ------------------------------------------------------------------------------------ */

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#else
#error "not for this machine"
#endif

static struct sock_filter code[1024];
static int code_length;

static void emit(uint16_t op, uint8_t yes, uint8_t no, uint32_t value) {
  code[code_length++] = (struct sock_filter){op, yes, no, value};
}
static void give(uint32_t action) { emit(BPF_RET | BPF_K, 0, 0, action); }
static void load(int argument) {
  emit(BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, args) + 8 * argument);
}
/* Where the loaded value is this. */
static void when(uint32_t value, uint32_t action) { emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value); give(action); }
static void when_bits(uint32_t bits, uint32_t action) { emit(BPF_JMP | BPF_JSET | BPF_K, 0, 1, bits); give(action); }
/* What follows, up to `end`, is about one call alone. */
static int begin(int call) { emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, call); return code_length - 1; }
static void end(int at) { give(SECCOMP_RET_ALLOW); code[at].jf = code_length - at - 1; }
#define NO(number) (SECCOMP_RET_ERRNO | (number))

/* System calls that no build needs and that change the machine, look into other programs, or do other calls' work. */
static const int forbidden[] = {
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, 438 /* pidfd_getfd */, 440 /* process_madvise */,
    448 /* process_mrelease */, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, 428, 429, 430, 431, 432, 433 /* new mounts */,
    442 /* mount_setattr */, 467 /* open_tree_attr */, SYS_unshare, SYS_setns, SYS_keyctl, SYS_add_key, SYS_request_key,
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, 425, 426, 427 /* io_uring */, SYS_kexec_load, 
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_settimeofday,
    SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_sethostname, SYS_setdomainname, SYS_acct, SYS_quotactl, 443,
    SYS_open_by_handle_at, SYS_fanotify_init, SYS_syslog, SYS_vhangup, SYS_migrate_pages, SYS_move_pages,
#ifdef __x86_64__
    SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS__sysctl, SYS_uselib, SYS_ustat,
#endif
};
static const int of_attributes[] = {SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr,
                                    SYS_fremovexattr, 463, 466};
static const int of_shared_memory[] = {SYS_shmget, SYS_shmat, SYS_msgget, SYS_semget};
static const int supervised[] = {
    SYS_connect, SYS_bind, SYS_listen, SYS_fchmod, SYS_fchmodat, 452 /* fchmodat2 */, SYS_fchown, SYS_fchownat, SYS_utimensat,
#ifdef __x86_64__
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
};
#define EACH(list, action) for (size_t i = 0; i < sizeof list / sizeof *list; i++) when(list[i], action)

static void write_filter(void) {
  int at;
  emit(BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, arch));
  emit(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ARCH);
  give(SECCOMP_RET_KILL_PROCESS);
  emit(BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
  emit(BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000); /* x32, which counts its calls anew. */
  give(NO(ENOSYS));
#endif
  EACH(supervised, SECCOMP_RET_USER_NOTIF);
  EACH(forbidden, NO(EPERM));
  EACH(of_attributes, NO(EOPNOTSUPP));
  if (!wants_namespaces) EACH(of_shared_memory, NO(ENOSYS));
  when(435 /* clone3, whose flags lie in memory: programs fall back to clone */, NO(ENOSYS));
  at = begin(SYS_clone), load(0), when_bits(0x7e020080, NO(EPERM)), end(at);
  at = begin(SYS_prlimit64), load(0), emit(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0), give(NO(EPERM)), end(at);
  at = begin(SYS_ioctl), load(1), when(0x5412 /* TIOCSTI */, NO(EPERM)), when(0x541c /* TIOCLINUX */, NO(EPERM)),
  when(0x40086602 /* FS_IOC_SETFLAGS */, NO(EPERM)), when(0x401c5820 /* FS_IOC_FSSETXATTR */, NO(EPERM)), end(at);
  /* To open a connection by the first bytes that are sent would pass the supervisor by. */
  at = begin(SYS_sendto), load(3), when_bits(MSG_FASTOPEN, NO(EPERM)), end(at);
  at = begin(SYS_sendmsg), load(2), when_bits(MSG_FASTOPEN, NO(EPERM)), end(at);
  at = begin(SYS_sendmmsg), load(3), when_bits(MSG_FASTOPEN, NO(EPERM)), end(at);
  at = begin(SYS_socket);
  load(0);
  emit(BPF_JMP | BPF_JEQ | BPF_K, 3, 0, AF_INET);
  emit(BPF_JMP | BPF_JEQ | BPF_K, 2, 0, AF_INET6);
  emit(BPF_JMP | BPF_JEQ | BPF_K, 11, 0, AF_NETLINK);
  give(NO(EPERM)); /* Unix sockets as well: agents of keys, containers and terminals listen on them. */
  load(1);
  emit(BPF_ALU | BPF_AND | BPF_K, 0, 0, 0xf);
  emit(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, SOCK_STREAM);
  give(NO(EPERM));
  load(2);
  when(0, SECCOMP_RET_ALLOW);
  when(IPPROTO_TCP, SECCOMP_RET_ALLOW);
  give(NO(EPERM));
  /* netlink: of routes alone, which tells a program its interfaces */
  load(2);
  emit(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0);
  give(NO(EPERM));
  end(at);
  give(SECCOMP_RET_ALLOW);
}

/* ---- the supervisor ----------------------------------------------------------------------------- */

static unsigned char own_ports[8192];
static void keep_port(int port) { own_ports[port >> 3] |= 1 << (port & 7); }
static int is_open_port(int port) { return own_ports[port >> 3] >> (port & 7) & 1; }

static int copy_in(int tid, uint64_t from, void *to, size_t size) {
  struct iovec here = {to, size}, there = {(void *)(uintptr_t)from, size};
  return process_vm_readv(tid, &here, 1, &there, 1, 0) == (ssize_t)size ? 0 : -EFAULT;
}

static int copy_path(int tid, uint64_t from, char *to) {
  for (size_t have = 0; have < 4096;) {
    size_t size = 4096 - (from + have) % 4096;
    if (size > 4096 - have) size = 4096 - have;
    if (copy_in(tid, from + have, to + have, size) < 0) return -EFAULT;
    if (memchr(to + have, 0, size) != NULL) return 0;
    have += size;
  }
  return -ENAMETOOLONG;
}

static int line_of(int tid, const char *key) {
  char path[64], line[256];
  int value = -1;
  snprintf(path, sizeof path, "/proc/%d/status", tid);
  FILE *file = fopen(path, "re");
  if (file == NULL) return -1;
  while (fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, key, strlen(key)) == 0) { sscanf(line + strlen(key), "%d", &value); break; }
  }
  fclose(file);
  return value;
}

static int copy_fd(int tid, int fd) {
  int pidfd = syscall(SYS_pidfd_open, line_of(tid, "Tgid:"), 0);
  if (pidfd < 0) return -ESRCH;
  int own = syscall(438, pidfd, fd, 0);
  int error = errno;
  close(pidfd);
  return own < 0 ? -error : own;
}

/* A file that a call names, as this process itself has found it: nothing can be exchanged afterwards. */
static int open_named(int tid, int folder, uint64_t name, int follow, int empty) {
  char path[4096], start[64];
  struct { uint64_t flags, mode, resolve; } how = {O_PATH | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW), 0, 2 /* no magic links */};
  int problem = copy_path(tid, name, path);
  if (problem < 0) return problem;
  if (path[0] == 0) return empty ? copy_fd(tid, folder) : -ENOENT;
  int at = AT_FDCWD;
  if (path[0] != '/') {
    if (folder == AT_FDCWD) snprintf(start, sizeof start, "/proc/%d/cwd", tid);
    else snprintf(start, sizeof start, "/proc/%d/fd/%d", tid, folder);
    at = open(start, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (at < 0) return -errno;
  }
  int fd = syscall(437, at, path, &how, sizeof how);
  int error = errno;
  if (at != AT_FDCWD) close(at);
  return fd < 0 ? -error : fd;
}

/* Whether what is open may be changed; what has no path is the command's own. */
static int may_change(int fd) {
  char link[64], path[4097];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return path[0] != '/' || strncmp(path, "/memfd:", 7) == 0 || is_writable(path);
}

static int result(int value) { return value < 0 ? -errno : 0; }

enum change { MODE, OWNER, TIMES };
struct wish { enum change what; int fd; uint32_t a, b; const struct timespec *times; int is_link; };

static int change(struct wish wish) {
  char link[64];
  if (wish.fd < 0) return wish.fd;
  snprintf(link, sizeof link, "/proc/self/fd/%d", wish.fd);
  int answer = -EPERM;
  if (may_change(wish.fd)) {
    if (wish.what == MODE) answer = wish.is_link ? -EOPNOTSUPP : result(chmod(link, wish.a));
    if (wish.what == OWNER) answer = result(fchownat(wish.fd, "", wish.a, wish.b, AT_EMPTY_PATH));
    if (wish.what == TIMES) {
      answer = wish.is_link ? result(syscall(SYS_utimensat, wish.fd, "", wish.times, AT_EMPTY_PATH))
                            : result(syscall(SYS_utimensat, AT_FDCWD, link, wish.times, 0));
    }
  }
  close(wish.fd);
  return answer;
}

static int is_loopback(const struct sockaddr_storage *address, int *port) {
  const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
  if (address->ss_family == AF_INET) {
    const struct sockaddr_in *v4 = (const void *)address;
    *port = ntohs(v4->sin_port);
    return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
  }
  const struct sockaddr_in6 *v6 = (const void *)address;
  *port = ntohs(v6->sin6_port);
  if (memcmp(&v6->sin6_addr, mapped, 12) == 0) return v6->sin6_addr.s6_addr[12] == 127;
  return memcmp(&v6->sin6_addr, &in6addr_loopback, 16) == 0;
}

static int is_any(const struct sockaddr_storage *address) {
  const struct sockaddr_in *v4 = (const void *)address;
  const struct sockaddr_in6 *v6 = (const void *)address;
  return address->ss_family == AF_INET ? v4->sin_addr.s_addr == 0 : memcmp(&v6->sin6_addr, &in6addr_any, 16) == 0;
}

/* Of this machine alone: nobody in the network is to reach what a command listens on. */
static void to_loopback(int socket, struct sockaddr_storage *address) {
  int only = 0;
  socklen_t size = sizeof only;
  if (address->ss_family == AF_INET) { ((struct sockaddr_in *)address)->sin_addr.s_addr = htonl(INADDR_LOOPBACK); return; }
  struct sockaddr_in6 *v6 = (void *)address;
  getsockopt(socket, IPPROTO_IPV6, IPV6_V6ONLY, &only, &size);
  if (only) { v6->sin6_addr = in6addr_loopback; return; }
  memset(&v6->sin6_addr, 0, 16);
  v6->sin6_addr.s6_addr[10] = v6->sin6_addr.s6_addr[11] = 0xff;
  v6->sin6_addr.s6_addr[12] = 127, v6->sin6_addr.s6_addr[15] = 1;
}

static int do_socket(int call, int socket, const struct sockaddr_storage *given, socklen_t length, int backlog) {
  struct sockaddr_storage address = *given;
  int family = 0, port = 0;
  socklen_t size = sizeof family;
  if (getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &family, &size) < 0) return -errno;
  if (call == SYS_listen) {
    socklen_t had = sizeof address;
    if (getsockname(socket, (void *)&address, &had) < 0) return -errno;
    is_loopback(&address, &port);
    if (port == 0) {
      to_loopback(socket, &address);
      if (bind(socket, (void *)&address, had) < 0) return -errno;
      had = sizeof address;
      if (getsockname(socket, (void *)&address, &had) < 0) return -errno;
      is_loopback(&address, &port);
    }
    if (listen(socket, backlog) < 0) return -errno;
    keep_port(port);
    return 0;
  }
  if (family == AF_NETLINK) return call == SYS_bind ? result(bind(socket, (void *)&address, length)) : -EPERM;
  if (call == SYS_connect && address.ss_family == AF_UNSPEC) return result(connect(socket, (void *)&address, length));
  socklen_t needed = family == AF_INET ? sizeof(struct sockaddr_in) : 24;
  if (address.ss_family != family || length < needed) return -EINVAL;
  int is_here = is_loopback(&address, &port);
  if (call == SYS_bind) {
    if (is_any(&address)) to_loopback(socket, &address);
    else if (!is_here) return -EADDRNOTAVAIL;
    return result(bind(socket, (void *)&address, length));
  }
  if (is_any(&address)) to_loopback(socket, &address), is_here = 1; /* As the system does. */
  if (!is_here) return -ENETUNREACH;
  if (!is_open_port(port)) return -ECONNREFUSED;
  return result(connect(socket, (void *)&address, length));
}

static int do_socket_call(int tid, int call, const uint64_t *args) {
  struct sockaddr_storage address = {0};
  socklen_t length = call == SYS_listen ? 0 : (socklen_t)args[2];
  if (length > sizeof address) return -EINVAL;
  if (length > 0 && copy_in(tid, args[1], &address, length) < 0) return -EFAULT;
  int socket = copy_fd(tid, (int)args[0]);
  if (socket < 0) return socket;
  int answer = do_socket(call, socket, &address, length, (int)args[1]);
  close(socket);
  return answer;
}

static int copy_times(int tid, uint64_t from, int is_micro, struct timespec *times) {
  if (copy_in(tid, from, times, 2 * sizeof *times) < 0) return -EFAULT;
  for (int i = 0; is_micro && i < 2; i++) times[i].tv_nsec *= 1000;
  return 0;
}

static int do_call(int tid, int call, const uint64_t *args) {
  struct timespec times[2], *given = NULL;
  int folder = (int)args[0];
  if (call == SYS_connect || call == SYS_bind || call == SYS_listen) return do_socket_call(tid, call, args);
  /* Who has become another user is not to change files with the rights of this process. */
  if (line_of(tid, "Uid:") != (int)getuid()) return -EPERM;
  switch (call) {
    case SYS_fchmod: return change((struct wish){MODE, copy_fd(tid, folder), args[1], 0, NULL, 0});
    case SYS_fchmodat: return change((struct wish){MODE, open_named(tid, folder, args[1], 1, 0), args[2], 0, NULL, 0});
    case 452: {
      int is_link = (args[3] & AT_SYMLINK_NOFOLLOW) != 0;
      int fd = open_named(tid, folder, args[1], !is_link, (args[3] & AT_EMPTY_PATH) != 0);
      struct stat info;
      if (fd >= 0 && fstat(fd, &info) == 0) is_link = S_ISLNK(info.st_mode);
      return change((struct wish){MODE, fd, args[2], 0, NULL, is_link});
    }
    case SYS_fchown: return change((struct wish){OWNER, copy_fd(tid, folder), args[1], args[2], NULL, 0});
    case SYS_fchownat:
      return change((struct wish){OWNER, open_named(tid, folder, args[1], !(args[4] & AT_SYMLINK_NOFOLLOW), (args[4] & AT_EMPTY_PATH) != 0),
                                  args[2], args[3], NULL, 0});
    case SYS_utimensat: {
      if (args[2] != 0 && copy_times(tid, args[2], 0, given = times) < 0) return -EFAULT;
      int is_link = (args[3] & AT_SYMLINK_NOFOLLOW) != 0;
      int fd = args[1] == 0 ? copy_fd(tid, folder) : open_named(tid, folder, args[1], !is_link, (args[3] & AT_EMPTY_PATH) != 0);
      return change((struct wish){TIMES, fd, 0, 0, given, is_link});
    }
#ifdef __x86_64__
    case SYS_chmod: return change((struct wish){MODE, open_named(tid, AT_FDCWD, args[0], 1, 0), args[1], 0, NULL, 0});
    case SYS_chown:
    case SYS_lchown:
      return change((struct wish){OWNER, open_named(tid, AT_FDCWD, args[0], call == SYS_chown, 0), args[1], args[2], NULL, 0});
    case SYS_utime: {
      int64_t seconds[2];
      if (args[1] != 0) {
        if (copy_in(tid, args[1], seconds, sizeof seconds) < 0) return -EFAULT;
        for (int i = 0; i < 2; i++) times[i] = (struct timespec){seconds[i], 0};
        given = times;
      }
      return change((struct wish){TIMES, open_named(tid, AT_FDCWD, args[0], 1, 0), 0, 0, given, 0});
    }
    case SYS_utimes:
      if (args[1] != 0 && copy_times(tid, args[1], 1, given = times) < 0) return -EFAULT;
      return change((struct wish){TIMES, open_named(tid, AT_FDCWD, args[0], 1, 0), 0, 0, given, 0});
    case SYS_futimesat:
      if (args[2] != 0 && copy_times(tid, args[2], 1, given = times) < 0) return -EFAULT;
      return change((struct wish){TIMES, open_named(tid, folder, args[1], 1, 0), 0, 0, given, 0});
#endif
  }
  return -ENOSYS;
}

/* Answers one call; what it names was copied while the caller waited, or the answer reaches nobody. */
static void answer_one(int listener) {
  struct seccomp_notif asked;
  struct seccomp_notif_resp answer;
  memset(&asked, 0, sizeof asked);
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) < 0) return;
  memset(&answer, 0, sizeof answer);
  answer.id = asked.id;
  uint64_t args[6];
  for (int i = 0; i < 6; i++) args[i] = asked.data.args[i];
  answer.error = ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &asked.id) < 0 ? -EPERM : do_call(asked.pid, asked.data.nr, args);
  ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

/* ---- the command's end -------------------------------------------------------------------------- */

static int children(int *pids, int most) {
  char path[64];
  int count = 0;
  snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
  FILE *file = fopen(path, "re");
  if (file == NULL) return 0;
  while (count < most && fscanf(file, "%d", &pids[count]) == 1) count++;
  fclose(file);
  return count;
}

enum { LINE = 100 };

/* How often processes that were left are looked at again, all in all, 5 ms each. */
static int looks = 40;

/* The words of a process, with spaces between them; nothing where it has none. */
static void words_of(int pid, char line[LINE + 1]) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = fd < 0 ? 0 : read(fd, line, LINE);
  if (fd >= 0) close(fd);
  for (ssize_t at = 0; at + 1 < length; at++) if (line[at] == 0) line[at] = ' ';
  line[length < 0 ? 0 : length] = 0;
}

/* What a process that was left is called. One that is just becoming another program has the words of
   the shell that began it, or none: it is looked at again. A part of the shell itself keeps them, and
   is called as the command is, without the limits that are set before it. */
static void name_left(int pid, char **command, char line[LINE + 1]) {
  char own[LINE + 1] = "";
  size_t length = 0;
  for (char **word = command; *word != NULL && length < LINE; word++)
    length += snprintf(own + length, sizeof own - length, "%s%s", word == command ? "" : " ", *word);
  for (;;) {
    words_of(pid, line);
    if (line[0] != 0 && strcmp(line, own) != 0) return;
    if (looks-- <= 0) break;
    nanosleep(&(struct timespec){0, 5000000}, NULL);
  }
  if (line[0] == 0) return;
  const char *text = command[0], *end;
  for (char **word = command; *word != NULL; word++) text = *word;
  while (strncmp(text, "ulimit ", 7) == 0 && (end = strstr(text, "; ")) != NULL) text = end + 2;
  snprintf(line, LINE + 1, "%s", text);
}

/* Those whose parent ended are this process's: each is named, and ended. */
static void end_rest(char **command) {
  int pids[256], told = 0;
  char line[LINE + 1];
  for (int count = children(pids, 256); count > 0; count = children(pids, 256)) {
    for (int i = 0; i < count; i++) {
      if (told < 20) {
        name_left(pids[i], command, line);
        if (line[0] != 0)
          fprintf(stderr, "%s%s", told++ == 0 ? "\n[With the command ended what it had left running: " : "; ", line);
      }
      kill(pids[i], SIGKILL);
    }
    for (int i = 0; i < count; i++) waitpid(pids[i], NULL, 0); /* Their own children come to this process then. */
  }
  if (told > 0) fprintf(stderr, ". In the sandbox only \"background\" keeps a command.]\n");
}

static volatile sig_atomic_t child_ended;
static void on_child(int signal) { (void)signal; child_ended = 1; }

static int supervise(int listener, int child, char **command) {
  struct { int fd; short events, revents; } watched = {listener, 1, 0};
  sigset_t none;
  sigemptyset(&none);
  for (;;) {
    int status;
    /* The signal is let through only while it waits, so that none is missed before. */
    int ready = syscall(SYS_ppoll, &watched, 1, NULL, &none, 8);
    if (ready > 0 && watched.revents & 1) answer_one(listener);
    if (!child_ended && ready >= 0 && !(watched.revents & ~1)) continue;
    child_ended = 0;
    for (int pid = waitpid(-1, &status, WNOHANG); pid > 0; pid = waitpid(-1, &status, WNOHANG)) {
      if (pid != child) continue;
      close(listener);
      end_rest(command);
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
  }
}

static int run(char **command) {
  int told[2], go[2];
  if (wants_namespaces) set_up_mounts();
  for (int i = 0; i < rule_count; i++) {
    int port = rules[i].kind == 'p' ? atoi(rules[i].value) : 0;
    if (port > 0 && port < 65536) keep_port(port);
  }
  if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0) fail("subreaper");
  if (pipe2(told, O_CLOEXEC) < 0 || pipe2(go, O_CLOEXEC) < 0) fail("pipe");
  sigset_t block, before;
  sigemptyset(&block), sigaddset(&block, SIGCHLD);
  sigprocmask(SIG_BLOCK, &block, &before);
  struct sigaction action = {.sa_handler = on_child};
  sigaction(SIGCHLD, &action, NULL);
  write_filter();
  pid_t parent = getpid(), child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != parent) exit(FAILED);
    sigprocmask(SIG_SETMASK, &before, NULL);
    apply_landlock();
    drop_rights();
    /* Changed rights clear both. */
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    struct sock_fprog program = {code_length, code};
    int listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    if (listener < 0) fail("seccomp");
    if (write(told[1], &listener, sizeof listener) != sizeof listener) fail("pipe");
    /* Exec closes it: not before the parent has it. */
    char taken;
    if (read(go[0], &taken, 1) != 1) exit(FAILED);
    execvp(command[0], command);
    fail(command[0]);
  }
  /* A cancelled command has time to clean up, and is watched until it ends. */
  signal(SIGTERM, SIG_IGN), signal(SIGINT, SIG_IGN), signal(SIGHUP, SIG_IGN);
  close(told[1]);
  int theirs, status;
  if (read(told[0], &theirs, sizeof theirs) != sizeof theirs) {
    waitpid(child, &status, 0);
    return FAILED;
  }
  int listener = copy_fd(child, theirs);
  if (listener < 0) {
    kill(child, SIGKILL);
    errno = -listener;
    fail("the command's calls cannot be supervised");
  }
  if (write(go[1], "", 1) != 1) fail("pipe");
  close(told[0]), close(go[0]), close(go[1]);
  return supervise(listener, child, command);
}

static int probe(void) {
  pid_t child = fork();
  int status = 0;
  if (child == 0) exit(enter_namespaces() == 0 && mount_read_only("/etc") == 0 ? 0 : 1);
  waitpid(child, &status, 0);
  printf("landlock %d\nnamespaces %d\nsource %s\n", landlock_abi(), child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0, SOURCE_HASH);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--probe") == 0) return probe();
  if (argc < 5 || strcmp(argv[1], "--run") != 0 || strcmp(argv[3], "--") != 0) {
    fprintf(stderr, "confine --probe | --run RULES -- PROGRAM ARGUMENT...\n");
    return FAILED;
  }
  read_rules(argv[2]);
  return run(argv + 4);
}
