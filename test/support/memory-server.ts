import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Identity } from "../../src/access/identity/index.ts";
import type { AgentOnPage } from "../../src/app/agent-on-page.ts";
import { startMemoryServer } from "../../src/app/start-memory-server.ts";
import type { DatabasePlace } from "../../src/database/index.ts";
import { createOperations, MemoryStore, type Operation } from "../../src/memory/index.ts";
import type { HttpServer, HttpSettings } from "../../src/server/http/index.ts";
import { httpSettings } from "../../src/server/http/index.ts";
import type { Clock } from "../../src/shared/clock.ts";
import { silentLogger } from "../../src/shared/logger.ts";
import { placeAt } from "./test-place.ts";

export interface MemoryServer extends HttpServer {
  readonly dataDir: string;
  readonly store: MemoryStore;
  /** What the server told its log: empty unless it failed. */
  readonly logged: readonly string[];
  /** Closes the server and the store and removes the data. */
  end(): Promise<void>;
}

export interface MemoryServerSetup extends Partial<Omit<HttpSettings, "limits">> {
  readonly bodyBytes?: number;
  readonly dataDir?: string;
  /** Where the databases lie; default: in the data folder. */
  readonly place?: DatabasePlace;
  readonly furtherOperations?: readonly Operation[];
  /** Long work is done in processes of their own, as `cairn serve` does it. */
  readonly worksApart?: boolean;
  readonly layers?: readonly string[];
  readonly recallLog?: { recalls: number; days: number };
  /** Where people log in with their company's account. */
  readonly identity?: Identity;
  /** By which requests and writes are counted. */
  readonly clock?: Clock;
  /** How many of them each caller may have. */
  readonly quotas?: Partial<HttpSettings["limits"]>;
  /** The agent beside the memory. */
  readonly agent?: AgentOnPage;
  /** One that is there already. */
  readonly store?: MemoryStore;
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "cairn-"));
}

interface StoreSetup extends Pick<MemoryServerSetup, "readOnly" | "worksApart" | "layers"> {
  readonly recallLog?: MemoryServerSetup["recallLog"] | undefined;
}

/** A store without an embedder: recall works on text and graph. */
export function memoryStore(
  at: string | DatabasePlace,
  further: readonly Operation[] = [],
  { readOnly = false, worksApart = false, layers = [], recallLog }: StoreSetup = {},
): MemoryStore {
  return new MemoryStore({
    place: typeof at === "string" ? placeAt(at) : at,
    defaultDatabase: "default",
    operations: createOperations(further),
    embedder: undefined,
    logger: silentLogger,
    episodeTypes: [],
    readOnly,
    worksApart,
    layers,
    recallLog,
  });
}

/** `cairn serve` in this process, on a free port and a folder of its own. */
export async function memoryServer(setup: MemoryServerSetup = {}): Promise<MemoryServer> {
  const { bodyBytes, dataDir = temporaryFolder(), place, furtherOperations, ...others } = setup;
  const {
    worksApart,
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
    memoryStore(place ?? dataDir, furtherOperations, {
      ...(given.readOnly !== undefined && { readOnly: given.readOnly }),
      ...(worksApart !== undefined && { worksApart }),
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
