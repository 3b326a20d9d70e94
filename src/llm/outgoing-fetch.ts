import { isPlainObject } from "../shared/json.ts";

/** Never proxied. */
const LOCAL_HOST = ["localhost", "127.0.0.1", "::1"];

/** `fetch` through a proxy, except for `NO_PROXY` hosts. */
export async function fetchThroughProxy(
  proxy: string,
  noProxy: string | undefined,
): Promise<typeof globalThis.fetch> {
  const undici = await import("undici");
  const around = new undici.ProxyAgent(proxy);
  const isDirect = createDirectHostTest(noProxy ?? "");
  // The library's own proxy agent prints an experimental warning at each start.
  const dispatcher = new undici.Agent().compose(
    (straight) => (options, handler) =>
      isDirect(new URL(String(options.origin)))
        ? straight(options, handler)
        : around.dispatch(options, handler),
  );
  // undici and Node.js declare incompatible types for the same objects.
  const send = undici.fetch as (input: unknown, init: unknown) => Promise<unknown>;
  return async (input, init) => (await send(input, { ...init, dispatcher })) as Response;
}

/** A host includes its subdomains, and `*` matches all, as in curl. */
function createDirectHostTest(noProxy: string): (url: URL) => boolean {
  const entries = [...noProxy.split(/[\s,]+/), ...LOCAL_HOST].flatMap((entry) => {
    const [, host = "", port] = /^\[?([^[\]]+?)\]?(?::(\d+))?$/.exec(bracketPaste(entry)) ?? [];
    const isAddress = /^[\d.]+$/.test(host) || host.includes(":");
    const name = isAddress ? host : host.replace(/^\*?\./, "");
    return name === "" ? [] : [{ name, isAddress, port }];
  });
  return ({ hostname, port, protocol }) => {
    const host = hostname.toLowerCase().replace(/^\[|\]$/g, "");
    const at = port !== "" ? port : protocol === "https:" ? "443" : "80";
    return entries.some(({ name, isAddress, port: only }) => {
      if (only !== undefined && only !== at) return false;
      return name === "*" || host === name || (!isAddress && host.endsWith(`.${name}`));
    });
  };
}

function bracketPaste(entry: string): string {
  const lower = entry.toLowerCase();
  return lower.split(":").length > 2 && !lower.includes("[") ? `[${lower}]` : lower;
}

export interface OutgoingOptions {
  readonly proxy: string | undefined;
  readonly noProxy: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly refused: Set<string>;
}

const OPTIONAL_FIELDS: readonly string[] = [
  "anthropic-beta",
  "cache_control",
  "eager_input_streaming",
  "include",
  "output_config",
  "parallel_tool_calls",
  "prompt_cache_key",
  "reasoning",
  "reasoning_content",
  "reasoning_details",
  "reasoning_effort",
  "stream_options",
  "strict",
  "summary",
  "thinking",
];

/** Lone surrogates, which services reject; JSON escapes only these. */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/gi;

/** Characters of an error response searched for the rejected field. */
const MAX_REFUSAL_CHARACTERS = 20_000;

/** The single outgoing `fetch` for all model services. */
export function outgoingFetch(options: OutgoingOptions): typeof globalThis.fetch {
  const send = createSender(options);
  return async (input, init) => {
    const sent = withHeaders(init, options.headers);
    if (typeof sent.body === "string" && !isSigned(sent)) {
      sent.body = sent.body.replace(LONE_SURROGATE, "$1\ufffd");
    }
    const body = typeof sent.body === "string" && !isSigned(sent) ? sent.body : undefined;
    for (;;) {
      const request =
        body === undefined ? sent : { ...sent, ...withoutField(sent, body, options.refused) };
      const response = await send(input, request);
      if (body === undefined || (response.status !== 400 && response.status !== 422)) {
        return response;
      }
      const text = await response.text();
      const field = findRefusedField(text.slice(0, MAX_REFUSAL_CHARACTERS), request);
      if (field === undefined || options.refused.has(field)) {
        return new Response(text, { status: response.status, headers: response.headers });
      }
      options.refused.add(field);
    }
  };
}

function isSigned({ headers }: RequestInit): boolean {
  return (new Headers(headers).get("authorization") ?? "").startsWith("AWS4-");
}

function createSender({ proxy, noProxy }: OutgoingOptions): typeof globalThis.fetch {
  if (proxy === undefined) return (input, init) => fetch(input, init);
  let loaded: Promise<typeof globalThis.fetch> | undefined;
  return async (input, init) => {
    loaded ??= fetchThroughProxy(proxy, noProxy);
    return (await loaded)(input, init);
  };
}

function withHeaders(
  init: RequestInit | undefined,
  own: Readonly<Record<string, string>>,
): RequestInit {
  const headers = new Headers(init?.headers);
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  return { ...init, headers: Object.fromEntries(headers) };
}

function withoutField(
  { headers }: RequestInit,
  body: string,
  rejected: ReadonlySet<string>,
): Pick<RequestInit, "body" | "headers"> {
  if (rejected.size === 0) return { body, ...(headers !== undefined && { headers }) };
  const remaining = Object.entries(headers ?? {}).filter(([name]) => !rejected.has(name));
  const value: unknown = JSON.parse(body);
  return { body: JSON.stringify(omit(value, rejected)), headers: Object.fromEntries(remaining) };
}

/** Removes fields at every depth except inside tool arguments and schemas. */
function omit(value: unknown, rejected: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => omit(item, rejected));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !rejected.has(name))
      .map(([name, inner]) => [name, OPAQUE_FIELDS.has(name) ? inner : omit(inner, rejected)]),
  );
}

const OPAQUE_FIELDS: ReadonlySet<string> = new Set([
  ...["input_schema", "parameters", "inputSchema", "input", "arguments", "args", "response"],
]);

function findRefusedField(text: string, { body, headers }: RequestInit): string | undefined {
  const sent = new Set([...Object.keys(headers ?? {})]);
  collectText(JSON.parse(String(body)), sent);
  return OPTIONAL_FIELDS.filter((name) => sent.has(name) && namesField(text, name)).sort(
    (a, b) => b.length - a.length,
  )[0];
}

function namesField(text: string, field: string): boolean {
  const word = field.replaceAll(/[-_]/g, "[-_]");
  return new RegExp(`(?:^|[^a-z0-9_-])${word}(?:$|[^a-z0-9_-])`, "i").test(text);
}

function collectText(value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) collectText(item, found);
  if (!isPlainObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    found.add(name);
    if (!OPAQUE_FIELDS.has(name)) collectText(inner, found);
  }
}
