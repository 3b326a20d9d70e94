import type { Memory } from "../../memory/index.ts";
import type { Clock } from "../../shared/clock.ts";
import type { AgentPaths } from "../agent-paths.ts";
import type { CommandWrapper } from "../processes/command-limits.ts";
import type { ExitGuard } from "../processes/managed-process.ts";
import type { AgentSettings } from "../settings.ts";
import type { LineWriters } from "./checkpoint.ts";
import type { Dialogue, MessageOutput } from "./dialogue.ts";
import type { ThreadControl } from "./events.ts";
import type { McpServersPort } from "./mcp-servers.ts";
import type { SessionSwitch } from "./session-switch.ts";
import type { SessionStore } from "./thread-host.ts";
import type { Worktree } from "./worktree.ts";

export type SlashCommand = ThreadCommand | ImmediateCommand;

interface CommandDescription {
  /** Words after the slash: `tasks add`. The longest match wins. */
  readonly name: string;
  readonly summary: string;
  readonly argument?: SlashArgument;
  /** Takes no arguments: with arguments, a shorter name is meant (`/plan exit strategy`). */
  readonly exact?: boolean;
  /** A server answers with an `error` and starts no run. */
  readonly terminalOnly?: boolean;
}

/** Works on its thread, so it waits for the current run. */
interface ThreadCommand extends CommandDescription {
  readonly immediate?: false;
  run(context: SlashCommandContext, args: string): Promise<void>;
}

interface ImmediateCommand extends CommandDescription {
  readonly immediate: true;
  run(context: ImmediateContext, args: string): Promise<void>;
}

export interface SlashArgument {
  readonly name: string;
  /** Request for a missing argument, without a full stop: `Say what to remember`. */
  readonly required?: string;
}

/** `<text>` if required, `[text]` if optional; undefined without an argument. */
export function formatUsage({ argument }: Pick<SlashCommand, "argument">): string | undefined {
  if (argument === undefined) return undefined;
  return argument.required === undefined ? `[${argument.name}]` : `<${argument.name}>`;
}

export interface ImmediateContext extends AgentPaths {
  readonly dialogue: MessageOutput;
  /** Undefined before the first message. */
  readonly threadId: string | undefined;
  readonly clock: Clock;
  readonly settings: AgentSettings;
  /** Undefined when `memory` is "off". */
  readonly memory: Memory | undefined;
  readonly mcpServers: McpServersPort;
  readonly checkpoints: LineWriters;
  readonly openPage?: (url: string) => void;
  readonly worktree?: Worktree;
  readonly surface: "terminal" | "server";
  readonly commands: readonly SlashCommand[];
  readonly sessions: Sessions;
  readonly signal: AbortSignal;
}

export interface SlashCommandContext extends ImmediateContext {
  readonly dialogue: Dialogue;
  readonly thread: ThreadControl;
  readonly threadId: string;
  /** Without provider keys. */
  readonly environment: Readonly<Record<string, string>>;
  readonly processName: string;
  readonly dataDir: string;
  readonly exitGuard: ExitGuard;
  readonly wrapCommand: CommandWrapper;
}

interface Sessions extends SessionSwitch, SessionStore {}
