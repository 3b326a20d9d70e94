import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { MemoryEngine } from "../../memory/index.ts";
import type { Caller } from "../../shared/caller.ts";
import type { Logger } from "../../shared/logger.ts";
import type { CallNotes } from "./note-call.ts";
import type { exposedTools } from "./tools/exposed-tools.ts";

/** What the requests of one client are answered with. */
export interface Serving {
  readonly server: Server;
  readonly memory: MemoryEngine;
  readonly tools: ReturnType<typeof exposedTools>;
  /** Who the client's token belongs to. */
  readonly caller: Caller;
  /** Fills `session` of what is remembered without one. */
  readonly session: string | undefined;
  /** How long a call may take. */
  readonly timeoutMs: number | undefined;
  readonly notes: CallNotes;
  readonly logger: Logger;
}
