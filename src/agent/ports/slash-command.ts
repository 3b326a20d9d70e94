import type { Memory } from "../../memory/index.ts";
import type { Clock } from "../../shared/clock.ts";
import type { AgentPlaces } from "../places.ts";
import type { CommandWrapper } from "../processes/command-limits.ts";
import type { ExitGuard } from "../processes/managed-process.ts";
import type { AgentSettings } from "../settings.ts";
import type { LineWriters } from "./checkpoint.ts";
import type { Dialogue, Teller } from "./dialogue.ts";
import type { ThreadControl } from "./events.ts";
import type { McpServersPort } from "./mcp-servers.ts";
import type { SessionSwitch } from "./session-switch.ts";
import type { SessionStore } from "./thread-host.ts";
import type { Worktree } from "./worktree.ts";

/** One file, one command, one line in the registry; it works in the terminal and over the server. */
export type SlashCommand = ThreadCommand | ImmediateCommand;

interface CommandDescription {
  /** Words after the slash: `tasks add`. The longest match wins. */
  readonly name: string;
  readonly summary: string;
  readonly argument?: SlashArgument;
  /** Takes no arguments: with some behind it, a shorter name is meant (`/plan exit strategy`). */
  readonly exact?: boolean;
  /** The server answers with an `error` that says so, and starts no run. */
  readonly terminalOnly?: boolean;
}

/** Works on the thread it is typed in, so it waits until what runs there is done. */
interface ThreadCommand extends CommandDescription {
  readonly immediate?: false;
  run(context: SlashCommandContext, args: string): Promise<void>;
}

interface ImmediateCommand extends CommandDescription {
  readonly immediate: true;
  run(context: ImmediateContext, args: string): Promise<void>;
}

export interface SlashArgument {
  /** As help shows it, without brackets: `text`. */
  readonly name: string;
  /** Asks for it where it is missing, as a sentence without its end: `Say what to remember`. */
  readonly required?: string;
}

/** `<text>` where it is required, `[text]` where it is not; undefined for a command without one. */
export function usageOf({ argument }: Pick<SlashCommand, "argument">): string | undefined {
  if (argument === undefined) return undefined;
  return argument.required === undefined ? `[${argument.name}]` : `<${argument.name}>`;
}

export interface ImmediateContext extends AgentPlaces {
  readonly dialogue: Teller;
  /** The thread that the person sees; undefined before the first message. */
  readonly threadId: string | undefined;
  readonly clock: Clock;
  readonly settings: AgentSettings;
  /** Undefined when `memory` is "off". */
  readonly memory: Memory | undefined;
  readonly mcpServers: McpServersPort;
  readonly checkpoints: LineWriters;
  readonly openPage?: (url: string) => void;
  /** The worktree that `projectRoot` lies in, if cairn created one. */
  readonly worktree?: Worktree;
  readonly surface: "terminal" | "server";
  /** Every command there is, in the order of `/help`. */
  readonly commands: readonly SlashCommand[];
  /** The threads of the project, and what the surface can do with one. */
  readonly sessions: Sessions;
  readonly signal: AbortSignal;
}

export interface SlashCommandContext extends ImmediateContext {
  readonly dialogue: Dialogue;
  readonly thread: ThreadControl;
  readonly threadId: string;
  /** Environment of hooks: that of the shell tool, so without provider keys. */
  readonly environment: Readonly<Record<string, string>>;
  /** Marks what the hooks of this thread start. */
  readonly processName: string;
  readonly dataDir: string;
  readonly exitGuard: ExitGuard;
  /** Puts hooks into the sandbox, where there is one. */
  readonly wrapCommand: CommandWrapper;
}

interface Sessions extends SessionSwitch, SessionStore {}
