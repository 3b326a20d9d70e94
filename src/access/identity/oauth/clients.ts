import { z } from "zod";
import { stripControlLine } from "../../../shared/text.ts";
import { isLocalAddress } from "../is-local-address.ts";
import { signature } from "../seal.ts";
import { OAuthError } from "./oauth-error.ts";

/** Schemes that browsers execute instead of handing to a program. */
const BLOCKED_SCHEMES =
  /^(javascript|data|vbscript|file|blob|about|filesystem|ws|wss|ftp|view-source|http|mailto):$/;
const MAX_REDIRECT_URI_LENGTH = 400;

/**
 * Accepts https, loopback and private-use schemes. Rejects fragments and credentials in the URI.
 */
export function isRedirectUri(text: string): boolean {
  if (text.length > MAX_REDIRECT_URI_LENGTH || !URL.canParse(text) || /[\s<>"\\^`{}|#]/.test(text))
    return false;
  const { protocol, hash, username, password } = new URL(text);
  if (hash !== "" || username !== "" || password !== "") return false;
  if (protocol === "https:") return true;
  if (protocol === "http:") return isLocalAddress(text);
  return !BLOCKED_SCHEMES.test(protocol) && /^[a-z][a-z0-9+.-]+:\/?\/?[^/]/.test(text);
}

/** Exact match except the loopback port, which is assigned at run time (RFC 8252). */
function isSameRedirect(registered: string, requested: string): boolean {
  if (registered === requested) return true;
  if (!isRedirectUri(requested)) return false;
  const [a, b] = [new URL(registered), new URL(requested)];
  if (a.protocol !== "http:" || !isLocalAddress(registered) || a.hostname !== b.hostname)
    return false;
  a.port = "";
  b.port = "";
  return a.href === b.href;
}

/** A public OAuth client; PKCE replaces the client secret. */
export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** The page of this server, which needs no consent. */
  readonly isPage?: boolean;
  /** True if the name is self-declared and unverified. */
  readonly isUnknown: boolean;
  readonly hasDevices?: boolean;
}

export interface ClientsOptions {
  readonly key: Buffer;
  readonly url: string;
}

const PAGE_CLIENT_ID = "cairn-page";
export const CLI_CLIENT_ID = "cairn-cli";
const REGISTERED_ID_PATTERN = /^dcr_([\w-]+)\.([\w-]{43})$/;
const SIGNING_PURPOSE = "registered clients";
const MAX_REDIRECTS = 10;
const MAX_NAME_LENGTH = 80;
const MAX_ID_LENGTH = 3_000;

const name = z.string().transform((text) => stripControlLine(text).slice(0, MAX_NAME_LENGTH));
const redirects = z.array(z.string()).min(1).max(MAX_REDIRECTS);
const registered = z.object({ n: name, r: redirects });
const metadata = z.object({ client_name: name.optional(), redirect_uris: redirects });

/** Registered metadata is signed and becomes the client id, so registrations need no storage. */
export class Clients {
  readonly #options: ClientsOptions;

  constructor(options: ClientsOptions) {
    this.#options = options;
  }

  register(input: unknown): OAuthClient {
    const parsed = metadata.safeParse(input);
    if (!parsed.success) {
      throw new OAuthError("invalid_client_metadata", "redirect_uris: must contain 1 to 10 URIs");
    }
    const { client_name: called = "", redirect_uris: uris } = parsed.data;
    requireRedirects(uris);
    const displayName = called.trim() === "" ? "Unnamed client" : called.trim();
    const text = Buffer.from(JSON.stringify({ n: displayName, r: uris })).toString("base64url");
    const id = `dcr_${text}.${signature(this.#options.key, SIGNING_PURPOSE, text)}`;
    if (id.length > MAX_ID_LENGTH) {
      throw new OAuthError(
        "invalid_client_metadata",
        "redirect_uris: the total length is too large",
      );
    }
    return { id, name: displayName, redirectUris: uris, isUnknown: true };
  }

  async find(id: string): Promise<OAuthClient> {
    const { url } = this.#options;
    if (id === PAGE_CLIENT_ID) {
      return {
        id,
        name: "cairn web page",
        redirectUris: [`${url}/ui/`],
        isPage: true,
        isUnknown: false,
      };
    }
    if (id === CLI_CLIENT_ID) {
      return {
        id,
        name: "cairn on the command line",
        redirectUris: ["http://127.0.0.1/callback"],
        isUnknown: false,
        hasDevices: true,
      };
    }
    const [, text = "", signed] = REGISTERED_ID_PATTERN.exec(id) ?? [];
    if (signed === undefined || signed !== signature(this.#options.key, SIGNING_PURPOSE, text)) {
      throw new OAuthError("invalid_client", "client_id: unknown client; register it again");
    }
    const { n, r } = registered.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
    return { id, name: n, redirectUris: r, isUnknown: true };
  }
}

/** Returns the redirect URI. Throws OAuthError if the client did not register it. */
export function resolveRedirect(
  { redirectUris }: OAuthClient,
  requested: string | undefined,
): string {
  const [only, ...others] = redirectUris;
  if (requested === undefined && only !== undefined && others.length === 0) return only;
  if (requested !== undefined && redirectUris.some((known) => isSameRedirect(known, requested)))
    return requested;
  throw new OAuthError("invalid_request", "redirect_uri: not registered for this client");
}

function requireRedirects(uris: readonly string[]): void {
  if (uris.every(isRedirectUri)) return;
  throw new OAuthError(
    "invalid_redirect_uri",
    "redirect_uris: must use https, http on localhost, or a custom application scheme",
  );
}

const MCP_PATH = "/mcp";

function mcpResource(url: string): string {
  return `${url}${MCP_PATH}`;
}

/**
 * Returns the token's resource (RFC 8707); undefined for all. Publicly registered clients default
 * to MCP. Throws OAuthError.
 */
export function requestedResource(
  requested: string | undefined,
  { url, client }: { readonly url: string; readonly client: OAuthClient },
): { readonly resource?: string } {
  const mcp = mcpResource(url);
  if (requested === undefined) return client.isUnknown ? { resource: mcp } : {};
  const plain = requested.replace(/[?#].*$/, "").replace(/\/+$/, "");
  if (plain === mcp) return { resource: mcp };
  if (plain === url) return {};
  throw new OAuthError("invalid_target", `resource: must be ${mcp} or ${url}`);
}
