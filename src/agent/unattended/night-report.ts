import type { AuditEntry } from "../audit/audit-entry.ts";
import { changesOfCopy } from "../copies/copy-changes.ts";
import { listCopies } from "../copies/copy-place.ts";
import type { Landed } from "./night-entry.ts";
import { type NightCheck, type NightState, spentOf, type TaskState } from "./night-state.ts";

/** What somebody wants to know in the morning. */
export interface NightReport {
  readonly run: string;
  readonly project: string;
  readonly begun_at: string;
  /** Null: it is not over. */
  readonly ended_at: string | null;
  /** Why it ended before all tasks had; empty: they have. */
  readonly ended_by: string;
  /** How often it was begun again after a stop, a crash or a restart. */
  readonly restarts: number;
  readonly done: readonly ReportedTask[];
  readonly not_done: readonly ReportedTask[];
  readonly asked: readonly ReportedQuestion[];
  readonly refused: readonly ReportedRefusal[];
  readonly learned: readonly string[];
  readonly spent: ReportedSpending;
  readonly notes: readonly string[];
}

export interface ReportedTask {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
  readonly copy: string | null;
  /** Where its files are; null: the copy is gone, or there is none. */
  readonly path: string | null;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  readonly changed: readonly string[];
  readonly checks: readonly NightCheck[];
  /** Why it was not put on a branch. */
  readonly problem: string | null;
  readonly requests: number;
  readonly minutes: number;
  readonly cost: number | null;
}

export interface ReportedQuestion {
  readonly id: string;
  readonly task: string;
  readonly title: string;
  readonly reason: string;
  /** Null: nobody has answered. */
  readonly answer: string | null;
}

export interface ReportedRefusal {
  readonly task: string;
  readonly at: string;
  readonly tool: string;
  readonly subject: string;
  readonly outcome: string;
  readonly reason: string;
}

export interface ReportedSpending {
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** US dollars; null: a price is not known. */
  readonly cost: number | null;
  /** Of that, for requests that were cut off: the most that they may have cost. */
  readonly uncertain: { readonly requests: number; readonly cost: number };
  readonly hours: number;
  readonly waited_hours: number;
}

export interface ReportSources {
  readonly dataDir: string;
  readonly state: NightState;
  /** The log of what the agent did in a folder, by its door. */
  readonly auditOf: (folder: string) => Promise<readonly AuditEntry[]>;
  /** What memory took in since a change, in words. */
  readonly learnedSince: (seq: number | null) => Promise<readonly string[]>;
}

export async function reportOf({
  dataDir,
  state,
  auditOf,
  learnedSince,
}: ReportSources): Promise<NightReport> {
  const { options, begunAt, ended } = state;
  const copies = new Map(listCopies(dataDir, options.project).map((copy) => [copy.name, copy]));
  const done: ReportedTask[] = [];
  const notDone: ReportedTask[] = [];
  const refused: ReportedRefusal[] = [];
  for (const task of state.tasks.values()) {
    const copy = copies.get(task.copy ?? "");
    const changed = copy === undefined ? [] : (await changesOfCopy(copy)).map(({ path }) => path);
    const told = reportedTask(state, task, { path: copy?.tree ?? null, changed });
    (task.status === "done" ? done : notDone).push(told);
    if (copy !== undefined) refused.push(...refusals(await auditOf(copy.tree), state, task));
  }
  if (options.inPlace) refused.push(...refusals(await auditOf(options.project), state, undefined));
  const { inputTokens, outputTokens, dollars, unknown } = spentOf(state);
  const end = ended?.at ?? state.lastAt;
  return {
    run: state.id,
    project: options.project,
    begun_at: begunAt,
    ended_at: ended?.at ?? null,
    ended_by: ended?.reason ?? "",
    restarts: state.starts - 1,
    done,
    not_done: notDone,
    asked: state.questions.map(({ question, task, title, reason, answer }) => {
      return { id: question, task, title, reason, answer: answer ?? null };
    }),
    refused,
    learned: await learnedSince(state.memorySeq),
    spent: {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      cost: state.isPriced ? dollars : null,
      uncertain: { requests: unknown.requests, cost: unknown.dollars },
      hours: hoursBetween(begunAt, end),
      waited_hours: state.waits.reduce((sum, { at, until }) => sum + hoursBetween(at, until), 0),
    },
    notes: [...new Set(state.notes)],
  };
}

function reportedTask(
  state: NightState,
  task: TaskState,
  { path, changed }: { readonly path: string | null; readonly changed: readonly string[] },
): ReportedTask {
  const landed: Partial<Landed> = task.landed ?? {};
  const { startedAt, endedAt } = task;
  const end = endedAt ?? (startedAt === undefined ? undefined : state.lastAt);
  return {
    id: task.task.id,
    name: task.task.name,
    reason: reasonOf(state, task),
    copy: task.copy ?? null,
    path,
    branch: landed.branch ?? null,
    commit: landed.commit ?? null,
    files: landed.files ?? changed.length,
    added: landed.added ?? 0,
    removed: landed.removed ?? 0,
    changed,
    checks: task.checks,
    problem: landed.problem ?? null,
    requests: task.requests,
    minutes: startedAt === undefined ? 0 : hoursBetween(startedAt, end ?? startedAt) * 60,
    cost: state.isPriced ? task.used.dollars : null,
  };
}

function reasonOf({ ended, questions }: NightState, { status, reason, task }: TaskState): string {
  if (status === "done" || status === "failed") return reason;
  const open = questions.find((one) => one.task === task.id && one.answer === undefined);
  const wait = open === undefined ? "" : ` It waits for an answer to: ${open.title}`;
  if (ended === undefined) return status === "running" ? `It is at work.${wait}` : "Not begun yet.";
  const begun = status === "running" ? "It was begun and not ended" : "It was not begun";
  return `${begun}: ${ended.reason}${wait}`;
}

const REFUSALS: ReadonlySet<string> = new Set(["refused", "nobody to ask", "answered no"]);

function refusals(
  entries: readonly AuditEntry[],
  { id, begunAt, tasks }: NightState,
  task: TaskState | undefined,
): readonly ReportedRefusal[] {
  const ours = task === undefined ? `${id}-` : `${id}-${task.task.id}`;
  return entries
    .filter(({ threadId, at, outcome }) => {
      return threadId.startsWith(ours) && at >= begunAt && REFUSALS.has(outcome);
    })
    .map(({ threadId, at, tool, subject, outcome, reason }) => {
      const of = threadId.slice(id.length + 1);
      return { task: tasks.has(of) ? of : "", at, tool, subject, outcome, reason };
    });
}

function hoursBetween(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from)) / 3_600_000;
}
