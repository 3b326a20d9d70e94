import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes, routePath } from "hono/route";
import type { Caller } from "../../shared/caller.ts";
import { databaseParameter, parseQuery } from "./database-parameter.ts";
import type { HttpEnv } from "./guard-middleware.ts";
import type { RequestMetadata } from "./request-metadata.ts";

export interface ObservedResponse {
  readonly method: string;
  /** Declared route, such as `/api/v1/episodes/{episode_id}`, or "none". */
  readonly route: string;
  /** Matching route, even if the request was rejected earlier. */
  readonly declared: string;
  readonly status: number;
  readonly seconds: number;
  /** Undefined for rejected callers and public routes. */
  readonly caller: Caller | undefined;
  readonly known: Caller | undefined;
  readonly database: string | undefined;
  readonly metadata: RequestMetadata;
  /** True for event streams. */
  readonly isStream: boolean;
  /** The request came from this server's page, according to browser headers. */
  readonly isOfOwnPage: boolean;
}

/**
 * Outermost middleware: observes every response, including failures. Responses wait for the
 * observer; its error replaces them.
 */
export function observeResponses(
  onAnswer: (answered: ObservedResponse) => void | Promise<void>,
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const startedAt = performance.now();
    const facts: RequestMetadata = {};
    c.set("metadata", facts);
    await next();
    try {
      await onAnswer({
        method: c.req.method,
        route: toTemplate(routePath(c)),
        declared: findDeclaredRoute(c),
        status: c.res.status,
        seconds: (performance.now() - startedAt) / 1000,
        caller: c.get("caller"),
        known: c.get("known"),
        database: databaseName(c),
        metadata: facts,
        isStream: c.res.headers.get("content-type")?.startsWith("text/event-stream") ?? false,
        isOfOwnPage: c.req.header("sec-fetch-site") === "same-origin",
      });
    } catch (error) {
      await c.res.body?.cancel();
      c.res = undefined;
      throw error;
    }
  };
}

function findDeclaredRoute(c: Context): string {
  const route = matchedRoutes(c).find(({ path }) => path !== "*" && path !== "/*");
  return toTemplate(route?.path ?? "*");
}

/** `/entities/:entity_id{.+}/facts` → `/entities/{entity_id}/facts` */
function toTemplate(path: string): string {
  if (path === "*" || path === "/*") return "none";
  return path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, "{$1}");
}

function databaseName(c: Context): string | undefined {
  try {
    const name = databaseParameter(parseQuery(c.req.url));
    return name !== undefined && /^[A-Za-z0-9][\w.-]{0,63}$/.test(name) ? name : undefined;
  } catch {
    // Repeated or empty; the handler reports it.
    return undefined;
  }
}
