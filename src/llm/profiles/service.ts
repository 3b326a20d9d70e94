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

/** What is known of a service, from its own documentation. */
export interface Service {
  /** As a person knows it. */
  readonly label: string;
  readonly api: ApiForm;
  /** The form for Claude, where the service has that of its maker as well: only there it is cached when asked. */
  readonly apiOfClaude?: ApiForm;
  /** The form at an address of a person's own, where servers imitate the service; absent: the same. */
  readonly apiElsewhere?: ApiForm;
  /** Absent: each customer has an own one, and `baseUrl` gives it, or the library knows it. */
  readonly baseUrl?: string;
  /** An own address, as an example; a service that has one is not reached without `baseUrl`. */
  readonly exampleUrl?: string;
  /** The variable of the provider's own tools that holds the key; absent: none is needed. */
  readonly keyVariable?: string;
  /** The key may come from elsewhere: a profile of the cloud, a role of the machine. */
  readonly keyIsOptional?: true;
  /** The key goes into this header instead of `Authorization`. */
  readonly keyHeader?: string;
  /** A log-in that the service documents for programs of others; absent: it has none. */
  readonly logIn?: BrowserLogIn;
  /** Its name in published tables of models, if not its own here; null: it is in none. */
  readonly publishedAs?: string | null;
  /** Where a key is made. */
  readonly keyPage?: string;
  /** Where its models are listed and how the key goes there, if not as at `<baseUrl>/models`. */
  readonly models?: ListOfModels;
  readonly defaultModel: string;
  /** It takes what a model thought back as `reasoning_content`; others refuse the field. */
  readonly takesThoughtBack?: true;
  /** What its chat requests say of effort, whatever the model; absent: what the model's profile says. */
  readonly effort?: EffortForm;
  /** What does not fit is left out without a word: a window that is too small is warned about. */
  readonly cutsSilently?: true;
  /** It runs on the person's own machine, so that nothing is paid. */
  readonly isFree?: true;
}
