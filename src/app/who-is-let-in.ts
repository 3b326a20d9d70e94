import type { Identity } from "../access/identity/index.ts";
import { TokenHolders } from "../access/index.ts";
import type { MemoryStore } from "../memory/index.ts";
import {
  createRequestGuard,
  type TokenHolders as Holders,
  type HttpSettings,
  isReachableByOthers,
  type RequestGuard,
} from "../server/http/index.ts";
import { messageOf } from "../shared/errors.ts";
import type { Logger } from "../shared/logger.ts";

type GuardSettings = Pick<HttpSettings, "host" | "port" | "token" | "allowHost" | "allowOrigin">;

interface Door {
  readonly store: MemoryStore;
  readonly settings: GuardSettings;
  /** True if the server speaks https itself. */
  readonly isSecure: boolean;
  readonly identity: Identity | undefined;
  readonly logger: Logger;
}

export interface Authorizer {
  readonly holders: Holders;
  readonly guard: RequestGuard;
  /** True if other machines can reach the server. */
  readonly isReachable: boolean;
}

export function createAuthorizer({
  store,
  settings,
  isSecure,
  identity,
  logger,
}: Door): Authorizer {
  const tokens = new TokenHolders(store.tokens, (error) => {
    logger.warn(`That a token was used could not be noted: ${messageOf(error)}`);
  });
  const holders = holdersOf(tokens, identity);
  const reached = identity === undefined ? settings : reachedAt(identity.place.url, settings);
  return {
    holders,
    guard: createRequestGuard({ ...reached, holders, isSecure }),
    isReachable: isReachableByOthers(reached),
  };
}

/** Tokens of people and programs, and log-ins with the company's account. */
function holdersOf(tokens: TokenHolders, identity: Identity | undefined): Holders {
  if (identity === undefined) return tokens;
  return {
    isClosed: () => Promise.resolve(true),
    holderOf: (token, path) =>
      identity.isOurs(token) ? identity.holderOf(token, path) : tokens.holderOf(token),
  };
}

/** The address that people use is let in without saying so a second time. */
function reachedAt<Given extends Pick<HttpSettings, "allowHost" | "allowOrigin">>(
  url: string,
  given: Given,
): Given {
  const { host, origin } = new URL(url);
  return {
    ...given,
    allowHost: [...given.allowHost, host, host.replace(/:\d+$/, "")],
    allowOrigin: [...given.allowOrigin, origin],
  };
}
