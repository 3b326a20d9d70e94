import { invalidInput, notFound } from "../../shared/errors.ts";
import type { CommandWrapper, WrapOptions } from "./command-limits.ts";
import type { ExitGuard } from "./managed-process.ts";
import { type ManagedProcess, type ProcessStart, startProcess } from "./managed-process.ts";
import { killTree, PROCESS_TREE_MARKER, ProcessScan } from "./process-scan.ts";

/** Git refreshes its index, asks a monitor and runs hooks even when it only shows a state. */
const SHUT = [
  ["diff.autoRefreshIndex", "false"],
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
] as const;

/** The environment of commands that only read: git leaves its index as it is and runs nothing. */
export function readingEnvironment(
  environment: Readonly<Record<string, string>>,
): Record<string, string> {
  const given = Number.parseInt(environment.GIT_CONFIG_COUNT ?? "0", 10) || 0;
  const settings = SHUT.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${given + index}`, key],
    [`GIT_CONFIG_VALUE_${given + index}`, value],
  ]);
  return {
    ...environment,
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    ...Object.fromEntries(settings),
    GIT_CONFIG_COUNT: String(given + SHUT.length),
  };
}

/** Finished processes whose output can still be asked for. */
const KEPT_FINISHED = 20;
const MAX_RUNNING = 32;

export interface ProcessTableOptions {
  /** Letters and digits that mark all that is started; no other table alive has them. */
  readonly name: string;
  readonly cwd: string;
  /** Without keys (`childEnvironment`). */
  readonly environment: Readonly<Record<string, string>>;
  /** Puts a command into the sandbox, where there is one. */
  readonly wrap: CommandWrapper;
  /** Shared by the tables of a host. */
  readonly guard: ExitGuard;
}

/** The processes of one thread. */
export class ProcessTable {
  readonly #processes = new Map<string, ManagedProcess>();
  /** Groups whose leader was forgotten while others of them lived on. */
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
    // A subagent's table is named after that of its thread.
    const scope = this.#options.name.split("-", 1)[0] ?? "";
    const wrapped = await wrap(command, { scope, limits: guard.limits, ...options });
    this.#counter += 1;
    const id = `sh${this.#counter}`;
    // The full stop at the end keeps `t.1` from being the beginning of `t.10`.
    const marker = { name: PROCESS_TREE_MARKER, value: `${this.#options.name}.${this.#counter}.` };
    const process = await startOrFinish({
      id,
      command,
      wrapped: wrapped.command,
      cwd,
      environment: options.readOnly === true ? readingEnvironment(environment) : environment,
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

  /** Ends all of them with everything that they started. */
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
    for (const { id, groupId } of ended.slice(0, Math.max(0, ended.length - KEPT_FINISHED))) {
      if (groupId !== undefined) this.#lingering.add(groupId);
      this.#processes.delete(id);
    }
  }
}

/** One that cannot be started has ended, too. */
async function startOrFinish(start: ProcessStart): Promise<ManagedProcess> {
  try {
    return startProcess(start);
  } catch (error) {
    await start.finished?.();
    throw error;
  }
}

/** Ends what tables whose name begins so have left behind, when their process was killed. */
export async function killLeftovers(name: string): Promise<void> {
  await killTree({ groupIds: [], marker: `${PROCESS_TREE_MARKER}=${name}`, graceMs: 0 });
}

/** Names of all tables that have live processes, whoever started them. */
export function tablesAlive(): ReadonlySet<string> {
  const names = new ProcessScan().list().flatMap(({ marker }) => {
    const name = marker?.slice(PROCESS_TREE_MARKER.length + 1).split(/[.-]/, 1)[0];
    return name === undefined ? [] : [name];
  });
  return new Set(names);
}
