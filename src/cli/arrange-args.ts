import { invalidInput } from "../shared/errors.ts";
import { isSlipOf, nearestName } from "../shared/nearest.ts";
import type { CommandSummary } from "./cli-command.ts";
import { FILTER_OPTIONS } from "./filter-options.ts";
import { GLOBAL_OPTIONS } from "./global-options.ts";

/** Options of the agent, which runs if no command is named, and whether they take a value. */
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

/** Words that can precede a noun, as in `list episodes`. */
const LIST_WORDS: readonly string[] = ["list", "ls"];
const HELP_FLAGS: readonly string[] = ["--help", "-h"];
const NOUN_OF_LS = "episodes";

/** Kinds of `items` by the nouns of `list`; with one of its filters `list` is that command. */
const FILTERED: Readonly<Record<string, string | undefined>> = {
  episodes: "episode",
  facts: "fact",
  concepts: "concept",
  entities: "entity",
};
const FILTERS: readonly string[] = [
  ...FILTER_OPTIONS.filter(({ ofNouns }) => !ofNouns).flatMap(({ flags }) => flags),
  "--sort",
  "--count",
];

const isFilter = (word: string): boolean => FILTERS.includes(word.split("=", 1)[0] ?? "");

/**
 * What was written, with the command in front. Global options may come before it; `help x` is
 * `x --help` and `list episodes` the command that lists them. Words that are no command are a
 * message for the agent; one word that is nearly a command is refused. Throws invalid_input.
 */
export function arrangeArgs(
  args: readonly string[],
  commands: readonly CommandSummary[],
): readonly string[] {
  const { globals, others, rest } = splitLeading(args, commands);
  const [word, ...words] = rest;
  if (word === undefined) return args;
  if (others.some((flag) => PRINT_FLAGS.includes(flag))) return ["agent", ...args];
  if (word === "help") return arrangeHelp(words, commands);
  if (word === "version" && others.length === 0) return ["--version"];
  if (!isCommand(word, commands)) {
    refuseUnknown(word, rest, commands);
    return args;
  }
  if (others.length > 0) {
    throw invalidInput(
      `${others[0]} is an option of the agent, and "${word}" is a command. Write \`cairn ${word} …\` without it; a message that begins so goes to \`cairn agent ${others.join(" ")} "…"\`.`,
    );
  }
  return [...commandWords(word, words, commands, globals)];
}

function commandWords(
  word: string,
  words: readonly string[],
  commands: readonly CommandSummary[],
  globals: readonly string[],
): readonly string[] {
  if (!LIST_WORDS.includes(word)) return [word, ...globals, ...words];
  const { globals: more, rest, others } = splitLeading(words, commands);
  const [noun, ...further] = rest;
  const isNamed = others.length === 0 && noun !== undefined && !noun.startsWith("-");
  const kind = FILTERED[isNamed ? noun : NOUN_OF_LS];
  if (kind !== undefined && words.some(isFilter)) {
    const given = isNamed ? [...more, ...further] : words;
    return ["items", "--kinds", kind, ...globals, ...given];
  }
  if (isNamed) {
    return [commandOfNoun(noun, commands), ...globals, ...more, ...further];
  }
  if (words.some((one) => HELP_FLAGS.includes(one))) return ["list", "--help"];
  return [commandOfNoun(NOUN_OF_LS, commands), ...globals, ...words];
}

function commandOfNoun(noun: string, commands: readonly CommandSummary[]): string {
  const known = commands.filter((command) => command.noun !== undefined);
  const found = known.find((one) => one.noun === noun || one.noun === `${noun}s`);
  if (found !== undefined) return found.name;
  const nouns = known.map((one) => one.noun ?? "");
  const near = nearestName(noun, nouns);
  throw invalidInput(
    `noun: cairn list knows no "${noun}".${near === undefined ? "" : ` Did you mean "${near}"?`} It lists ${nouns.join(", ")}.`,
  );
}

function arrangeHelp(
  words: readonly string[],
  commands: readonly CommandSummary[],
): readonly string[] {
  const [word, ...further] = words.filter((one) => !one.startsWith("-"));
  if (word === undefined) return words.includes("--all") ? ["--help", "--all"] : ["--help"];
  if (word === "help") return ["--help"];
  if (!isCommand(word, commands)) throw unknownCommand(word, commands);
  if (LIST_WORDS.includes(word) && further[0] !== undefined) {
    return [commandOfNoun(further[0], commands), "--help"];
  }
  return [LIST_WORDS.includes(word) ? "list" : word, "--help"];
}

interface Leading {
  readonly globals: readonly string[];
  /** Options of the agent, and unknown ones. */
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
    // Everything after `--` is text, and help and version need no command.
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
        (value === "maybe" && !next.startsWith("-") && !isCommand(next, commands)));
    const taken = args.slice(at, at + (hasValue ? 2 : 1));
    (global === undefined ? others : globals).push(...taken);
    at += taken.length;
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

function isCommand(word: string, commands: readonly CommandSummary[]): boolean {
  return commands.some(({ name, aliases = [] }) => name === word || aliases.includes(word));
}

function refuseUnknown(
  word: string,
  rest: readonly string[],
  commands: readonly CommandSummary[],
): void {
  // One-shot mode takes the agent's own commands too: cairn /help
  if (word === "" || /\s/.test(word) || word.startsWith("/")) return;
  const names = commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  // Nobody asks an agent with one word of several parts: it is the name of a tool, or of another program's command.
  const isCompound = rest.length === 1 && COMPOUND.test(word);
  if (isCompound || isSlipOf(word, names)) throw unknownCommand(word, commands, rest);
}

const COMPOUND = /^[a-z]+([-_][a-z]+)+$/;

function unknownCommand(
  word: string,
  commands: readonly CommandSummary[],
  rest: readonly string[] = [],
): Error {
  const names = commands.flatMap(({ name, aliases = [], hidden }) =>
    hidden === true ? [] : [name, ...aliases],
  );
  const [first = "", ...further] = word.split(/[-_]/);
  const parted = names.includes(first) ? [first, ...further].join(" ") : undefined;
  const near = parted ?? nearestName(word, names);
  const hint = near === undefined ? "`cairn --help` lists them." : `Did you mean "${near}"?`;
  const message =
    rest.length === 0
      ? ""
      : ` A message for the agent that begins so: cairn -p "${rest.join(" ")}".`;
  return invalidInput(`There is no command "${word}". ${hint}${message}`);
}
