import type { LlmSettings, ModelClient, ModelMessage } from "../../llm/index.ts";
import type { Memory } from "../../memory/index.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Logger } from "../../shared/logger.ts";
import type { AgentPaths } from "../agent-paths.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { ProjectCheckpoints } from "../checkpoints/project-checkpoints.ts";
import type { ProjectChecks } from "../diagnostics/project-checks.ts";
import type { StoredImages } from "../images/picture.ts";
import type { McpServers } from "../mcp-servers/mcp-servers.ts";
import type { DelegatedTurn, Permission } from "../permission/permission.ts";
import type { AgentEvent } from "../ports/events.ts";
import type { SlashCommand } from "../ports/slash-command.ts";
import type {
  ParallelThreadOptions,
  SessionStore,
  ThreadHost,
  ThreadInfo,
} from "../ports/thread-host.ts";
import type { Worktree } from "../ports/worktree.ts";
import type { Environment } from "../processes/child-environment.ts";
import type { CommandWrapper } from "../processes/command-limits.ts";
import type { ExitGuard } from "../processes/managed-process.ts";
import type { AgentSettings } from "../settings.ts";
import type { StoredFindings } from "../subagents/stored-findings.ts";
import type { ProjectPaths } from "../tools/project-paths.ts";
import type { WebAccess } from "../web/request-page.ts";
import type { ThreadFiles, ThreadRecord } from "./thread-record.ts";

export interface HostServices extends AgentPaths {
  readonly settings: AgentSettings;
  readonly limits: ThreadLimits;
  readonly dataDir: string;
  readonly openParallelThread: (
    options: ParallelThreadOptions,
    within?: DelegatedTurn,
  ) => Promise<ThreadHost>;
  readonly client: ModelClient;
  /** Undefined with `memory` "off". */
  readonly memory: Memory | undefined;
  /** The user's memory for all projects; undefined if it is the same, or off. */
  readonly ownMemory: Memory | undefined;
  /** Further layers, nearest first. */
  readonly outerMemories: () => Promise<readonly Memory[]>;
  readonly keepsSessions: boolean;
  readonly keepsCorrections: boolean;
  readonly findings: StoredFindings;
  readonly surface: "terminal" | "server";
  readonly isUnattended: boolean;
  readonly commands: readonly SlashCommand[];
  readonly sessions: SessionStore & {
    archive(parent: ThreadRecord, messages: readonly ModelMessage[]): ThreadInfo;
  };
  readonly storedImages: StoredImages;
  readonly paths: ProjectPaths;
  readonly permission: Permission;
  readonly audit: AuditLog;
  readonly mcpServers: McpServers;
  readonly web: WebAccess;
  readonly openPage?: (url: string) => void;
  readonly worktree?: Worktree;
  readonly checks: ProjectChecks;
  readonly files: ThreadFiles;
  readonly checkpoints: ProjectCheckpoints;
  readonly environment: Readonly<Record<string, string>>;
  readonly wrapCommand: CommandWrapper;
  /** True if commands can write only in the project and temporary folders. */
  isConfined(): Promise<boolean>;
  readonly exitGuard: ExitGuard;
  readonly explorationTools: readonly string[];
  readonly ripgrep: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Never throws. */
  readonly publish: (event: AgentEvent) => void;
}

/** Limits of a project. */
export interface ThreadLimits {
  readonly threads: number;
  /** Messages that wait for one thread. */
  readonly queuedMessages: number;
}

export const THREAD_LIMITS: ThreadLimits = { threads: 256, queuedMessages: 100 };

export interface ThreadHostOptions {
  readonly projectRoot: string;
  readonly startedIn?: string;
  readonly dataDir: string;
  readonly userConfigDir: string;
  readonly settings: AgentSettings;
  readonly llm: LlmSettings;
  /** Not closed by the host. */
  readonly memory: Memory | undefined;
  readonly ownMemory?: Memory | undefined;
  readonly outerMemories?: () => Promise<readonly Memory[]>;
  readonly keepsSessions?: boolean;
  readonly keepsCorrections?: boolean;
  readonly surface: "terminal" | "server";
  readonly isUnattended?: boolean;
  readonly trustsCommands?: boolean;
  readonly isUntrusted?: boolean;
  readonly environment: Environment;
  readonly furtherCommands?: readonly SlashCommand[];
  readonly openPage?: (url: string) => void;
  readonly worktree?: Worktree;
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly aroundModel?: (client: ModelClient) => ModelClient;
  readonly within?: DelegatedTurn;
  readonly web?: WebAccess;
  readonly limits?: Partial<ThreadLimits>;
}
