import { parse } from "unbash";
import { messageOf } from "../../kernel/errors.ts";
import { isPlainObject } from "../../kernel/json.ts";
import {
  baseName,
  type CommandReading,
  isLoaderVariable,
  type ReadCommand,
  unreadable,
} from "./command-reading.ts";
import { unwrapCommand } from "./unwrap-command.ts";

const MAX_LENGTH = 20_000;
const MAX_DEPTH = 400;
const WRITING = new Set([">", ">>", ">|", "&>", "&>>", "<>", ">&"]);
/** Inside of words, these are replaced when the command runs, by what nobody knows before. */
const EXPANSIONS = new Set([
  "SimpleExpansion",
  "ParameterExpansion",
  "CommandExpansion",
  "ArithmeticExpansion",
  "ProcessSubstitution",
  "LocaleString",
]);

/**
 * All programs that a command line would start, wherever they stand: in lists, pipes, subshells,
 * functions, substitutions, here-documents, and behind `sudo`, `env`, `xargs`, `sh -c` and the like.
 * What the grammar does not take, and a program whose name is made up at run time, is unreadable.
 */
export function readCommand(text: string, depth = 0): CommandReading {
  if (text.length > MAX_LENGTH) return unreadable("it is very long");
  if (depth > 4) return unreadable("it starts shells in shells");
  let tree: unknown;
  try {
    // As JSON, because the parts of words are computed on access and absent otherwise.
    tree = JSON.parse(JSON.stringify(parse(text)));
  } catch (error) {
    return unreadable(messageOf(error));
  }
  const commands: ReadCommand[] = [];
  const problem = visit(tree, commands, 0);
  if (problem !== undefined) return unreadable(problem);
  const found: ReadCommand[] = [];
  for (const command of commands) {
    const unwrapped = unwrapCommand(command, (script) => readCommand(script, depth + 1));
    if (unwrapped.kind === "unreadable") return unwrapped;
    found.push(...unwrapped.commands);
  }
  return { kind: "commands", commands: found };
}

/** Collects the commands below a node; returns what keeps it from being read. */
function visit(node: unknown, found: ReadCommand[], depth: number): string | undefined {
  if (depth > MAX_DEPTH) return "it is nested very deeply";
  if (Array.isArray(node)) return first(node, (item) => visit(item, found, depth + 1));
  if (!isPlainObject(node)) return undefined;
  if (Array.isArray(node.errors) && node.errors.length > 0) return problemOf(node.errors);
  // A substitution that was not taken apart hides what it runs.
  if (node.type === "CommandExpansion" || node.type === "ProcessSubstitution") {
    if (!isPlainObject(node.script)) return "a substitution cannot be read";
  }
  // Commands run with sh. Where that is no bash, `((rm x))` is a subshell and `[[ a && rm x ]]` a list.
  if (node.type === "ArithmeticCommand" || node.type === "TestCommand") {
    return "it means one thing to bash and another to sh";
  }
  // No shell that is known runs it, but what looks like words may be a subshell to one that is not.
  if (node.type === "ArithmeticExpansion" && /[A-Za-z_]\s+-?[A-Za-z_/]/.test(rawText(node))) {
    return "its arithmetic looks like a command";
  }
  if (node.type === "Function") return "it defines a function";
  if (node.type === "Command") {
    const command = commandOf(node);
    if (typeof command === "string") return command;
    found.push(command);
  } else if (Array.isArray(node.redirects)) {
    const writes = writesOf(node.redirects);
    if (typeof writes === "string") return writes;
    if (writes.length > 0) found.push({ words: [], writes });
  }
  return first(Object.values(node), (value) => visit(value, found, depth + 1));
}

function problemOf(errors: readonly unknown[]): string {
  const [error] = errors;
  return isPlainObject(error) && typeof error.message === "string" ? error.message : "bad syntax";
}

function commandOf(node: Record<string, unknown>): ReadCommand | string {
  const suffix = Array.isArray(node.suffix) ? node.suffix : [];
  const given = Array.isArray(node.redirects) ? node.redirects : [];
  const isWord = (part: unknown) => isPlainObject(part) && part.type === "Word";
  const prefix = Array.isArray(node.prefix) ? node.prefix : [];
  const redirects = [...given, ...suffix, ...prefix].filter(isRedirect);
  const writes = writesOf(redirects);
  if (typeof writes === "string") return writes;
  const changed = prefix.find(changesPrograms);
  if (changed !== undefined) return "it changes which programs are found or loaded";
  if (!isPlainObject(node.name)) return { words: [], writes };
  const program = staticText(node.name);
  if (program === undefined) return "the name of a program is made up at run time";
  // A word whose text is not known yet is kept as written, so that a pattern sees its `$`.
  const words = suffix.filter(isWord).map((word) => staticText(word) ?? rawText(word));
  return { words: [baseName(program), ...words], writes };
}

function changesPrograms(part: unknown): boolean {
  return isPlainObject(part) && typeof part.name === "string" && isLoaderVariable(part.name);
}

function isRedirect(part: unknown): boolean {
  return isPlainObject(part) && typeof part.operator === "string";
}

function writesOf(redirects: readonly unknown[]): readonly string[] | string {
  const writes: string[] = [];
  for (const redirect of redirects) {
    if (!isPlainObject(redirect) || !WRITING.has(String(redirect.operator))) continue;
    const target = isPlainObject(redirect.target) ? staticText(redirect.target) : undefined;
    if (target === undefined) return "the file that it writes is made up at run time";
    // `2>&1` copies a descriptor.
    if (redirect.operator === ">&" && /^(\d+|-)$/.test(target)) continue;
    if (target !== "/dev/null") writes.push(target);
  }
  return writes;
}

/** What the word stands for, or undefined where that is known at run time only. */
function staticText(word: unknown): string | undefined {
  if (!isPlainObject(word)) return undefined;
  return hasExpansion(word) ? undefined : (textField(word, "value") ?? textField(word, "text"));
}

function rawText(word: unknown): string {
  return isPlainObject(word) ? (textField(word, "text") ?? "$") : "$";
}

function textField(node: Record<string, unknown>, name: string): string | undefined {
  const value = node[name];
  return typeof value === "string" ? value : undefined;
}

function hasExpansion(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(hasExpansion);
  if (!isPlainObject(node)) return false;
  if (EXPANSIONS.has(String(node.type))) return true;
  return Object.values(node).some(hasExpansion);
}

function first<T, R>(items: readonly T[], of: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const result = of(item);
    if (result !== undefined) return result;
  }
  return undefined;
}
