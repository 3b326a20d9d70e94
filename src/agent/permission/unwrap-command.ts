import {
  baseName,
  type CommandReading,
  isLoaderVariable,
  NO_COMMAND,
  type ReadCommand,
  unreadable,
} from "./command-reading.ts";

/** How a program that runs another is taken off. */
interface Wrapper {
  /** Options that take a value as a word of its own. */
  readonly valued?: readonly string[];
  /** Words before the command that are no options: the seconds of `timeout`. */
  readonly operands?: number;
  /** Options that change what the command is, so that it cannot be told. */
  readonly opaque?: RegExp;
  /** The command inside does what it would do alone. */
  readonly isPlain?: boolean;
}

/** One line a program. */
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    valued: ["-u", "-g", "-C", "-h", "-p", "-r", "-t", "-T", "-U", "-D", "-R"],
    opaque: /^(-[A-Za-z]*[ise]|--(login|shell|edit))/,
  },
  doas: { valued: ["-u", "-C"], opaque: /^-[A-Za-z]*s/ },
  env: { valued: ["-u", "--unset", "-C", "--chdir"], opaque: /^(-S|--split-string)/ },
  xargs: { valued: ["-I", "-n", "-P", "-L", "-d", "-s", "-a", "-E"] },
  timeout: { valued: ["-s", "--signal", "-k", "--kill-after"], operands: 1, isPlain: true },
  nice: { valued: ["-n"], isPlain: true },
  ionice: { valued: ["-c", "-n", "-p"] },
  nohup: {},
  setsid: {},
  stdbuf: { valued: ["-i", "-o", "-e"] },
  time: { valued: ["-f", "-o"] },
  command: { opaque: /^-/, isPlain: true },
  builtin: { isPlain: true },
  exec: { valued: ["-a"] },
  chronic: {},
  flock: { operands: 1, valued: ["-w", "-E"], opaque: /^-c/ },
  watch: { valued: ["-n"] },
  busybox: {},
  npx: { opaque: /^(-c|--call)/, valued: ["-p", "--package"] },
};

const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash", "fish"]);
/** They run text that is put together at run time. */
const EVALUATORS = new Set([
  "eval",
  "source",
  ".",
  "trap",
  "alias",
  "enable",
  "hash",
  "parallel",
  "su",
  "chroot",
  "unshare",
  "nsenter",
  "script",
  "ssh-agent",
]);
/** Of `find`: what follows is a command up to `;` or `+`. */
const FIND_RUNS = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

/**
 * The commands that one command comes down to, once what only starts another is taken off. The
 * wrapper's own command stays in the list where it asks for more rights than the one inside.
 */
export function unwrapCommand(
  command: ReadCommand,
  readScript: (script: string) => CommandReading,
): CommandReading {
  const [program, ...rest] = command.words;
  if (program === undefined) return only(command);
  // It only names what would be run.
  if (program === "command" && /^-[vV]$/.test(rest[0] ?? "")) return only(command);
  if (EVALUATORS.has(program)) return unreadable(`${program} runs what it is given`);
  if (SHELLS.has(program)) return unwrapShell(command, rest, readScript);
  if (program === "find") return unwrapFind(command, rest, readScript);
  const wrapper = WRAPPERS[program];
  if (wrapper === undefined) return only(command);
  const inner = innerWords(rest, wrapper, program);
  if (typeof inner === "string") return unreadable(inner);
  if (inner.length === 0) return only(command);
  const named = inner[0] ?? "";
  if (/[$`*?]/.test(named)) return unreadable("the name of a program is made up at run time");
  // `npx tool` may fetch and run what is not installed: it stays what it is.
  if (program === "npx") return only(command);
  const words = [baseName(named), ...inner.slice(1)];
  const isStarted = command.isStarted || wrapper.isPlain !== true;
  const unwrapped = unwrapCommand({ ...command, words, isStarted }, readScript);
  if (unwrapped.kind === "unreadable" || !RAISES.has(program)) return unwrapped;
  const raising = { ...NO_COMMAND, words: [program] };
  return { kind: "commands", commands: [raising, ...unwrapped.commands] };
}

/** With these the command inside may do more than the user. */
const RAISES = new Set(["sudo", "doas"]);

function innerWords(words: readonly string[], wrapper: Wrapper, program: string) {
  const { valued = [], operands = 0, opaque } = wrapper;
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
    if (opaque?.test(word)) return `${program} ${word} runs what cannot be told`;
    if (valued.includes(word)) index += 1;
  }
  return words.slice(index + operands);
}

/** `sh -c text` is the text; a script file is a program of its own. */
function unwrapShell(
  command: ReadCommand,
  words: readonly string[],
  readScript: (script: string) => CommandReading,
): CommandReading {
  const flag = words.findIndex((word) => /^-[a-zA-Z]*c$/.test(word));
  const before = flag === -1 ? words : words.slice(0, flag);
  if (before.some((word) => /^(--rcfile|--init-file|-[a-zA-Z]*[is])/.test(word))) {
    return unreadable("the shell reads what it runs from elsewhere");
  }
  if (flag === -1) {
    const script = words.find((word) => !word.startsWith("-"));
    if (script === undefined) return unreadable("a shell runs what it is sent");
    const named = [script, ...words.slice(words.indexOf(script) + 1)];
    return only({ ...command, words: named, isStarted: true });
  }
  const script = words[flag + 1];
  if (script === undefined) return unreadable("there is nothing after -c");
  const inner = readScript(script);
  return inner.kind === "unreadable" ? inner : withFiles(inner.commands, command);
}

function withFiles(commands: readonly ReadCommand[], command: ReadCommand): CommandReading {
  return { kind: "commands", commands: [{ ...command, words: [] }, ...commands] };
}

function unwrapFind(
  command: ReadCommand,
  given: readonly string[],
  readScript: (script: string) => CommandReading,
): CommandReading {
  const commands: ReadCommand[] = [command];
  for (let index = 0; index < given.length; index += 1) {
    if (!FIND_RUNS.has(given[index] ?? "")) continue;
    const end = given.findIndex((word, at) => at > index && (word === ";" || word === "+"));
    const inner = given.slice(index + 1, end === -1 ? undefined : end);
    if (inner.length === 0) return unreadable("find runs nothing");
    const words = [baseName(inner[0] ?? ""), ...inner.slice(1)];
    const named = { ...NO_COMMAND, words, unknown: command.unknown, isStarted: true };
    const unwrapped = unwrapCommand(named, readScript);
    if (unwrapped.kind === "unreadable") return unwrapped;
    commands.push(...unwrapped.commands);
  }
  return { kind: "commands", commands };
}

function only(command: ReadCommand): CommandReading {
  return { kind: "commands", commands: [command] };
}
