import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ElicitResultSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  ErrorCode as RpcErrorCode,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { HTTP_STATUS } from "../http/index.ts";
import { allows, type Caller, OWNER, requireDatabase, scopeIn } from "../kernel/caller.ts";
import { messageOf } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import { didYouMean } from "../kernel/nearest.ts";
import {
  type CallOptions,
  type MemoryStore,
  type Progress,
  scopeOfOperation,
} from "../memory/index.ts";
import { type AskPerson, PATIENCE_MS } from "./asking/ask-person.ts";
import { complete } from "./completion.ts";
import { instructionsFor } from "./instructions.ts";
import { CallNotes, type NoteCall } from "./note-call.ts";
import { mcpPrompts, promptText } from "./prompts/registry.ts";
import { listResources, listResourceTemplates, namedBy, readResource } from "./resources.ts";
import { ResourceSubscriptions } from "./subscriptions.ts";
import { callTool, knownError } from "./tools/call-tool.ts";
import { exposedTools, type ToolChoice } from "./tools/exposed-tools.ts";

export interface McpServerOptions extends ToolChoice {
  readonly store: MemoryStore;
  /** Undefined: the default database. */
  readonly db: string | undefined;
  /** Fills `session` of what is remembered without one. */
  readonly session: string | undefined;
  /** Over HTTP: who the client's token belongs to. */
  readonly caller?: Caller;
  /** Whether the client would still be let in; if not, it gets no further messages. */
  readonly isStillLetIn?: () => Promise<boolean>;
  /** How long a call may take. */
  readonly timeoutMs?: number | undefined;
  readonly version: string;
  readonly logger: Logger;
  /** Notes who called for what. */
  readonly onCall?: NoteCall | undefined;
}

/** An MCP server on one database, to be connected to a transport. Throws for a bad `db`. */
export function createMcpServer(options: McpServerOptions): Server {
  const { store, session, caller = OWNER, timeoutMs, version, logger } = options;
  const { isStillLetIn = () => Promise.resolve(true) } = options;
  const memory = store.open(options.db);
  requireDatabase(caller, memory.name);
  const scope = scopeIn(caller, memory.name);
  const notes = new CallNotes(options.onCall, { database: memory.name, caller });
  const tools = exposedTools(store.operations, { ...options, hasLayers: store.hasLayers }, scope);
  const server = new Server(
    { name: "cairn", title: "cairn memory", version },
    {
      capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} },
      instructions: instructionsFor(options, scope),
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    requireNoCursor(params);
    const offered = [...tools.values()].filter(({ operation }) =>
      allows(caller, scopeOfOperation(operation), memory.name),
    );
    return { tools: offered.map((tool) => tool.description) };
  });
  server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {
    const { signal, sendNotification } = extra;
    const { name, arguments: input = {}, _meta: meta } = request.params;
    const tool = tools.get(name);
    if (tool === undefined) {
      const operation = memory.operations.get(name);
      const isRefused =
        operation !== undefined && !allows(caller, scopeOfOperation(operation), memory.name);
      const called = { operation: operation?.name ?? request.method, input };
      await notes.note(called, isRefused ? HTTP_STATUS.forbidden : HTTP_STATUS.invalid_input);
      throw unknownTool(name, [...tools.keys()]);
    }
    const onProgress = progressSender(meta?.progressToken, sendNotification);
    const execution: CallOptions = {
      signal,
      timeoutMs,
      caller,
      client: server.getClientVersion()?.name,
      ...(session !== undefined && { session }),
      ...(onProgress !== undefined && { onProgress }),
    };
    const canAsk = server.getClientCapabilities()?.elicitation?.form !== undefined;
    const ask: AskPerson = async (question) => {
      try {
        // Sent within the call, so that it reaches the client on the stream of its answer.
        return await extra.sendRequest(
          { method: "elicitation/create", params: { mode: "form", ...question } },
          ElicitResultSchema,
          { signal, timeout: PATIENCE_MS },
        );
      } catch (error) {
        signal.throwIfAborted();
        logger.warn(`A question to the person got no answer: ${messageOf(error)}`);
        return { action: "cancel" };
      }
    };
    return notes.during({ operation: tool.operation.name, input }, (onChange) => {
      const withChange = { ...execution, onChange };
      return callTool(memory, { tool, input, options: withChange, ...(canAsk && { ask }) }, logger);
    });
  });
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => {
    requireNoCursor(params);
    return { resources: listResources(memory.operations) };
  });
  server.setRequestHandler(ListResourceTemplatesRequestSchema, ({ params }) => {
    requireNoCursor(params);
    return { resourceTemplates: listResourceTemplates(memory.operations) };
  });
  server.setRequestHandler(ReadResourceRequestSchema, async ({ method, params }, { signal }) => {
    const call = { caller, signal, timeoutMs };
    const { uri } = params;
    try {
      const contents = await notes.during({ operation: method, input: namedBy(uri) }, () =>
        readResource(memory, uri, call),
      );
      return { contents: [contents] };
    } catch (error) {
      throw rpcError(error, logger, { uri });
    }
  });
  const subscriptions = new ResourceSubscriptions({
    memory,
    caller,
    logger,
    tell: async (uri) =>
      (await isStillLetIn()) ? server.sendResourceUpdated({ uri }) : server.close(),
  });
  server.onclose = () => subscriptions.close();
  server.setRequestHandler(SubscribeRequestSchema, async ({ method, params: { uri } }) => {
    try {
      await notes.during({ operation: method, input: namedBy(uri) }, () => subscriptions.add(uri));
    } catch (error) {
      throw rpcError(error, logger, { uri });
    }
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscriptions.remove(params.uri);
    return {};
  });
  server.setRequestHandler(CompleteRequestSchema, ({ method, params }) =>
    notes.during({ operation: method, input: {} }, () => complete(memory, caller, params)),
  );
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
  return server;
}

