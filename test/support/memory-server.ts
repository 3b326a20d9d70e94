import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Identity } from "../../src/access/identity/index.ts";
import type { PageAgent } from "../../src/app/page-agent.ts";
import { startMemoryServer } from "../../src/app/start-memory-server.ts";
import type { DatabaseBackend } from "../../src/database/index.ts";
import { createOperations, MemoryStore, type Operation } from "../../src/memory/index.ts";
import type { HttpServer, HttpSettings } from "../../src/server/http/index.ts";
import { httpSettings } from "../../src/server/http/index.ts";
import type { Clock } from "../../src/shared/clock.ts";
import { silentLogger } from "../../src/shared/logger.ts";
import { openBackend } from "./test-backend.ts";

export interface MemoryServer extends HttpServer {
  readonly dataDir: string;
  readonly store: MemoryStore;
  readonly logged: readonly string[];
  end(): Promise<void>;
}

export interface MemoryServerSetup extends Partial<Omit<HttpSettings, "limits">> {
  readonly bodyBytes?: number;
  readonly dataDir?: string;
  readonly place?: DatabaseBackend;
  readonly furtherOperations?: readonly Operation[];
  /** Runs long tasks in child processes, like `cairn serve`. */
  readonly usesSeparateProcesses?: boolean;
  readonly layers?: readonly string[];
  readonly recallLog?: { recalls: number; days: number };
  /** Single sign-on configuration. */
  readonly identity?: Identity;
  readonly clock?: Clock;
  readonly quotas?: Partial<HttpSettings["limits"]>;
  readonly agent?: PageAgent;
  readonly store?: MemoryStore;
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "cairn-"));
}

interface StoreSetup
  extends Pick<MemoryServerSetup, "readOnly" | "usesSeparateProcesses" | "layers"> {
  readonly recallLog?: MemoryServerSetup["recallLog"] | undefined;
}

/** Opens a store without an embedder; recall uses text and graph only. */
export function openMemoryStore(
  at: string | DatabaseBackend,
  further: readonly Operation[] = [],
  { readOnly = false, usesSeparateProcesses = false, layers = [], recallLog }: StoreSetup = {},
): MemoryStore {
  return new MemoryStore({
    backend: typeof at === "string" ? openBackend(at) : at,
    defaultDatabase: "default",
    operations: createOperations(further),
    embedder: undefined,
    logger: silentLogger,
    episodeTypes: [],
    readOnly,
    usesSeparateProcesses,
    layers,
    recallLog,
  });
}

/** Runs `cairn serve` in this process on a free port and a new folder. */
export async function serveMemory(setup: MemoryServerSetup = {}): Promise<MemoryServer> {
  const { bodyBytes, dataDir = temporaryFolder(), place, furtherOperations, ...others } = setup;
  const {
    usesSeparateProcesses,
    layers,
    recallLog,
    identity,
    agent,
    clock,
    quotas,
    store: known,
    ...given
  } = others;
  const logged: string[] = [];
  const store =
    known ??
    openMemoryStore(place ?? dataDir, furtherOperations, {
      ...(given.readOnly !== undefined && { readOnly: given.readOnly }),
      ...(usesSeparateProcesses !== undefined && { usesSeparateProcesses }),
      ...(layers !== undefined && { layers }),
      recallLog,
    });
  const settings = httpSettings.parse({ port: 0, ...given });
  const limits = { ...settings.limits, ...quotas };
  const server = await startMemoryServer({
    store,
    identity,
    clock,
    bodyBytes,
    ...(agent !== undefined && { agent }),
    settings: { ...settings, token: settings.token, limits },
    version: "0.0.0",
    logger: { ...silentLogger, error: (message) => logged.push(message) },
    announce: () => undefined,
  });
  return {
    ...server,
    dataDir,
    store,
    logged,
    async end() {
      await server.close(0);
      await store.close();
      if (setup.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
