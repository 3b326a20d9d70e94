export { Identity, type IdentityEndpoints, identityEndpoints } from "./identity.ts";
export { LoginList } from "./login-list.ts";
export { addOAuthRoutes, isOAuthPath } from "./oauth/routes.ts";
export { challenge } from "./oauth/token-endpoint.ts";
export { People } from "./people.ts";
export { Sessions } from "./sessions.ts";
export { type IdentitySettings, identitySettings } from "./settings.ts";
