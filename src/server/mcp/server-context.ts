import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { MemoryEngine } from "../../memory/index.ts";
import type { Caller } from "../../shared/caller.ts";
import type { Logger } from "../../shared/logger.ts";
import type { CallRecorder } from "./record-call.ts";
import type { exposedTools } from "./tools/exposed-tools.ts";

export interface Serving {
  readonly server: Server;
  readonly memory: MemoryEngine;
  readonly tools: ReturnType<typeof exposedTools>;
  readonly caller: Caller;
  /** Default `session` of remembered items. */
  readonly session: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly notes: CallRecorder;
  readonly logger: Logger;
}
