import { parse } from "unbash";
import { messageOf } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import {
  AMBIGUOUS_REASON,
  baseName,
  CHANGES_PROGRAMS_REASON,
  type CommandReading,
  isLoaderVariable,
  NO_COMMAND,
  type ReadCommand,
  unreadable,
} from "./command-reading.ts";
import { unwrapCommand } from "./unwrap-command.ts";

/** Expansions whose value is known only at run time. */
const EXPANSION_NODES = new Set([
  "SimpleExpansion",
  "ParameterExpansion",
  "CommandExpansion",
  "ArithmeticExpansion",
  "ProcessSubstitution",
  "LocaleString",
]);
const REWRITTEN_NODES = new Set(["BraceExpansion", "ExtendedGlob"]);

function staticText(word: unknown): string | undefined {
  if (!isPlainObject(word)) return undefined;
  return containsNode(word, EXPANSION_NODES)
    ? undefined
    : (readField(word, "value") ?? readField(word, "text"));
}

function rawText(word: unknown): string {
  return isPlainObject(word) ? (readField(word, "text") ?? "$") : "$";
}

function isKnownAtRunTime(word: unknown): boolean {
  return containsNode(word, EXPANSION_NODES) || containsNode(word, REWRITTEN_NODES);
}

/** True for an unquoted pattern such as `*.ts`. */
function isFoundByFiles(word: unknown): boolean {
  if (!isPlainObject(word)) return false;
  return (
    containsNode(word, new Set(["Glob"])) || (word.parts === undefined && isBareGlob(rawText(word)))
  );
}

function isBareGlob(raw: string): boolean {
  return /[*?]|\[.*\]/.test(raw.replaceAll(/\\./g, ""));
}

function containsNode(node: unknown, types: ReadonlySet<string>): boolean {
  if (Array.isArray(node)) return node.some((one) => containsNode(one, types));
  if (!isPlainObject(node)) return false;
  if (types.has(String(node.type))) return true;
  return Object.values(node).some((value) => containsNode(value, types));
}

function readField(node: Record<string, unknown>, name: string): string | undefined {
  const value = node[name];
  return typeof value === "string" ? value : undefined;
}

type ExpansionEffect = { readonly assigns: true } | { readonly problem: string };

/**
 * Operators that only read a variable: `${x:-y}`, `${x%y}`, `${x^}`. Others assign it or compute a
 * number.
 */
const REVEALING_OPERATIONS = new Set(["Default", "Remove", "Replace", "CaseModification"]);
const ASSIGNING_OPERATORS = new Set(["=", ":="]);

