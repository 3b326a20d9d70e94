import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type App, createApp, openQueue, runQueuedWork } from "../../app/index.ts";
import { type QueuedTurn, updateSession } from "../../ingest/capture/index.ts";
import type { QueuedTranscript } from "../../ingest/sources/index.ts";
import { type HookRun, loadSession } from "./hook-run.ts";

const WRITE_TIMEOUT_MS = 1_500;

/**
 * Captures the session and what it taught. Queues the transcript path first, so that neither a
 * locked memory nor process exit loses it. The daemon processes the queue after the client got its
 * response.
 */
export async function hookCapture(run: HookRun): Promise<void> {
  const { client, event, input, cwd, longRunning } = run;
  const isNoCompaction = client.hooks?.compactsAtEachRequest === true && input.trigger !== "manual";
  if (event === "compact" && isNoCompaction) return;
  const app = openMemoryFor(run);
  run.reportRefused(app);
  try {
    if (app.config.settings.memory !== "on") return;
    const { name, file } = loadSession(run, app);
    const transcriptPath = await findTranscript(cwd, input.transcriptPath);
    if (transcriptPath !== undefined) {
      const db = app.store.open().name;
      const origin = { client: client.name, db, cwd, transcriptPath };
      if (!app.config.settings.sources.off.includes("sessions")) {
        const now = new Date().toISOString();
        const { session } = input;
        const transcript: QueuedTranscript = {
          ...{ ...origin, now, sessionFile: file },
          ...(session && { session }),
        };
        openQueue(app).add("transcript", transcript);
      }
      const { accept } = app.config.settings.learn;
      const turn: QueuedTurn = {
        ...{ ...origin, session: name, sessionFile: file, accept },
        ...(input.session && { source: input.session }),
      };
      openQueue(app).add("turn", turn);
    }
    if (longRunning === undefined) await runQueuedWork(app);
    else longRunning.later(() => processQueue(longRunning.openApp(run.app)));
    // Compaction removes these items from the model's context, so they may be shown again.
    if (event === "compact") updateSession(file, (now) => ({ ...now, shown: [], startedAt: 0 }));
  } finally {
    await app.close();
  }
}

/**
 * Finds a session's transcript. After a move to a worktree, Claude Code names the worktree's folder
 * but still writes to the original project's sibling folder. Undefined if the file does not exist.
 */
async function findTranscript(cwd: string, value: string | undefined): Promise<string | undefined> {
  if (value === undefined) return undefined;
  const path = resolve(cwd, value);
  if (existsSync(path)) return path;
  const projects = dirname(dirname(path));
  const folders = await readdir(projects, { withFileTypes: true }).catch(() => []);
  return folders
    .filter((folder) => folder.isDirectory())
    .map(({ name }) => join(projects, name, basename(path)))
    .find((other) => existsSync(other));
}

function openMemoryFor({ app, longRunning }: HookRun): App {
  const options = { ...app, writeTimeoutMs: WRITE_TIMEOUT_MS };
  return longRunning?.openApp(options) ?? createApp(options);
}

async function processQueue(app: App): Promise<void> {
  try {
    await runQueuedWork(app, { isLongLived: true });
  } finally {
    await app.close();
  }
}
