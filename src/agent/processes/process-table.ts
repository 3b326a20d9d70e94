import { invalidInput, notFound } from "../../shared/errors.ts";
import type { CommandWrapper, WrapOptions } from "./command-limits.ts";
import type { ExitGuard } from "./managed-process.ts";
import { type ManagedProcess, type ProcessStart, startProcess } from "./managed-process.ts";
import { killTree, PROCESS_TREE_MARKER, ProcessScan } from "./process-scan.ts";

/** Git refreshes its index, and runs monitors and hooks, even when it only reads. */
const DISABLED_GIT_CONFIG = [
  ["diff.autoRefreshIndex", "false"],
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
] as const;

/** Environment of read-only commands: git leaves its index unchanged and runs nothing. */
export function createReadEnvironment(
  environment: Readonly<Record<string, string>>,
): Record<string, string> {
  const requested = Number.parseInt(environment.GIT_CONFIG_COUNT ?? "0", 10) || 0;
  const settings = DISABLED_GIT_CONFIG.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${requested + index}`, key],
    [`GIT_CONFIG_VALUE_${requested + index}`, value],
  ]);
  return {
    ...environment,
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    ...Object.fromEntries(settings),
    GIT_CONFIG_COUNT: String(requested + DISABLED_GIT_CONFIG.length),
  };
}

const MAX_FINISHED = 20;
const MAX_RUNNING = 32;

export interface ProcessTableOptions {
  /** Letters and digits that mark all processes; unique among live tables. */
  readonly name: string;
  readonly cwd: string;
  /** Without keys (`childEnvironment`). */
  readonly environment: Readonly<Record<string, string>>;
  readonly wrap: CommandWrapper;
  readonly guard: ExitGuard;
}

export class ProcessTable {
  readonly #processes = new Map<string, ManagedProcess>();
  /** Groups whose leader was removed while other members live. */
  readonly #lingering = new Set<number>();
  readonly #options: ProcessTableOptions;
  #counter = 0;

  constructor(options: ProcessTableOptions) {
    this.#options = options;
  }

  async start(command: string, options: WrapOptions = {}): Promise<ManagedProcess> {
    const running = this.list().filter(({ state }) => state.phase === "running");
    if (running.length >= MAX_RUNNING) {
      throw invalidInput(`${MAX_RUNNING} processes are running: end one with shell_status kill.`);
    }
    const { cwd, environment, wrap, guard } = this.#options;
    // The table of a subagent is named after that of its thread.
    const scope = this.#options.name.split("-", 1)[0] ?? "";
    const wrapped = await wrap(command, { scope, limits: guard.limits, ...options });
    this.#counter += 1;
    const id = `sh${this.#counter}`;
    // The full stop keeps `t.1` from being a prefix of `t.10`.
    const marker = { name: PROCESS_TREE_MARKER, value: `${this.#options.name}.${this.#counter}.` };
    const process = await startOrAbort({
      id,
      command,
      wrapped: wrapped.command,
      cwd,
      environment: options.readOnly === true ? createReadEnvironment(environment) : environment,
      marker,
      guard,
      ...(wrapped.finished !== undefined && { finished: wrapped.finished }),
    });
    this.#processes.set(id, process);
    this.#forgetOldest();
    return process;
  }

  list(): readonly ManagedProcess[] {
    return [...this.#processes.values()];
  }

  get(id: string): ManagedProcess {
    const found = this.#processes.get(id);
    if (found !== undefined) return found;
    const known = [...this.#processes.keys()].join(", ") || "none";
    throw notFound(`There is no process "${id}". Known: ${known}.`);
  }

  async killAll(): Promise<void> {
    if (this.#counter === 0) return;
    const groupIds = this.list().flatMap(({ groupId }) => groupId ?? []);
    const marker = `${PROCESS_TREE_MARKER}=${this.#options.name}.`;
    const { scan } = this.#options.guard;
    await killTree({ groupIds: [...groupIds, ...this.#lingering], marker, scan });
    this.#lingering.clear();
    await Promise.all(this.list().map((process) => process.letGo()));
  }

  #forgetOldest(): void {
    const ended = this.list().filter(({ state }) => state.phase === "ended");
    for (const { id, groupId } of ended.slice(0, Math.max(0, ended.length - MAX_FINISHED))) {
      if (groupId !== undefined) this.#lingering.add(groupId);
      this.#processes.delete(id);
    }
  }
}

async function startOrAbort(start: ProcessStart): Promise<ManagedProcess> {
  try {
    return startProcess(start);
  } catch (error) {
    await start.finished?.();
    throw error;
  }
}

/** Ends processes of tables with this name prefix whose cairn was killed. */
export async function killLeftovers(name: string): Promise<void> {
  await killTree({ groupIds: [], marker: `${PROCESS_TREE_MARKER}=${name}`, graceMs: 0 });
}

export function tablesAlive(): ReadonlySet<string> {
  const names = new ProcessScan().list().flatMap(({ marker }) => {
    const name = marker?.slice(PROCESS_TREE_MARKER.length + 1).split(/[.-]/, 1)[0];
    return name === undefined ? [] : [name];
  });
  return new Set(names);
}
