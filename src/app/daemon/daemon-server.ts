import { lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { Semaphore } from "async-mutex";
import {
  consumeProof,
  DaemonClient,
  type DaemonMessage,
  type DaemonRequest,
  type DaemonStatus,
  MAX_QUESTION,
  readLines,
} from "./daemon-client.ts";
import { connectToDaemon, hasOtherStartup, programStamp, socketPath } from "./daemon-folder.ts";

/** Age after which a takeover lock is considered abandoned. */
const LOCK_EXPIRY_MS = 10_000;

/**
 * Runs `body` under the takeover lock; returns false if another process has it. If two pass anyway,
 * the one whose socket is unreachable ends.
 */
async function withTakeoverLock(folder: string, body: () => Promise<boolean>): Promise<boolean> {
  const lockFile = join(folder, "starting");
  if (isAbandoned(lockFile)) rmSync(lockFile, { force: true });
  try {
    writeFileSync(lockFile, String(process.pid), { flag: "wx", mode: 0o600 });
  } catch {
    return false;
  }
  try {
    return await body();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

/** True if the lock's owner has exited or exceeded the time limit. */
function isAbandoned(lockFile: string): boolean {
  const stats = statSync(lockFile, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (Math.abs(Date.now() - stats.mtimeMs) > LOCK_EXPIRY_MS) return true;
  try {
    const pid = Number(readFileSync(lockFile, "utf8"));
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

/** A response, or the reason for declining a request without effect. */
export type DaemonAnswer = Extract<DaemonMessage, { kind: "answered" | "read" | "declined" }>;

export interface DaemonOptions {
  /** Absolute path; the current working directory. */
  readonly folder: string;
  readonly program: string;
  readonly version: string;
  readonly answer: (asker: DaemonClient) => Promise<DaemonAnswer>;
  readonly idleMs: number;
  readonly onRest: () => void;
  readonly onEnd: () => void;
}

const MAX_CONCURRENT = 16;
/** Timeout for a client that connects and sends nothing. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Minimum lifetime before a request of another version may replace this daemon. */
const MIN_LIFETIME_MS = 60_000;
/** Idle time after which a caller is considered done. */
const IDLE_MS = 5_000;
const CHECK_INTERVAL_MS = 5_000;

export class DaemonServer {
  readonly #options: DaemonOptions;
  readonly #server: Server;
  readonly #stamp: string;
  readonly #startedAt = new Date();
  readonly #inTurn = new Semaphore(MAX_CONCURRENT);
  readonly #counts = { answered: 0, declined: 0, underWay: 0 };
  #socket: string | undefined;
  #idle: NodeJS.Timeout | undefined;
  #rest: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;
  #isGoing = false;

  constructor(options: DaemonOptions) {
    this.#options = options;
    this.#stamp = programStamp(options.program);
    this.#server = createServer((socket) => this.#meet(socket));
  }

  /** Returns false if another daemon is already listening. */
  async listen(): Promise<boolean> {
    const { folder } = this.#options;
    const isMine = await withTakeoverLock(folder, async () => {
      const other = await connectToDaemon(folder);
      other?.destroy();
      if (other !== undefined) return false;
      // Left by killed clients: a live client connects before it creates its file.
      for (const name of readdirSync(folder)) consumeProof(folder, name);
      const address = socketPath(folder);
      if (process.platform !== "win32") rmSync(address, { force: true });
      await new Promise<void>((resolve, reject) => {
        this.#server.once("error", reject);
        this.#server.listen(address, resolve);
      });
      this.#socket = parseIdentity(folder);
      return true;
    });
    if (!isMine) return false;
    this.#restart();
    this.#watch = setInterval(() => {
      if (!this.#isReached()) this.end();
    }, CHECK_INTERVAL_MS);
    return true;
  }

  end(): void {
    if (this.#isGoing) return;
    this.#isGoing = true;
    this.#stopWaiting();
    clearInterval(this.#watch);
    // Node.js unlinks the socket on close, which must not remove another daemon's.
    if (this.#isReached()) this.#server.close();
    else this.#server.unref();
    this.#endWhenDone();
  }

  #endWhenDone(): void {
    if (this.#isGoing && this.#counts.underWay === 0) this.#options.onEnd();
  }

  #isReached(): boolean {
    return this.#isSame() && this.#socket === parseIdentity(this.#options.folder);
  }

  #isSame(): boolean {
    try {
      return programStamp(this.#options.program) === this.#stamp;
    } catch {
      return false;
    }
  }

  #stopWaiting(): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#rest);
  }

  #restart(): void {
    this.#stopWaiting();
    if (this.#isGoing) return;
    this.#rest = setTimeout(() => {
      if (this.#counts.underWay === 0) this.#options.onRest();
    }, IDLE_MS);
    this.#idle = setTimeout(() => {
      if (this.#counts.underWay > 0) this.#restart();
      else this.end();
    }, this.#options.idleMs);
  }

  #meet(socket: Socket): void {
    const late = setTimeout(() => socket.destroy(), CONNECT_TIMEOUT_MS);
    socket.on("error", () => undefined);
    socket.once("close", () => clearTimeout(late));
    let asker: DaemonClient | undefined;
    readLines(socket, {
      maxCharacters: MAX_QUESTION,
      onLine: (message) => {
        if (asker !== undefined) return asker.take(message);
        clearTimeout(late);
        asker = new DaemonClient(socket, message as DaemonRequest);
        void this.#hear(asker);
      },
    });
  }

  async #hear(asker: DaemonClient): Promise<void> {
    const refusal = this.#getRefusal(asker.request);
    if (refusal !== undefined) {
      this.#counts.declined += 1;
      return asker.finish({ kind: "declined", reason: refusal });
    }
    if (!isWorkMessage(asker.request)) return this.#notifyOrEnd(asker);
    this.#counts.underWay += 1;
    this.#stopWaiting();
    asker.beginToBeat();
    try {
      const answer = await this.#inTurn.runExclusive(() => this.#options.answer(asker));
      this.#counts[answer.kind === "declined" ? "declined" : "answered"] += 1;
      asker.finish(answer);
    } catch (error) {
      this.#counts.declined += 1;
      asker.finish({ kind: "declined", reason: String(error) });
    } finally {
      this.#counts.underWay -= 1;
      this.#restart();
      this.#endWhenDone();
    }
  }

  #getRefusal(request: DaemonRequest): string | undefined {
    const { folder } = this.#options;
    if (!consumeProof(folder, String(request.proof))) {
      return "the client has no write access to the daemon's folder";
    }
    if (!isWorkMessage(request)) return undefined;
    if (this.#isGoing) return "it is shutting down";
    if (request.program !== this.#stamp || !this.#isSame()) {
      const age = Date.now() - this.#startedAt.getTime();
      if (!this.#isSame() || Math.abs(age) > MIN_LIFETIME_MS) setImmediate(() => this.end());
      return "it runs another version";
    }
    if (request.ask === "read") return undefined;
    const others = hasOtherStartup(request.env, process.env);
    if (others.length > 0) return `it was started with another ${others.join(", ")}`;
    return request.umask === process.umask() ? undefined : "it was started with another umask";
  }

  #notifyOrEnd(asker: DaemonClient): void {
    asker.finish({ kind: "status", status: this.#status() });
    if (asker.request.ask === "stop") this.end();
  }

  #status(): DaemonStatus {
    const { answered, declined, underWay } = this.#counts;
    return {
      pid: process.pid,
      version: this.#options.version,
      started_at: this.#startedAt.toISOString(),
      answered,
      declined,
      under_way: underWay,
      memory: process.memoryUsage.rss(),
      folder: this.#options.folder,
    };
  }
}

function isWorkMessage({ ask }: DaemonRequest): boolean {
  return ask === "run" || ask === "read";
}

function parseIdentity(folder: string): string | undefined {
  try {
    const address = socketPath(folder);
    if (process.platform === "win32") return address;
    const { dev, ino, birthtimeMs } = lstatSync(address);
    return `${dev}:${ino}:${birthtimeMs}`;
  } catch {
    return undefined;
  }
}
