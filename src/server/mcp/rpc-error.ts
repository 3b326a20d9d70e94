import {
  type JSONRPCMessage,
  type RequestId,
  ErrorCode as RpcErrorCode,
} from "@modelcontextprotocol/sdk/types.js";
import type { Logger } from "../../shared/logger.ts";
import { requireKnownError } from "./tools/call-tool.ts";

/** Defined by the protocol. */
const RESOURCE_NOT_FOUND = -32002;

/** A protocol error. The SDK's class adds a prefix that clients add too. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export function rpcError(error: unknown, logger: Logger, data?: { uri: string }): RpcError {
  const { code, message } = requireKnownError(error, logger);
  if (code === "internal") return new RpcError(RpcErrorCode.InternalError, message);
  if (code === "not_found" && data !== undefined) {
    return new RpcError(RESOURCE_NOT_FOUND, message, data);
  }
  return new RpcError(RpcErrorCode.InvalidParams, message, { code });
}

export function requireNoCursor(
  params: { readonly cursor?: string | undefined } | undefined,
): void {
  if (params?.cursor === undefined) return;
  throw new RpcError(
    RpcErrorCode.InvalidParams,
    "cursor: unknown; lists are not paginated, so omit it",
  );
}

export function readCancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  return (message.params as { requestId?: RequestId } | undefined)?.requestId;
}

/** For transports that need a response to each request; the SDK sends none to a cancelled one. */
export function createCancelledResponse(id: RequestId): JSONRPCMessage {
  const error = { code: RpcErrorCode.InvalidRequest, message: "The request was cancelled." };
  return { jsonrpc: "2.0", id, error };
}
