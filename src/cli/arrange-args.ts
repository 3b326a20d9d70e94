import { invalidInput } from "../shared/errors.ts";
import { nearestName } from "../shared/nearest.ts";
import type { CommandSummary } from "./cli-command.ts";
import { GLOBAL_OPTIONS } from "./global-options.ts";

/**
 * Command names before 0.2.0, accepted for one version. A word list is the current name, which then
 * runs; a string states what replaces a removed command.
 */
const OLD_NAMES: Readonly<Record<string, readonly string[] | string>> = {
  episodes: ["list", "episodes"],
  concepts: ["list", "concepts"],
  entities: ["list", "entities"],
  topics: ["list", "topics"],
  labels: ["list", "labels"],
  deleted: ["list", "deleted"],
  sources: ["list", "sources"],
  recalls: ["list", "recalls"],
  mistakes: ["list", "mistakes"],
  conflicts: ["list", "conflicts"],
  proposals: ["list", "proposals"],
  inbox: ["list", "proposals"],
  imported: ["list", "imported"],
  items: ["list", "items"],
  "episode-types": ["list", "types"],
  "pending-batches": ["list", "pending"],
  databases: ["list", "databases"],
  fact: ["show"],
  "concept-show": ["show"],
  "cluster-timeline": ["show"],
  source: ["show"],
  passage: ["show"],
  history: ["log"],
  changes: ["log"],
  graph: "cairn show <id>, or Memory: Graph on the page (cairn ui)",
  "graph-neighbourhood": "cairn show <id>, or GET /graph/neighbourhood over REST",
  "concept-graph": "GET /graph over REST",
  "update-episode": ["episode", "update"],
  "update-concept": ["concept", "update"],
  link: ["concept", "link"],
  unlink: ["concept", "unlink"],
  evidence: ["concept", "evidence"],
  reshape: ["concept", "reshape"],
  merge: ["concept", "merge"],
  split: ["concept", "split"],
  "topic-create": ["topic", "create"],
  "topic-update": ["topic", "update"],
  "topic-delete": ["topic", "delete"],
  "set-topic": ["topic", "set"],
  "entity-relation": ["entity", "relate"],
  migrate: ["db", "migrate"],
  open: ["ui"],
  "entity-episodes": "cairn list episodes --entity <type:name>",
  "entity-concepts": "cairn list concepts --entity <type:name>",
  "entity-facts": "cairn list facts --entity <type:name>",
  "entity-graph": "cairn show <type:name>",
  inspect: "cairn list concepts, cairn list episodes --since <date>, or cairn show <id>",
  suggest: "shell completion (cairn completion), or GET /suggest over REST",
  timeline: "cairn stats, or GET /timeline over REST",
  "change-matching":
    "cairn list episodes <filters> --format '{id}' piped to cairn label, delete or processed",
  pair: "a token of scope `approve` (cairn token create) and the page (cairn ui)",
  digest: "cairn list proposals and cairn list conflicts",
  recap: "cairn log --since yesterday",
  "recall-use": "cairn list recalls",
  contradictions: "cairn list conflicts",
  "close-replaced": "cairn supersede <old> <new>",
  tidy: "cairn concept merge",
  copy: "cairn worktree list|show|merge|discard",
  erase: "cairn purge --by <author> or cairn purge --entity <type:name>",
  retain: "the setting `retention`, for example 90d",
  "file-passages": "cairn why <file>:<line>, or cairn recall <file>",
};

interface CurrentName {
  readonly words: readonly string[];
  readonly notice: string;
}

/**
 * Replaces an outdated command name. Undefined if the name is current. Throws invalid_input with
 * the replacement of a removed command.
 */
function currentName([word = "", ...rest]: readonly string[]): CurrentName | undefined {
  const now = Object.hasOwn(OLD_NAMES, word) ? OLD_NAMES[word] : undefined;
  if (now === undefined) return undefined;
  if (typeof now === "string") {
    throw invalidInput(`\`cairn ${word}\` was removed in 0.2.0. Use instead: ${now}`);
  }
  const name = now.join(" ");
  return {
    words: [...now, ...rest],
    notice: `\`cairn ${word}\` is now \`cairn ${name}\`; the old name will be removed in the next version.`,
  };
}

