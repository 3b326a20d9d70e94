import {
  CallToolRequestSchema,
  ElicitResultSchema,
  ListToolsRequestSchema,
  ErrorCode as RpcErrorCode,
} from "@modelcontextprotocol/sdk/types.js";
import { type CallOptions, type Progress, scopeOfOperation } from "../../memory/index.ts";
import { allows } from "../../shared/caller.ts";
import { messageOf } from "../../shared/errors.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { HTTP_STATUS } from "../http/index.ts";
import { type AskPerson, TIMEOUT_MS } from "./asking/ask-person.ts";
import { RpcError, requireNoCursor } from "./rpc-error.ts";
import type { Serving } from "./serving.ts";
import { callTool } from "./tools/call-tool.ts";

/** Answers `tools/list` and `tools/call`. */
export function serveTools(serving: Serving): void {
  const { server, tools, caller, session, timeoutMs, notes, logger } = serving;
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    requireNoCursor(params);
    const { memory } = serving;
    const offered = [...tools.values()].filter(({ operation }) =>
      allows(caller, scopeOfOperation(operation), memory.name),
    );
    return { tools: offered.map((tool) => tool.description) };
  });
  server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {
    const { signal, sendNotification } = extra;
    const { memory } = serving;
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
          { signal, timeout: TIMEOUT_MS },
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
