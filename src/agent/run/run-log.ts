import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { type Clock, toTimestamp } from "../../shared/clock.ts";
import { notFound, stateConflict } from "../../shared/errors.ts";
import { makeFolder } from "../../shared/files.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { findLockHolder } from "../../shared/process-lock.ts";
import { listedTask } from "./task-file.ts";

const limits = z.object({
  /** Since the first start, including sleep and waits. */
  hours: z.number().positive(),
  maxCost: z.number().min(0).optional(),
  maxTokens: z.number().int().min(1).optional(),
});
const spent = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  dollars: z.number().nullable(),
});

export type RunLimits = z.output<typeof limits>;

const runEntry = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("started"),
    at: z.string(),
    run: z.string(),
    project: z.string(),
    file: z.string(),
    tasks: z.array(listedTask),
    checks: z.array(z.string()),
    limits,
  }),
  z.object({ type: z.literal("resumed"), at: z.string(), limits }),
  z.object({
    type: z.literal("task"),
    at: z.string(),
    task: z.string(),
    status: z.enum(["running", "done", "failed", "skipped"]),
    reason: z.string().optional(),
    commit: z.string().optional(),
    branch: z.string().optional(),
    files: z.number().optional(),
    added: z.number().optional(),
    removed: z.number().optional(),
  }),
  z.object({
    type: z.literal("reserved"),
    at: z.string(),
    task: z.string(),
    request: z.string(),
    spent,
  }),
  z.object({
    type: z.literal("used"),
    at: z.string(),
    request: z.string(),
    spent,
    certain: z.boolean(),
  }),
  z.object({ type: z.literal("waited"), at: z.string(), until: z.string(), reason: z.string() }),
  z.object({ type: z.literal("ended"), at: z.string(), reason: z.string() }),
]);

export type RunEntry = z.output<typeof runEntry>;
type UntimedEntry<T> = T extends unknown ? Omit<T, "at"> : never;

/** Append-only JSON lines, each synced before the run continues. */
export class RunLog {
  readonly state: RunState;
  readonly #handle: number;
  readonly #clock: Clock;
  #end: number;

