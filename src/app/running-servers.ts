import { readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import type { ThreadHost } from "../agent/index.ts";
import { messageOf } from "../shared/errors.ts";
import { listFolder, makeFolder } from "../shared/files.ts";
import type { Logger } from "../shared/logger.ts";
import { isAlive } from "../shared/process-lock.ts";

const serverRecord = z.object({
  url: z.url({ protocol: /^https?$/ }),
  cwd: z.string(),
  hasPage: z.boolean(),
  waiting: z.int().min(0),
});

export type RunningServer = z.output<typeof serverRecord> & { readonly isThis: boolean };

const CHECK_INTERVAL_MS = 2_000;
/** A record not renewed within this time belongs to a killed server. */
const STALE_MS = 60_000;
const RENEWAL_MS = 15_000;

interface ServerRecord {
  readonly url: string;
  readonly hasPage: boolean;
  readonly host: ThreadHost;
  readonly logger: Logger;
}

export function recordRunning(
  dataDir: string,
  { host, logger, url, hasPage }: ServerRecord,
): () => void {
  const folder = serversFolder(dataDir);
  makeFolder(folder);
  const file = join(folder, `${process.pid}.json`);
  let lastError = "";
  let renewed = 0;
  const refresh = () => {
    const note = JSON.stringify({ url, hasPage, cwd: host.info.cwd, waiting: findWaiting(host) });
    if (note !== lastError) writeFileAtomic.sync(file, note, { mode: 0o600 });
    else if (Date.now() - renewed > RENEWAL_MS) utimesSync(file, new Date(), new Date());
    else return;
    lastError = note;
    renewed = Date.now();
  };
  // Expected: a read-only folder. The server works but is not listed.
  const checkAgain = () => {
    try {
      refresh();
    } catch (error) {
      clearInterval(timer);
      logger.warn(
        `This server can no longer announce itself to other servers: ${messageOf(error)}`,
      );
    }
  };
  const timer = setInterval(checkAgain, CHECK_INTERVAL_MS).unref();
  checkAgain();
  return () => {
    clearInterval(timer);
    rmSync(file, { force: true });
  };
}

export function runningServers(dataDir: string): readonly RunningServer[] {
  const folder = serversFolder(dataDir);
  return listFolder(folder)
    .flatMap((name) => {
      const pid = Number(/^(\d+)\.json$/.exec(name)?.[1]);
      const file = join(folder, name);
      if (!Number.isInteger(pid) || !isAlive(pid)) return [];
      const note = readRecord(file);
      return note === undefined ? [] : [{ ...note, isThis: pid === process.pid }];
    })
    .sort((a, b) => a.cwd.localeCompare(b.cwd));
}

function findWaiting(host: ThreadHost): number {
  return host
    .list()
    .filter(
      ({ pendingPrompt, pendingPermission }) =>
        pendingPrompt !== undefined || pendingPermission !== undefined,
    ).length;
}

function serversFolder(dataDir: string): string {
  return join(dataDir, "servers");
}

function readRecord(file: string): z.output<typeof serverRecord> | undefined {
  try {
    const { mtimeMs, mode } = statSync(file);
    if (Date.now() - mtimeMs > STALE_MS || (mode & 0o077) !== 0) return undefined;
    return serverRecord.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  } catch {
    return undefined;
  }
}
