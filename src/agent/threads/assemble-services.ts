import { join } from "node:path";
import { createModelClient } from "../../llm/index.ts";
import { systemClock } from "../../shared/clock.ts";
import { randomIds } from "../../shared/ids.ts";
import { silentLogger } from "../../shared/logger.ts";
import { distrustProgramsIn, findProgram } from "../../shared/programs.ts";
import { AuditLog, auditFile } from "../audit/audit-log.ts";
import { ProjectCheckpoints } from "../checkpoints/project-checkpoints.ts";
import { ProjectChecks } from "../diagnostics/project-checks.ts";
import { StoredImages } from "../images/picture.ts";
import { LoginStore } from "../mcp-servers/login-store.ts";
import { McpServers } from "../mcp-servers/mcp-servers.ts";
import { Permission } from "../permission/permission.ts";
import { childEnvironment } from "../processes/child-environment.ts";
import { commandLimits } from "../processes/command-limits.ts";
import { ExitGuard } from "../processes/managed-process.ts";
import { ProcessTable } from "../processes/process-table.ts";
import { ConfinedCommands } from "../sandbox/confined-commands.ts";
import type { Sandbox } from "../sandbox/open-sandbox.ts";
import { slashCommands } from "../slash-commands/registry.ts";
import { StoredFindings } from "../subagents/stored-findings.ts";
import { ProjectPaths } from "../tools/project-paths.ts";
import { publicWeb } from "../web/request-page.ts";
import { type HostServices, THREAD_LIMITS, type ThreadHostOptions } from "./host-services.ts";
import { ThreadFiles } from "./thread-record.ts";

const EXPLORATION_TOOLS = ["rg", "fd", "ast-grep", "tree"] as const;

export function findExplorationTools(pathVariable: string | undefined): readonly string[] {
  return EXPLORATION_TOOLS.filter((tool) => findProgram(tool, pathVariable) !== undefined);
}

export interface AssembledServices {
  readonly services: HostServices;
  readonly processes: ProcessTable;
  readonly sandbox: Promise<Sandbox>;
}

export function assembleServices(
  options: ThreadHostOptions,
  ofHost: Pick<HostServices, "openParallelThread" | "publish" | "sessions"> & {
    readonly notify: (notice: string) => void;
  },
): AssembledServices {
  const { projectRoot, dataDir, userConfigDir, settings, llm } = options;
  const { allowOutsideProject } = settings;
  const environment = childEnvironment(options.environment, [llm.apiKey]);
  distrustProgramsIn(projectRoot);
  const paths = new ProjectPaths({ projectRoot, userConfigDir, dataDir, allowOutsideProject });
  const exitGuard = new ExitGuard(commandLimits());
  const audit = new AuditLog(auditFile(dataDir, projectRoot), options.clock ?? systemClock);
  const commands = new ConfinedCommands({
    ...{ projectRoot, userConfigDir, dataDir, settings, environment, audit },
    notify: ofHost.notify,
  });
  const wrapCommand = commands.wrap;
  const processes = new ProcessTable({
    name: randomIds.next("host-"),
    cwd: projectRoot,
    environment,
    wrap: wrapCommand,
    guard: exitGuard,
  });
  const permission = new Permission({
    projectRoot,
    userConfigDir,
    dataDir,
    mode: settings.permission.mode,
    rules: settings.permission.rules,
    isServer: options.surface === "server",
    isTrusted: options.isUntrusted !== true,
    paths,
    audit,
    path: environment.PATH,
    within: options.within,
  });
  const mcpServers = new McpServers({
    settings: settings.mcpServers,
    projectRoot,
    environment,
    variables: options.environment,
    wrapCommand,
    logins: new LoginStore(join(userConfigDir, "mcp-logins.json")),
  });
  const client = createModelClient(llm, join(dataDir, "services.json"));
  const memory = settings.memory === "off" ? undefined : options.memory;
  const logger = options.logger ?? silentLogger;
  const services: HostServices = {
    ...ofHost,
    mcpServers,
    web: options.web ?? publicWeb,
    ...(options.worktree !== undefined && { worktree: options.worktree }),
    ...(options.openPage !== undefined && { openPage: options.openPage }),
    checks: new ProjectChecks(settings.checks),
    permission,
    audit,
    projectRoot,
    dataDir,
    userConfigDir,
    ...(options.startedIn !== undefined && { startedIn: options.startedIn }),
    trustsCommands: options.trustsCommands ?? true,
    settings,
    client: options.aroundModel?.(client) ?? client,
    memory,
    findings: new StoredFindings({
      memory: options.keepsSessions === true ? memory : undefined,
      projectRoot,
      logger,
    }),
    ownMemory: settings.memory === "off" ? undefined : options.ownMemory,
    outerMemories: options.outerMemories ?? (async () => []),
    limits: { ...THREAD_LIMITS, ...options.limits },
    surface: options.surface,
    isUnattended: options.isUnattended === true,
    keepsSessions: options.keepsSessions === true,
    keepsCorrections: options.keepsCorrections === true,
    commands: [...slashCommands, ...(options.furtherCommands ?? [])],
    paths,
    storedImages: new StoredImages(dataDir),
    files: new ThreadFiles(dataDir, projectRoot),
    checkpoints: new ProjectCheckpoints({ root: projectRoot, dataDir }),
    environment,
    exitGuard,
    wrapCommand,
    isConfined: () => commands.isConfined(),
    explorationTools: findExplorationTools(environment.PATH),
    ripgrep: findProgram("rg", environment.PATH),
    clock: options.clock ?? systemClock,
    logger,
  };
  return { services, processes, sandbox: commands.open() };
}
