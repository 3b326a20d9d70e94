import type { Logger } from "../../shared/logger.ts";
import type { AnsweredRequest } from "./observe-answers.ts";

/** One line a request: who did what, never what was said. */
export function logRequest(logger: Logger, answered: AnsweredRequest): void {
  const { method, route, status, seconds, caller } = answered;
  const ms = Math.round(seconds * 10_000) / 10;
  const who = caller?.name === undefined ? "" : ` ${caller.name}`;
  logger.info(`${method} ${route} ${status} ${ms} ms${who}`, {
    method,
    route,
    status,
    ms,
    caller: caller?.name,
  });
}
