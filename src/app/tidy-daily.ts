import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Memory } from "../memory/index.ts";
import { makeFolder } from "../shared/files.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

const queuedTidying = z.object({
  /** Name of the database. */
  db: z.string(),
  /** Empty; its time is that of the last tidying. */
  mark: z.string(),
});
export type QueuedTidying = z.output<typeof queuedTidying>;

/** Where the time of a database's last tidying is kept. */
export function tidyingOf(dataDir: string, db: string): QueuedTidying {
  return { db, mark: join(dataDir, "tidied", encodeURIComponent(db)) };
}

/** Whether a day has passed since; the first day begins when somebody asks. */
export function isTidyingDue({ mark }: QueuedTidying, now: number): boolean {
  const last = statSync(mark, { throwIfNoEntry: false });
  if (last === undefined) touch(mark);
  return last !== undefined && now - last.mtimeMs > DAY_MS;
}

/** Tidies once, however many processes have queued it. */
export async function tidyQueued(payload: unknown, open: (db: string) => Memory): Promise<void> {
  const work = queuedTidying.parse(payload);
  if (!isTidyingDue(work, Date.now())) return;
  await open(work.db).execute("tidy", {});
  touch(work.mark);
}

function touch(mark: string): void {
  makeFolder(join(mark, ".."));
  writeFileSync(mark, "", { mode: 0o600 });
}
