import { fileURLToPath } from "node:url";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  type CompleteRequest,
  CompleteRequestSchema,
  type CompleteResult,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  type JSONRPCMessage,
  ListPromptsRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  ErrorCode as RpcErrorCode,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import {
  type CallOptions,
  type Memory,
  type MemoryStore,
  type Progress,
  scopeOfOperation,
} from "../../memory/index.ts";
import { yieldToEventLoop } from "../../shared/async.ts";
import { allows, type Caller, findScope, OWNER, requireDatabase } from "../../shared/caller.ts";
import { messageOf } from "../../shared/errors.ts";
import { isNestedDeeper } from "../../shared/json.ts";
import type { Logger } from "../../shared/logger.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { shorten, toWellFormedJson } from "../../shared/text.ts";
import { HTTP_STATUS } from "../http/index.ts";
import { createInstructions } from "./instructions.ts";
import { mcpPrompts, promptText } from "./prompts/registry.ts";
import { CallRecorder, type RecordCall } from "./record-call.ts";
import { suggestValues } from "./resources.ts";
import { RpcError, requireNoCursor, rpcError } from "./rpc-error.ts";
import { serveResources } from "./serve-resources.ts";
import type { ServerContext } from "./server-context.ts";
import { callTool } from "./tools/call-tool.ts";
import { createExposedTools, type ToolChoice } from "./tools/exposed-tools.ts";

const REQUEST_SCHEMAS: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries({
    initialize: InitializeRequestSchema,
    "tools/call": CallToolRequestSchema,
    "resources/read": ReadResourceRequestSchema,
    "resources/subscribe": SubscribeRequestSchema,
    "resources/unsubscribe": UnsubscribeRequestSchema,
    "prompts/get": GetPromptRequestSchema,
    "completion/complete": CompleteRequestSchema,
  }),
);

/**
 * Validates requests before the SDK, which reports invalid parameters as an internal error with a
 * schema dump. Responds with -32602 and one sentence. Requests wait for `ready`.
 */
class CheckedServer extends Server {
  /** Called on initialization and when the client's roots change; later requests wait for it. */
  prepare: (() => Promise<void>) | undefined;
  #ready: Promise<void> | undefined;

  override async connect(transport: Transport): Promise<void> {
    const start = transport.start.bind(transport);
    transport.start = async () => {
      const receive = transport.onmessage;
      transport.onmessage = (message, extra) => {
        const problem = findProblem(message);
        if (problem !== undefined && "id" in message && message.id !== undefined) {
          const error = { code: RpcErrorCode.InvalidParams, message: problem };
          const refusal = { jsonrpc: "2.0" as const, id: message.id, error };
          void transport.send(refusal, { relatedRequestId: message.id });
          return;
        }
        if ("method" in message && SETUP_NOTIFICATIONS.has(message.method)) this.#beginPreparing();
        const clean = isNestedDeeper(message) ? message : toWellFormedJson(message);
        if (this.#ready === undefined || !isDelayed(message)) receive?.(clean, extra);
        else void this.#ready.then(() => receive?.(clean, extra));
      };
      await start();
    };
    await super.connect(transport);
  }

  #beginPreparing(): void {
    const { prepare } = this;
    if (prepare === undefined) return;
    // The SDK handles earlier messages of the same turn first.
    this.#ready = yieldToEventLoop().then(prepare);
  }
}

const SETUP_NOTIFICATIONS = new Set([
  "notifications/initialized",
  "notifications/roots/list_changed",
]);

function isDelayed(message: JSONRPCMessage): boolean {
  if (!("method" in message) || !("id" in message)) return false;
  return message.method !== "initialize" && message.method !== "ping";
}

/** Returns the first problem with a request's parameters, if any. */
function findProblem(message: JSONRPCMessage): string | undefined {
  if (!("method" in message) || !("id" in message)) return undefined;
  const schema = REQUEST_SCHEMAS.get(message.method);
  if (schema === undefined) return undefined;
  const { error } = schema.safeParse(message);
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return undefined;
  const field = issue.path.map(String).join(".");
  return `Invalid params: ${shorten(field, 100)}: ${shorten(issue.message, 200)}`;
}

/** Delay of the first requests if the client does not respond. */
const ROOTS_TIMEOUT_MS = 2_000;

/**
 * Requests the client's roots on initialization and on changes. Requests wait for the first
 * response so that nothing is stored in the wrong project.
 */
function watchRoots(
  server: CheckedServer,
  logger: Logger,
  onRoots: (folders: readonly string[]) => void,
): void {
  server.prepare = async () => {
    if (server.getClientCapabilities()?.roots === undefined) return;
    try {
      const { roots } = await server.listRoots(undefined, { timeout: ROOTS_TIMEOUT_MS });
      onRoots(roots.flatMap(({ uri }) => uriToFolder(uri)));
    } catch (error) {
      logger.warn(`The client did not list its roots: ${messageOf(error)}`);
    }
  };
}

function uriToFolder(uri: string): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    // Only `file:` roots are local folders.
    return [];
  }
}

/** Protocol limit of completion values per response. */
const MAX_ITEMS = 100;

/** Completes an argument of a resource template or prompt by prefix. */
async function completeArgument(
  memory: Memory,
  caller: Caller,
  { ref, argument }: CompleteRequest["params"],
): Promise<CompleteResult> {
  const kinds =
    ref.type === "ref/resource"
      ? suggestValues(memory.operations, { uri: ref.uri, name: argument.name })
      : mcpPrompts
          .find(({ name }) => name === ref.name)
          ?.arguments.find(({ name }) => name === argument.name)?.suggests;
  if (kinds === undefined) return { completion: { values: [], total: 0, hasMore: false } };
  const { suggestions } = await memory.execute(
    "suggest",
    {
      prefix: argument.value.slice(0, 500),
      kinds,
      limit: MAX_ITEMS + 1,
    },
    { caller },
  );
  const values = suggestions.slice(0, MAX_ITEMS).map(({ value }) => value);
  return { completion: { values, hasMore: suggestions.length > MAX_ITEMS } };
}

