/** The errors of OAuth 2.0 (RFC 6749, 7591, 8628, 8707), as clients read them. */
export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_client_metadata"
  | "invalid_redirect_uri"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_target"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "authorization_pending"
  | "expired_token"
  | "access_denied"
  | "server_error"
  | "temporarily_unavailable";

export class OAuthError extends Error {
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

const HTTP_STATUS: Partial<Record<OAuthErrorCode, number>> = {
  invalid_client: 401,
  server_error: 500,
  temporarily_unavailable: 503,
};

export function oauthErrorResponse({ code, message }: OAuthError): Response {
  return jsonResponse({ error: code, error_description: message }, HTTP_STATUS[code] ?? 400);
}

export function jsonResponse(body: object, status = 200): Response {
  return Response.json(body, {
    status,
    headers: { "cache-control": "no-store", pragma: "no-cache" },
  });
}

const MAX_FORM_LENGTH = 8_000;

/** Request parameters; duplicates are rejected because parsers disagree on which one counts. */
export class Parameters {
  readonly #input: URLSearchParams;

  constructor(text: string | URLSearchParams) {
    this.#input = new URLSearchParams(text);
    const names = [...this.#input.keys()];
    const duplicate = names.find((name, index) => names.indexOf(name) !== index);
    if (duplicate !== undefined) {
      throw new OAuthError("invalid_request", `${duplicate.slice(0, 40)} must not be repeated`);
    }
  }

  get(name: string): string | undefined {
    const value = this.#input.get(name);
    if (value === null || value === "") return undefined;
    if (value.length <= MAX_FORM_LENGTH) return value;
    throw new OAuthError("invalid_request", `${name} is too long`);
  }

  need(name: string): string {
    const value = this.get(name);
    if (value !== undefined) return value;
    throw new OAuthError("invalid_request", `${name} is missing`);
  }
}

export function readForm(contentType: string | undefined, body: string): Parameters {
  const type = contentType?.split(";")[0]?.trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded") return new Parameters(body);
  throw new OAuthError("invalid_request", "Content-Type must be application/x-www-form-urlencoded");
}
