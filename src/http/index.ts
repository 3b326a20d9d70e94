export { databaseParameter, queryOf } from "./database-parameter.ts";
export { errorResponse } from "./error-response.ts";
export type { HttpEnv } from "./guard-middleware.ts";
export { createGuardedApp, type GuardedAppOptions } from "./guarded-app.ts";
export { type HttpServer, type HttpServerOptions, startHttpServer } from "./http-server.ts";
export { HTTP_STATUS } from "./http-status.ts";
export { readJsonBody } from "./read-json-body.ts";
export { refuseSocket } from "./refuse-socket.ts";
export {
  createRequestGuard,
  factsOf,
  type GuardOptions,
  type RequestFacts,
  type RequestGuard,
} from "./request-guard.ts";
export { type HttpSettings, httpSettings } from "./settings.ts";
export { installSignalHandlers, type SignalOptions } from "./signal-handlers.ts";
