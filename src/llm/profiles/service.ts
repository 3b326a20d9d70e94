import type { BrowserLogIn } from "../log-ins/log-in-by-browser.ts";
import type { EffortForm } from "./effort-form.ts";

/**
 * How a service is spoken to: the form of its requests. Each has one loader in `../providers/`, and
 * nothing else asks which service it is.
 */
export type ApiForm =
  | "responses"
  | "chat"
  | "messages"
  | "gemini"
  | "mistral"
  | "groq"
  | "openrouter"
  | "bedrock"
  | "vertex"
  | "ollama";

export interface ListOfModels {
  /** Absent: `baseUrl`. */
  readonly baseUrl?: string;
  readonly path: string;
  readonly keyHeader?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Service {
  readonly label: string;
  readonly api: ApiForm;
  /** The form for Claude, where the service has that of its maker as well: only there it is cached when asked. */
  readonly apiOfClaude?: ApiForm;
  readonly apiElsewhere?: ApiForm;
  /** Absent: each customer has an own one, and `baseUrl` gives it, or the library knows it. */
  readonly baseUrl?: string;
  /** An own address, as an example; a service that has one is not reached without `baseUrl`. */
  readonly exampleUrl?: string;
  readonly keyVariable?: string;
  /** The key may come from elsewhere: a profile of the cloud, a role of the machine. */
  readonly keyIsOptional?: true;
  /** The key goes into this header instead of `Authorization`. */
  readonly keyHeader?: string;
  /** A log-in that the service documents for programs of others; absent: it has none. */
  readonly logIn?: BrowserLogIn;
  /** Its name in published tables of models, if not its own here; null: it is in none. */
  readonly publishedAs?: string | null;
  readonly keyPage?: string;
  /** Where its models are listed and how the key goes there, if not as at `<baseUrl>/models`. */
  readonly models?: ListOfModels;
  readonly defaultModel: string;
  /** It takes what a model thought back as `reasoning_content`; others refuse the field. */
  readonly takesThoughtBack?: true;
  readonly effort?: EffortForm;
  readonly cutsSilently?: true;
  readonly isFree?: true;
}
