import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { draftName, removeAbandonedDrafts } from "../../kernel/draft-file.ts";
import { CairnError } from "../../kernel/errors.ts";
import { isPlainObject } from "../../kernel/json.ts";
import { makeFolder } from "../../kernel/make-folder.ts";
import type { KeptRecord, KeptRecords } from "../kept-records.ts";

const ENDING = ".json";
const OWNER_ONLY = 0o600;
const SAFE_ID = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;
const LOCK = {
  realpath: false,
  stale: 10_000,
  retries: { retries: 60, minTimeout: 5, maxTimeout: 250, factor: 1.5, randomize: true },
};

/** Records stored as one file each, in a folder for each kind. */
export class RecordFolder implements KeptRecords {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async get(kind: string, id: string): Promise<object | undefined> {
    return SAFE_ID.test(id) ? this.#read(kind, `${id}${ENDING}`) : undefined;
  }

  async list(kind: string, prefix = ""): Promise<KeptRecord[]> {
    const files = (await readdir(join(this.#folder, kind)).catch(orNothing)) ?? [];
    const ours = files.filter((file) => file.endsWith(ENDING) && file.startsWith(prefix)).sort();
    const records = await Promise.all(
      ours.map(async (file) => {
        const value = await this.#read(kind, file);
        return value === undefined ? [] : [{ id: file.slice(0, -ENDING.length), value }];
      }),
    );
    return records.flat();
  }

  async change(
    kind: string,
    id: string,
    change: (before: object | undefined) => object | undefined,
  ): Promise<void> {
    if (!SAFE_ID.test(id)) throw new Error(`"${id}" is no id of a record.`);
    const folder = join(this.#folder, kind);
    makeFolder(folder);
    const path = join(folder, `${id}${ENDING}`);
    const { default: lockfile } = await import("proper-lockfile");
    const release = await lockfile.lock(path, LOCK);
    try {
      const after = change(await this.#read(kind, `${id}${ENDING}`));
      if (after === undefined) await rm(path, { force: true });
      else await write(path, after);
    } finally {
      await release();
    }
    removeAbandonedDrafts(folder, (file) => file.endsWith(ENDING));
  }

  /** Undefined for a record that was removed in the meantime. */
  async #read(kind: string, file: string): Promise<object | undefined> {
    const path = join(this.#folder, kind, file);
    // Reading a named pipe would block until somebody writes to it.
    const stats = await stat(path).catch(orNothing);
    if (stats === undefined) return undefined;
    const text = stats.isFile() ? await readFile(path, "utf8").catch(orNothing) : "";
    if (text === undefined) return undefined;
    const value = parse(text);
    if (isPlainObject(value)) return value;
    throw new CairnError(
      "unavailable",
      `${kind}/${file} in the data folder is damaged: remove it.`,
    );
  }
}

async function write(path: string, value: object): Promise<void> {
  const draft = draftName(path);
  try {
    await writeFile(draft, `${JSON.stringify(value)}\n`, { mode: OWNER_ONLY, flag: "wx" });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function orNothing(error: unknown): undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
  return undefined;
}
