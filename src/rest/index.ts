export { openApiDocument } from "./openapi.ts";
export { addRestRoutes, REST_PREFIX, type RestOptions } from "./rest-routes.ts";
export { type Route, routesOf } from "./route.ts";
