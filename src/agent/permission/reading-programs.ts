import { lstatSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import type { ReadCommand } from "./command-reading.ts";
import { GIT_READERS } from "./git-readers.ts";
import type { FolderContext } from "./path-effects.ts";
import {
  BUILT_IN_COMMANDS,
  FIND_TESTS,
  FIND_TESTS_WITH_VALUE,
  isPlainScript,
  READERS,
  REPORTING_PROGRAMS,
  type Reader,
} from "./readers.ts";

export interface CommandMachine {
  /** In the sandbox: no network, and only read access for a reading command. */
  readonly isConfined: boolean;
  /** True if the name starts a program of the system and none of the project. */
  readonly isOfSystem: (program: string) => Promise<boolean>;
  /** True if git runs no program that the config of the folder's repository names. */
  readonly isHarmlessRepository: (folder: string) => Promise<boolean>;
}

/**
 * Returns true if the tables of programs and options show that the command changes nothing and
 * starts no other program. Paths are judged separately.
 */
export async function onlyReads(
  command: ReadCommand,
  where: FolderContext,
  machine: CommandMachine,
): Promise<boolean> {
  const { words, unknown, isStarted, assigns } = command;
  const [program = "", ...rest] = words;
  if (isStarted || (assigns && !machine.isConfined)) return false;
  const reader = Object.hasOwn(READERS, program) ? READERS[program] : undefined;
  const takesText = machine.isConfined && reader?.takesAnything === true;
  if (unknown.length > 0 && !takesText) return false;
  if (words.length === 0) return true;
  if (command.globs.some((pattern) => /^[*?[]/.test(pattern)) && containsOptions(where))
    return false;
  if (!BUILT_IN_COMMANDS.has(program) && !(await machine.isOfSystem(program))) return false;
  if (isReportingCommand(program, rest)) return true;
  if (program === "git") return readsRepository(rest, where, machine);
  if (program === "find") return isSearch(rest);
  if (reader === undefined) return false;
  const operands = parseOperands(rest, reader);
  if (operands === undefined) return false;
  if (program === "sed") return isPlainScript(operands[0] ?? "");
  return reader.filesOnly !== true || !operands.some((path) => isFolder(path, where));
}

function isReportingCommand(program: string, words: readonly string[]): boolean {
  const [only, ...others] = words;
  if (others.length > 0 || !REPORTING_PROGRAMS.has(program)) return false;
  return only === "--version" || only === "--help";
}

/** Returns the operands; undefined if an option is not known to only read. */
function parseOperands(words: readonly string[], reader: Reader): readonly string[] | undefined {
  if (reader.never !== undefined && words.some((word) => reader.never?.test(word)))
    return undefined;
  if (reader.takesAnything === true) return words;
  const operands: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      operands.push(word);
      continue;
    }
    const taken = countOptionWords(word, reader);
    if (taken === undefined) return undefined;
    at += taken - 1;
  }
  if (operands.length > (reader.operands ?? Number.POSITIVE_INFINITY)) return undefined;
  const { operand } = reader;
  return operand === undefined || operands.every((one) => operand.test(one)) ? operands : undefined;
}

/** Number of words that the option takes; undefined if it is not listed. */
function countOptionWords(word: string, reader: Reader): number | undefined {
  const { flags = "", valued = "", long = [], longValued = [] } = reader;
  if (reader.numbers === true && /^-\d+$/.test(word)) return 1;
  if (word.startsWith("--")) {
    const [name = ""] = word.slice(2).split("=", 1);
    if (longValued.includes(name) && !word.includes("=")) return 2;
    return long.includes(name) ? 1 : undefined;
  }
  for (const [index, letter] of [...word.slice(1)].entries()) {
    if (flags.includes(letter)) continue;
    if (!valued.includes(letter)) return undefined;
    return index === word.length - 2 ? 2 : 1;
  }
  return 1;
}

async function readsRepository(
  words: readonly string[],
  where: FolderContext,
  machine: CommandMachine,
): Promise<boolean> {
  const [first = "", second = "", ...rest] = words[0] === "--no-pager" ? words.slice(1) : words;
  const two = GIT_READERS[`${first} ${second}`];
  const reader = two ?? (Object.hasOwn(GIT_READERS, first) ? GIT_READERS[first] : undefined);
  if (reader === undefined) return false;
  const operands = two === undefined && second !== "" ? [second, ...rest] : rest;
  if (parseOperands(operands, reader) === undefined) return false;
  const harmless = await Promise.all(where.folders.map(machine.isHarmlessRepository));
  return harmless.every((one) => one);
}

/** True if the words of `find` only select and print files. */
export function isSearch(words: readonly string[]): boolean {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (FIND_TESTS_WITH_VALUE.has(word)) at += 1;
    else if (/^[-!()]/.test(word) && !FIND_TESTS.has(word)) return false;
  }
  return true;
}

function isFolder(path: string, { folders }: FolderContext): boolean {
  return folders.some((folder) => {
    const info = lstatSync(resolve(folder, path), { throwIfNoEntry: false });
    return info !== undefined && !info.isFile();
  });
}

/** True if a file there has a name that a program would take for an option. */
function containsOptions({ folders }: FolderContext): boolean {
  return folders.some((folder) => {
    try {
      return readdirSync(folder).some((name) => name.startsWith("-"));
    } catch {
      return false;
    }
  });
}
