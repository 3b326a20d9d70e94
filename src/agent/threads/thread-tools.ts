import type { AgentSettings } from "../settings.ts";
import { loadSubagents } from "../subagents/load-subagents.ts";
import { type AskUser, askUserTool } from "../tools/ask-user.ts";
import type { Tool, ToolResult } from "../tools/define-tool.ts";
import { hashlineEditTool, searchReplaceEditTool } from "../tools/edit.ts";
import { globTool, grepTool } from "../tools/grep.ts";
import { memoryTools } from "../tools/memory-tools.ts";
import { filegrepTool, readTool, skimTool } from "../tools/read.ts";
import { shellStatusTool, shellTool } from "../tools/shell.ts";
import { type Delegation, subagentTool } from "../tools/subagent.ts";
import { todoTool } from "../tools/todo.ts";
import { writeTool } from "../tools/write.ts";
import { webFetchTool } from "../web/web-fetch.ts";
import type { HostServices } from "./host-services.ts";

export interface ThreadToolOptions {
  readonly services: HostServices;
  readonly threadId: string;
  /** 0 for the thread itself, 1 for its subagents. */
  readonly depth: number;
  readonly only?: readonly string[] | undefined;
  /** If given, ask_user is offered regardless of `only`. */
  readonly askUser: AskUser | undefined;
  readonly delegate: (work: Delegation) => Promise<ToolResult>;
}

export async function threadTools(options: ThreadToolOptions): Promise<readonly Tool[]> {
  const { services, threadId, depth, only, askUser } = options;
  const { settings, memory, ripgrep, mcpServers } = services;
  const all = [
    readTool(settings.editMode),
    skimTool(settings.editMode),
    filegrepTool(settings.editMode),
    globTool,
    grepTool(ripgrep),
    webFetchTool(services.web),
    writeTool,
    settings.editMode === "hashline" ? hashlineEditTool : searchReplaceEditTool,
    shellTool,
    shellStatusTool,
    ...(depth === 0 ? [todoTool] : []),
    ...((await mayDelegate(services, depth)) ? [subagentTool(options.delegate)] : []),
    ...memoryTools({ memory, mode: settings.memory, threadId }),
    ...mcpServers.tools(),
  ];
  const checked = all.map((tool) => services.checks.around(tool));
  const chosen = chooseTools(checked, { settings, only });
  const mayAsk = only !== undefined || settings.tools?.includes("ask_user") !== false;
  return askUser === undefined || !mayAsk ? chosen : [...chosen, askUserTool(askUser)];
}

const MAX_SUBAGENT_DEPTH = 2;

async function mayDelegate(services: HostServices, depth: number): Promise<boolean> {
  const { allowNestedSubagents } = services.settings.subagent;
  if (depth > 0 && !(allowNestedSubagents && depth < MAX_SUBAGENT_DEPTH)) return false;
  const { subagents } = await loadSubagents(services);
  return subagents.length > 0;
}

interface ToolChoice {
  readonly settings: Pick<AgentSettings, "tools">;
  readonly only?: readonly string[] | undefined;
}

function chooseTools(all: readonly Tool[], choice: ToolChoice): readonly Tool[] {
  const { settings, only } = choice;
  return all.filter(
    ({ name }) =>
      (settings.tools === undefined || settings.tools.includes(name)) &&
      (only === undefined || only.includes(name)),
  );
}
