import { resolve } from "node:path";
import { type App, createApp, doQueuedWork, queueOf } from "../../app/index.ts";
import {
  type CapturedWork,
  readCandidates,
  readSession,
  writeSession,
} from "../../capture/index.ts";
import type { QueuedTranscript } from "../../sources/index.ts";
import { type HookRun, sessionOf } from "./hook-run.ts";

/** Somebody who ends a session waits for this; what takes longer is done by the next process. */
const WRITE_PATIENCE_MS = 1_500;

/**
 * Keeps what was said in the session, and what of it is worth remembering by itself. It is put into the queue first, so
 * that neither a memory in which somebody else writes nor the end of this process loses it.
 */
export async function hookCapture(run: HookRun): Promise<void> {
  const { client, event, input, cwd } = run;
  const app = open(run);
  run.tellRefused(app);
  try {
    const { name, file, known } = sessionOf(run, app);
    if (input.transcriptPath !== undefined) {
      const transcriptPath = resolve(cwd, input.transcriptPath);
      const about = { client: client.name, session: name };
      const { candidates, reading } = await readCandidates({ cwd, transcriptPath }, known.reading);
      const db = app.store.open().name;
      if (!app.config.settings.sources.off.includes("sessions")) {
        const now = new Date().toISOString();
        const { session } = input;
        const transcript: QueuedTranscript = {
          ...{ client: client.name, cwd, transcriptPath, db, now },
          ...(session !== undefined && { session }),
        };
        queueOf(app).add("transcript", transcript);
      }
      const work: CapturedWork = { ...about, db, sessionFile: file, candidates: [...candidates] };
      if (candidates.length > 0) queueOf(app).add("captured", work);
      // What is in the queue is not looked for again; whoever ends before this finds it once more.
      writeSession(file, { ...readSession(file), reading });
    }
    if (run.stays === undefined) await doQueuedWork(app);
    else run.stays.later(() => workOff(run));
    // What is compacted is out of the model's sight and may be told again.
    if (event === "compact") writeSession(file, { ...readSession(file), shown: [] });
  } finally {
    await app.close();
  }
}

function open({ app, stays }: HookRun): App {
  const options = { ...app, writePatienceMs: WRITE_PATIENCE_MS };
  return stays?.openApp(options) ?? createApp(options);
}

/** What was handed over outlives every process: whoever waits need not wait for this. */
async function workOff(run: HookRun): Promise<void> {
  const app = open(run);
  try {
    await doQueuedWork(app);
  } finally {
    await app.close();
  }
}
