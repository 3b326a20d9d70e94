import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isCairnError } from "../shared/errors.ts";
import { readBounded } from "./read-config-file.ts";

/** More files than that are not looked at, and their number alone changes the hash. */
const MAX_COMMANDS = 200;

export interface ProjectCommands {
  /** `/name` of each, in order. */
  readonly names: readonly string[];
  /** SHA-256 of names and texts, in hex; undefined when there are none. */
  readonly hash: string | undefined;
}

/** The custom commands of a project, which reach the model as the user's own words. */
export function projectCommands(projectRoot: string): ProjectCommands {
  const folder = join(projectRoot, ".cairn", "commands");
  const files = namesIn(folder).filter((name) => name.endsWith(".md"));
  if (files.length === 0) return { names: [], hash: undefined };
  const hash = createHash("sha256").update(`${files.length}\0`);
  for (const name of files.slice(0, MAX_COMMANDS)) {
    hash
      .update(`${name}\0`)
      .update(textOf(join(folder, name)))
      .update("\0");
  }
  const names = files.map((name) => `/${name.slice(0, -".md".length)}`);
  return { names, hash: hash.digest("hex") };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    // A folder that nobody made is the usual case, and one that cannot be read holds nothing.
    return [];
  }
}

function textOf(path: string): Buffer {
  try {
    return readBounded(path)?.bytes ?? Buffer.alloc(0);
  } catch (error) {
    // What cannot be read cannot be run either: loading the command says so.
    if (isCairnError(error)) return Buffer.alloc(0);
    throw error;
  }
}
