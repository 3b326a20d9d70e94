export type { AnsweredUpgrade, OnUpgradeAnswer } from "./answered-upgrade.ts";
export { isReachableByOthers, urlHost } from "./authority.ts";
export { CallerQuotas } from "./caller-quotas.ts";
export { databaseParameter, queryOf } from "./database-parameter.ts";
export { errorResponse } from "./error-response.ts";
export { authorizeRequest, callerOf, type HttpEnv, isStillAuthorized } from "./guard-middleware.ts";
export { createGuardedApp } from "./guarded-app.ts";
export { type HttpServer, startHttpServer } from "./http-server.ts";
export { HTTP_STATUS, statusOfBody } from "./http-status.ts";
export { idsIn } from "./ids-in.ts";
export type { AnsweredRequest } from "./observe-answers.ts";
export { readJsonBody } from "./read-json-body.ts";
export { readTls } from "./read-tls.ts";
export { refuseSocket } from "./refuse-socket.ts";
export {
  createRequestGuard,
  factsOf,
  type GuardOptions,
  type RequestGuard,
  type TokenHolders,
} from "./request-guard.ts";
export { RequestLog } from "./request-log.ts";
export { type HttpSettings, httpSettings } from "./settings.ts";
export { installSignalHandlers } from "./signal-handlers.ts";
export { turnstile } from "./turnstile.ts";
export { waitForDisconnect } from "./until-gone.ts";
export { bodyOf } from "./whole-bodies.ts";
