import { stateConflict } from "../../shared/errors.ts";
import type { Choice } from "../ports/dialogue.ts";
import type { CountedUse, Landed, NightEntry, NightOptions } from "./night-entry.ts";
import type { NightTask } from "./night-task.ts";

export interface NightCheck {
  readonly command: string;
  readonly ok: boolean;
  readonly reason: string;
  readonly output: string;
}

export interface NightQuestion {
  readonly task: string;
  readonly question: string;
  readonly title: string;
  readonly reason: string;
  readonly askedAt: string;
  /** Not known of questions that earlier versions wrote down, nor is what follows. */
  readonly kind?: "permission" | "words" | undefined;
  readonly text?: string | undefined;
  readonly choices?: readonly Choice[] | undefined;
  answer?: string;
}

export interface TaskState {
  readonly task: NightTask;
  status: "waiting" | "running" | "done" | "failed";
  reason: string;
  /** Its first message went to the model, or was about to. */
  hasBegun: boolean;
  /** The last message was worked through: what comes next are the checks. */
  hasTurned: boolean;
  /** Why the model says that it cannot be done. */
  refusal?: string;
  copy?: string;
  landed?: Landed;
  startedAt?: string;
  endedAt?: string;
  /** That were answered. */
  requests: number;
  used: { inputTokens: number; outputTokens: number; dollars: number };
  /** Of the last round. */
  checks: NightCheck[];
  /** How often each check failed in a row, and how: what its output was without numbers. */
  readonly failures: Map<string, { sign: string; count: number }>;
}

export interface NightState {
  readonly id: string;
  readonly begunAt: string;
  options: NightOptions;
  readonly memorySeq: number | null;
  readonly tasks: Map<string, TaskState>;
  readonly questions: NightQuestion[];
  /** Requests that no answer was counted for: what was set aside for them. */
  readonly open: Map<string, { readonly task: string; readonly reserved: CountedUse }>;
  readonly counted: Set<string>;
  /** All prices were known. */
  isPriced: boolean;
  readonly waits: { readonly at: string; readonly until: string; readonly reason: string }[];
  readonly notes: string[];
  starts: number;
  ended?: { readonly at: string; readonly reason: string };
  lastAt: string;
}

/** As of these entries of a journal; undefined where the run was cut off before its first. */
export function stateOf(entries: Iterable<NightEntry>): NightState | undefined {
  let state: NightState | undefined;
  for (const entry of entries) state = withEntry(state, entry);
  return state;
}

/**
 * What the entry makes of the state. The first entry makes it; the others change it in place. Counting the
 * same request twice changes nothing.
 */
export function withEntry(state: NightState | undefined, entry: NightEntry): NightState {
  if (entry.is === "begun") return begunState(entry);
  if (state === undefined) {
    throw stateConflict(
      `The journal of the run begins with "${entry.is}" instead of "begun": remove its folder, and begin the run anew.`,
    );
  }
  applyEntry(state, entry);
  return state;
}

function begunState(entry: Extract<NightEntry, { is: "begun" }>): NightState {
  return {
    id: entry.night,
    begunAt: entry.at,
    options: entry.options,
    memorySeq: entry.memorySeq,
    tasks: new Map(entry.tasks.map((task) => [task.id, freshTask(task)])),
    questions: [],
    open: new Map(),
    counted: new Set(),
    isPriced: true,
    waits: [],
    notes: [],
    starts: 1,
    lastAt: entry.at,
  };
}

function applyEntry(state: NightState, entry: NightEntry): void {
  state.lastAt = entry.at;
  switch (entry.is) {
    case "resumed":
      state.starts += 1;
      state.options = { ...state.options, limits: entry.limits };
      delete state.ended;
      return;
    case "paused":
      return;
    case "noted":
      state.notes.push(entry.text);
      return;
    case "ended":
      state.ended = { at: entry.at, reason: entry.reason };
      return;
    case "waited":
      state.waits.push({ at: entry.at, until: entry.until, reason: entry.reason });
      return;
    case "asked":
      if (!state.questions.some(({ question }) => question === entry.question)) {
        const { at: askedAt, is: _is, ...question } = entry;
        state.questions.push({ ...question, askedAt });
      }
      return;
    case "answered":
      for (const question of state.questions) {
        if (question.question === entry.question) question.answer = entry.answer;
      }
      return;
    default:
      applyToTask(state, entry);
  }
}

function applyToTask(state: NightState, entry: NightEntry): void {
  const task = "task" in entry ? state.tasks.get(entry.task) : undefined;
  if (task === undefined) return;
  switch (entry.is) {
    case "started":
      task.status = "running";
      task.startedAt ??= entry.at;
      if (entry.copy !== undefined) task.copy = entry.copy;
      return;
    case "working":
      task.hasBegun = true;
      task.hasTurned = false;
      delete task.refusal;
      task.checks = [];
      return;
    case "turned":
      task.hasTurned = entry.problem === undefined;
      if (entry.refusal !== undefined) task.refusal = entry.refusal;
      return;
    case "checked":
      check(task, entry);
      return;
    case "requested":
      state.open.set(entry.request, { task: entry.task, reserved: entry.reserved });
      return;
    case "counted":
      if (state.counted.has(entry.request)) return;
      state.counted.add(entry.request);
      state.open.delete(entry.request);
      if (entry.ok) task.requests += 1;
      addUse(state, task, entry.used);
      return;
    case "finished":
      task.status = entry.outcome;
      task.reason = entry.reason;
      task.endedAt = entry.at;
      if (entry.landed !== undefined) task.landed = entry.landed;
      return;
    default:
      return;
  }
}

function addUse(state: NightState, { used }: TaskState, use: CountedUse): void {
  used.inputTokens += use.inputTokens;
  used.outputTokens += use.outputTokens;
  if (use.dollars === null) state.isPriced = false;
  else used.dollars += use.dollars;
}

function check(task: TaskState, { command, ok, reason, output }: NightCheck): void {
  task.checks = [...task.checks.filter((one) => one.command !== command)];
  task.checks.push({ command, ok, reason, output });
  if (ok) {
    task.failures.delete(command);
    return;
  }
  // Times, ports and counts differ between runs that fail in the same way.
  const sign = `${reason}\n${output}`.replace(/\d+/g, "#");
  const before = task.failures.get(command);
  const count = before?.sign === sign ? before.count + 1 : 1;
  task.failures.set(command, { sign, count });
}

function freshTask(task: NightTask): TaskState {
  return {
    task,
    status: "waiting",
    reason: "",
    hasBegun: false,
    hasTurned: false,
    requests: 0,
    used: { inputTokens: 0, outputTokens: 0, dollars: 0 },
    checks: [],
    failures: new Map(),
  };
}

export interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly dollars: number;
  /** Of that, set aside for requests whose answer never was counted: nobody knows what they cost. */
  readonly unknown: { readonly requests: number; readonly dollars: number };
}

/** What was spent, with what is set aside for requests that are under way or were cut off. */
export function spentOf(state: NightState): Spent {
  let [inputTokens, outputTokens, dollars] = [0, 0, 0];
  for (const { used } of state.tasks.values()) {
    inputTokens += used.inputTokens;
    outputTokens += used.outputTokens;
    dollars += used.dollars;
  }
  let unknown = 0;
  for (const { reserved } of state.open.values()) {
    inputTokens += reserved.inputTokens;
    outputTokens += reserved.outputTokens;
    unknown += reserved.dollars ?? 0;
  }
  const cut = { requests: state.open.size, dollars: unknown };
  return { inputTokens, outputTokens, dollars: dollars + unknown, unknown: cut };
}
