import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";
import type { z } from "zod";
import { invalidInput, isMissingFile } from "./errors.ts";
import { makeFolder } from "./files.ts";
import { tryParseJson } from "./json.ts";

export function readLogins<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): z.output<Schema> | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw invalidInput(`${path} cannot be read: delete it and log in again.`);
  }
  const read = schema.safeParse(tryParseJson(text));
  if (read.success) return read.data;
  throw invalidInput(`${path} was modified outside cairn: delete it and log in again.`);
}

export function writeLogins(path: string, all: object): void {
  makeFolder(dirname(path));
  writeFileAtomic.sync(path, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
}
