import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { lock } from "proper-lockfile";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import { CairnError } from "../../shared/errors.ts";
import { makeFolder } from "../../shared/files.ts";
import { parseJson } from "../../shared/json.ts";
import type { MemoryItem } from "./merge-item.ts";

const itemSchema = z.object({
  id: z.string(),
  type: z.string(),
  content: z.string(),
  entities: z.array(z.string()),
  labels: z.array(z.string()),
  by: z.string().exactOptional(),
  at: z.string().exactOptional(),
  ref: z.string().exactOptional(),
  disputes: z.array(z.string()),
});

const stateSchema = z.object({
  version: z.literal(1),
  head: z.string().exactOptional(),
  items: z.array(itemSchema),
  bound: z.array(z.tuple([z.string(), z.string()])),
});

export interface SyncState {
  readonly head?: string | undefined;
  readonly base: ReadonlyMap<string, MemoryItem>;
  readonly bound: ReadonlyMap<string, string>;
}

export interface StateLocation {
  readonly dataDir: string;
  readonly database: string;
  readonly folder: string;
}

export function stateFile({ dataDir, database, folder }: StateLocation): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([database, folder]))
    .digest("hex");
  return join(dataDir, "sync", `${hash.slice(0, 24)}.json`);
}

export function readState(file: string): SyncState {
  const read = existsSync(file) ? stateSchema.safeParse(parseSafely(file)) : undefined;
  if (read?.success !== true) return { base: new Map(), bound: new Map() };
  const { head, items, bound } = read.data;
  return { head, base: new Map(items.map((item) => [item.id, item])), bound: new Map(bound) };
}

function parseSafely(file: string): unknown {
  try {
    return parseJson(readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function writeState(file: string, { head, base, bound }: SyncState): void {
  makeFolder(dirname(file));
  const state = {
    version: 1,
    ...(head !== undefined && { head }),
    items: [...base.values()],
    bound: [...bound],
  };
  writeFileAtomic.sync(file, JSON.stringify(state), { mode: 0o600 });
}

/** Serializes syncs of a folder across processes. Throws busy. */
export async function whileLocked<T>(file: string, work: () => Promise<T>): Promise<T> {
  makeFolder(dirname(file));
  closeSync(openSync(`${file}.turn`, "a", 0o600));
  const release = await lock(`${file}.turn`, {
    stale: 30_000,
    retries: { retries: 20, minTimeout: 100, maxTimeout: 500 },
  }).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ELOCKED") {
      throw new CairnError("busy", "Another `cairn sync` is running in this folder. Try again.");
    }
    throw error;
  });
  try {
    return await work();
  } finally {
    await release();
  }
}
