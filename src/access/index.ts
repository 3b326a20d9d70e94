export { ApproveHolders, TokenHolders } from "./grant.ts";
export { OneTimeLinks } from "./one-time-links.ts";
export {
  type NewToken,
  PeopleTokens,
  type TokenLimits,
  type TokenRecord,
} from "./people-tokens.ts";
export { registerServer } from "./registered-server.ts";
export {
  combineRights,
  narrowDatabases,
  type Rights,
  ROLE_HOLDERS,
  type RoleHolder,
  type RoleHolderKind,
  type RoleRecord,
  Roles,
} from "./roles.ts";
