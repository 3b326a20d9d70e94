import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { findInFile, NotedCopies } from "../database/index.ts";
import type { App } from "./assemble-app.ts";

export interface KeptText {
  readonly kind: "database" | "bin" | "queue" | "transcript" | "backup" | "export" | "other";
  /** Path within the data folder, or absolute; on a server the column of a table. */
  readonly file: string;
  readonly name?: string;
  /** Of the first that was found there, in bytes from the start. */
  readonly offset: number;
}

export interface LookedEverywhere {
  readonly found: readonly KeptText[];
  readonly unread: readonly string[];
  /** Number of files and tables' places were looked at. */
  readonly looked: number;
}

type Place = Omit<KeptText, "offset"> & { readonly path: string };

/**
 * Looks for texts in everything that cairn itself keeps: all databases, their logs and drafts, the bin,
 * sessions, what hooks have queued with the transcripts that it names, and the copies that were noted.
 */
export async function findEverywhere(
  { config, store }: App,
  texts: readonly string[],
): Promise<LookedEverywhere> {
  const { dataDir } = config;
  const found: KeptText[] = [];
  const unread: string[] = [];
  const places = [...placesIn(dataDir), ...placesOutside(dataDir)];
  for (const { path, ...place } of places) {
    try {
      const [offset] = await findInFile(path, texts);
      if (offset !== undefined) found.push({ ...place, offset });
    } catch {
      if (existsSync(path)) unread.push(place.file);
    }
  }
  if (await isOnServer(store)) {
    for (const { name } of await store.list()) {
      const database = await store.open(name).database();
      for (const text of texts) {
        const left = await database.findBytes(text);
        found.push(...left.map((each) => ({ kind: "database" as const, name, ...each })));
      }
    }
    unread.push(...(await store.bin()).map(({ id }) => id));
  }
  return { found, unread, looked: places.length };
}

async function isOnServer(store: App["store"]): Promise<boolean> {
  const [any] = await store.list();
  return any !== undefined && (await store.open(any.name).database()).isOnServer;
}

function placesIn(dataDir: string): Place[] {
  return filesIn(dataDir).map((path) => {
    const file = relative(dataDir, path);
    const [folder = "", inside] = file.split(sep);
    if (inside === undefined) {
      const [, name] = /^(.+?)\.db(?:[.-].*)?$/.exec(file) ?? [];
      return name === undefined
        ? { kind: "other", file, path }
        : { kind: "database", file, name, path };
    }
    if (folder === "bin") return { kind: "bin", file, name: inside.replace(/\.db.*$/, ""), path };
    return { kind: folder === "queue" ? "queue" : "other", file, path };
  });
}

function placesOutside(dataDir: string): Place[] {
  const copies = new NotedCopies(dataDir).list().flatMap(({ kind, target }) => {
    if (kind === "copy") return [];
    return filesOf(target).map((path): Place => ({ kind, file: path, path }));
  });
  const transcripts = filesIn(join(dataDir, "queue"))
    .flatMap((job) => transcriptOf(readFileSync(job, "utf8")) ?? [])
    .flatMap(filesOf)
    .map((path): Place => ({ kind: "transcript", file: path, path }));
  return [...copies, ...transcripts];
}

function transcriptOf(job: string): string | undefined {
  const [, path] = /"transcriptPath"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(job) ?? [];
  return path === undefined ? undefined : (JSON.parse(path) as string);
}

function filesOf(target: string): string[] {
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return filesIn(target);
  return stats?.isFile() ? [target] : [];
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
