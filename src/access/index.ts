export { noteServer } from "./noted-server.ts";
export { OneTimeLinks } from "./one-time-links.ts";
export {
  type NewToken,
  PeopleTokens,
  type TokenLimits,
  type TokenRecord,
} from "./people-tokens.ts";
export { narrowed, type Rights, rightsOf } from "./rights-of.ts";
export {
  ROLE_HOLDERS,
  type RoleHolder,
  type RoleHolderKind,
  type RoleRecord,
  Roles,
} from "./roles.ts";
export { ApproveHolders, TokenHolders } from "./token-holders.ts";
