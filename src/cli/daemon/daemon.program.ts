/**
 * The daemon: `daemon.program.js <folder>`. Runs its user's commands on one data folder and exits
 * when idle.
 */
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { DaemonServer, forgetStart, noteOff } from "../../app/daemon/index.ts";
import { AppCache, doQueuedWork } from "../../app/index.ts";
import { loadConfig } from "../../config/index.ts";
import { installSignalHandlers } from "../../server/http/index.ts";
import { processEnvironment } from "../../shared/environment.ts";
import { messageOf } from "../../shared/errors.ts";
import { stderrLogger } from "../../shared/logger.ts";
import { version } from "../version.ts";
import { answerReading } from "./embed-request.ts";
import { answerQuestion } from "./run-request.ts";
import { requireSameAccess } from "./same-access.ts";
import { WriteKeys } from "./write-keys.ts";

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
  noteOff(folder, reasons);
} else {
  await stay();
}

/** Frees memory of finished requests, which otherwise stays allocated while idle. */
function freeMemory(): void {
  setFlagsFromString("--compact-on-every-full-gc");
  globalThis.gc?.();
  setFlagsFromString("--no-compact-on-every-full-gc");
}

async function stay(): Promise<void> {
  const apps = new AppCache({
    check: (requested) => requireSameAccess(requested, own()),
    own: { ...location, reader: "model", logger },
    logger,
  });
  const questions = new WriteKeys();
  const pending = new Set<Promise<void>>();
  const later = (work: () => Promise<void>) => {
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
        ? answerReading(asker, apps)
        : answerQuestion(asker, { apps, settled: questions, later }),
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
    noteOff(folder, reasons);
    throw error;
  }
  installSignalHandlers({ logger, onStop: finish });
  const options = { ...location, flags: {}, reader: "model" as const, logger };
  // Warms up for the first request.
  later(async () => {
    await Promise.all([
      import("../hook/run-hook.ts"),
      import("../hook/hook-context.ts"),
      import("../hook/hook-moment.ts"),
      import("../hook/hook-capture.ts"),
    ]);
    const app = apps.open(options);
    try {
      await doQueuedWork(app, { isLongLived: true });
      if (await app.store.open().isThere()) await apps.warm(options);
    } finally {
      await app.close();
    }
  });
}
