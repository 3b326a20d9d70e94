export { Identity, type IdentityPlace, identityPlace } from "./identity.ts";
export { LoggedIn } from "./logged-in.ts";
export { challenge } from "./oauth/metadata.ts";
export { addOAuthRoutes, isOAuthPath } from "./oauth/routes.ts";
export { People } from "./people.ts";
export { Sessions } from "./sessions.ts";
export { type IdentitySettings, identitySettings } from "./settings.ts";
export { type Trust, Trusts } from "./trusts.ts";
