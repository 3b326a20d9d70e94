import type { Clock } from "../../kernel/clock.ts";
import type { Memory } from "../../memory/index.ts";
import type { CommandWrapper } from "../processes/command-wrapper.ts";
import type { ExitGuard } from "../processes/exit-guard.ts";
import type { AgentSettings } from "../settings.ts";
import type { Dialogue } from "./dialogue.ts";
import type { ThreadControl } from "./thread-control.ts";
import type { ThreadInfo } from "./thread-host.ts";

/** One file, one command, one line in the registry; it works in the terminal and over the server. */
export interface SlashCommand {
  /** Words after the slash: `tasks add`. The longest match wins. */
  readonly name: string;
  readonly summary: string;
  /** What may or must follow the name. */
  readonly argument?: SlashArgument;
  /** Takes no arguments: with some behind it, a shorter name is meant (`/plan exit strategy`). */
  readonly exact?: boolean;
  /** The server answers with an `error` that says so, and starts no run. */
  readonly terminalOnly?: boolean;
  run(context: SlashCommandContext, args: string): Promise<void>;
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

export interface SlashCommandContext {
  readonly dialogue: Dialogue;
  readonly thread: ThreadControl;
  readonly clock: Clock;
  /** Absolute path of the project root. */
  readonly projectRoot: string;
  /** Absolute path of the folder that holds the user's config, skills and instruction file. */
  readonly userConfigDir: string;
  readonly settings: AgentSettings;
  /** Undefined when `memory` is "off". */
  readonly memory: Memory | undefined;
  readonly surface: "terminal" | "server";
  /** Environment of hooks: that of the shell tool, so without provider keys. */
  readonly environment: Readonly<Record<string, string>>;
  /** Marks what the hooks of this thread start. */
  readonly processName: string;
  /** Of the host: ends hooks when this process exits without having closed. */
  readonly exitGuard: ExitGuard;
  /** Puts hooks into the sandbox, where there is one. */
  readonly wrapCommand: CommandWrapper;
  /** The other threads, where the surface can show them. */
  readonly sessions?: Sessions;
  /** Aborted when the person cancels the flow. */
  readonly signal: AbortSignal;
}

export interface Sessions {
  list(): readonly ThreadInfo[];
  /** Makes the surface go on with this thread; absent where a client chooses by itself. */
  resume?(threadId: string): Promise<void>;
}
