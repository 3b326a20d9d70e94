import {
  baseName,
  type CommandReading,
  isLoaderVariable,
  NO_COMMAND,
  type ReadCommand,
  unreadable,
} from "./command-reading.ts";
import { operandWords } from "./command-risks.ts";

interface Wrapper {
  readonly valued?: readonly string[];
  /** Long options without a value; after any other the start of the command is unknown. */
  readonly long?: readonly string[];
  /** Operands before the command, such as the seconds of `timeout`. */
  readonly operands?: number;
  /** Options that change the command in an unknown way. */
  readonly opaque?: RegExp;
  /** The inner command has the same effect as on its own. */
  readonly isPlain?: boolean;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
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
  nohup: {},
  time: {
    valued: ["-f", "-o", "--format", "--output"],
    long: ["--append", "--portability", "--quiet", "--verbose"],
  },
  command: { opaque: /^-/, isPlain: true },
  builtin: { isPlain: true },
  exec: { valued: ["-a"] },
  npx: { opaque: /^(-c|--call)/, valued: ["-p", "--package"] },
};

const SHELLS = new Set(["sh", "bash", "dash", "ksh", "ash"]);
/**
 * They run what they are given, as words or as text, possibly in an unsupported grammar. Each word is
 * judged as a program with the words after it.
 */
const STARTER_PROGRAMS = new Set(
  (
    "eval source . trap alias enable hash zsh fish csh tcsh nu pwsh strace ltrace setpriv runuser " +
    "systemd-run prlimit parallel su chroot unshare nsenter script ssh-agent ionice setsid stdbuf " +
    "chronic flock watch busybox taskset chrt setarch unbuffer fakeroot caffeinate faketime " +
    "xvfb-run dbus-run-session"
  ).split(" "),
);
const MAX_JUDGED_WORDS = 20;

/** Followed by a command up to `;` or `+`. */
const FIND_RUN_ACTIONS = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

/**
 * Returns the commands that a wrapped command starts. The wrapper stays in the list if it asks for
 * more rights than its command.
 */
export function unwrapCommand(
  command: ReadCommand,
  readScript: (script: string) => CommandReading,
  isInStarter = false,
): CommandReading {
  const [program, ...rest] = command.words;
  if (program === undefined) return singleCommand(command);
  if (program === "command" && /^-[vV]$/.test(rest[0] ?? "")) return singleCommand(command);
  if (STARTER_PROGRAMS.has(program)) {
    // The outer one judges the words of an inner one, too.
    const started = isInStarter ? [] : startedPrograms(command, readScript);
    return unreadable(`${program} runs a program named in its arguments`, started);
  }
  if (SHELLS.has(program)) return unwrapShell(command, rest, readScript);
  if (program === "git" && runsOperands(rest))
    return unreadable("git runs a program named in its arguments");
  if (program === "find")
    return unwrapFind(command, rest, (inner) => unwrapCommand(inner, readScript, isInStarter));
  const wrapper = WRAPPERS[program];
  if (wrapper === undefined) return singleCommand(command);
  const inner = innerWords(rest, wrapper, program);
  if (typeof inner === "string") return unreadable(inner);
  if (inner.length === 0) {
    const hasArguments = command.isStarted && program !== "xargs";
    return hasArguments
      ? unreadable(`${program} reads its command from elsewhere`)
      : singleCommand(command);
  }
  if (program === "xargs") {
    const problem = fillPlaceholders(rest, inner);
    if (problem !== undefined) return unreadable(problem);
  }
  const named = inner[0] ?? "";
  if (/[$`*?]/.test(named)) return unreadable("the name of a program is only known at run time");
  // `npx tool` may fetch and run a package, so it is not unwrapped.
  if (program === "npx") return singleCommand(command);
  const words = [baseName(named), ...inner.slice(1)];
  const isStarted = command.isStarted || wrapper.isPlain !== true;
  const unwrapped = unwrapCommand({ ...command, words, isStarted }, readScript, isInStarter);
  if (!PRIVILEGE_PROGRAMS.has(program)) return unwrapped;
  const raising = { ...NO_COMMAND, words: [program] };
  return { ...unwrapped, commands: [raising, ...unwrapped.commands] };
}

function startedPrograms(
  command: ReadCommand,
  readScript: (script: string) => CommandReading,
): readonly ReadCommand[] {
  const [program, ...words] = command.words;
  const whole = program === "eval" ? readScript(words.join(" ")).commands : [];
  const named = words.flatMap((word, at) => (word.startsWith("-") ? [] : [{ word, at }]));
  const parts = named.slice(0, MAX_JUDGED_WORDS).flatMap(({ word, at }) => {
    if (/\s/.test(word)) return readScript(word).commands;
    const started = { ...command, words: [baseName(word), ...words.slice(at + 1)] };
    return unwrapCommand({ ...started, isStarted: true }, readScript, true).commands;
  });
  return [...whole, ...parts];
}

const PRIVILEGE_PROGRAMS = new Set(["sudo", "doas"]);

function innerWords(words: readonly string[], wrapper: Wrapper, program: string) {
  const { valued = [], long = [], operands = 0, opaque } = wrapper;
  let index = 0;
  for (; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word === "--") {
      index += 1;
      break;
    }
    const assigned = /^([A-Za-z_][A-Za-z0-9_]*)=/.exec(word)?.[1];
    if (assigned !== undefined && (program === "env" || program === "sudo")) {
      if (isLoaderVariable(assigned)) return "it changes which programs are found or loaded";
      continue;
    }
    if (!word.startsWith("-") || word === "-") break;
    if (opaque?.test(word)) return `${program} ${word} runs a command that cannot be determined`;
    if (valued.includes(word)) index += 1;
    else if (/^--[^=]+$/.test(word) && !long.includes(word) && program !== "npx") {
      return `what ${program} runs after ${word} cannot be determined`;
    }
  }
  return words.slice(index + operands);
}

/** True at a position where a program is named: at the start, or after a separator. */
function beginsCommand(text: string, marker: string): boolean {
  return text
    .split(marker)
    .slice(0, -1)
    .some((_before, at, parts) => {
      const before = parts
        .slice(0, at + 1)
        .join(marker)
        .trimEnd();
      return before === "" || /[;&|({`\n]$/.test(before);
    });
}

