import type { Hono } from "hono";
import type { MemoryStore } from "../memory/index.ts";
import { getCaller, type HttpEnv } from "../server/http/index.ts";
import { mayOpen } from "../shared/caller.ts";
import { CairnError } from "../shared/errors.ts";
import type { DatabasePulse } from "./database-pulse.ts";

export const HEALTH = "/health";
const LIVE = `${HEALTH}/live`;
const READY = `${HEALTH}/ready`;
export const PROBES: readonly string[] = [LIVE, READY];

export interface Watched {
  readonly store: MemoryStore;
  readonly version: string;
  readonly pulse: DatabasePulse;
  readonly stopping: AbortSignal;
}

export function addProbes(app: Hono<HttpEnv>, { pulse, stopping }: Watched): void {
  app.get(LIVE, (c) => c.body(null, 200));
  app.get(READY, async (c) => {
    const isReady = !stopping.aborted && (await pulse.isReady());
    return c.body(null, isReady ? 200 : 503);
  });
}

export function addHealth(app: Hono<HttpEnv>, watched: Watched): void {
  const { store, version, stopping } = watched;
  app.get(HEALTH, (c) => {
    if (stopping.aborted) throw new CairnError("unavailable", "The server is stopping.");
    const { defaultDatabase: database, isReadOnly: read_only } = store;
    return c.json({
      ok: true,
      version,
      ...(mayOpen(getCaller(c), database) && { database }),
      database_state: "ok",
      read_only,
    });
  });
}

export async function requireOrder(pulse: DatabasePulse): Promise<void> {
  const { state, message } = await pulse.standing();
  if (state === "ok") return;
  throw new CairnError("unavailable", message, { database_state: state });
}
