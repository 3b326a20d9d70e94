import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { App } from "../../app/index.ts";
import type { Client, HookEvent } from "../../clients/index.ts";
import {
  type MemoryEngine,
  type MemoryStore,
  promptContext,
  type SessionContext,
  sessionContext,
} from "../../memory/index.ts";
import type { CommandLine } from "../command-line.ts";
import { appOptions } from "../open-app.ts";
import type { HookInput } from "./hook-input.ts";
import {
  forgetOldSessions,
  type HookSession,
  readSession,
  sessionFile,
  writeSession,
} from "./hook-session.ts";
import { keepCaptured } from "./keep-captured.ts";

export interface HookRun {
  readonly client: Client;
  readonly event: HookEvent;
  readonly input: HookInput;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Does what the event is for; resolves to the text that the model should see. */
export async function runHook(line: CommandLine, run: HookRun): Promise<string | undefined> {
  const cwd = existingFolder(run.input.cwd) ?? line.cwd;
  const { db, dataDir } = run.options;
  // No model is loaded: it would take longer than all the rest. Vectors follow with the next server.
  const flags = { db, dataDir, embeddingProvider: "none" };
  const { createApp } = await import("../../app/index.ts");
  const app = createApp(appOptions({ ...line, cwd }, flags));
  try {
    return await act(app, { ...run, cwd });
  } finally {
    await app.close();
  }
}

async function act(
  app: App,
  { client, event, input, cwd }: HookRun & { readonly cwd: string },
): Promise<string | undefined> {
  const name = input.session ?? input.transcriptPath ?? cwd;
  const file = sessionFile(app.config.dataDir, client.name, name);
  const known = readSession(file);
  const memory = app.store.open();
  if (event === "session-start") {
    return start({ memory, store: app.store, file, known, source: input.source }, () =>
      forgetOldSessions(app.config.dataDir, Date.now()),
    );
  }
  if (event === "prompt") return answerPrompt({ memory, file, known }, input.prompt ?? "");
  if (input.transcriptPath !== undefined) {
    const path = resolve(cwd, input.transcriptPath);
    const request = { client: client.name, session: name, cwd, transcriptPath: path, known };
    const state = await keepCaptured(memory, request);
    // What is compacted is out of the model's sight and may be told again.
    writeSession(file, event === "compact" ? { ...state, shown: [] } : state);
  }
  return undefined;
}

interface Sight {
  readonly memory: MemoryEngine;
  readonly file: string;
  readonly known: HookSession;
}

async function start(
  sight: Sight & { readonly store: MemoryStore; readonly source: string | undefined },
  tidy: () => void,
): Promise<string | undefined> {
  const { memory, store, file, known, source } = sight;
  // A session that goes on still has what it was told.
  if (source === "resume" && known.shown.length > 0) return undefined;
  const { OWN_DATABASE } = await import("../../config/index.ts");
  const own = memory.name === OWN_DATABASE ? undefined : store.open(OWN_DATABASE);
  const context = await sessionContext({
    project: memory,
    own: own?.exists === true ? own : undefined,
  });
  if (context === undefined) return undefined;
  writeSession(file, { ...known, shown: context.shown });
  tidy();
  return context.text;
}

async function answerPrompt(
  { memory, file, known }: Sight,
  prompt: string,
): Promise<string | undefined> {
  if (!memory.exists) return undefined;
  const context: SessionContext | undefined = await promptContext(memory, {
    prompt,
    shown: new Set(known.shown),
  });
  if (context === undefined) return undefined;
  writeSession(file, { ...known, shown: [...known.shown, ...context.shown] });
  return context.text;
}

function existingFolder(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : undefined;
}
