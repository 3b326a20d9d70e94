import { statSync } from "node:fs";
import type { App, AppOptions } from "../../app/index.ts";
import { type Client, HOOK_EVENTS, type HookEvent, requireClient } from "../../clients/index.ts";
import { type HookSession, readSession, sessionFile } from "../../ingest/capture/index.ts";
import type { Clock } from "../../shared/clock.ts";
import { workClock } from "../../shared/deadline.ts";
import { readPayload } from "../../shared/read-payload.ts";
import type { CommandLine } from "../command-line.ts";
import { appOptions } from "../open-app.ts";
import { type HookInput, readHookInput } from "./hook-input.ts";

/**
 * Time for a prompt's recall, for which a person waits in addition to the client's own start. It is
 * counted in processor time of this process, which was started only for this; otherwise the time
 * could be over on a busy machine before anything was read.
 */
const TIMEOUT_MS = 300;
/**
 * A long-lived process usually needs a tenth of that. The limit only ends work on a very busy
 * machine, since a client that it turns away would have to start from nothing.
 */
const DAEMON_TIMEOUT_MS = 1_500;

/** The parsed call of a client. */
export interface HookRun {
  readonly client: Client;
  readonly event: HookEvent;
  readonly input: HookInput;
  /** Existing folder in which the session works. */
  readonly cwd: string;
  readonly app: AppOptions;
  /** Prints on standard error which settings may not choose the memory. This message is never suppressed. */
  readonly tellRefused: (app: App) => void;
  /** How long a prompt's recall may take, milliseconds. */
  readonly patienceMs: number;
  /** The clock for `patienceMs`, if not ordinary time. */
  readonly pace: Clock | undefined;
  readonly stays: CommandLine["stays"];
  /** Runs work after the answer was printed. */
  readonly afterwards: (work: () => Promise<void>) => void;
}

type HookOptions = Readonly<Record<string, unknown>> & Pick<HookRun, "afterwards">;

/** Reads the client's input from standard input. Throws if it is not valid. */
export async function readHookRun(
  line: CommandLine,
  [name = "", moment = ""]: readonly string[],
  { db, dataDir, database, patience, afterwards }: HookOptions,
): Promise<HookRun> {
  const client = requireClient(name);
  const event = HOOK_EVENTS.find((known) => known === moment);
  if (event === undefined) throw new Error(`there is no event "${moment}"`);
  const input = readHookInput(
    line.stdin.isTTY === true ? "" : (await readPayload(line.stdin)).toString("utf8"),
  );
  const cwd = existingFolder(input.cwd) ?? line.cwd;
  const model = line.stays === undefined ? { embeddingProvider: "none" } : {};
  const app = appOptions({ ...line, cwd }, { db, dataDir, database, ...model });
  const usual = line.stays === undefined ? TIMEOUT_MS : DAEMON_TIMEOUT_MS;
  const patienceMs = Number(patience) > 0 ? Number(patience) : usual;
  const pace = line.stays === undefined ? workClock() : undefined;
  const tellRefused = ({ config }: App) => {
    for (const sentence of config.refused) line.stderr.write(`cairn hook: ${sentence}\n`);
  };
  const { stays } = line;
  return { client, event, input, cwd, app, patienceMs, pace, tellRefused, stays, afterwards };
}

export interface StoredSession {
  readonly name: string;
  readonly file: string;
  readonly known: HookSession;
}

export function sessionOf({ client, input, cwd }: HookRun, { config }: App): StoredSession {
  const name = input.session ?? input.transcriptPath ?? cwd;
  const file = sessionFile(config.dataDir, client.name, name);
  return { name, file, known: readSession(file) };
}

function existingFolder(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : undefined;
}
