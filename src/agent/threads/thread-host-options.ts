import type { LlmSettings, ModelClient } from "../../llm/index.ts";
import type { Memory } from "../../memory/index.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Logger } from "../../shared/logger.ts";
import type { PartOfTurn } from "../permission/permission.ts";
import type { SlashCommand } from "../ports/slash-command.ts";
import type { Worktree } from "../ports/worktree.ts";
import type { Environment } from "../processes/child-environment.ts";
import type { AgentSettings } from "../settings.ts";
import type { WebAccess } from "../web/web-access.ts";

export interface ThreadHostOptions {
  /** Absolute. */
  readonly projectRoot: string;
  /** The folder below it in which the person is, with slashes. */
  readonly startedIn?: string;
  /** Absolute; transcripts are kept below it. */
  readonly dataDir: string;
  /** Absolute; holds the user's config, skills and instruction file. */
  readonly userConfigDir: string;
  readonly settings: AgentSettings;
  readonly llm: LlmSettings;
  /** Not closed by the host. */
  readonly memory: Memory | undefined;
  /** The user's own, which holds for all projects; not closed by the host either. */
  readonly ownMemory?: Memory | undefined;
  /** The layers behind the memory that are there, nearest first; not closed by the host either. */
  readonly fartherMemories?: () => Promise<readonly Memory[]>;
  /** What is said is kept as a source of the memory; default: it is not. */
  readonly keepsSessions?: boolean;
  /** What a person puts right takes effect without being asked about; default: it is offered. */
  readonly keepsCorrections?: boolean;
  readonly surface: "terminal" | "server";
  /** Nobody is there to be asked in the middle of a turn; default: somebody is. */
  readonly isUnattended?: boolean;
  /** Whether the project's own slash commands are offered; default: yes. */
  readonly trustsCommands?: boolean;
  /** The project brings along what nobody trusted: its files are words of others. */
  readonly isUntrusted?: boolean;
  /** Of this process; commands and hooks get it without keys. */
  readonly environment: Environment;
  /** Slash commands beside the built-in ones. */
  readonly furtherCommands?: readonly SlashCommand[];
  /** Opens a page in the browser of the person; absent where none is known to be there. */
  readonly openPage?: (url: string) => void;
  /** The worktree that `projectRoot` lies in, if cairn created one. */
  readonly worktree?: Worktree;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** Stands before every request to a model. */
  readonly aroundModel?: (client: ModelClient) => ModelClient;
  /** Its threads do a part of a turn of another agent's. */
  readonly within?: PartOfTurn;
  /** What web_fetch reaches; default: the public web. */
  readonly web?: WebAccess;
}
