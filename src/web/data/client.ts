import type { InputOf, OutputOf } from "../../memory/index.ts";
import type { StoreAnswer, StoreRouteId } from "../../server/rest/index.ts";
import { FILTERS } from "./filters.ts";
import { RequestFailed } from "./request-failed.ts";
import { ROUTES, type RoutedOperation } from "./routes.ts";
import type { Session } from "./session.ts";

const PREFIX = "/api/v1";

export interface CallOptions {
  readonly db: string;
  readonly signal?: AbortSignal | undefined;
  /** Expected version of the item; a write is rejected if the item has changed since. */
  readonly ifMatch?: number | undefined;
}

export interface Answer<Output> {
  readonly output: Output;
  readonly version: number | undefined;
  /** Id of the change that a write made, for `undo`. */
  readonly change: string | undefined;
}

export interface RequestOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** HTTP client of operations and store routes. */
export class Client {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Throws RequestFailed with the server's message. */
  async call<Name extends RoutedOperation>(
    name: Name,
    input: InputOf<Name>,
    { db, signal, ifMatch }: CallOptions,
  ): Promise<Answer<OutputOf<Name>>> {
    const { method, path, rest } = bind(ROUTES[name], input);
    const inQuery = method === "GET" || method === "DELETE";
    const query = inQuery ? queryText(rest) : "";
    const response = await this.send(`${path}?db=${encodeURIComponent(db)}${query}`, {
      method,
      signal,
      ...(!inQuery && { body: rest }),
      headers: {
        ...(ifMatch !== undefined && { "if-match": `"v${ifMatch}"` }),
        ...(name === "recall" && { "cairn-client": "page" }),
      },
    });
    const version = /-v(\d+)"$/.exec(response.headers.get("etag") ?? "")?.[1];
    return {
      output: (await response.json()) as OutputOf<Name>,
      version: version === undefined ? undefined : Number(version),
      change: response.headers.get("cairn-change") ?? undefined,
    };
  }

  /** Calls a store route, such as the list of databases, at `path`. */
  async answer<Id extends StoreRouteId>(
    _route: Id,
    path: string,
    options: RequestOptions = {},
  ): Promise<StoreAnswer<Id>> {
    return (await (await this.send(path, options)).json()) as StoreAnswer<Id>;
  }

  /** Sends a request to a path below the API prefix. Throws RequestFailed. */
  async send(path: string, options: RequestOptions = {}): Promise<Response> {
    return this.#fetch(PREFIX + path, options);
  }

  /** Loads version and default database of the server. */
  async loadServerInfo(): Promise<void> {
    const response = await this.#fetch("/health", {});
    this.#session.learn(await response.json());
  }

  /** Returns the default database, or the first one that the token can access. */
  async firstDatabase(): Promise<string | undefined> {
    const own = this.#session.server.peek()?.database;
    if (own !== undefined) return own;
    const { databases } = await this.answer("list_databases", "/databases");
    return databases[0]?.name;
  }

  async #fetch(address: string, { method, body, headers, signal }: RequestOptions) {
    const { token } = this.#session;
    const request: RequestInit = {
      method: method ?? "GET",
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    };
    const response = await fetch(address, request).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      this.#session.connection.value = "lost";
      throw new RequestFailed({ code: "offline", message: "Server unreachable." }, 0);
    });
    if (response.ok) {
      if (address.startsWith(PREFIX)) this.#session.shareToken();
      return response;
    }
    const failure = await RequestFailed.of(response);
    if (response.status === 401) this.#session.refuse(failure.message, token);
    throw failure;
  }
}

/** Fills the path of a route from an input and returns the remaining fields. */
function bind(route: string, input: object) {
  const [method = "GET", template = ""] = route.split(" ");
  const rest: Record<string, unknown> = { ...input };
  const path = template.replaceAll(/\{(\w+)\}/g, (_match, field: string) => {
    const value = String(rest[field]);
    delete rest[field];
    return encodeURIComponent(value);
  });
  return { method, path, rest };
}

const PAIRS: ReadonlyMap<string, string> = new Map(
  FILTERS.flatMap((filter) => ("pair" in filter ? [[filter.name, filter.pair] as const] : [])),
);

/** Formats fields as a query string: lists comma-separated, one `key:value` per label. */
function queryText(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .flatMap(([field, value]) => {
      if (value === undefined || value === "") return [];
      const pair = PAIRS.get(field);
      if (pair !== undefined && Array.isArray(value)) {
        return value.map((one) => `&${pair}=${encodeURIComponent(String(one).replace("=", ":"))}`);
      }
      const text = Array.isArray(value) ? value.join(",") : String(value);
      return text === "" ? [] : [`&${field}=${encodeURIComponent(text)}`];
    })
    .join("");
}
