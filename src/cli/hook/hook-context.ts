import { type App, assembleApp, queueProject } from "../../app/index.ts";
import { OWN_DATABASE } from "../../config/index.ts";
import { forgetOldSessions, writeSession } from "../../ingest/capture/index.ts";
import { contextOperations, promptContext, sessionContext } from "../../memory/index.ts";
import { type HookRun, type KeptSession, sessionOf } from "./hook-run.ts";

/**
 * What the model should see at the start of a session or with a prompt, in the client's format. A
 * person waits for it, so only the operations that it needs are loaded.
 */
export async function hookContext(run: HookRun): Promise<string | undefined> {
  const app = run.stays?.openApp(run.app) ?? assembleApp(run.app, contextOperations());
  run.tellRefused(app);
  try {
    if (app.config.settings.memory === "off") return undefined;
    const session = sessionOf(run, app);
    const text =
      run.event === "prompt" ? await prompted(app, session, run) : await start(app, session, run);
    return text === undefined ? undefined : run.client.hooks?.answer(run.event, text);
  } finally {
    run.afterwards(() => app.close());
  }
}

async function start(
  app: App,
  { file, known }: KeptSession,
  { client, input }: HookRun,
  source = input.source,
): Promise<string | undefined> {
  const { store, config } = app;
  // A resumed session still has what it was shown.
  if (source === "resume" && known.shown.length > 0) return undefined;
  await queueProject(app);
  const project = store.open();
  const own = project.name === OWN_DATABASE ? undefined : store.open(OWN_DATABASE);
  const context = await sessionContext({
    project,
    own: (await own?.isThere()) === true ? own : undefined,
    farther: await store.fartherLayers(),
    asker: { client: client.name, session: input.session },
  });
  if (context === undefined) return undefined;
  writeSession(file, { ...known, shown: context.shown });
  forgetOldSessions(config.dataDir, Date.now());
  return context.text;
}

async function prompted(app: App, session: KeptSession, run: HookRun): Promise<string | undefined> {
  if (run.client.hooks?.startsWithPrompt !== true) return answerPrompt(app, session, run);
  const begun = await start(app, session, run, "resume");
  const found = await answerPrompt(app, sessionOf(run, app), run);
  return [begun, found].filter((text) => text !== undefined).join("\n\n") || undefined;
}

async function answerPrompt(
  { store }: App,
  { file, known }: KeptSession,
  { client, input, patienceMs, pace }: HookRun,
): Promise<string | undefined> {
  const memory = store.open();
  // An unreadable layer was already reported at the start of the session.
  const farther = await store.fartherLayers();
  if (!(await memory.isThere()) && farther.length === 0) return undefined;
  const context = await promptContext(memory, {
    prompt: input.prompt ?? "",
    shown: new Set(known.shown),
    ...(input.session !== undefined && {
      ownSource: { kind: client.name, key: input.session },
    }),
    patienceMs,
    pace,
    farther,
  });
  if (context === undefined) return undefined;
  writeSession(file, { ...known, shown: [...known.shown, ...context.shown] });
  return context.text;
}
