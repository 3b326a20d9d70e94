import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  isInitializeRequest,
  isJSONRPCRequest,
  type RequestId,
  ErrorCode as RpcErrorCode,
} from "@modelcontextprotocol/sdk/types.js";
import type { Context, Hono } from "hono";
import type { MemoryStore } from "../../../memory/index.ts";
import { invalidInput } from "../../../shared/errors.ts";
import { tryParseJson } from "../../../shared/json.ts";
import type { Logger } from "../../../shared/logger.ts";
import { didYouMean } from "../../../shared/nearest.ts";
import {
  databaseParameter,
  getCaller,
  type HttpEnv,
  isStillAuthorized,
  parseQuery,
  readJsonText,
} from "../../http/index.ts";
import { createMcpServer } from "../create-mcp-server.ts";
import type { RecordCall } from "../record-call.ts";
import { normalizeParams } from "../serve-stdio.ts";
import type { ToolChoice } from "../tools/exposed-tools.ts";
import { type McpSession, McpSessions, type SessionLimits } from "./sessions.ts";

interface McpChoices extends ToolChoice {
  readonly db: string | undefined;
}

const QUERY_PARAMETERS = ["db", "interface", "tools", "structured"];

/**
 * Reads `?db=&interface=&tools=&structured=`, which correspond to the flags of `cairn mcp`. Throws
 * invalid_input.
 */
function readChoices(query: URLSearchParams): McpChoices {
  for (const parameter of query.keys()) {
    if (QUERY_PARAMETERS.includes(parameter)) continue;
    throw invalidInput(
      `unknown query parameter "${parameter.slice(0, 80)}".${didYouMean(parameter, QUERY_PARAMETERS)}`,
    );
  }
  return {
    db: databaseParameter(query),
    interface: parseOne(query, "interface", ["a", "b"]),
    tools: parseOne(query, "tools", ["all", "core"]),
    structured: parseOne(query, "structured", ["0", "1"]) === "1",
  };
}

/** The first value is the default. */
function parseOne<const Value extends string>(
  query: URLSearchParams,
  name: string,
  values: readonly [Value, ...Value[]],
): Value {
  const inputs = query.getAll(name);
  if (inputs.length === 0) return values[0];
  const value = values.find((known) => known === inputs[0]);
  if (inputs.length > 1 || value === undefined) {
    throw invalidInput(`${name}: must be ${values.join(" or ")}, given once.`);
  }
  return value;
}

/** Tracks streamed responses so that shutdown can finish them. */
class OpenResponses {
  readonly #open = new Set<Promise<void>>();

