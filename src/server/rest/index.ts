export { addRestRoutes, type RestOptions } from "./rest-routes.ts";
export { operationsByRoute, type Route, routesOf } from "./route.ts";
export type { StoreAnswer, StoreRouteId } from "./store-routes/registry.ts";
