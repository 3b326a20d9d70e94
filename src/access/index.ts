export { noteServer } from "./noted-server.ts";
export {
  type NewToken,
  PeopleTokens,
  type TokenLimits,
  type TokenRecord,
} from "./people-tokens.ts";
export { TokenHolders } from "./token-holders.ts";
