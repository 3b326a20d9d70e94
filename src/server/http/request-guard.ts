import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import {
  type AccessScope,
  type Caller,
  OWNER,
  requireScopeSomewhere,
} from "../../shared/caller.ts";
import { CairnError } from "../../shared/errors.ts";
import { isLoopback, LOOPBACK_NAMES, parseAuthority, urlHost } from "./authority.ts";

export interface GuardOptions {
  readonly host: string;
  /** Additional host names and addresses under which this server serves its own pages. */
  readonly alsoNamed?: readonly string[];
  readonly isSecure?: boolean;
  readonly token?: string | undefined;
  readonly holders?: TokenHolders | undefined;
  /** `name` on any port, or `name:port`. */
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
}

export interface TokenHolders {
  isClosed(): Promise<boolean>;
  /** Resolves a token for a path, since tokens may be limited to some paths. */
  holderOf(token: string, path: string): Promise<Caller | undefined>;
}

export interface RequestFacts {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite?: string | undefined;
  readonly fetchMode?: string | undefined;
  readonly authorization: string | undefined;
  readonly path: string;
  /** Token from the query string; only allowed for WebSockets. */
  readonly queryToken?: string | undefined;
  readonly localPort: number | undefined;
}

export interface RequestGuard {
  /**
   * Returns the caller. Throws forbidden (Host, Origin or missing scope `needed`, default `read`)
   * or unauthorized (token). `onKnown` receives the caller even if the scope is insufficient.
   */
  check(
    facts: RequestFacts,
    needed?: AccessScope,
    onKnown?: (caller: Caller) => void,
  ): Promise<Caller>;
  /** For preflights, which carry no token. Throws forbidden. */
  checkSource(facts: RequestFacts): void;
  /** True if a flag lets pages of this origin read responses. */
  isAllowedByFlag(origin: string | undefined): boolean;
}

/**
 * Rejects other sites (DNS rebinding by the Host list, cross-site requests by the Origin list) and
 * callers without a token. Never compares Host with Origin, which agree under rebinding.
 */
export function createRequestGuard(options: GuardOptions): RequestGuard {
  const ownNames = new Set([
    ...LOOPBACK_NAMES,
    urlHost(options.host),
    ...(options.alsoNamed ?? []).map(urlHost),
  ]);
  const own = { names: ownNames, scheme: options.isSecure === true ? "https" : "http" };
  const allowedHosts = (options.allowHost ?? []).map((host) => host.toLowerCase());
  const allowedOrigins = new Set((options.allowOrigin ?? []).map((origin) => origin.toLowerCase()));
  const isAllowedByFlag = (origin: string | undefined) =>
    origin !== undefined && allowedOrigins.has(origin.toLowerCase());

  const checkSource = ({ host, origin, localPort, fetchSite, fetchMode }: RequestFacts) => {
    if (!isKnownHost(host, ownNames, allowedHosts)) {
      throw new CairnError("forbidden", createHostRefusal(host));
    }
    if (isAllowedByFlag(origin)) return;
    const isOwn =
      origin === undefined
        ? // Cross-site images and scripts send no Origin; navigation is allowed.
          fetchSite === undefined || !isOtherOrigin(fetchSite) || fetchMode === "navigate"
        : isOwnOrigin(origin, own, localPort);
    if (isOwn) return;
    throw new CairnError(
      "forbidden",
      "This origin is not allowed. To allow it, start with --allow-origin.",
    );
  };
  const check: RequestGuard["check"] = async (facts, needed = "read", onKnown = undefined) => {
    checkSource(facts);
    const caller = await identifyCaller(facts, options);
    onKnown?.(caller);
    requireScopeSomewhere(caller, needed, "This");
    return caller;
  };
  return { check, checkSource, isAllowedByFlag };
}

function isOtherOrigin(fetchSite: string): boolean {
  return fetchSite !== "same-origin" && fetchSite !== "none";
}

export function readRequestFacts(request: IncomingMessage): RequestFacts {
  const { host, origin, authorization } = request.headers;
  return {
    host,
    origin,
    fetchSite: readSingleHeader(request.headers["sec-fetch-site"]),
    fetchMode: readSingleHeader(request.headers["sec-fetch-mode"]),
    authorization,
    path: (request.url ?? "/").replace(/[?#].*$/, ""),
    localPort: request.socket.localPort,
  };
}

function readSingleHeader(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join() : header;
}

function isKnownHost(
  header: string | undefined,
  ownNames: ReadonlySet<string>,
  allowed: readonly string[],
): boolean {
  const authority = parseAuthority(header ?? "");
  if (authority === undefined) return false;
  const { name, port } = authority;
  return ownNames.has(name) || allowed.includes(name) || allowed.includes(`${name}:${port ?? 80}`);
}

function createHostRefusal(header: string | undefined): string {
  const authority = parseAuthority(header ?? "");
  if (authority === undefined) return "The Host header is missing or malformed.";
  return `Host ${authority.name} is not allowed. To allow it, start with --allow-host ${authority.name}.`;
}

/** Compares the port too: another port is another program. */
function isOwnOrigin(
  origin: string,
  own: { readonly names: ReadonlySet<string>; readonly scheme: string },
  localPort: number | undefined,
): boolean {
  const [, scheme = "", rest = ""] = /^(https?):\/\/(.+)$/i.exec(origin) ?? [];
  const authority = parseAuthority(rest);
  if (authority === undefined || localPort === undefined) return false;
  if (scheme.toLowerCase() !== own.scheme) return false;
  const usual = own.scheme === "https" ? 443 : 80;
  return own.names.has(authority.name) && (authority.port ?? usual) === localPort;
}

async function identifyCaller(
  { authorization, queryToken, path }: RequestFacts,
  { token, holders, host }: GuardOptions,
): Promise<Caller> {
  const bearer = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  const value = bearer ?? queryToken;
  if (value !== undefined && token !== undefined && isSameText(value, token)) return OWNER;
  const holder = value === undefined ? undefined : await holders?.holderOf(value, path);
  if (holder !== undefined) return holder;
  const isClosed = (await holders?.isClosed()) ?? false;
  // A store may be reopened while the server is reachable, so admit only loopback.
  if (token === undefined && !isClosed && isLoopback(host)) return OWNER;
  throw new CairnError("unauthorized", refusalError(value, isClosed));
}

function refusalError(value: string | undefined, knowsOthers: boolean): string {
  if (value === undefined) {
    return "This server requires a token: send the header Authorization: Bearer <token>.";
  }
  if (!knowsOthers) return "The token is not the one this server was started with.";
  return "The token is unknown, revoked or expired. Request a new one: cairn token create NAME.";
}

/** Compares digests in constant time, so the token's length does not leak. */
function isSameText(a: string, b: string): boolean {
  return timingSafeEqual(hashText(a), hashText(b));
}

function hashText(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