const AGENT_OPTIONS: ReadonlyMap<string, "yes" | "no" | "maybe"> = new Map([
  ["--provider", "yes"],
  ["--model", "yes"],
  ["--permission", "yes"],
  ["--resume", "maybe"],
  ["--continue", "no"],
  ["--print", "no"],
  ["-p", "no"],
  ["--output-format", "yes"],
  ["--allowed-tools", "yes"],
]);

/** With one of these flags, all words are a message for the agent. */
const PRINT_FLAGS: readonly string[] = ["-p", "--print"];

const HELP_FLAGS: readonly string[] = ["--help", "-h"];

const VIEWS: Readonly<Record<string, readonly string[]>> = {
  facts: ["items", "--kinds", "fact"],
  decisions: ["episodes", "--type", "decision"],
  preferences: ["episodes", "--type", "preference"],
  outcomes: ["episodes", "--type", "outcome"],
  questions: ["episodes", "--type", "question"],
};
export const VIEW_NOUNS: readonly string[] = Object.keys(VIEWS);

export interface ArrangedArgs {
  readonly args: readonly string[];
  readonly name?: string;
  readonly notice?: string;
}

/**
 * Moves the command before its options. Global options may precede the command, `help x` becomes `x
 * --help`, and a single quoted argument is a message for the agent. Throws invalid_input for an
 * unknown command.
 */
export function arrangeArgs(
  args: readonly string[],
  commands: readonly CommandSummary[],
): ArrangedArgs {
  const { globals, others, rest } = splitLeading(args, commands);
  const [word] = rest;
  if (word === undefined) return { args };
  if (others.some((flag) => PRINT_FLAGS.includes(flag))) {
    return { args: ["agent", ...args], name: "agent" };
  }
  if (word === "help") return { args: arrangeHelp(rest.slice(1), commands) };
  if (word === "version" && others.length === 0) return { args: ["--version"] };
  if (isMessageArgument(word, rest)) return { args };
  const renamed = isCurrent(rest, commands) ? undefined : currentName(rest);
  const [name, words] = readName(renamed?.words ?? rest, commands);
  if (others.length > 0) {
    throw invalidInput(
      `${others[0]} is an agent option, but "${word}" is a command. Remove the option to run \`cairn ${word} …\`; to send a message that begins with this word, use \`cairn agent ${others.join(" ")} "…"\`.`,
    );
  }
  return {
    args: [...name.split(" "), ...globals, ...words],
    name,
    ...(renamed !== undefined && { notice: renamed.notice }),
  };
}

function isMessageArgument(word: string, rest: readonly string[]): boolean {
  return word === "" || word.startsWith("/") || (rest.length === 1 && /\s/.test(word));
}

function isCurrent(
  [word = "", second = ""]: readonly string[],
  commands: readonly CommandSummary[],
) {
  return (
    LIST_WORDS.includes(word) ||
    commands.some((one) => one.name === `${word} ${second}`) ||
    commands.some((one) => one.name === word || one.aliases?.includes(word) === true)
  );
}

const LIST_WORDS: readonly string[] = ["list", "ls"];

function readName(
  [word = "", ...words]: readonly string[],
  commands: readonly CommandSummary[],
): readonly [string, readonly string[]] {
  if (LIST_WORDS.includes(word)) return readList(words, commands);
  const [second = "", ...additional] = words;
  const verbs = listVerbs(word, commands);
  if (verbs.includes(second)) return [`${word} ${second}`, additional];
  if (isCommand(word, commands)) return [word, words];
  if (verbs.length === 0) throw unknownCommand([word, ...words], commands);
  if (second === "" || HELP_FLAGS.includes(second)) return [word, ["--help"]];
  const nearest = nearestName(second, verbs);
  const hint = nearest === undefined ? "" : ` Did you mean "${word} ${nearest}"?`;
  throw invalidInput(
    `There is no command "${word} ${second}".${hint} \`cairn ${word}\` has ${verbs.join(", ")}; \`cairn show <id>\` shows one.`,
  );
}

