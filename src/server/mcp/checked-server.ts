import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  type JSONRPCMessage,
  ReadResourceRequestSchema,
  ErrorCode as RpcErrorCode,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import { yieldToEventLoop } from "../../shared/async.ts";
import { isNestedDeeper } from "../../shared/json.ts";
import { shorten, toWellFormedJson } from "../../shared/text.ts";

const REQUESTS: ReadonlyMap<string, z.ZodType> = new Map(
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
export class CheckedServer extends Server {
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
        if ("method" in message && PREPARING.has(message.method)) this.#beginPreparing();
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

const PREPARING = new Set(["notifications/initialized", "notifications/roots/list_changed"]);

function isDelayed(message: JSONRPCMessage): boolean {
  if (!("method" in message) || !("id" in message)) return false;
  return message.method !== "initialize" && message.method !== "ping";
}

/** Returns the first problem with a request's parameters, if any. */
function findProblem(message: JSONRPCMessage): string | undefined {
  if (!("method" in message) || !("id" in message)) return undefined;
  const schema = REQUESTS.get(message.method);
  if (schema === undefined) return undefined;
  const { error } = schema.safeParse(message);
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return undefined;
  const field = issue.path.map(String).join(".");
  return `Invalid params: ${shorten(field, 100)}: ${shorten(issue.message, 200)}`;
}
