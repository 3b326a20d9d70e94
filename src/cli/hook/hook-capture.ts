import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type App, createApp, doQueuedWork, queueOf } from "../../app/index.ts";
import { type QueuedTurn, updateSession } from "../../ingest/capture/index.ts";
import type { QueuedTranscript } from "../../ingest/sources/index.ts";
import { type HookRun, sessionOf } from "./hook-run.ts";

const WRITE_TIMEOUT_MS = 1_500;

/**
 * Stores what was said in the session, and what is worth remembering by itself. The place of the
 * transcript goes into the queue first, so that neither a locked memory nor the end of this process
 * loses it. A long-lived process works through the queue after the client was answered.
 */
export async function hookCapture(run: HookRun): Promise<void> {
  const { client, event, input, cwd, stays } = run;
  const isNoCompaction = client.hooks?.compactsAtEachRequest === true && input.trigger !== "manual";
  if (event === "compact" && isNoCompaction) return;
  const app = open(run);
  run.tellRefused(app);
  try {
    if (app.config.settings.memory !== "on") return;
    const { name, file } = sessionOf(run, app);
    const transcriptPath = await findTranscript(cwd, input.transcriptPath);
    if (transcriptPath !== undefined) {
      const db = app.store.open().name;
      const place = { client: client.name, db, cwd, transcriptPath };
      if (!app.config.settings.sources.off.includes("sessions")) {
        const now = new Date().toISOString();
        const { session } = input;
        const transcript: QueuedTranscript = {
          ...{ ...place, now, sessionFile: file },
          ...(session && { session }),
        };
        queueOf(app).add("transcript", transcript);
      }
      const { accept } = app.config.settings.learn;
      const turn: QueuedTurn = {
        ...{ ...place, session: name, sessionFile: file, accept },
        ...(input.session && { source: input.session }),
      };
      queueOf(app).add("turn", turn);
    }
    if (stays === undefined) await doQueuedWork(app);
    else stays.later(() => workOff(stays.openApp(run.app)));
    // After compaction the model no longer sees these items, so they may be shown again.
    if (event === "compact") updateSession(file, (now) => ({ ...now, shown: [], startedAt: 0 }));
  } finally {
    await app.close();
  }
}

/**
 * The transcript of a session. Claude Code names a folder of the worktree that a session moved to, but goes on writing to
 * that of the project where the session began, which is a sibling. Undefined if there is no such file.
 */
async function findTranscript(cwd: string, given: string | undefined): Promise<string | undefined> {
  if (given === undefined) return undefined;
  const path = resolve(cwd, given);
  if (existsSync(path)) return path;
  const projects = dirname(dirname(path));
  const folders = await readdir(projects, { withFileTypes: true }).catch(() => []);
  return folders
    .filter((folder) => folder.isDirectory())
    .map(({ name }) => join(projects, name, basename(path)))
    .find((other) => existsSync(other));
}

function open({ app, stays }: HookRun): App {
  const options = { ...app, writePatienceMs: WRITE_TIMEOUT_MS };
  return stays?.openApp(options) ?? createApp(options);
}

async function workOff(app: App): Promise<void> {
  try {
    await doQueuedWork(app, { isLongLived: true });
  } finally {
    await app.close();
  }
}
