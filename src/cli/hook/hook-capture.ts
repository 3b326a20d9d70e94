import { resolve } from "node:path";
import { createApp } from "../../app/index.ts";
import { type HookRun, sessionOf } from "./hook-run.ts";
import { writeSession } from "./hook-session.ts";
import { keepCaptured } from "./keep-captured.ts";

/** Keeps what the session's transcript has that is worth keeping. */
export async function hookCapture(run: HookRun): Promise<void> {
  const { client, event, input, cwd } = run;
  if (input.transcriptPath === undefined) return;
  const app = createApp(run.app);
  try {
    const { name, file, known } = sessionOf(run, app);
    const transcriptPath = resolve(cwd, input.transcriptPath);
    const request = { client: client.name, session: name, cwd, transcriptPath, known };
    const state = await keepCaptured(app.store.open(), request);
    // What is compacted is out of the model's sight and may be told again.
    writeSession(file, event === "compact" ? { ...state, shown: [] } : state);
  } finally {
    await app.close();
  }
}
