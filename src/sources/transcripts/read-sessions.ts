import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { SourceBatch } from "../source-batch.ts";
import { readSession } from "./read-session.ts";

/** Deeper than clients nest their sessions by date. */
const DEEPEST = 6;

export interface SessionsWanted {
  readonly client: string;
  /** A transcript, or a folder of them. */
  readonly path: string;
  readonly endings: readonly string[];
  /** Of a session that is a folder, the file with the transcript. */
  readonly file?: string | undefined;
  /** Only sessions that worked in this folder or below; undefined: all. */
  readonly within: string | undefined;
  /** Where sessions worked that do not say it. */
  readonly cwd: string;
}

/** The transcripts below a path, a session at a time, the oldest first; what is known of one, its keys tell. */
export async function* readSessions(wanted: SessionsWanted): AsyncGenerator<SourceBatch> {
  const now = new Date().toISOString();
  for (const path of await transcripts(wanted.path, wanted.endings)) {
    const session = basename(path) === wanted.file ? basename(dirname(path)) : undefined;
    // A task that does not say where it worked is of no project, unless somebody names it.
    const cwd = session !== undefined && wanted.within !== undefined ? "" : wanted.cwd;
    const file = { client: wanted.client, session, path, cwd, now };
    const batch = await readSession(file, undefined);
    if (batch === undefined || batch.passages.length === 0) continue;
    if (wanted.within !== undefined && !isWithin(batch.place ?? "", wanted.within)) continue;
    yield batch;
  }
}

function isWithin(place: string, folder: string): boolean {
  return place === folder || place.startsWith(`${folder}/`) || place.startsWith(`${folder}\\`);
}

async function transcripts(path: string, endings: readonly string[]): Promise<string[]> {
  const stats = await stat(path);
  if (stats.isFile()) return [path];
  const found: { readonly path: string; readonly time: number }[] = [];
  const walk = async (folder: string, depth: number): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const inner = join(folder, entry.name);
      if (entry.isDirectory() && depth < DEEPEST) await walk(inner, depth + 1);
      else if (entry.isFile() && endings.some((ending) => entry.name.endsWith(ending))) {
        found.push({ path: inner, time: (await stat(inner)).mtimeMs });
      }
    }
  };
  await walk(path, 0);
  return found.sort((a, b) => a.time - b.time).map((file) => file.path);
}
