export { addRestRoutes, type RestOptions } from "./rest-routes.ts";
export { type Route, routesOf } from "./route.ts";
