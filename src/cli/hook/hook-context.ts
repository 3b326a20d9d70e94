import { type App, assembleApp, queueProject } from "../../app/index.ts";
import { DEFAULT_DATABASE } from "../../config/index.ts";
import { forgetOldSessions, hashShown, updateSession } from "../../ingest/capture/index.ts";
import {
  contextOperations,
  createPromptContext,
  createSessionContext,
} from "../../memory/index.ts";
import { type HookRun, loadSession, type StoredSession } from "./hook-run.ts";

export async function hookContext(run: HookRun): Promise<string | undefined> {
  const app = run.longRunning?.openApp(run.app) ?? assembleApp(run.app, contextOperations());
  run.reportRefused(app);
  try {
    if (app.config.settings.memory === "off") return undefined;
    const session = loadSession(run, app);
    const text =
      run.event === "prompt"
        ? await answerUserPrompt(app, session, run)
        : await answerSessionStart(app, session, run);
    const output = text === undefined ? undefined : run.client.hooks?.answer(run.event, text);
    if (text !== undefined) {
      updateSession(session.file, (now) => ({ ...now, told: hashShown(text, now.told) }));
    }
    return run.client.hooks?.showsNotices === true
      ? addNotice(output, describeNotice(run, app, session))
      : output;
  } finally {
    run.afterwards(() => app.close());
  }
}

/** One line for the user at session start: loaded context and items stored since. */
function describeNotice(run: HookRun, app: App, before: StoredSession): string | undefined {
  const { file, known } = loadSession(run, app);
  const added = known.added ?? 0;
  const isStarted = known.startedAt !== before.known.startedAt;
  const parts = [
    ...(isStarted ? [`${counted(known.shown.length)} shown`] : []),
    ...(added > 0 ? [`${counted(added)} added`] : []),
  ];
  if (added > 0) updateSession(file, (now) => ({ ...now, added: (now.added ?? 0) - added }));
  return parts.length === 0 ? undefined : `cairn: ${parts.join(", ")}`;
}

const counted = (count: number) => `${count} ${count === 1 ? "memory" : "memories"}`;

function addNotice(output: string | undefined, text: string | undefined): string | undefined {
  if (text === undefined) return output;
  return JSON.stringify({ systemMessage: text, ...JSON.parse(output ?? "{}") });
}

/** Repeated session starts within this interval count as one. */
const REPEATED_START_MS = 3_000;

async function answerSessionStart(
  app: App,
  { file, known }: StoredSession,
  { client, input }: HookRun,
  source = input.source,
): Promise<string | undefined> {
  const { store, config } = app;
  await queueProject(app);
  if (source === "resume" && client.hooks?.dropsStartOnResume === true) {
    updateSession(file, (now) => ({ ...now, isStartPending: true }));
    return undefined;
  }
  // Resumed or forked sessions still contain the earlier context.
  if (source === "fork" || (source === "resume" && known.shown.length > 0)) return undefined;
  // The plugin and `connect` may both have installed the hook.
  const isRepeated = Date.now() - (known.startedAt ?? 0) < REPEATED_START_MS;
  if (isRepeated && source !== "compact" && source !== "clear") return undefined;
  const project = store.open();
  const own = project.name === DEFAULT_DATABASE ? undefined : store.open(DEFAULT_DATABASE);
  const context = await createSessionContext({
    project,
    own: (await own?.isThere()) === true ? own : undefined,
    outerLayers: await store.openOuterLayers(),
    requester: { client: client.name, session: input.session },
  });
  if (context === undefined) return undefined;
  updateSession(file, (now) => ({
    ...now,
    shown: context.shown,
    isStartPending: false,
    startedAt: Date.now(),
  }));
  forgetOldSessions(config.dataDir, Date.now());
  return context.text;
}

async function answerUserPrompt(
  app: App,
  session: StoredSession,
  run: HookRun,
): Promise<string | undefined> {
  // Qwen Code also calls the hook at each step of a turn, without a prompt.
  if ((run.input.prompt ?? "").trim() === "") return undefined;
  const isPending = session.known.isStartPending === true;
  const isFirst = run.client.hooks?.startsWithPrompt === true && session.known.shown.length === 0;
  if (!isPending && !isFirst) return answerPrompt(app, session, run);
  const startText = await answerSessionStart(app, session, run, "prompt");
  const found = await answerPrompt(app, loadSession(run, app), run);
  return [startText, found].filter((text) => text !== undefined).join("\n\n") || undefined;
}

async function answerPrompt(
  { store }: App,
  { file, known }: StoredSession,
  { client, input, recallTimeoutMs, clock }: HookRun,
): Promise<string | undefined> {
  const memory = store.open();
  // The session start already reported unreadable layers.
  const outer = await store.openOuterLayers();
  if (!(await memory.isThere()) && outer.length === 0) return undefined;
  const context = await createPromptContext(memory, {
    prompt: input.prompt ?? "",
    shown: new Set(known.shown),
    ...(input.session !== undefined && {
      ownSource: { kind: client.name, key: input.session },
    }),
    timeoutMs: recallTimeoutMs,
    clock,
    outerLayers: outer,
  });
  if (context === undefined) return undefined;
  updateSession(file, (now) => ({ ...now, shown: [...now.shown, ...context.shown] }));
  return context.text;
}
