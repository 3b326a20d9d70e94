export interface Wrapper {
  /** Options that take a value as a word of its own. */
  readonly valued?: readonly string[];
  /** Long options without a value; of another one it cannot be told where the command begins. */
  readonly long?: readonly string[];
  /** Words before the command that are no options: the seconds of `timeout`. */
  readonly operands?: number;
  /** Options that change what the command is, so that it cannot be told. */
  readonly opaque?: RegExp;
  /** The command inside does what it would do alone. */
  readonly isPlain?: boolean;
}

/** One line a program. */
export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    valued: [
      ...["-u", "-g", "-C", "-h", "-p", "-r", "-t", "-T", "-U", "-D", "-R"],
      ...["--user", "--group", "--host", "--prompt", "--chdir", "--chroot", "--close-from"],
    ],
    long: ["--non-interactive", "--preserve-env", "--stdin", "--background", "--set-home"],
    opaque: /^(-[A-Za-z]*[ise]|--(login|shell|edit))/,
  },
  doas: { valued: ["-u", "-C"], opaque: /^-[A-Za-z]*s/ },
  env: {
    valued: ["-u", "--unset", "-C", "--chdir"],
    long: ["--ignore-environment", "--null", "--debug"],
    opaque: /^(-[A-Za-z0]*S|--split-string)/,
  },
  xargs: {
    valued: [
      ...["-I", "-n", "-P", "-L", "-d", "-s", "-a", "-E"],
      ...["--max-args", "--max-procs", "--max-chars", "--delimiter", "--arg-file"],
    ],
    long: [
      "--null",
      "--no-run-if-empty",
      "--verbose",
      "--exit",
      "--open-tty",
      "--replace",
      "--eof",
    ],
  },
  timeout: {
    valued: ["-s", "--signal", "-k", "--kill-after"],
    long: ["--foreground", "--preserve-status", "--verbose"],
    operands: 1,
    isPlain: true,
  },
  nice: { valued: ["-n", "--adjustment"], isPlain: true },
  ionice: { valued: ["-c", "-n", "-p", "--class", "--classdata", "--pid"], long: ["--ignore"] },
  nohup: {},
  setsid: { long: ["--ctty", "--fork", "--wait"] },
  stdbuf: { valued: ["-i", "-o", "-e", "--input", "--output", "--error"] },
  time: {
    valued: ["-f", "-o", "--format", "--output"],
    long: ["--append", "--portability", "--quiet", "--verbose"],
  },
  command: { opaque: /^-/, isPlain: true },
  builtin: { isPlain: true },
  exec: { valued: ["-a"] },
  chronic: {},
  flock: {
    operands: 1,
    valued: ["-w", "-E", "--timeout", "--wait", "--conflict-exit-code"],
    long: ["--shared", "--exclusive", "--nonblock", "--nb", "--close", "--no-fork", "--verbose"],
    opaque: /^(-[A-Za-z]*c|--command)/,
  },
  watch: {
    valued: ["-n", "--interval"],
    long: ["--differences", "--errexit", "--chgexit", "--no-title", "--color", "--exec"],
  },
  busybox: {},
  taskset: { operands: 1, long: ["--all-tasks", "--cpu-list"] },
  chrt: { operands: 1, valued: ["-T", "-P", "-D"] },
  setarch: { operands: 1 },
  unbuffer: {},
  fakeroot: {},
  caffeinate: { valued: ["-t", "-w"] },
  faketime: { operands: 1 },
  "xvfb-run": { valued: ["-n", "-s", "-e", "-f", "-p", "-w"], long: ["--auto-servernum"] },
  "dbus-run-session": {},
  npx: { opaque: /^(-c|--call)/, valued: ["-p", "--package"] },
};