  follow(response: Response): Response {
    if (response.body === null) return response;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const sent = response.body.pipeTo(writable).catch(() => undefined);
    this.#open.add(sent);
    void sent.then(() => this.#open.delete(sent));
    return new Response(readable, response);
  }

  /** Resolves when all open responses are sent, or after `mostMs`. */
  async sent(mostMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, mostMs);
    });
    await Promise.race([Promise.allSettled(this.#open), late]);
    clearTimeout(timer);
  }
}

export interface McpRouteOptions {
  readonly store: MemoryStore;
  readonly version: string;
  readonly logger: Logger;
  readonly bodyBytes: number;
  readonly timeoutMs?: number | undefined;
  readonly sessionLimits?: SessionLimits;
  readonly onCall?: RecordCall | undefined;
}

export interface McpRoute {
  readonly sessions: McpSessions;
  /** Finishes open responses within `graceMs`, then ends every session. */
  close(graceMs: number): Promise<void>;
}

/**
 * Serves MCP over Streamable HTTP at `/mcp`. `initialize` opens a session, which clients pass as
 * `Mcp-Session-Id`; requests without one are stateless.
 */
export function addMcpRoute(app: Hono<HttpEnv>, options: McpRouteOptions): McpRoute {
  const sessions = new McpSessions(options.sessionLimits);
  const answers = new OpenResponses();
  const route = new StreamableHttp(options, sessions, answers);
  app.on(["GET", "POST", "DELETE"], "/mcp", (c) => route.answer(c));
  return {
    sessions,
    async close(graceMs) {
      await answers.sent(graceMs);
      await sessions.close();
    },
  };
}

class StreamableHttp {
  readonly #options: McpRouteOptions;
  readonly #sessions: McpSessions;
  readonly #answers: OpenResponses;

  constructor(options: McpRouteOptions, sessions: McpSessions, answers: OpenResponses) {
    this.#options = options;
    this.#sessions = sessions;
    this.#answers = answers;
  }

  async answer(c: Context<HttpEnv>): Promise<Response> {
    const choices = readChoices(parseQuery(c.req.url));
    const isPost = c.req.method === "POST";
    const message = isPost ? await readMessages(c) : undefined;
    if (isPost && message === undefined) {
      return toRpcFailure(400, -32700, "Parse error: Invalid JSON");
    }
    // A client that connects again may still send the id of its former session.
    if (isInitializeRequest(message)) return this.#begin(c, choices, message);
    const sessionId = c.req.header("mcp-session-id");
    if (sessionId !== undefined) return this.#continue(c, sessionId, choices, message);
    if (isPost) return this.#answerAlone(c, choices, message);
    return toRpcFailure(400, -32000, "Bad Request: Mcp-Session-Id header is required");
  }

  async #begin(c: Context<HttpEnv>, choices: McpChoices, message: unknown): Promise<Response> {
    const caller = getCaller(c);
    const session = await this.#sessions.create({
      choices: JSON.stringify(choices),
      caller,
      bodyBytes: this.#options.bodyBytes,
      isStillAuthorized: () => isStillAuthorized(c),
      createServer: (id) =>
        this.#createServer(c, choices, {
          id,
          isStillAuthorized: () =>
            this.#sessions.get(id, caller)?.isStillAuthorized() ?? isStillAuthorized(c),
        }),
    });
    const response = await this.#handle(c, session, message);
    // A rejected request opens no session.
    if (!response.ok) await session.server.close();
    return response;
  }

  async #continue(
    c: Context<HttpEnv>,
    id: string,
    choices: McpChoices,
    message: unknown,
  ): Promise<Response> {
    const session = this.#sessions.get(id, getCaller(c));
    if (session === undefined) return toRpcFailure(404, -32001, "Session not found");
    if (session.choices !== JSON.stringify(choices)) {
      throw invalidInput(
        "db, interface, tools and structured belong to the session: keep the URL, or start another session.",
      );
    }
    session.isStillAuthorized = () => isStillAuthorized(c);
    const count = Array.isArray(message) ? message.length : 1;
    c.get("countRequests")?.(Math.max(0, count - 1));
    const used = findUsedId(session, message);
    if (used !== undefined) {
      return toRpcFailure(
        400,
        RpcErrorCode.InvalidRequest,
        `A request with the id ${JSON.stringify(used)} is still open.`,
      );
    }
    return this.#handle(c, session, message);
  }

  async #handle(c: Context<HttpEnv>, session: McpSession, message: unknown): Promise<Response> {
    const release = this.#sessions.hold(session, c.req.raw.signal);
    const response = await session.transport.handleRequest(
      createSdkRequest(c, listAcceptedTypes(c.req.header("accept"))),
      message === undefined ? {} : { parsedBody: message },
    );
    if (c.req.method === "GET" && response.ok) return response;
    release();
    return this.#answers.follow(response);
  }

  /** Handles a request without a session; responds with JSON. */
  async #answerAlone(c: Context<HttpEnv>, choices: McpChoices, message: unknown) {
    if (Array.isArray(message)) {
      return toRpcFailure(400, -32600, "Invalid Request: a batch needs a session");
    }
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = this.#createServer(c, choices);
    await server.connect(transport);
    const accepted = listAcceptedTypes(c.req.header("accept"));
    // The response is JSON, but the SDK requires both types.
    const types = accepted.includes("application/json") ? RESPONSE_TYPES : accepted;
    try {
      return await transport.handleRequest(createSdkRequest(c, types), { parsedBody: message });
    } finally {
      await server.close();
    }
  }

  #createServer(
    c: Context<HttpEnv>,
    choices: McpChoices,
    session?: { readonly id: string; isStillAuthorized(): Promise<boolean> },
  ) {
    const { store, version, logger, timeoutMs, onCall } = this.#options;
    return createMcpServer({
      ...choices,
      store,
      session: session?.id,
      caller: getCaller(c),
      isStillAuthorized: () => session?.isStillAuthorized() ?? isStillAuthorized(c),
      version,
      logger,
      timeoutMs,
      onCall,
    });
  }
}

/** Returns the id of a request that an open request of the session has as well. */
function findUsedId({ pending }: McpSession, body: unknown): RequestId | undefined {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.filter(isJSONRPCRequest).find(({ id }) => pending.has(id))?.id;
}

/** Returns the parsed JSON-RPC message or batch; undefined if it is not JSON. */
async function readMessages(c: Context<HttpEnv>): Promise<unknown> {
  const body = tryParseJson(await readJsonText(c));
  return Array.isArray(body) ? body.map(normalizeParams) : normalizeParams(body);
}

const RESPONSE_TYPES = ["application/json", "text/event-stream"];

/** Lists the response types that an `Accept` header allows; a missing one allows all. */
function listAcceptedTypes(accept = "*/*"): readonly string[] {
  const ranges = accept.split(",").map((range) => range.split(";", 1)[0]?.trim().toLowerCase());
  return RESPONSE_TYPES.filter((type) =>
    ["*/*", type.replace(/\/.*/, "/*"), type].some((range) => ranges.includes(range)),
  );
}

/** Creates the request for the SDK, which compares media types literally, without the body. */
function createSdkRequest(c: Context<HttpEnv>, accepted: readonly string[]): Request {
  const headers = new Headers(c.req.raw.headers);
  headers.set("accept", accepted.join(", "));
  return new Request(c.req.url, { method: c.req.method, headers, signal: c.req.raw.signal });
}

function toRpcFailure(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
