import type { AnsweredRequest, AnsweredUpgrade } from "../server/http/index.ts";
import type { Caller } from "../shared/caller.ts";
import type { AuditedRequest } from "./audited-request.ts";

/** A call within a connection that stands for many: a tool, a resource. */
export interface AuditedCall {
  readonly operation: string;
  readonly database: string;
  readonly ids: readonly string[];
  readonly change: string | undefined;
  readonly status: number;
  readonly caller: Caller;
}

/** By method and route, `GET /api/v1/recall`: the name of the operation. */
export type OperationsByRoute = ReadonlyMap<string, string>;

export function ofRequest(
  answered: AnsweredRequest,
  operations: OperationsByRoute,
): AuditedRequest {
  const { method, declared, status, caller, known, asked } = answered;
  const route = `${method} ${declared}`;
  const operation = operations.get(route.replace(/^HEAD /, "GET "));
  return {
    from: wayIn(answered),
    outcome: outcomeOf(status),
    status,
    ...who(caller ?? known),
    route,
    ...about({ ...asked, operation, database: asked.database ?? answered.database }),
  };
}

/** A request at a door of its own, whatever its route. */
export function ofRequestAt(
  from: AuditedRequest["from"],
  answered: AnsweredRequest,
): AuditedRequest {
  return { ...ofRequest(answered, new Map()), from };
}

/** A connection that asked for a WebSocket. */
export function ofUpgrade(
  from: AuditedRequest["from"],
  { route, status, known }: AnsweredUpgrade,
): AuditedRequest {
  return { from, outcome: outcomeOf(status), status, ...who(known), route: `GET ${route}` };
}

export function ofCall({ caller, status, ...call }: AuditedCall): AuditedRequest {
  return { from: "mcp", outcome: outcomeOf(status), status, ...who(caller), ...about(call) };
}

interface About {
  readonly operation: string | undefined;
  readonly database: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly change?: string | undefined;
}

function about({ operation, database, ids = [], change }: About) {
  return {
    ...(operation !== undefined && { operation }),
    ...(database !== undefined && { database }),
    ...(ids.length > 0 && { ids: [...ids] }),
    ...(change !== undefined && { change }),
  };
}

function who(caller: Caller | undefined): Pick<AuditedRequest, "caller" | "by"> {
  if (caller === undefined) return { caller: null, by: "nobody" };
  if (caller.name === undefined) return { caller: null, by: "server" };
  return { caller: caller.name, by: caller.by ?? "token" };
}

function wayIn({ declared, isStream, isOfOwnPage }: AnsweredRequest): AuditedRequest["from"] {
  if (declared.startsWith("/mcp")) return "mcp";
  if (declared.startsWith("/scim/")) return "directory";
  if (/^\/(oauth|\.well-known)\//.test(declared)) return "log-in";
  if (isStream) return "feed";
  if (isOfOwnPage || /^\/ui(\/|$)/.test(declared)) return "page";
  return declared.startsWith("/api/") ? "rest" : "server";
}

function outcomeOf(status: number): AuditedRequest["outcome"] {
  if (status < 400) return "answered";
  return [401, 403, 429].includes(status) ? "refused" : "failed";
}
