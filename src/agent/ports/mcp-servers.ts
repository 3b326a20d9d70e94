/** `waiting`: it went away and is tried again; `failed`: it is no longer tried by itself. */
export type McpServerState = "connecting" | "ready" | "waiting" | "failed" | "disabled" | "builtIn";

/** One server of the Model Context Protocol, as `/mcp` tells of it. */
export interface McpServerStatus {
  readonly name: string;
  readonly state: McpServerState;
  readonly origin: "user" | "project";
  /** Command or URL, without arguments and headers. */
  readonly where: string;
  /** Why it failed or waits. */
  readonly problem?: string;
  /** Runs inside of the sandbox, where there is one. */
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

/** Something of a server that a person can mention as `@server:uri`. */
export interface McpResource {
  /** `server:uri` */
  readonly mention: string;
  readonly title: string;
}

export interface McpServersPort {
  list(): readonly McpServerStatus[];
  prompts(): readonly McpPrompt[];
  resources(): readonly McpResource[];
  /** Connects anew, whatever the state. Throws not_found. Resolves once it is ready or failed. */
  reconnect(name: string): Promise<void>;
  /**
   * Logs in to a server at a URL in the person's browser, to which `show` brings them, and connects
   * it. Throws not_found, invalid_input, unavailable, forbidden.
   */
  logIn(name: string, show: (url: string) => void, signal: AbortSignal): Promise<void>;
}
