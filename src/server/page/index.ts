export { addPageRoutes, isPageRequest } from "./page-routes.ts";
