import type { BrowserLogin } from "../logins/browser-login.ts";
import type { EffortForm } from "./effort-form.ts";

/** Request format of a service; each has one loader in `../providers/`. */
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
  readonly baseUrl?: string;
  readonly path: string;
  readonly keyHeader?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Service {
  readonly label: string;
  readonly api: ApiForm;
  /** Separate format for Claude, where only that one supports caching. */
  readonly apiOfClaude?: ApiForm;
  readonly apiAtOtherUrls?: ApiForm;
  /** Absent: customer-specific; set by `baseUrl` or the library. */
  readonly baseUrl?: string;
  /** Example of a customer-specific address, which needs `baseUrl`. */
  readonly exampleUrl?: string;
  readonly keyVariable?: string;
  /** A cloud profile or machine role may supply the key. */
  readonly keyIsOptional?: true;
  /** Header for the key instead of `Authorization`. */
  readonly keyHeader?: string;
  readonly browserLogin?: BrowserLogin;
  /** Name in published tables if different; null: not listed. */
  readonly publishedAs?: string | null;
  readonly keyPage?: string;
  /** Model list endpoint if not `<baseUrl>/models`. */
  readonly models?: ListOfModels;
  readonly defaultModel: string;
  /** Accepts reasoning back as `reasoning_content`, which others reject. */
  readonly takesThoughtBack?: true;
  readonly effort?: EffortForm;
  readonly cutsSilently?: true;
  readonly isFree?: true;
}
