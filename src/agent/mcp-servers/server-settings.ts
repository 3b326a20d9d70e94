import { z } from "zod";

const DEFAULT_TIMEOUT_MS = 60_000;

const common = {
  disabled: z.boolean().optional(),
  timeoutMs: z.number().int().min(1).default(DEFAULT_TIMEOUT_MS),
  /** Names of the tools to offer; all if absent. */
  tools: z.array(z.string()).optional(),
  origin: z.enum(["user", "project"]).optional(),
};

const texts = z.record(z.string(), z.string());

const stdioServer = z.looseObject({
  type: z.literal("stdio").optional(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: texts.default({}),
  /** Default: a project's servers are confined, the user's own are not. */
  sandbox: z.boolean().optional(),
  ...common,
});

const oauth = z.strictObject({
  /** Id of a client that the server already knows; without it, cairn registers itself. */
  clientId: z.string().min(1).optional(),
  clientSecret: z.string().min(1).optional(),
  scope: z.string().min(1).optional(),
  callbackPort: z.number().int().min(1).max(65_535).optional(),
});

/** A server at a URL: Streamable HTTP, or the older transport with `sse`. */
const httpServer = z.looseObject({
  type: z.enum(["http", "streamable-http", "streamableHttp", "sse"]).optional(),
  url: z.string().min(1),
  headers: texts.default({}),
  oauth: oauth.optional(),
  ...common,
});

/** An entry of `mcpServers` in the form of most clients; unknown fields are ignored. */
export const mcpServerSettings = z.union([stdioServer, httpServer]);

export const mcpServersSettings = z.record(
  z.string().regex(/^[^\p{C}]{1,200}$/u, "a server name must have 1 to 200 printable characters"),
  mcpServerSettings,
);

export type OAuthSettings = z.output<typeof oauth>;
export type McpServerSettings = z.output<typeof mcpServerSettings>;
export type StdioServerSettings = z.output<typeof stdioServer>;
export type HttpServerSettings = z.output<typeof httpServer>;
