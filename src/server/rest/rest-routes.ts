import { createHash, randomBytes } from "node:crypto";
import type { Context, Handler, Hono } from "hono";
import { compress } from "hono/compress";
import { z } from "zod";
import {
  ChangeFeed,
  EVENT_KINDS,
  type MemoryEngine,
  type MemoryStore,
  validateInput,
} from "../../memory/index.ts";
import { CairnError, invalidInput } from "../../shared/errors.ts";
import {
  collectIds,
  databaseParameter,
  errorResponse,
  getCaller,
  type HttpEnv,
  isStillAuthorized,
  parseQuery,
  waitForDisconnect,
} from "../http/index.ts";
import { eventStream, lastEventId } from "./event-stream.ts";
import { JsonSpool } from "./json-spool.ts";
import { createOpenApiDocument } from "./openapi.ts";
import { readInput } from "./read-input.ts";
import { createRoutes, REST_PREFIX, type Route, routerPath } from "./route.ts";
import { addStoreRoutes } from "./store-routes/add-store-routes.ts";

/** Entity tags for responses that change only with the feed. They change on restart. */
class EntityTags {
  readonly #salt = randomBytes(8).toString("base64url");

  /** Weak, since content may be sent compressed. */
  tag(of: { database: string; seq: number; url: string; version?: number | undefined }): string {
    const path = of.url.replace(/^[a-z]+:\/\/[^/]*/, "");
    const digest = createHash("sha1")
      .update(JSON.stringify([this.#salt, of.database, of.seq, path]))
      .digest("base64url");
    // The item's version, which `If-Match` reads.
    return `W/"${digest}${of.version === undefined ? "" : `-v${of.version}`}"`;
  }
}

/** True if `If-None-Match` contains the tag. */
function hasTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const opaque = tag.replace(/^W\//, "");
  return header.split(",").some((value) => {
    const text = value.trim();
    return text === "*" || text.replace(/^W\//, "") === opaque;
  });
}

export interface RestOptions {
  readonly store: MemoryStore;
  /** Product version for the OpenAPI document. */
  readonly version: string;
  /** Ends event streams on abort. */
  readonly stopping: AbortSignal;
  readonly timeoutMs: number;
}

/** Adds routes for all operations, the database list and the OpenAPI document. */
export function addRestRoutes(app: Hono<HttpEnv>, options: RestOptions): void {
  const { store, version } = options;
  // Per route, because a 405 must be sent uncompressed.
  const compressed = compress();
  const api = app.basePath(REST_PREFIX);
  const routes = createRoutes(store.operations);
  const resources = new RestResources(options);
  let document: string | undefined;
  api.get("/openapi.json", compressed, () => {
    document ??= JSON.stringify(createOpenApiDocument(routes, version));
    return sendResponse(document);
  });
  addStoreRoutes(api, store, compressed);
  for (const route of routes) {
    api.on(route.method, routerPath(route), compressed, (c) => resources.serve(c, route));
    // Literal paths win: `/concepts/deleted` never means a concept named "deleted".
    if (route.pathFields.length === 0)
      api.all(route.template, rejectMethod(routes, route.template));
  }
}

/** Responds with 405 to unsupported methods of a literal path. */
function rejectMethod(routes: readonly Route[], template: string): Handler<HttpEnv> {
  const methods = routes.filter((it) => it.template === template).map(({ method }) => method);
  const allowed = methods.flatMap((it): string[] => (it === "GET" ? ["GET", "HEAD"] : [it]));
  return (c, next) => {
    if (allowed.includes(c.req.method)) return next();
    const names = allowed.join(", ");
    const message = `${c.req.method} is not allowed for ${c.req.path}. Use ${names}.`;
    const response = errorResponse(new CairnError("method_not_allowed", message));
    response.headers.set("allow", names);
    return response;
  };
}

/** Response header: id of the change that a write made, for `undo`. */
const CHANGE_HEADER = "Cairn-Change";

/** Request header: milliseconds until the request fails with `busy`. */
const TIMEOUT_HEADER = "Cairn-Timeout";

function parseTimeout(c: Context<HttpEnv>, { timeoutMs }: RestOptions): number {
  const text = c.req.header(TIMEOUT_HEADER);
  if (text === undefined) return timeoutMs;
  if (/^[1-9]\d{0,8}$/.test(text)) return Math.min(Number(text), timeoutMs);
  throw invalidInput(`${TIMEOUT_HEADER}: must be milliseconds, 1 or more.`);
}

/** Request header: name of the calling program, for the recall log. */
const CLIENT_HEADER = "Cairn-Client";
const CLIENT_PATTERN = /^[\w .@/-]{1,64}$/;

function parseClient(c: Context<HttpEnv>): string | undefined {
  const name = c.req.header(CLIENT_HEADER);
  if (name === undefined || CLIENT_PATTERN.test(name)) return name;
  throw invalidInput(
    `${CLIENT_HEADER}: must be 1 to 64 letters, digits, blanks or one of . _ @ / -`,
  );
}

/** Value of `since_seq` that streams only new events. */
const LATEST_SEQ = "latest";

/** Input fields that streams use. */
const streamed = z.object({ since_seq: z.number(), kind: z.enum(EVENT_KINDS).optional() });

interface ReadCall {
  readonly route: Route;
  readonly input: object;
  readonly tag: string | undefined;
}

class RestResources {
  readonly #options: RestOptions;
  readonly #tags = new EntityTags();
  readonly #feeds = new WeakMap<MemoryEngine, ChangeFeed>();

  constructor(options: RestOptions) {
    this.#options = options;
  }

  /** Throws invalid_input. */
  memoryOf(c: Context<HttpEnv>): MemoryEngine {
    return this.#options.store.open(databaseParameter(parseQuery(c.req.url)));
  }

  async serve(c: Context<HttpEnv>, route: Route): Promise<Response> {
    const memory = this.memoryOf(c);
    const facts = c.get("metadata");
    if (facts !== undefined) facts.database = memory.name;
    memory.requireMay(getCaller(c), route.operation);
    const isFeed = route.stream;
    const behind = isFeed ? lastEventId(c.req.header("last-event-id")) : undefined;
    const wantsStream = c.req.header("accept")?.includes("text/event-stream") ?? false;
    if (isFeed && wantsStream) return this.#stream(c, memory, { route, behind });
    const input = await readInput(c, route);
    if (facts !== undefined) facts.ids = collectIds(input);
    const isTagged = route.method === "GET" && route.operation.ofRecallLog !== true;
    const tag = isTagged ? await this.#getTag(c, memory, route) : undefined;
    if (tag !== undefined && hasTag(c.req.header("if-none-match"), tag)) {
      validateInput(route.operation.input, input, route.operation.name);
      return new Response(null, { status: 304, headers: { etag: tag } });
    }
    if (route.operation.kind === "read") {
      return this.#read(c, memory, { route, input, tag });
    }
    const stored: { change?: string } = {};
    // A write continues if its client disconnects.
    const output = await memory.executeNamed(route.operation.name, input, {
      surface: "rest",
      caller: getCaller(c),
      timeoutMs: parseTimeout(c, this.#options),
      onChange: (change) => {
        stored.change = change;
        if (facts !== undefined) facts.change = change;
      },
    });
    return sendResponse(JSON.stringify(output), { tag, change: stored.change });
  }

  async #read(
    c: Context<HttpEnv>,
    memory: MemoryEngine,
    { route, input, tag }: ReadCall,
  ): Promise<Response> {
    const holder: { spool?: JsonSpool } = {};
    await memory.executeNamed(route.operation.name, input, {
      signal: waitForDisconnect(c),
      timeoutMs: parseTimeout(c, this.#options),
      surface: "rest",
      client: parseClient(c),
      caller: getCaller(c),
      consume: async (output) => {
        holder.spool = await JsonSpool.of(output);
      },
    });
    const { spool } = holder;
    if (spool === undefined) throw new Error(`${route.operation.name} returned no result.`);
    const headers = createHeaders(spool.length, { tag });
    if (c.req.raw.method !== "HEAD") return new Response(spool.body(), { headers });
    await spool.close();
    return new Response(null, { headers });
  }

  async #getTag(
    c: Context<HttpEnv>,
    memory: MemoryEngine,
    route: Route,
  ): Promise<string | undefined> {
    if (!(await memory.isThere())) return undefined;
    const { target } = route.operation;
    const item = target === undefined ? undefined : c.req.param(target);
    const { seq, version } = await memory.stateFor(item);
    return this.#tags.tag({ database: memory.name, seq, url: c.req.url, version });
  }

  async #stream(
    c: Context<HttpEnv>,
    memory: MemoryEngine,
    { route, behind }: { readonly route: Route; readonly behind: number | undefined },
  ) {
    const { operation } = route;
    const query = parseQuery(c.req.url);
    const isOnlyNews = query.getAll("since_seq").join() === LATEST_SEQ;
    if (isOnlyNews) query.delete("since_seq");
    const options = await readInput(c, route, query);
    await memory.executeNamed(operation.name, options, { caller: getCaller(c) });
    const input = validateInput(operation.input, options, operation.name);
    const { since_seq: sinceSeq, kind } = streamed.parse(input);
    const feed = this.#getFeed(memory);
    return eventStream({
      feed,
      sinceSeq: behind ?? (isOnlyNews ? await feed.position() : sinceSeq),
      kind,
      filter: memory.feedFilter(input),
      signals: [this.#options.stopping],
      isStillAuthorized: () => isStillAuthorized(c),
    });
  }

  #getFeed(memory: MemoryEngine): ChangeFeed {
    const known = this.#feeds.get(memory);
    if (known !== undefined) return known;
    const feed = new ChangeFeed(memory);
    this.#feeds.set(memory, feed);
    return feed;
  }
}

function sendResponse(json: string, about: ResponseFacts = {}): Response {
  return new Response(json, { headers: createHeaders(Buffer.byteLength(json), about) });
}

interface ResponseFacts {
  readonly tag?: string | undefined;
  readonly change?: string | undefined;
}

function createHeaders(length: number, { tag, change }: ResponseFacts): Record<string, string> {
  return {
    "content-type": "application/json",
    "content-length": String(length),
    "cache-control": tag === undefined ? "no-store" : "private, no-cache",
    ...(tag !== undefined && { etag: tag }),
    ...(change !== undefined && { [CHANGE_HEADER]: change }),
  };
}
