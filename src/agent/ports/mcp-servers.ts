/** `waiting`: the connection is retried; `failed`: it is no longer retried. */
export type McpServerState = "connecting" | "ready" | "waiting" | "failed" | "disabled" | "builtIn";

export interface McpServerStatus {
  readonly name: string;
  readonly state: McpServerState;
  readonly origin: "user" | "project";
  /** Command or URL, without arguments and headers. */
  readonly where: string;
  readonly problem?: string;
  readonly isConfined: boolean;
  readonly tools: readonly string[];
  readonly prompts: readonly string[];
  readonly resources: readonly string[];
}

export interface McpPrompt {
  /** `mcp__<server>__<prompt>` */
  readonly name: string;
  readonly summary: string;
  readonly usage?: string;
}

/** A resource that a user can mention as `@server:uri`. */
export interface McpResource {
  readonly mention: string;
  readonly title: string;
}

export interface McpServersPort {
  list(): readonly McpServerStatus[];
  prompts(): readonly McpPrompt[];
  resources(): readonly McpResource[];
  /** Reconnects in any state. Throws not_found. Resolves once it is ready or failed. */
  reconnect(name: string): Promise<void>;
  /**
   * Logs in with the user's browser, whose URL `show` receives, and connects. Throws not_found,
   * invalid_input, unavailable, forbidden.
   */
  logIn(name: string, show: (url: string) => void, signal: AbortSignal): Promise<void>;
}
