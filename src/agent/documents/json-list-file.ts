import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { lock } from "proper-lockfile";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import { CairnError, invalidInput, messageOf } from "../../shared/errors.ts";
import { readTextFile } from "./read-text-file.ts";

const MAX_BYTES = 32 * 1024 * 1024;

/** Many short waits: a writer holds the lock for a few milliseconds. */
const LOCK_RETRIES = { retries: 400, factor: 1.2, minTimeout: 5, maxTimeout: 100, randomize: true };

export interface JsonListFile<Item extends z.ZodType> {
  readonly path: string;
  readonly item: Item;
}

/** Empty if the file does not exist. Throws invalid_input if it is broken. */
export async function readJsonList<Item extends z.ZodType>(
  file: JsonListFile<Item>,
): Promise<z.output<Item>[]> {
  const text = await readIfPresent(file.path);
  if (text === undefined || text.trim() === "") return [];
  const list = z.array(file.item).safeParse(parseJson(text, file.path));
  if (list.success) return list.data;
  const issue = list.error.issues[0];
  const where = issue === undefined ? "" : ` at ${issue.path.join(".") || "the top"}`;
  throw brokenFileError(file.path, `${issue?.message ?? "it has an unexpected structure"}${where}`);
}

/**
 * Reads, changes and replaces the file atomically across threads and processes. Leaves a broken
 * file as it is. Returns the second value of `change`.
 */
export async function updateJsonList<Item extends z.ZodType, Result>(
  file: JsonListFile<Item>,
  change: (list: z.output<Item>[]) => Change<z.output<Item>, Result>,
): Promise<Result> {
  await mkdir(dirname(file.path), { recursive: true });
  return whileLocked(file.path, async () => {
    const { list, result } = change(await readJsonList(file));
    await writeFileAtomic(file.path, `${JSON.stringify(list, null, 2)}\n`);
    return result;
  });
}

/** Runs `work` with the lock of this path. Throws busy after about 40 s. */
export async function whileLocked<Value>(
  path: string,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  const unlock = await lockFile(path);
  try {
    return await work();
  } finally {
    await unlock().catch(ignoreLateLoss);
  }
}

/** The lock of a killed process expires after ten seconds. */
async function lockFile(path: string): Promise<() => Promise<void>> {
  try {
    return await lock(path, {
      realpath: false,
      retries: LOCK_RETRIES,
      onCompromised: ignoreLateLoss,
    });
  } catch (error) {
    const isStored = error instanceof Error && "code" in error && error.code === "ELOCKED";
    if (!isStored) throw error;
    throw new CairnError("busy", `${path} is locked by another process. Try again.`);
  }
}

/**
 * A process that was suspended longer has lost the lock. Files are replaced whole, and the default,
 * an exception from a timer, would end the process.
 */
function ignoreLateLoss(): void {}

export interface Change<Item, Result> {
  readonly list: readonly Item[];
  readonly result: Result;
}

async function readIfPresent(path: string): Promise<string | undefined> {
  const file = await readTextFile(path, { maxBytes: MAX_BYTES });
  if (file.kind === "missing") return undefined;
  if (file.kind === "refused") throw invalidInput(`${path} cannot be read: ${file.reason}.`);
  if (file.truncated) throw invalidInput(`${path} has more than ${MAX_BYTES} bytes. Shorten it.`);
  return file.text;
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw brokenFileError(path, messageOf(error));
  }
}

function brokenFileError(path: string, reason: string) {
  return invalidInput(
    `${path} is broken (${reason}). Repair it or move it away; it was not changed.`,
  );
}
