import { type App, assembleApp, openQueue } from "../../app/index.ts";
import {
  describeMoment,
  findUpcomingMistakes,
  formatMistakes,
  hashShown,
  updateSession,
  type WarnedMistake,
} from "../../ingest/capture/index.ts";
import { contextOperations, formatMomentContext } from "../../memory/index.ts";
import { type HookRun, loadSession } from "./hook-run.ts";

export async function hookMoment(run: HookRun): Promise<string | undefined> {
  const { client, input, cwd, recallTimeoutMs, clock } = run;
  const { tool, toolInput, session } = input;
  if (tool === undefined) return undefined;
  const moment = describeMoment({ kind: "call", id: undefined, tool, input: toolInput }, cwd);
  if (moment === undefined) return undefined;
  const app = run.longRunning?.openApp(run.app) ?? assembleApp(run.app, contextOperations());
  run.reportRefused(app);
  try {
    if (app.config.settings.memory === "off") return undefined;
    const refusal = await refuseMistake(run, app);
    if (refusal !== undefined) return refusal;
    const { file, known } = loadSession(run, app);
    const memory = app.store.open();
    if (!(await memory.isThere())) return undefined;
    const context = await formatMomentContext(memory, {
      ...moment,
      shown: new Set(known.shown),
      ...(session !== undefined && { ownSource: { kind: client.name, key: session } }),
      timeoutMs: recallTimeoutMs,
      clock,
    });
    if (context === undefined) return undefined;
    updateSession(file, (now) => ({
      ...now,
      shown: [...now.shown, ...context.shown],
      told: hashShown(context.text, now.told),
    }));
    return client.hooks?.answer(run.event, context.text);
  } finally {
    run.afterwards(() => app.close());
  }
}

/**
 * Refuses a call that would repeat a known mistake, once per session, if the client supports
 * refusals. The avoided mistake is counted by the next writer, to keep this call fast.
 */
async function refuseMistake(run: HookRun, app: App): Promise<string | undefined> {
  const { client, input, cwd } = run;
  const { tool, toolInput } = input;
  const refuse = client.hooks?.refuse;
  if (refuse === undefined || tool === undefined) return undefined;
  const memory = app.store.open();
  const ahead = await findUpcomingMistakes(memory, { call: { tool, input: toolInput }, cwd });
  if (ahead.length === 0) return undefined;
  const { file, known, name } = loadSession(run, app);
  const refusedIds = known.held ?? [];
  const unrefused = ahead.filter(({ id }) => !refusedIds.includes(id));
  const note = (id: string, wasMade: WarnedMistake["made"]) => {
    const shownMistake: WarnedMistake = {
      db: memory.name,
      id,
      session: `${client.name}:${name}`,
      made: wasMade,
    };
    openQueue(app).add("mistake", shownMistake);
  };
  // `!` marks a repeated mistake, so that it is counted once.
  const repeated = ahead.filter(
    ({ id }) => refusedIds.includes(id) && !refusedIds.includes(`${id}!`),
  );
  for (const { id } of unrefused) note(id, false);
  if (unrefused.length === 0) for (const { id } of repeated) note(id, true);
  const markedIds =
    unrefused.length > 0 ? unrefused.map(({ id }) => id) : repeated.map(({ id }) => `${id}!`);
  if (markedIds.length > 0)
    updateSession(file, (now) => ({ ...now, held: [...(now.held ?? []), ...markedIds] }));
  return unrefused.length === 0 ? undefined : refuse(formatMistakes(unrefused));
}
