import type { Context, Handler, Hono } from "hono";
import { type MemoryStore, validateInput } from "../../../memory/index.ts";
import {
  requireDatabase,
  requireEveryDatabase,
  requireScope,
  requireScopeSomewhere,
} from "../../../shared/caller.ts";
import { invalidInput } from "../../../shared/errors.ts";
import {
  databaseParameter,
  errorResponse,
  getCaller,
  type HttpEnv,
  parseQuery,
  waitForDisconnect,
} from "../../http/index.ts";
import { readBody } from "../read-input.ts";
import { STORE_ROUTES } from "./registry.ts";
import type { StoreCall, StoreRoute } from "./store-route.ts";

type OnProgress = StoreCall<unknown>["onProgress"];

/** Milliseconds between progress messages. */
const PROGRESS_INTERVAL_MS = 100;

function progressStream(
  work: (signal: AbortSignal, onProgress: OnProgress) => Promise<unknown>,
): Response {
  const disconnected = new AbortController();
  const encoder = new TextEncoder();
  let lastSentAt = 0;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = (event: string, data: unknown) => {
        if (disconnected.signal.aborted) return;
        controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
      };
      const onProgress: OnProgress = (progress) => {
        const now = Date.now();
        if (now - lastSentAt < PROGRESS_INTERVAL_MS && progress.done !== progress.total) return;
        lastSentAt = now;
        send("progress", progress);
      };
      try {
        send("result", await work(disconnected.signal, onProgress));
      } catch (error) {
        send("error", await errorResponse(error).json());
      }
      if (!disconnected.signal.aborted) controller.close();
    },
    cancel: () => disconnected.abort(),
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    },
  });
}

export function addStoreRoutes(
  api: Hono<HttpEnv>,
  store: MemoryStore,
  compressed: Handler<HttpEnv>,
): void {
  for (const route of STORE_ROUTES) {
    const template = route.path.replaceAll(/\{(\w+)\}/g, ":$1");
    api.on(route.method, template, compressed, (c) => serve(c, route, store));
  }
}

async function serve(c: Context<HttpEnv>, route: StoreRoute, store: MemoryStore) {
  const caller = getCaller(c);
  const db = onlyDatabase(parseQuery(c.req.url));
  const options = route.method === "POST" ? await readBody(c) : {};
  const input = validateInput(route.body, options, route.id);
  const changes = route.changes?.(input) ?? route.method !== "GET";
  const needed = route.scope ?? (changes ? "admin" : "read");
  requireScopeSomewhere(caller, needed, route.id);
  const name = c.req.param("name") ?? c.req.param("id") ?? "";
  const call = { store, name, input, db, caller };
  const concerned = route.databases?.(call);
  if (concerned === undefined) {
    requireScope(caller, needed, route.id);
    requireEveryDatabase(caller, route.id);
  }
  for (const database of concerned ?? []) {
    requireDatabase(caller, database);
    requireScope(caller, needed, route.id, database);
  }
  if (changes) store.requireWritable();
  const wantsStream = c.req.header("accept")?.includes("text/event-stream") ?? false;
  if (route.isLong === true && wantsStream) {
    return progressStream((signal, onProgress) => route.serve({ ...call, signal, onProgress }));
  }
  // Changes to a database continue if the client disconnects.
  const signal = changes ? new AbortController().signal : waitForDisconnect(c);
  const output = await route.serve({ ...call, signal, onProgress: () => undefined });
  if (output instanceof Response) return output;
  const json = JSON.stringify(output);
  return new Response(json, {
    headers: {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(json)),
      "cache-control": "no-store",
    },
  });
}

function onlyDatabase(query: URLSearchParams): string | undefined {
  const unknown = [...query.keys()].find((parameter) => parameter !== "db");
  if (unknown === undefined) return databaseParameter(query);
  throw invalidInput(`unknown query parameter ${JSON.stringify(unknown.slice(0, 80))}. Known: db.`);
}
