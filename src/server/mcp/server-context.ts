import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { MemoryEngine } from "../../memory/index.ts";
import type { Caller } from "../../shared/caller.ts";
import type { Logger } from "../../shared/logger.ts";
import type { CallRecorder } from "./record-call.ts";
import type { createExposedTools } from "./tools/exposed-tools.ts";

export interface ServerContext {
  readonly server: Server;
  readonly memory: MemoryEngine;
  readonly tools: ReturnType<typeof createExposedTools>;
  readonly caller: Caller;
  /** Default `session` of remembered items. */
  readonly session: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly notes: CallRecorder;
  readonly logger: Logger;
}