function readList(
  words: readonly string[],
  commands: readonly CommandSummary[],
): readonly [string, readonly string[]] {
  const { globals, rest, others } = splitLeading(words, commands);
  const [noun, ...additional] = rest;
  if (others.length > 0 || noun === undefined || noun.startsWith("-")) {
    return words.some((one) => HELP_FLAGS.includes(one))
      ? ["list", ["--help"]]
      : ["list episodes", words];
  }
  if (noun === "sessions" || noun === "session") return ["sessions", [...globals, ...additional]];
  const nouns = [...listVerbs("list", commands), ...VIEW_NOUNS];
  const found = nouns.find((one) => one === noun || one === `${noun}s`);
  if (found === undefined) {
    const nearest = nearestName(noun, nouns);
    const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
    throw invalidInput(`noun: cairn list has no "${noun}".${hint} It lists ${nouns.join(", ")}.`);
  }
  const [of = found, ...filters] = VIEWS[found] ?? [];
  return [`list ${of}`, [...filters, ...globals, ...additional]];
}

function listVerbs(word: string, commands: readonly CommandSummary[]): readonly string[] {
  const lead = `${word} `;
  return commands.flatMap(({ name }) => (name.startsWith(lead) ? [name.slice(lead.length)] : []));
}

function arrangeHelp(
  words: readonly string[],
  commands: readonly CommandSummary[],
): readonly string[] {
  const named = words.filter((one) => !one.startsWith("-"));
  const [word, second] = named;
  if (word === undefined) return words.includes("--all") ? ["--help", "--all"] : ["--help"];
  if (word === "help") return ["--help"];
  if (LIST_WORDS.includes(word) && second === undefined) return ["list", "--help"];
  const renamed = isCurrent(named, commands) ? undefined : currentName(named);
  const [name] = readName(renamed?.words ?? named, commands);
  return [...name.split(" "), "--help"];
}

interface Leading {
  readonly globals: readonly string[];
  readonly others: readonly string[];
  readonly rest: readonly string[];
}

function splitLeading(args: readonly string[], commands: readonly CommandSummary[]): Leading {
  const globals: string[] = [];
  const others: string[] = [];
  let at = 0;
  while (at < args.length) {
    const arg = args[at] ?? "";
    if (!arg.startsWith("-") || arg === "-") break;
    // Everything after `--` is text; help and version need no command.
    if (arg === "--" || HELP_FLAGS.includes(arg) || arg === "--version" || arg === "-V") {
      return { globals, others, rest: [] };
    }
    const [name = ""] = arg.split("=", 1);
    const global = GLOBAL_OPTIONS.find(({ names }) => names.includes(name));
    const value = takesValue(name, global);
    const next = args[at + 1];
    const hasValue =
      !arg.includes("=") &&
      next !== undefined &&
      (value === "yes" ||
        (value === "maybe" && !next.startsWith("-") && !startsWithCommand(next, commands)));
    const words = args.slice(at, at + (hasValue ? 2 : 1));
    (global === undefined ? others : globals).push(...words);
    at += words.length;
  }
  return { globals, others, rest: args.slice(at) };
}

function takesValue(
  name: string,
  global: (typeof GLOBAL_OPTIONS)[number] | undefined,
): "yes" | "no" | "maybe" {
  if (global !== undefined) return global.takesValue ? "yes" : "no";
  return AGENT_OPTIONS.get(name) ?? "no";
}

function startsWithCommand(word: string, commands: readonly CommandSummary[]): boolean {
  return (
    LIST_WORDS.includes(word) || isCommand(word, commands) || listVerbs(word, commands).length > 0
  );
}

function isCommand(word: string, commands: readonly CommandSummary[]): boolean {
  return commands.some(({ name, aliases = [] }) => name === word || aliases.includes(word));
}

function unknownCommand(rest: readonly string[], commands: readonly CommandSummary[]): Error {
  const [word = ""] = rest;
  const names = commands.flatMap(({ name, aliases = [], hidden }) =>
    hidden === true ? [] : [name, ...aliases],
  );
  const [first = "", ...additional] = word.split(/[-_]/);
  const split = [first, ...additional].join(" ");
  const known = names.includes(split) || names.includes(first) ? split : undefined;
  const nearest = known ?? nearestName(word, names);
  const hint = nearest === undefined ? "`cairn --help` lists them." : `Did you mean "${nearest}"?`;
  return invalidInput(
    `There is no command "${word}". ${hint} To send a message to the agent: cairn -p "${rest.join(" ")}".`,
  );
}