  constructor(location: RunPaths, clock: Clock) {
    makeFolder(location.folder);
    const { entries, validBytes } = readEntries(location.log);
    this.#clock = clock;
    this.#handle = openSync(location.log, existsSync(location.log) ? "r+" : "wx+", 0o600);
    // Removes a line that a crash cut off.
    ftruncateSync(this.#handle, validBytes);
    this.#end = validBytes;
    this.state = new RunState();
    for (const entry of entries) this.state.apply(entry);
  }

  add(entry: UntimedEntry<RunEntry>): void {
    const timed = { ...entry, at: toTimestamp(this.#clock.now()) } as RunEntry;
    const line = Buffer.from(`${JSON.stringify(timed)}\n`);
    let written = 0;
    while (written < line.length) {
      written += writeSync(this.#handle, line, written, line.length - written, this.#end + written);
    }
    fsyncSync(this.#handle);
    this.#end += line.length;
    this.state.apply(timed);
  }

  close(): void {
    closeSync(this.#handle);
  }
}

export interface TaskState {
  readonly status: "pending" | "running" | "done" | "failed" | "skipped";
  readonly entry?: Extract<RunEntry, { type: "task" }>;
  readonly startedAt?: string;
}

export class RunState {
  readonly tasks = new Map<string, TaskState>();
  readonly waits: Extract<RunEntry, { type: "waited" }>[] = [];
  start: Extract<RunEntry, { type: "started" }> | undefined;
  ended: Extract<RunEntry, { type: "ended" }> | undefined;
  limits: RunLimits = { hours: 1 };
  lastAt = "";
  starts = 0;
  readonly #requests = new Map<
    string,
    { spent: z.output<typeof spent>; certain: boolean; task: string }
  >();

  apply(entry: RunEntry): void {
    this.lastAt = entry.at;
    switch (entry.type) {
      case "started":
        this.start = entry;
        this.limits = entry.limits;
        this.starts = 1;
        for (const { id } of entry.tasks) this.tasks.set(id, { status: "pending" });
        return;
      case "resumed":
        this.limits = entry.limits;
        this.starts += 1;
        this.ended = undefined;
        return;
      case "task": {
        const startedAt = this.tasks.get(entry.task)?.startedAt ?? entry.at;
        this.tasks.set(entry.task, { status: entry.status, entry, startedAt });
        return;
      }
      case "reserved":
        // Counts in full until the provider reports the actual usage.
        this.#requests.set(entry.request, { spent: entry.spent, certain: false, task: entry.task });
        return;
      case "used": {
        const task = this.#requests.get(entry.request)?.task ?? "";
        this.#requests.set(entry.request, { spent: entry.spent, certain: entry.certain, task });
        return;
      }
      case "waited":
        this.waits.push(entry);
        return;
      case "ended":
        this.ended = entry;
    }
  }

  requestsOf(task: string): number {
    return [...this.#requests.values()].filter((request) => request.task === task).length;
  }

  get spent() {
    const sum = { inputTokens: 0, outputTokens: 0, dollars: 0 as number | null };
    const uncertain = { requests: 0, dollars: 0 };
    for (const { spent: one, certain } of this.#requests.values()) {
      sum.inputTokens += one.inputTokens;
      sum.outputTokens += one.outputTokens;
      sum.dollars = sum.dollars === null || one.dollars === null ? null : sum.dollars + one.dollars;
      if (certain) continue;
      uncertain.requests += 1;
      uncertain.dollars += one.dollars ?? 0;
    }
    return { ...sum, uncertain };
  }
}

export interface RunPaths {
  readonly id: string;
  readonly folder: string;
  readonly log: string;
  readonly lock: string;
  readonly report: string;
}

export function runPaths(dataDir: string, project: string, id: string): RunPaths {
  const folder = join(runsFolder(dataDir, project), id);
  const report = join(folder, "report");
  return { id, folder, log: join(folder, "log.jsonl"), lock: join(folder, "lock"), report };
}

/** `20261125-221305`: sorts by time and is part of the branch name. */
export function createRunId(now: Date): string {
  return now.toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
}

export function listRuns(dataDir: string, project: string): readonly RunPaths[] {
  const folder = runsFolder(dataDir, project);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((id) => /^\d{8}-\d{6}$/.test(id))
    .sort()
    .map((id) => runPaths(dataDir, project, id))
    .filter(({ log }) => existsSync(log));
}

/** The named run, or the latest. Throws `not_found`. */
export function findRun(dataDir: string, project: string, id?: string): RunPaths {
  const runs = listRuns(dataDir, project);
  const found = id === undefined ? runs.at(-1) : runs.find((run) => run.id === id);
  if (found !== undefined) return found;
  if (id === undefined)
    throw notFound("There is no run of this project. `cairn run tasks.md` starts one.");
  throw notFound(
    `There is no run "${id}" of this project.${didYouMean(
      id,
      runs.map((run) => run.id),
    )}`,
  );
}

/** Throws `conflict` if the run was interrupted before it started. */
export function readRun(location: RunPaths): RunState & { start: NonNullable<RunState["start"]> } {
  const state = new RunState();
  for (const entry of readEntries(location.log).entries) state.apply(entry);
  if (state.start === undefined) {
    throw stateConflict(
      `The run ${location.id} was interrupted before it started. Start it again with \`cairn run\`.`,
    );
  }
  return state as RunState & { start: NonNullable<RunState["start"]> };
}

export function runningProcess({ lock }: RunPaths): number | undefined {
  return findLockHolder(lock);
}

function runsFolder(dataDir: string, project: string): string {
  const key = createHash("sha256").update(resolve(project)).digest("hex").slice(0, 16);
  return join(resolve(dataDir), "runs", key);
}

function readEntries(file: string): {
  readonly entries: readonly RunEntry[];
  readonly validBytes: number;
} {
  if (!existsSync(file)) return { entries: [], validBytes: 0 };
  const text = readFileSync(file, "utf8");
  const full = text.slice(0, text.lastIndexOf("\n") + 1);
  const entries = full
    .split("\n")
    .filter((line) => line !== "")
    .map((line, index) => {
      const entry = runEntry.safeParse(JSON.parse(line));
      if (entry.success) return entry.data;
      throw stateConflict(
        `${file}, line ${index + 1}: not an entry of a run log. Start a new run with --new.`,
      );
    });
  return { entries, validBytes: Buffer.byteLength(full) };
}
