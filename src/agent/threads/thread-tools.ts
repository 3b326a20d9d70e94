import type { ModelClient } from "../../llm/index.ts";
import type { AgentEventBody } from "../events.ts";
import { askUserTool } from "../tools/ask-user.ts";
import type { Tool } from "../tools/define-tool.ts";
import type { HostServices } from "./host-services.ts";

export interface ThreadToolOptions {
  readonly services: HostServices;
  readonly client: ModelClient;
  readonly emit: (event: AgentEventBody) => void;
  readonly threadId: string;
  readonly askUser: ((question: string) => Promise<string>) | undefined;
}

/** Every tool that a thread could offer. */
export function threadTools(options: ThreadToolOptions): readonly Tool[] {
  return [...(options.askUser === undefined ? [] : [askUserTool(options.askUser)])];
}