export interface McpServerOptions extends ToolChoice {
  readonly store: MemoryStore;
  /** Undefined: the default database. */
  readonly db: string | undefined;
  /** Default `session` of remembered items. */
  readonly session: string | undefined;
  /** The authenticated caller, over HTTP. */
  readonly caller?: Caller;
  /** Rechecks authorization; once false, the client gets no further messages. */
  readonly isStillAuthorized?: () => Promise<boolean>;
  readonly timeoutMs?: number | undefined;
  readonly version: string;
  readonly logger: Logger;
  /** Selects the database for the client's folders; undefined: keep `db`. */
  readonly databaseOf?: ((roots: readonly string[]) => string | undefined) | undefined;
  /** Records each call with its caller. */
  readonly onCall?: RecordCall | undefined;
}

/** Creates an MCP server for one database. Throws if `db` is invalid. */
export function createMcpServer(options: McpServerOptions): Server {
  const { store, session, caller = OWNER, timeoutMs, version, logger } = options;
  const { isStillAuthorized = () => Promise.resolve(true) } = options;
  let memory = store.open(options.db);
  requireDatabase(caller, memory.name);
  const scope = findScope(caller, memory.name);
  const notes = new CallRecorder(options.onCall, { database: memory.name, caller });
  const tools = createExposedTools(
    store.operations,
    { ...options, hasLayers: store.hasLayers },
    scope,
  );
  const server = new CheckedServer(
    { name: "cairn", title: "cairn memory", version },
    {
      capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} },
      instructions: createInstructions(options, scope),
    },
  );
  const serving: ServerContext = {
    ...{ server, tools, caller, session, timeoutMs, notes, logger },
    get memory() {
      return memory;
    },
  };
  const { databaseOf } = options;
  if (databaseOf !== undefined) {
    watchRoots(server, logger, (roots) => {
      const name = databaseOf(roots);
      if (name !== undefined && name !== memory.name) memory = store.open(name);
    });
  }
  serveTools(serving);
  serveResources(serving, isStillAuthorized);
  servePrompts(serving);
  server.setRequestHandler(CompleteRequestSchema, ({ method, params }) =>
    notes.during({ operation: method, input: {} }, () =>
      completeArgument(serving.memory, caller, params),
    ),
  );
  return server;
}

function servePrompts({ server, tools, logger }: ServerContext): void {
  server.setRequestHandler(ListPromptsRequestSchema, ({ params }) => {
    requireNoCursor(params);
    const prompts = mcpPrompts.map(({ text: _text, arguments: list, ...prompt }) => ({
      ...prompt,
      arguments: list.map(({ suggests: _suggests, ...argument }) => argument),
    }));
    return { prompts };
  });
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    try {
      const { description, text } = promptText(
        params.name,
        params.arguments ?? {},
        new Set(tools.keys()),
      );
      return { description, messages: [{ role: "user", content: { type: "text", text } }] };
    } catch (error) {
      throw rpcError(error, logger);
    }
  });
}

function serveTools(serving: ServerContext): void {
  const { server, tools, caller, session, timeoutMs, notes, logger } = serving;
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    requireNoCursor(params);
    const { memory } = serving;
    const offered = [...tools.values()].filter(({ operation }) =>
      allows(caller, scopeOfOperation(operation), memory.name),
    );
    return { tools: offered.map((tool) => tool.description) };
  });
  server.setRequestHandler(CallToolRequestSchema, async (request, { signal, sendNotification }) => {
    const { memory } = serving;
    const { name, arguments: input = {}, _meta: meta } = request.params;
    const tool = tools.get(name);
    if (tool === undefined) {
      const operation = memory.operations.get(name);
      const isRefused =
        operation !== undefined && !allows(caller, scopeOfOperation(operation), memory.name);
      const called = { operation: operation?.name ?? request.method, input };
      await notes.note(called, isRefused ? HTTP_STATUS.forbidden : HTTP_STATUS.invalid_input);
      throw unknownToolError(name, [...tools.keys()]);
    }
    const onProgress = createProgressSender(meta?.progressToken, sendNotification);
    const execution: CallOptions = {
      signal,
      timeoutMs,
      caller,
      client: server.getClientVersion()?.name,
      ...(session !== undefined && { session }),
      ...(onProgress !== undefined && { onProgress }),
    };
    return notes.during({ operation: tool.operation.name, input }, (onChange) =>
      callTool(memory, { tool, input, options: { ...execution, onChange } }, logger),
    );
  });
}

function unknownToolError(name: string, known: readonly string[]): RpcError {
  const shortName = name.length > 80 ? `${name.slice(0, 77)}...` : name;
  return new RpcError(
    RpcErrorCode.InvalidParams,
    `Unknown tool: there is no "${shortName}".${didYouMean(shortName, known)}`,
  );
}

type SendProgress = (notification: {
  method: "notifications/progress";
  params: { progressToken: string | number; progress: number; total: number; message: string };
}) => Promise<void>;

function createProgressSender(token: string | number | undefined, send: SendProgress) {
  if (token === undefined) return undefined;
  let furthest = 0;
  return ({ stage, done, total }: Progress) => {
    // The protocol requires progress to increase, across all stages.
    if (done <= furthest) return;
    furthest = done;
    const params = { progressToken: token, progress: done, total, message: stage };
    // Expected: the client has disconnected.
    send({ method: "notifications/progress", params }).catch(() => undefined);
  };
}
