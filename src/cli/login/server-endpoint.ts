import { z } from "zod";
import { CairnError, invalidInput, messageOf } from "../../shared/errors.ts";
import { shortenLine, stripControlLine } from "../../shared/text.ts";

const CLIENT_ID = "cairn-cli";
const METADATA_PATH = "/.well-known/oauth-authorization-server";
const RESPONSE_TIMEOUT_MS = 30_000;
const MAX_TEXT_LENGTH = 8_000;

const text = z.string().min(1).max(MAX_TEXT_LENGTH);
const tokens = z.object({
  access_token: text,
  refresh_token: text,
  expires_in: z.number().positive(),
});
const device = z.object({
  device_code: text,
  user_code: z.string().regex(/^[A-Z-]{4,20}$/),
  interval: z.number().min(1).max(60).default(5),
  expires_in: z.number().positive(),
});

export type ServerTokens = z.output<typeof tokens>;
export type Device = z.output<typeof device>;

export class RefusedResponse extends CairnError {
  readonly reason: string;

  constructor(reason: string, message: string) {
    super("forbidden", `Login rejected by the server: ${message}`);
    this.reason = reason;
  }
}

/** OAuth client for one `cairn serve`. */
export class ServerEndpoint {
  readonly url: string;
  readonly #fetch: typeof globalThis.fetch;
  readonly #signal: AbortSignal;

  constructor(url: string, options: { fetch: typeof globalThis.fetch; signal: AbortSignal }) {
    this.url = url;
    this.#fetch = options.fetch;
    this.#signal = options.signal;
  }

  /** Throws unavailable if the server has no login or reports another address as its own. */
  async requireLogin(): Promise<void> {
    const response = await this.#send(METADATA_PATH, {});
    const metadata = response.ok ? await response.json().catch(() => undefined) : undefined;
    const issuer = z.looseObject({ issuer: z.string() }).safeParse(metadata).data?.issuer;
    if (issuer === undefined) {
      throw new CairnError(
        "unavailable",
        `${this.url} does not support login: identity.issuer is not set, or it is not a \`cairn serve\`.`,
      );
    }
    if (issuer === this.url) return;
    throw invalidInput(`The server's address is ${formatAddress(issuer)}: log in there.`);
  }

  pageFor(request: { redirectUri: string; state: string; challenge: string }): string {
    const query = new URLSearchParams({
      response_type: "code",
      client_id: CLIENT_ID,
      redirect_uri: request.redirectUri,
      state: request.state,
      scope: "admin",
      code_challenge: request.challenge,
      code_challenge_method: "S256",
    });
    return `${this.url}/oauth/authorize?${query}`;
  }

  async ofCode(code: string, verifier: string, redirectUri: string): Promise<ServerTokens> {
    const form = { code, code_verifier: verifier, redirect_uri: redirectUri };
    return this.#tokens({ grant_type: "authorization_code", ...form });
  }

  async ofRefresh(refresh: string): Promise<ServerTokens> {
    return this.#tokens({ grant_type: "refresh_token", refresh_token: refresh });
  }

  /** Throws Refused, with `authorization_pending` until the user has entered the code. */
  async ofDevice(code: string): Promise<ServerTokens> {
    const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
    return this.#tokens({ grant_type, device_code: code });
  }

  async beginDevice(): Promise<Device> {
    return this.#post("/oauth/device_authorization", {}, device);
  }

  async revoke(token: string): Promise<void> {
    await this.#post("/oauth/revoke", { token }, z.unknown());
  }

  async #tokens(form: Readonly<Record<string, string>>): Promise<ServerTokens> {
    return this.#post("/oauth/token", form, tokens);
  }

  async #post<Value>(
    path: string,
    form: Readonly<Record<string, string>>,
    schema: z.ZodType<Value>,
  ): Promise<Value> {
    const response = await this.#send(path, {
      method: "POST",
      body: new URLSearchParams({ client_id: CLIENT_ID, ...form }),
    });
    const body: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw refusalError(body, response.status);
    const read = schema.safeParse(body);
    if (read.success) return read.data;
    throw new CairnError("unavailable", `${this.url} is not a cairn server.`);
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]);
    try {
      return await this.#fetch(this.url + path, { ...init, redirect: "error", signal });
    } catch (error) {
      this.#signal.throwIfAborted();
      throw new CairnError(
        "unavailable",
        `${this.url} does not respond: ${formatAddress(messageOf(error))}.`,
      );
    }
  }
}

function refusalError(body: unknown, status: number): CairnError {
  const read = z
    .looseObject({ error: z.string(), error_description: z.string().default("") })
    .safeParse(body).data;
  if (read === undefined || status >= 500) {
    return new CairnError("unavailable", `The server returned ${status}; try again later.`);
  }
  return new RefusedResponse(read.error, `${formatAddress(read.error_description || read.error)}.`);
}

function formatAddress(text: string): string {
  return shortenLine(stripControlLine(text), 300);
}
