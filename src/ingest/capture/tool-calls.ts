import { isAbsolute, relative, resolve } from "node:path";
import { isPlainObject } from "../../shared/json.ts";
import type { TranscriptEntry } from "./candidate.ts";

type Call = Extract<TranscriptEntry, { kind: "call" }>;
type Result = Extract<TranscriptEntry, { kind: "result" }>;

/** A tool call with its result. */
export interface ToolUse {
  readonly call: Call;
  readonly result: Result | undefined;
}

/** Calls in order, each with its result, matched by id or, without ids, by order. */
export function toolUses(entries: readonly TranscriptEntry[]): ToolUse[] {
  const results = new Map<string, Result>();
  for (const entry of entries) {
    if (entry.kind === "result" && entry.id !== undefined) results.set(entry.id, entry);
  }
  return entries.flatMap((entry, index) => {
    if (entry.kind !== "call") return [];
    const next = entries[index + 1];
    const following = next?.kind === "result" ? next : undefined;
    return [{ call: entry, result: entry.id === undefined ? following : results.get(entry.id) }];
  });
}

const SHELLS =
  /^(?:bash|shell|powershell|exec_command|run_shell_command|local_shell|execute_command|run_commands?|run_terminal_cmd|run_terminal_command|run_in_terminal)$/i;

/** The command line of a call that runs a command. */
export function commandOf({ tool, input }: Call): string | undefined {
  if (!SHELLS.test(tool)) return undefined;
  const command = input.command ?? input.cmd ?? input.script;
  if (typeof command === "string") return command.trim();
  if (!Array.isArray(command)) return undefined;
  const words = command.filter((word) => typeof word === "string");
  const isWrapped = words.length === 3 && /^-l?c$/.test(words[1] ?? "");
  return (isWrapped ? (words[2] ?? "") : words.join(" ")).trim();
}

const EDITORS =
  /^(?:edit|multi_?edit|write|notebook_?edit|edit_file|write_file|write_to_file|replace|replace_in_file|str_replace(?:_editor|_based_edit_tool)?|create|create_file|insert|apply_patch|editor|text_editor|search_replace)$/i;
const PATHS = [
  "file_path",
  "path",
  "filePath",
  "absolute_path",
  "notebook_path",
  "filename",
  "target_file",
  "targetFile",
  "relativeWorkspacePath",
];

/** Files that a call writes; paths inside the project are relative. */
export function editedFiles({ tool, input }: Call, cwd: string): string[] {
  if (!EDITORS.test(tool) || input.command === "view") return [];
  const named = namedPath(input);
  const found = named === undefined ? patchedFiles(input) : [named];
  return found.map((path) => shownPath(path, cwd)).filter((path) => path !== "");
}

const READERS =
  /^(?:read|view|open|cat|skim|read_?file|read_many_files|open_file|notebook_?read|str_replace(?:_editor|_based_edit_tool)?|editor|text_editor)$/i;

/** Files that a call reads but does not write; paths inside the project are relative. */
export function readFiles({ tool, input }: Call, cwd: string): string[] {
  if (!READERS.test(tool)) return [];
  const several = Array.isArray(input.paths) ? input.paths : [namedPath(input)];
  return several
    .filter((path) => typeof path === "string" && path !== "")
    .map((path) => shownPath(path, cwd));
}

function namedPath(input: Call["input"]): string | undefined {
  const named = PATHS.map((key) => input[key]).find((path) => typeof path === "string");
  return typeof named === "string" ? named : undefined;
}

function patchedFiles(input: Readonly<Record<string, unknown>>): string[] {
  const texts = Object.values(input).flatMap((value) => (typeof value === "string" ? [value] : []));
  const changes = isPlainObject(input.changes) ? Object.keys(input.changes) : [];
  const marks = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm;
  return [
    ...changes,
    ...texts.flatMap((text) => [...text.matchAll(marks)].map(([, path]) => path ?? "")),
  ];
}

function shownPath(path: string, cwd: string): string {
  const inside = relative(cwd, resolve(cwd, path));
  return inside.startsWith("..") || isAbsolute(inside) ? path : inside.replaceAll("\\", "/");
}

const FAILURES =
  /\b(?:exit(?:ed with)? (?:code|status):?|process exited with code|returned exit code) *\(?(?:[1-9]\d*)\b/i;

export function hasFailed(result: Result): boolean | undefined {
  const text = withoutMemory(result.text);
  const { failed } = result;
  if (failed === true || FAILURES.test(text)) return true;
  return failed ?? (/\bexit(?:ed with)? (?:code|status):? *0\b/i.test(text) ? false : undefined);
}

/** Removes text that memory added to a result, which is about earlier sessions. */
function withoutMemory(text: string): string {
  return text.replaceAll(/<(cairn-memory|memory note=)[\s\S]*?<\/(?:cairn-)?memory>/g, "");
}

const ERROR_LINE =
  /\b(?:error|failed|failure|exception|cannot|can't|not found|denied|undefined|unexpected|no such)\b/i;

/** The line of an output that best describes the error. */
export function errorLine(text: string): string {
  const lines = withoutMemory(text)
    .split("\n")
    .map((line) => line.replaceAll(/\s+/g, " ").trim())
    .filter((line) => line !== "" && !/^<\/?[a-z_]+>$|^(?:error: )?exit code:? \d+$/i.test(line));
  return (lines.find((line) => ERROR_LINE.test(line)) ?? lines[0] ?? "").slice(0, 200);
}
