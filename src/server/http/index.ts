export { isReachableByOthers, urlHost } from "./authority.ts";
export { readJsonBody, readJsonText } from "./buffer-bodies.ts";
export { databaseParameter, parseQuery } from "./database-parameter.ts";
export { errorResponse } from "./error-response.ts";
export {
  authorizeRequest,
  CallerQuotas,
  createTurnstile,
  getCaller,
  type HttpEnv,
  isStillAuthorized,
  waitForDisconnect,
} from "./guard-middleware.ts";
export { createGuardedApp } from "./guarded-app.ts";
export { type HttpServer, startHttpServer } from "./http-server.ts";
export type { ObservedResponse } from "./observe-responses.ts";
export type { ObservedUpgrade, OnUpgradeResponse } from "./observed-upgrade.ts";
export { readTls } from "./read-tls.ts";
export { HTTP_STATUS, rejectSocket, statusOfBody } from "./reject-socket.ts";
export {
  createRequestGuard,
  type GuardOptions,
  type RequestGuard,
  readRequestFacts,
  type TokenHolders,
} from "./request-guard.ts";
export { collectIds } from "./request-ids.ts";
export { RequestLog } from "./request-log.ts";
export {
  type HttpSettings,
  httpSettings,
  TRANSFER_LIMITS,
  type TransferLimits,
} from "./settings.ts";
export { installSignalHandlers } from "./signal-handlers.ts";
