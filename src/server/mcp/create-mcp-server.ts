import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CompleteRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { MemoryStore } from "../../memory/index.ts";
import { type Caller, OWNER, requireDatabase, scopeIn } from "../../shared/caller.ts";
import type { Logger } from "../../shared/logger.ts";
import { CheckedServer } from "./checked-server.ts";
import { complete } from "./completion.ts";
import { followRoots } from "./follow-roots.ts";
import { instructionsFor } from "./instructions.ts";
import { CallNotes, type NoteCall } from "./note-call.ts";
import { servePrompts } from "./serve-prompts.ts";
import { serveResources } from "./serve-resources.ts";
import { serveTools } from "./serve-tools.ts";
import type { Serving } from "./serving.ts";
import { exposedTools, type ToolChoice } from "./tools/exposed-tools.ts";

export interface McpServerOptions extends ToolChoice {
  readonly store: MemoryStore;
  /** Undefined: the default database. */
  readonly db: string | undefined;
  /** Fills `session` of what is remembered without one. */
  readonly session: string | undefined;
  /** Over HTTP: who the client's token belongs to. */
  readonly caller?: Caller;
  /** True if the client would still be let in; if not, it gets no further messages. */
  readonly isStillLetIn?: () => Promise<boolean>;
  readonly timeoutMs?: number | undefined;
  readonly version: string;
  readonly logger: Logger;
  /** Names the database of the folders that the client works in; undefined: `db` stays. */
  readonly databaseOf?: ((roots: readonly string[]) => string | undefined) | undefined;
  /** Notes who called for what. */
  readonly onCall?: NoteCall | undefined;
}

/** An MCP server on one database, to be connected to a transport. Throws for a bad `db`. */
export function createMcpServer(options: McpServerOptions): Server {
  const { store, session, caller = OWNER, timeoutMs, version, logger } = options;
  const { isStillLetIn = () => Promise.resolve(true) } = options;
  let memory = store.open(options.db);
  requireDatabase(caller, memory.name);
  const scope = scopeIn(caller, memory.name);
  const notes = new CallNotes(options.onCall, { database: memory.name, caller });
  const tools = exposedTools(store.operations, { ...options, hasLayers: store.hasLayers }, scope);
  const server = new CheckedServer(
    { name: "cairn", title: "cairn memory", version },
    {
      capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} },
      instructions: instructionsFor(options, scope),
    },
  );
  const serving: Serving = {
    ...{ server, tools, caller, session, timeoutMs, notes, logger },
    get memory() {
      return memory;
    },
  };
  const { databaseOf } = options;
  if (databaseOf !== undefined) {
    followRoots(server, logger, (roots) => {
      const name = databaseOf(roots);
      if (name !== undefined && name !== memory.name) memory = store.open(name);
    });
  }
  serveTools(serving);
  serveResources(serving, isStillLetIn);
  servePrompts(serving);
  server.setRequestHandler(CompleteRequestSchema, ({ method, params }) =>
    notes.during({ operation: method, input: {} }, () => complete(serving.memory, caller, params)),
  );
  return server;
}