/** Code of the protocol for a resource that is not there. */
const RESOURCE_NOT_FOUND = -32002;

/** An error of the protocol. The SDK's own puts a prefix before the message that clients add too. */
class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

function rpcError(error: unknown, logger: Logger, data?: { uri: string }): RpcError {
  const { code, message } = knownError(error, logger);
  if (code === "internal") return new RpcError(RpcErrorCode.InternalError, message);
  if (code === "not_found" && data !== undefined) {
    return new RpcError(RESOURCE_NOT_FOUND, message, data);
  }
  return new RpcError(RpcErrorCode.InvalidParams, message, { code });
}

/** Lists are always complete and answers have no cursors, so a given cursor is invalid. */
function requireNoCursor(params: { readonly cursor?: string | undefined } | undefined): void {
  if (params?.cursor === undefined) return;
  throw new RpcError(
    RpcErrorCode.InvalidParams,
    "cursor: is none that this server gave; its lists are whole, so leave it out",
  );
}

function unknownTool(name: string, known: readonly string[]): RpcError {
  const shown = name.length > 80 ? `${name.slice(0, 77)}...` : name;
  return new RpcError(
    RpcErrorCode.InvalidParams,
    `Unknown tool: there is no "${shown}".${didYouMean(shown, known)}`,
  );
}

type SendProgress = (notification: {
  method: "notifications/progress";
  params: { progressToken: string | number; progress: number; total: number; message: string };
}) => Promise<void>;

function progressSender(token: string | number | undefined, send: SendProgress) {
  if (token === undefined) return undefined;
  let furthest = 0;
  return ({ stage, done, total }: Progress) => {
    // The protocol requires progress to increase, across all stages.
    if (done <= furthest) return;
    furthest = done;
    const params = { progressToken: token, progress: done, total, message: stage };
    // If the client is gone, a failed notification does no harm.
    send({ method: "notifications/progress", params }).catch(() => undefined);
  };
}