/** Undefined if the node is plain text. */
function expansionEffect(node: Record<string, unknown>): ExpansionEffect | undefined {
  if (node.type === "ArithmeticExpansion") return arithmeticEffect(rawText(node));
  if (node.type !== "ParameterExpansion") return undefined;
  const { operation, parameter } = node;
  const named = typeof parameter === "string" ? parameter : "";
  // `${ command; }` runs it in shells that support it.
  if (!/^([A-Za-z_]\w*|\d+|[@*#?$!-])$/.test(named)) return { problem: AMBIGUOUS_REASON };
  const isTelling =
    node.prefix !== "!" &&
    node.index === undefined &&
    (operation === undefined || (isPlainObject(operation) && isRevealed(operation)));
  if (isTelling) return undefined;
  return isLoaderVariable(named) ? { problem: CHANGES_PROGRAMS_REASON } : { assigns: true };
}

function isRevealed({ type, operator }: Record<string, unknown>): boolean {
  return REVEALING_OPERATIONS.has(String(type)) && !ASSIGNING_OPERATORS.has(String(operator));
}

/**
 * `$((x = 1))` assigns a variable, and values of variables are evaluated in turn, including
 * commands in them.
 */
function arithmeticEffect(text: string): ExpansionEffect | undefined {
  const names = text.match(/[A-Za-z_]\w*/g) ?? [];
  // No known shell runs it, but other shells may read it as a subshell.
  if (/[A-Za-z_]\s+-?[A-Za-z_/]/.test(text))
    return { problem: "its arithmetic looks like a command" };
  if (names.some(isLoaderVariable)) return { problem: CHANGES_PROGRAMS_REASON };
  return names.length > 0 || /[$`]/.test(text.slice(1)) ? { assigns: true } : undefined;
}

const MAX_LENGTH = 20_000;
const MAX_DEPTH = 400;
const WRITE_REDIRECTS = new Set([">", ">>", ">|", "&>", "&>>", "<>", ">&"]);
const READ_REDIRECTS = new Set(["<", "<>", "<&"]);

/**
 * Parses a command line into all programs that it would start: in lists, pipes, subshells,
 * functions, substitutions and here-documents, and behind `sudo`, `env`, `xargs`, `sh -c` and
 * similar. Unsupported grammar and computed program names are unreadable.
 */
export function readCommand(text: string, depth = 0): CommandReading {
  if (text.length > MAX_LENGTH) return unreadable("it is very long");
  if (depth > 4) return unreadable("it nests shells");
  let tree: unknown;
  try {
    tree = JSON.parse(JSON.stringify(parse(text)));
  } catch (error) {
    return unreadable(messageOf(error));
  }
  const visited: ReadCommand[] = [];
  const problems = visit(tree, visited, 0);
  const commands: ReadCommand[] = [];
  for (const command of visited) {
    const unwrapped = unwrapCommand(command, (script) => readCommand(script, depth + 1));
    if (unwrapped.kind === "unreadable") {
      problems.push(unwrapped.reason);
      commands.push(command);
    }
    commands.push(...unwrapped.commands);
  }
  const [problem] = problems;
  return problem === undefined ? { kind: "commands", commands } : unreadable(problem, commands);
}

/** Collects the commands below a node; returns why a part cannot be read. */
function visit(node: unknown, found: ReadCommand[], depth: number): string[] {
  if (depth > MAX_DEPTH) return ["it is nested very deeply"];
  if (Array.isArray(node)) return node.flatMap((item) => visit(item, found, depth + 1));
  if (!isPlainObject(node)) return [];
  if (Array.isArray(node.errors) && node.errors.length > 0) return [findProblem(node.errors)];
  const from = found.length;
  const problems = findProblems(node, found);
  problems.push(...Object.values(node).flatMap((value) => visit(value, found, depth + 1)));
  if (LOOP_NODES.has(String(node.type))) {
    for (const [at, command] of found.entries()) {
      if (at >= from) found[at] = { ...command, isRepeated: true };
    }
  }
  return problems;
}

function findProblems(node: Record<string, unknown>, found: ReadCommand[]): string[] {
  const problems: string[] = [];
  // A substitution that was not parsed hides its command.
  if (node.type === "CommandExpansion" || node.type === "ProcessSubstitution") {
    if (!isPlainObject(node.script)) problems.push("a substitution cannot be read");
  }
  if (differsByShell(node)) problems.push(AMBIGUOUS_REASON);
  const expansion = expansionEffect(node);
  if (expansion !== undefined) {
    if ("problem" in expansion) problems.push(expansion.problem);
    else found.push({ ...NO_COMMAND, assigns: true });
  }
  if (node.type === "Function") problems.push("it defines a function");
  if (node.type === "For" || node.type === "Select") {
    found.push({ ...NO_COMMAND, assigns: true });
    if (isPlainObject(node.name) && isLoaderVariable(textField(node.name, "text") ?? "")) {
      problems.push(CHANGES_PROGRAMS_REASON);
    }
  }
  if (node.type === "Command") found.push(...toCommand(node, problems));
  else if (Array.isArray(node.redirects)) {
    const files = redirectedFiles(node.redirects, problems);
    if (files.writes.length + files.reads.length > 0) found.push({ ...NO_COMMAND, ...files });
  }
  return problems;
}

const LOOP_NODES = new Set(["While", "For", "Select"]);
/**
 * Commands run with sh. In a shell other than bash, `((rm x))` is a subshell, `[[ a && rm x ]]` a
 * list, `$'x'` a sign and a word, and `coproc` a program.
 */
const BASH_ONLY_NODES = new Set([
  ...["ArithmeticCommand", "ArithmeticFor", "TestCommand", "Coproc"],
  ...["AnsiCQuoted", "LocaleString", "FileDescriptorVariable", "ArrayValue"],
]);
const PLAIN_DELIMITER = /^(?:\\?[\w.-]+|'[\w. -]+'|"[\w. -]+")$/;

/** Only bash ends at `E\` followed by an empty line. */
function joinsNextLine({ delimiter, body, closing }: Record<string, unknown>): boolean {
  if (!isPlainObject(delimiter) || delimiter.quoted === true) return false;
  const end = textField(delimiter, "value") ?? "";
  const isJoined =
    isPlainObject(closing) && Number(closing.end) - Number(closing.pos) !== end.length;
  const text = isPlainObject(body) ? (textField(body, "text") ?? "") : "";
  return isJoined || text.split("\n").some((line) => line.trim() === end);
}

function differsByShell(node: Record<string, unknown>): boolean {
  if (BASH_ONLY_NODES.has(String(node.type))) return true;
  // Other shells run `x+=y` and `x[0]=y` as programs.
  if (node.type === "Assignment") return node.append === true || node.index !== undefined;
  if (node.type === "HereDocDelimiter") return !PLAIN_DELIMITER.test(rawText(node));
  return node.type === "HereDoc" && joinsNextLine(node);
}

function findProblem(errors: readonly unknown[]): string {
  const [error] = errors;
  return isPlainObject(error) && typeof error.message === "string" ? error.message : "bad syntax";
}

function toCommand(node: Record<string, unknown>, problems: string[]): readonly ReadCommand[] {
  const suffix = Array.isArray(node.suffix) ? node.suffix : [];
  const redirects = Array.isArray(node.redirects) ? node.redirects : [];
  const prefix = Array.isArray(node.prefix) ? node.prefix : [];
  const files = redirectedFiles([...redirects, ...suffix, ...prefix].filter(isRedirect), problems);
  if (prefix.some(changesPrograms)) problems.push(CHANGES_PROGRAMS_REASON);
  const assigns = prefix.some((part) => isPlainObject(part) && part.type === "Assignment");
  if (!isPlainObject(node.name)) return [{ ...NO_COMMAND, ...files, assigns }];
  const program = staticText(node.name);
  if (program === undefined || isFoundByFiles(node.name) || isKnownAtRunTime(node.name)) {
    problems.push("the name of a program is only known at run time");
  }
  // `time -o log rm x` runs `rm` where `time` is a program.
  if (program?.startsWith("-") === true) problems.push(AMBIGUOUS_REASON);
  const words = suffix.filter((part) => isPlainObject(part) && part.type === "Word");
  const command: ReadCommand = {
    ...NO_COMMAND,
    words: [baseName(program ?? wordText(node.name)), ...words.map(wordText)],
    writes: files.writes,
    reads: files.reads,
    unknown: [...files.unknown, ...words.filter(isKnownAtRunTime).map(wordText)],
    globs: [...files.globs, ...words.filter(isFoundByFiles).map(wordText)],
    assigns: assigns || program === "read",
  };
  return [command];
}

/** Keeps a word whose value is unknown as written, so that a pattern sees its `$`. */
function wordText(word: unknown): string {
  return staticText(word) ?? rawText(word);
}

function changesPrograms(part: unknown): boolean {
  return isPlainObject(part) && typeof part.name === "string" && isLoaderVariable(part.name);
}

function isRedirect(part: unknown): boolean {
  return isPlainObject(part) && typeof part.operator === "string";
}

type Files = Pick<ReadCommand, "writes" | "reads" | "unknown" | "globs">;

function redirectedFiles(redirects: readonly unknown[], problems: string[]): Files {
  const writes: string[] = [];
  const reads: unknown[] = [];
  for (const redirect of redirects) {
    if (!isPlainObject(redirect)) continue;
    const { operator, target } = redirect;
    if (READ_REDIRECTS.has(String(operator)) && !isDescriptor(staticText(target)))
      reads.push(target);
    if (!WRITE_REDIRECTS.has(String(operator))) continue;
    const written = isPlainObject(target) ? staticText(target) : undefined;
    if (written === undefined) {
      problems.push("the file that it writes is only known at run time");
      continue;
    }
    // `2>&1` copies a descriptor.
    if (operator === ">&" && isDescriptor(written)) continue;
    if (written !== "/dev/null") writes.push(written);
  }
  return {
    writes,
    reads: reads.map(wordText),
    unknown: reads.filter(isKnownAtRunTime).map(wordText),
    globs: reads.filter(isFoundByFiles).map(wordText),
  };
}

function isDescriptor(text: string | undefined): boolean {
  return text !== undefined && /^(\d+-?|-)$/.test(text);
}

function textField(node: Record<string, unknown>, name: string): string | undefined {
  const value = node[name];
  return typeof value === "string" ? value : undefined;
}
