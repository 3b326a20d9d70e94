import { OAuthError } from "./oauth-error.ts";

const LONGEST = 8_000;

/** Parameters of a request, each given once: whoever reads the first and whoever the last agree. */
export class Parameters {
  readonly #given: URLSearchParams;

  /** Throws OAuthError for one that is given twice. */
  constructor(text: string | URLSearchParams) {
    this.#given = new URLSearchParams(text);
    const names = [...this.#given.keys()];
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) {
      throw new OAuthError("invalid_request", `${twice.slice(0, 40)} is given more than once`);
    }
  }

  get(name: string): string | undefined {
    const value = this.#given.get(name);
    if (value === null || value === "") return undefined;
    if (value.length <= LONGEST) return value;
    throw new OAuthError("invalid_request", `${name} is too long`);
  }

  /** Throws OAuthError where it is missing. */
  need(name: string): string {
    const value = this.get(name);
    if (value !== undefined) return value;
    throw new OAuthError("invalid_request", `${name} is missing`);
  }
}

/** A form as browsers and OAuth clients send it. Throws OAuthError. */
export function readForm(contentType: string | undefined, body: string): Parameters {
  const type = contentType?.split(";")[0]?.trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded") return new Parameters(body);
  throw new OAuthError("invalid_request", "Content-Type must be application/x-www-form-urlencoded");
}
