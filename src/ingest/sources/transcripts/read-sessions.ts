import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isCairnError } from "../../../shared/errors.ts";
import { describedRecords, newerNodeError } from "../../capture/index.ts";
import type { SourceBatch } from "../store-source.ts";
import type { SessionFolder } from "./session-folders.ts";
import { createPassages, readSession } from "./split-passages.ts";
import type { StoredSession } from "./stored/stored-session.ts";

/** No client nests its sessions deeper. */
const MAX_DEPTH = 6;

export interface ReadSessionsOptions {
  readonly client: string;
  /** An entry may also name a single file. */
  readonly places: readonly SessionFolder[];
  /** Restricts to sessions in this folder or below; undefined for all. */
  readonly within: string | undefined;
  readonly cwd: string;
  /** Receives each skipped session with the reason. */
  onSkipped?(skipped: SkippedSession): void;
}

export interface SkippedSession {
  readonly path: string;
  readonly reason: "no turns" | "no folder" | "unreadable" | "compressed";
}

/** Yields sessions one at a time, oldest first. Known passages are recognized by key. */
export async function* readSessions(options: ReadSessionsOptions): AsyncGenerator<SourceBatch> {
  const now = new Date().toISOString();
  for (const location of options.places) {
    const within = location.isOfProject ? undefined : options.within;
    const cwd = within === undefined ? options.cwd : "";
    for (const path of await listFiles(location)) {
      if (newerNodeError(path)) {
        options.onSkipped?.({ path, reason: "compressed" });
        continue;
      }
      const read = readBatches(path, location, { client: options.client, cwd, now });
      const onUnreadable = () => options.onSkipped?.({ path, reason: "unreadable" });
      // Database readers report unknown formats themselves.
      for await (const batch of location.stored === undefined
        ? skipUnreadable(read, onUnreadable)
        : read) {
        const folder = batch.place ?? "";
        const isOther = within !== undefined && folder !== "" && !isWithin(folder, within);
        if (isOther) continue;
        if (batch.passages.length === 0) options.onSkipped?.({ path, reason: "no turns" });
        else if (within !== undefined && folder === "") {
          options.onSkipped?.({ path, reason: "no folder" });
        } else yield batch;
      }
    }
  }
}

/** Reports an unreadable file and continues with the others. */
async function* skipUnreadable(
  batches: AsyncIterable<SourceBatch>,
  onUnreadable: () => void,
): AsyncGenerator<SourceBatch> {
  try {
    yield* batches;
  } catch (error) {
    if (!isCairnError(error) || error.code !== "invalid_input") throw error;
    onUnreadable();
  }
}

interface SessionContext {
  readonly client: string;
  readonly cwd: string;
  readonly now: string;
}

async function* readBatches(
  path: string,
  { file, stored }: SessionFolder,
  about: SessionContext,
): AsyncGenerator<SourceBatch> {
  if (stored !== undefined) {
    for (const session of stored(path)) yield createStoredBatch(session, about);
    return;
  }
  const session = file === basename(path) ? basename(dirname(path)) : undefined;
  // Without a name from client or transcript, use the file name, or the folder name if all files
  // share one.
  const stem = basename(path, ".zst").replace(/\.[^.]*$/, "");
  const otherwise = /\d/.test(stem) ? stem : basename(dirname(path));
  const batch = await readSession({ ...about, session, otherwise, path }, undefined);
  if (batch !== undefined) yield batch;
}

function createStoredBatch(
  session: StoredSession,
  { client, cwd, now }: SessionContext,
): SourceBatch {
  const folder = session.cwd ?? cwd;
  const records = describedRecords([...session.records]);
  return {
    ...{ kind: client, key: session.key, title: session.title, place: folder },
    passages: createPassages(records, { cwd: folder, now, before: 0 }),
  };
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
}

async function listFiles({ folder, endings, isFlat }: SessionFolder): Promise<string[]> {
  const stats = await stat(folder);
  if (stats.isFile()) return [folder];
  const found: { readonly path: string; readonly time: number }[] = [];
  const walk = async (parent: string, depth: number): Promise<void> => {
    for (const entry of await readdir(parent, { withFileTypes: true })) {
      const inner = join(parent, entry.name);
      // Prompts to subagents are written by a model.
      if (entry.isDirectory() && entry.name === "subagents") continue;
      if (entry.isDirectory() && depth < (isFlat === true ? 0 : MAX_DEPTH)) {
        await walk(inner, depth + 1);
      } else if (entry.isFile() && endings.some((ending) => entry.name.endsWith(ending))) {
        found.push({ path: inner, time: (await stat(inner)).mtimeMs });
      }
    }
  };
  await walk(folder, 0);
  return found.sort((a, b) => a.time - b.time).map((file) => file.path);
}
