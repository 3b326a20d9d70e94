import { closeSync, openSync, readSync, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { MomentOfUse } from "../../memory/index.ts";
import { findPaths } from "../learning/index.ts";
import { collectWrittenLines } from "./find-mistakes.ts";
import type { TranscriptEntry } from "./tool-calls.ts";
import { findCommand, listEditedFiles, listReadFiles } from "./tool-calls.ts";

type Call = Extract<TranscriptEntry, { kind: "call" }>;

const MAX_SEARCHED_BYTES = 64 * 1024;
const MAX_NAMES = 40;
const NAME_PATTERN = /[\p{L}_$][\p{L}\p{N}_$]{5,}/gu;
/** Matches definitions in common languages. */
const DEFINITION_PATTERN =
  /\b(?:def|class|function|fn|func|fun|const|let|var|struct|interface|type|enum|trait|module|object|sub|macro_rules!)\s+(?:\([^)]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]{5,})/gu;

/**
 * Describes what a tool call is about to read, change or run; undefined for other calls. Reads an
 * existing file for the names that it defines.
 */
export function describeMoment(call: Call, cwd: string): MomentOfUse | undefined {
  const command = findCommand(call);
  if (command !== undefined) return { use: "run", command, files: findPaths(command) };
  const edited = listEditedFiles(call, cwd);
  if (edited.length > 0) {
    const { added } = collectWrittenLines(call);
    return { use: "edit", files: edited, symbols: findChangedNames(call), added };
  }
  const read = listReadFiles(call, cwd);
  if (read.length === 0) return undefined;
  return { use: "read", files: read, symbols: read.flatMap((path) => findDefinitions(path, cwd)) };
}

function findChangedNames({ input }: Call): string[] {
  const text = Object.entries(input)
    .flatMap(([field, value]) => (/path|file_?name$/i.test(field) ? [] : collectTexts(value)))
    .join("\n")
    .slice(0, MAX_SEARCHED_BYTES);
  return [...new Set([...definitions(text), ...(text.match(NAME_PATTERN) ?? [])])].slice(
    0,
    MAX_NAMES,
  );
}

function collectTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(collectTexts);
}

const definitions = (text: string) =>
  [...text.matchAll(DEFINITION_PATTERN)].map(([, name = ""]) => name);

function findDefinitions(path: string, cwd: string): string[] {
  const text = readPrefix(isAbsolute(path) ? path : resolve(cwd, path));
  return [...new Set(definitions(text))].slice(0, MAX_NAMES);
}

function readPrefix(path: string): string {
  try {
    // Reading a pipe or device could block.
    if (!statSync(path).isFile()) return "";
    const file = openSync(path, "r");
    try {
      const buffer = Buffer.alloc(MAX_SEARCHED_BYTES);
      const length = readSync(file, buffer, 0, MAX_SEARCHED_BYTES, 0);
      return buffer.toString("utf8", 0, length);
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}
