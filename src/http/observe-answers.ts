import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { Caller } from "../kernel/caller.ts";
import type { HttpEnv } from "./guard-middleware.ts";

/** A request and how it was answered, without its content and token. */
export interface AnsweredRequest {
  readonly method: string;
  /** The declared route, `/api/v1/episodes/{episode_id}`; "none" if no route matched. */
  readonly route: string;
  readonly status: number;
  /** Seconds until the answer began. */
  readonly seconds: number;
  /** Undefined for refused callers and public routes. */
  readonly caller: Caller | undefined;
}

/** Tells of every answer, refusals and failures included: so it stands before all others. */
export function observeAnswers(
  onAnswer: (answered: AnsweredRequest) => void,
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const begun = performance.now();
    await next();
    onAnswer({
      method: c.req.method,
      route: declared(routePath(c)),
      status: c.res.status,
      seconds: (performance.now() - begun) / 1000,
      caller: c.get("caller"),
    });
  };
}

/** `/entities/:entity_id{.+}/facts` → `/entities/{entity_id}/facts` */
function declared(path: string): string {
  if (path === "*" || path === "/*") return "none";
  return path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, "{$1}");
}
