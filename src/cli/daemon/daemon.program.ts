/**
 * The daemon: `daemon.program.js <folder>`. Runs its user's commands on one data folder and exits
 * when idle.
 */
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { z } from "zod";
import {
  type DaemonAnswer,
  type DaemonClient,
  DaemonServer,
  forgetStart,
  recordOff,
} from "../../app/daemon/index.ts";
import { AppCache, runQueuedWork } from "../../app/index.ts";
import { type LoadedConfig, loadConfig } from "../../config/index.ts";
import { installSignalHandlers } from "../../server/http/index.ts";
import { processEnvironment } from "../../shared/environment.ts";
import { CairnError, messageOf } from "../../shared/errors.ts";
import { stderrLogger } from "../../shared/logger.ts";
import { version } from "../version.ts";
import { answerQuestion } from "./run-request.ts";
import { WriteKeys } from "./write-keys.ts";

/** The client runs larger requests in its own processes. */
const MAX_TEXTS = 64;

const reading = z.object({
  texts: z.array(z.object({ text: z.string(), before: z.string() })).max(MAX_TEXTS),
  role: z.enum(["query", "passage"]),
});

async function sendReadings(
  { request, signal }: DaemonClient,
  apps: AppCache,
): Promise<DaemonAnswer> {
  const { texts, role } = reading.parse(request.read);
  const readings = await apps.read(texts, { role, signal });
  if (readings === undefined) return { kind: "declined", reason: "it has another model" };
  const sent = readings.map(({ vector, tokens }) => ({
    vector: encodeBase64(vector),
    tokens: tokens.map((token) => ({ text: token.text, vector: encodeBase64(token.vector) })),
  }));
  return { kind: "read", readings: sent };
}

function encodeBase64({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

/** Embedding providers that access nothing outside the package. */
const OFFLINE_PROVIDERS: readonly string[] = ["minilm", "none"];

/**
 * Restricts a request to the daemon's own settings. The client may be sandboxed or have other
 * settings in its environment, so the daemon must not read folders, reach servers or load models
 * that its user did not configure. Throws forbidden.
 */
function requireSameAccess(requested: LoadedConfig, own: LoadedConfig): void {
  if (requested.settings.daemon === "off") refuseAccess("daemon");
  if (requested.dataDir !== own.dataDir) refuseAccess("dataDir");
  if (requested.settings.database !== own.settings.database) refuseAccess("database");
  if (requested.settings.database !== undefined && !isSameSetting("postgres"))
    refuseAccess("postgres");
  const { provider } = requested.settings.embedding;
  if (!OFFLINE_PROVIDERS.includes(provider) && !isSameSetting("embedding"))
    refuseAccess("embedding");

  function isSameSetting(key: "postgres" | "embedding"): boolean {
    return JSON.stringify(requested.settings[key]) === JSON.stringify(own.settings[key]);
  }
}

function refuseAccess(setting: string): never {
  throw new CairnError("forbidden", `The daemon uses a different ${setting}.`);
}

const IDLE_MS = 15 * 60_000;
const folder = process.argv[2] ?? "";
process.chdir(folder);
const program = fileURLToPath(import.meta.url);
const logger = stderrLogger();
const location = { env: processEnvironment(), cwd: folder };
const own = () => loadConfig({ ...location, flags: {}, reader: "model" });
const config = own();
const reasons = [program, config.paths.userConfigFile];
if (config.settings.daemon === "off") {
  recordOff(folder, reasons);
} else {
  await runUntilIdle();
}

/** Frees memory of finished requests, which otherwise stays allocated while idle. */
function freeMemory(): void {
  setFlagsFromString("--compact-on-every-full-gc");
  globalThis.gc?.();
  setFlagsFromString("--no-compact-on-every-full-gc");
}

async function runUntilIdle(): Promise<void> {
  const apps = new AppCache({
    check: (requested) => requireSameAccess(requested, own()),
    own: { ...location, reader: "model", logger },
    logger,
  });
  const questions = new WriteKeys();
  const pending = new Set<Promise<void>>();
  const trackWork = (work: () => Promise<void>) => {
    const done = work()
      .catch((error: unknown) => logger.warn(messageOf(error)))
      .finally(() => pending.delete(done));
    pending.add(done);
  };
  const finish = async () => {
    await Promise.all(pending);
    await apps.close();
    forgetStart(folder);
  };
  const server = new DaemonServer({
    folder,
    program,
    version: version(),
    answer: (asker) =>
      asker.request.ask === "read"
        ? sendReadings(asker, apps)
        : answerQuestion(asker, { apps, settled: questions, later: trackWork }),
    onRest: freeMemory,
    idleMs: IDLE_MS,
    onEnd: () =>
      void finish()
        .catch((error: unknown) => logger.error(messageOf(error)))
        .finally(() => process.exit(0)),
  });
  try {
    if (!(await server.listen())) return;
  } catch (error) {
    // Prevents a restart after each command, for example on a file system without sockets.
    recordOff(folder, reasons);
    throw error;
  }
  installSignalHandlers({ logger, onStop: finish });
  const options = { ...location, flags: {}, reader: "model" as const, logger };
  // Warms up for the first request.
  trackWork(async () => {
    await Promise.all([
      import("../hook/run-hook.ts"),
      import("../hook/hook-context.ts"),
      import("../hook/hook-moment.ts"),
      import("../hook/hook-capture.ts"),
    ]);
    const app = apps.open(options);
    try {
      await runQueuedWork(app, { isLongLived: true });
      if (await app.store.open().isThere()) await apps.warm(options);
    } finally {
      await app.close();
    }
  });
}
