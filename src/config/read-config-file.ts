import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { invalidInput } from "../kernel/errors.ts";
import { JsonSyntaxError, parseJson } from "../kernel/parse-json.ts";

export interface ConfigFile {
  readonly path: string;
  readonly content: unknown;
  /** SHA-256 of the bytes that were read, in hex. */
  readonly hash: string;
  /** Others than its owner can read it. */
  readonly isExposed: boolean;
}

/** Undefined when there is no such file. Throws invalid_input when it cannot be read or parsed. */
export function readConfigFile(path: string): ConfigFile | undefined {
  const bytes = readBytes(path);
  if (bytes === undefined) return undefined;
  return {
    path,
    content: parseContent(path, bytes.toString("utf8")),
    hash: createHash("sha256").update(bytes).digest("hex"),
    isExposed: process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0,
  };
}

function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw invalidInput(`${path} cannot be read (${String(code)}). Make it a readable file.`);
  }
}

function parseContent(path: string, text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw invalidInput(`${path}: ${error.message}. Correct the file or remove it.`);
  }
}
