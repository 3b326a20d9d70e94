import { assembleApp } from "../../app/index.ts";
import { momentOfCall, toldHashes, updateSession } from "../../ingest/capture/index.ts";
import { contextOperations, momentContext } from "../../memory/index.ts";
import { type HookRun, sessionOf } from "./hook-run.ts";
import { refuseMistake } from "./refuse-mistake.ts";

/**
 * What the model should know about the things that a tool call touches, in the client's format. It
 * runs at each call, so a call that touches nothing does not open the memory.
 */
export async function hookMoment(run: HookRun): Promise<string | undefined> {
  const { client, input, cwd, patienceMs, pace } = run;
  const { tool, toolInput, session } = input;
  if (tool === undefined) return undefined;
  const moment = momentOfCall({ kind: "call", id: undefined, tool, input: toolInput }, cwd);
  if (moment === undefined) return undefined;
  const app = run.stays?.openApp(run.app) ?? assembleApp(run.app, contextOperations());
  run.tellRefused(app);
  try {
    if (app.config.settings.memory === "off") return undefined;
    const refused = await refuseMistake(run, app);
    if (refused !== undefined) return refused;
    const { file, known } = sessionOf(run, app);
    const memory = app.store.open();
    if (!(await memory.isThere())) return undefined;
    const context = await momentContext(memory, {
      ...moment,
      shown: new Set(known.shown),
      ...(session !== undefined && { ownSource: { kind: client.name, key: session } }),
      patienceMs,
      pace,
    });
    if (context === undefined) return undefined;
    updateSession(file, (now) => ({
      ...now,
      shown: [...now.shown, ...context.shown],
      told: toldHashes(context.text, now.told),
    }));
    return client.hooks?.answer(run.event, context.text);
  } finally {
    run.afterwards(() => app.close());
  }
}