function runsOperands(words: readonly string[]): boolean {
  return GIT_RUN_OPTIONS.some(
    ([sub, pattern]) => words.includes(sub) && words.some((word) => pattern.test(word)),
  );
}

/** A subcommand of git, and the word before the command that it runs. */
const GIT_RUN_OPTIONS: readonly (readonly [string, RegExp])[] = [
  ["rebase", /^(-[a-z]*x|--exec)/],
  ["submodule", /^foreach$/],
  ["bisect", /^run$/],
  ["for-each-repo", /./],
];

/** True if `xargs` inserts its input as a program or its text. */
function fillPlaceholders(words: readonly string[], inner: readonly string[]): string | undefined {
  const options = words.slice(0, words.length - inner.length);
  const marks = options.flatMap((word, at) => {
    if (word === "-I") return [options[at + 1] ?? "{}"];
    const attached = /^(?:-[Ii]|--replace=)(.+)$/.exec(word)?.[1];
    return [attached ?? "{}"];
  });
  const isShell = inner.some((word) => SHELLS.has(baseName(word)));
  const named = isShell ? inner : inner.slice(0, 1);
  const isFilled = ["{}", ...marks].some((marker) =>
    named.some((text) => beginsCommand(text, marker)),
  );
  // The input may name the action: `echo push | xargs git`.
  const isBare = inner.length === 1 && operandWords([...inner, ""]).length > 1;
  return isFilled || isBare ? "xargs reads its command from elsewhere" : undefined;
}

/** `sh -c text` is parsed as text; a script file is a program of its own. */
function unwrapShell(
  command: ReadCommand,
  words: readonly string[],
  readScript: (script: string) => CommandReading,
): CommandReading {
  const flag = words.findIndex((word) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(word));
  const before = flag === -1 ? words : words.slice(0, flag + 1);
  if (before.some((word) => /^(--rcfile|--init-file|-[a-zA-Z]*[is])/.test(word))) {
    return unreadable("the shell reads its command from elsewhere");
  }
  if (flag === -1) {
    const script = words.find((word) => !word.startsWith("-"));
    if (script === undefined) return unreadable("a shell runs its input");
    const named = [script, ...words.slice(words.indexOf(script) + 1)];
    return singleCommand({ ...command, words: named, isStarted: true });
  }
  // Options may follow; the text is the first operand.
  const rest = words.slice(flag + 1);
  const at = rest.findIndex((word) => !/^[-+]/.test(word));
  const options = at === -1 ? rest : rest.slice(0, at);
  if (options.some((word) => /^[-+][a-zA-Z]*[oO]/.test(word))) {
    return unreadable(
      "the options of the shell cannot be distinguished from the command that it runs",
    );
  }
  const script = rest[at];
  if (script === undefined) return unreadable("-c has no command");
  const inner = readScript(script);
  return { ...inner, commands: [{ ...command, words: [] }, ...inner.commands] };
}

function unwrapFind(
  command: ReadCommand,
  args: readonly string[],
  unwrap: (command: ReadCommand) => CommandReading,
): CommandReading {
  const commands: ReadCommand[] = [command];
  for (let index = 0; index < args.length; index += 1) {
    if (!FIND_RUN_ACTIONS.has(args[index] ?? "")) continue;
    const end = args.findIndex((word, at) => at > index && (word === ";" || word === "+"));
    const inner = args.slice(index + 1, end === -1 ? undefined : end);
    if (inner.length === 0) return unreadable("find has no command to run");
    const words = [baseName(inner[0] ?? ""), ...inner.slice(1)];
    const named = { ...NO_COMMAND, words, unknown: command.unknown, isStarted: true };
    const unwrapped = unwrap(named);
    commands.push(...unwrapped.commands);
    if (unwrapped.kind === "unreadable") return unreadable(unwrapped.reason, commands);
  }
  return { kind: "commands", commands };
}

function singleCommand(command: ReadCommand): CommandReading {
  return { kind: "commands", commands: [command] };
}
