export { addRestRoutes, type RestOptions } from "./rest-routes.ts";
export { createRoutes, operationsByRoute, type Route } from "./route.ts";
export type { StoreAnswer, StoreRouteId } from "./store-routes/registry.ts";
