import { messageOf } from "../../shared/errors.ts";
import { findCopy, listCopies } from "../copies/copy-place.ts";
import { discardCopy } from "../copies/discard-copy.ts";
import { makeCopy } from "../copies/make-copy.ts";
import type { ProjectCopy } from "../ports/project-copy.ts";
import type { ThreadHost } from "../ports/thread-host.ts";
import { requireRoom } from "./disk.ts";
import { landTask, statOf } from "./land-task.ts";
import type { Night } from "./night.ts";
import type { Landed } from "./night-entry.ts";
import { LimitReached, type Loop } from "./night-limits.ts";
import type { NightCheck, TaskState } from "./night-state.ts";
import { RequestGuard } from "./request-guard.ts";
import { endOf, GO_ON, notDoneReason, repairMessage, taskMessage } from "./task-words.ts";
import { signOfTree } from "./tree-sign.ts";
import { putCallsTo, type TurnToWatch, watchTurn } from "./watch-turn.ts";

/** A run that fails without a reason that will last is tried again so often. */
const TRIES = 3;
/** Between two looks whether a disk that was full has room again. */
const ROOM_WAIT_MS = 5 * 60_000;

type Outcome = { readonly done: true } | { readonly done: false; readonly reason: string };

/**
 * Does one task from wherever it was left, and takes down how it ended. Throws LimitReached where the
 * whole run ends with it, and the signal's reason; the task is then gone on with another time.
 */
export async function doTask(night: Night, id: string, signal: AbortSignal): Promise<void> {
  const task = night.state.tasks.get(id);
  if (task === undefined) throw new Error(`There is no task "${id}".`);
  const { inPlace } = night.state.options;
  const copy = await copyOf(night, task, signal);
  const tree = inPlace ? { ...copy, tree: copy.project } : copy;
  const over = new AbortController();
  const ended: { by?: LimitReached | Loop } = {};
  const guard = new RequestGuard({
    ...night,
    task: id,
    tell: (line) => night.tell(`[${id}] ${line}`),
    signOfFiles: () => signOfTree(tree.tree),
    checkDisk: () => roomOrWait(night, signal),
    onEnd: (error) => {
      ended.by ??= error;
      over.abort(error);
    },
  });
  const { questions } = night;
  const host = await night.openHost({
    copy: inPlace ? undefined : copy,
    aroundModel: (client) => guard.around(client),
    settings: { maxSteps: night.state.options.limits.turns, maxCost: undefined },
    isUnattended: questions === undefined,
  });
  let outcome: Outcome;
  try {
    await workFreely(host, inPlace);
    const threadId = `${night.state.id}-${id}`;
    await host.create({ threadId });
    const own = AbortSignal.any([signal, over.signal]);
    const turn = { host, threadId, task: task.task, questions, signal: own };
    const leave = questions === undefined ? () => undefined : putCallsTo(questions, turn);
    try {
      outcome = await workOn(night, task, turn);
    } finally {
      leave();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (ended.by === undefined) throw error;
    outcome = { done: false, reason: messageOf(ended.by) };
  } finally {
    await host.close();
  }
  signal.throwIfAborted();
  // What a limit of the whole run ends is not over: with another limit it is gone on with.
  if (ended.by instanceof LimitReached && ended.by.limit !== "turns") throw ended.by;
  await finish(night, task, { tree, copy }, outcome);
}

/** In a copy that is thrown away nobody need be asked about edits, where commands are asked about. */
async function workFreely({ permission }: ThreadHost, inPlace: boolean): Promise<void> {
  const mode = await permission.settled;
  if (mode === "ask" && !inPlace) permission.setMode("edits");
}

async function finish(
  { journal, state, tell }: Night,
  task: TaskState,
  { tree, copy }: { readonly tree: ProjectCopy; readonly copy: ProjectCopy },
  outcome: Outcome,
): Promise<void> {
  const { id } = task.task;
  const { options } = state;
  const landed: Landed = outcome.done
    ? await landTask(tree, task.task, options)
    : { ...(await statOf(tree)), ...(!options.inPlace && { copy: copy.name }) };
  const reason = outcome.done ? "" : outcome.reason;
  journal.add({
    is: "finished",
    task: id,
    outcome: outcome.done ? "done" : "failed",
    reason,
    landed,
  });
  if (options.inPlace) discardCopy(copy);
  tell(outcome.done ? `[${id}] done: ${task.task.name}` : `[${id}] not done: ${reason}`);
}

/** Its own, which is there already after a restart, begun with the work of the tasks before it. */
async function copyOf(night: Night, task: TaskState, signal: AbortSignal): Promise<ProjectCopy> {
  const { state, journal, dataDir, clock, tell } = night;
  const { project, inPlace } = state.options;
  const name = `${state.id}-${task.task.id}`;
  if (task.status !== "running") {
    journal.add({ is: "started", task: task.task.id, ...(!inPlace && { copy: name }) });
    tell(`[${task.task.id}] begins: ${task.task.name}`);
  }
  if (listCopies(dataDir, project).some((one) => one.name === name)) {
    return findCopy(dataDir, project, name);
  }
  const onto = inPlace ? [] : copiesBefore(night, task);
  for (;;) {
    await roomOrWait(night, signal);
    try {
      return await makeCopy({ project, dataDir, name, clock, onto });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      await waitForRoom(night, "the copy did not fit on the disk", signal);
    }
  }
}

/** In the order in which they build upon each other; what was taken over and thrown away is in the project. */
function copiesBefore({ state, dataDir }: Night, task: TaskState): readonly ProjectCopy[] {
  const known = new Map(listCopies(dataDir, state.options.project).map((one) => [one.name, one]));
  const names = new Set<string>();
  const add = ({ task: { after } }: TaskState) => {
    for (const id of after) {
      const before = state.tasks.get(id);
      if (before === undefined) continue;
      add(before);
      if (before.copy !== undefined) names.add(before.copy);
    }
  };
  add(task);
  return [...names].flatMap((name) => known.get(name) ?? []);
}

async function roomOrWait(night: Night, signal: AbortSignal): Promise<void> {
  const { disk, dataDir, state } = night;
  const { diskMb: mostMb } = state.options.limits;
  const copies = listCopies(dataDir, state.options.project)
    .filter(({ name }) => name.startsWith(`${state.id}-`))
    .map(({ folder }) => folder);
  for (;;) {
    try {
      requireRoom(disk, { folder: dataDir, copies, mostMb });
      return;
    } catch (error) {
      if (!(error instanceof LimitReached) || error.limit !== "space") throw error;
      await waitForRoom(night, error.message, signal);
    }
  }
}

async function waitForRoom(night: Night, reason: string, signal: AbortSignal): Promise<void> {
  const { clock, journal, state, notify, tell } = night;
  const until = new Date(clock.now().getTime() + ROOM_WAIT_MS);
  if (until.getTime() >= Date.parse(state.begunAt) + state.options.limits.hours * 3_600_000) {
    throw new LimitReached("space", reason);
  }
  const text = `${reason} Waits for room.`;
  if (state.waits.at(-1)?.reason !== reason) {
    const about = { project: state.options.project, run: state.id };
    const problem = await notify({
      kind: "waiting",
      title: "cairn waits: disk full",
      text,
      ...about,
    });
    if (problem !== undefined) journal.add({ is: "noted", text: problem });
  }
  journal.add({ is: "waited", task: "", until: until.toISOString(), reason });
  tell(text);
  await clock.until(until, signal);
}

async function workOn(night: Night, task: TaskState, turn: TurnToWatch): Promise<Outcome> {
  const { journal, state } = night;
  const { task: wanted } = task;
  const checks = [...state.options.checks, ...wanted.checks];
  if (task.refusal !== undefined) return cannotBeDone(task.refusal);
  let message = await firstMessage(night, task, turn, checks);
  for (let tries = 1; ; ) {
    if (message !== undefined) {
      journal.add({ is: "working", task: wanted.id });
      const { said, problem } = await watchTurn(turn, message);
      turn.signal.throwIfAborted();
      const refusal = problem === undefined ? notDoneReason(said) : undefined;
      journal.add({
        is: "turned",
        task: wanted.id,
        ...(problem !== undefined && { problem }),
        ...(refusal !== undefined && { refusal }),
      });
      if (problem !== undefined) {
        if (isStuck(problem) || tries >= TRIES) return { done: false, reason: problem };
        tries += 1;
        message = GO_ON;
        continue;
      }
      if (refusal !== undefined) return cannotBeDone(refusal);
    }
    const failed = await firstFailure(night, task, turn, checks);
    if (failed === undefined) return { done: true };
    const { count } = task.failures.get(failed.command) ?? { count: 1 };
    if (count >= state.options.limits.equalFailures) {
      const reason = `\`${failed.command}\` failed ${count} times in the same way (${failed.reason}).`;
      return { done: false, reason };
    }
    message = repairMessage(failed);
  }
}

function cannotBeDone(reason: string): Outcome {
  return { done: false, reason: `It cannot be done: ${reason}` };
}

/** Undefined: the work was ended before, and its checks come next. */
async function firstMessage(
  { state, questions }: Night,
  task: TaskState,
  { host, threadId }: TurnToWatch,
  checks: readonly string[],
): Promise<string | undefined> {
  const failed = task.checks.find(({ ok }) => !ok);
  if (task.hasTurned) return failed && repairMessage(failed);
  const said = task.hasBegun ? await host.history?.(threadId, 1) : undefined;
  if (said !== undefined && said.length > 0) return GO_ON;
  const before = task.task.after.flatMap((id) => state.tasks.get(id)?.task.name ?? []);
  return taskMessage({ task: task.task, checks, before, canAsk: questions !== undefined });
}

/** The run itself has noticed that it goes round in circles. */
function isStuck(problem: string): boolean {
  return /three times in a row|model requests\. Send a message/.test(problem);
}

const NOT_CONFINED =
  "not run: it stands in a file of a project that is not trusted, and no sandbox confines it; --check gives it yourself";

async function firstFailure(
  { state, journal, tell }: Night,
  { task }: TaskState,
  { host, signal }: TurnToWatch,
  checks: readonly string[],
): Promise<NightCheck | undefined> {
  const variables = { CAIRN_TASK_ID: task.id, CAIRN_TASK_NAME: task.name };
  const { checkTimeoutMs: timeoutMs, trustedChecks: trusted } = state.options;
  const isConfined = !host.info.sandbox.startsWith("off");
  for (const command of checks) {
    const mayRun = isConfined || trusted === "all" || trusted.includes(command);
    const run = mayRun
      ? await host.runCheck(command, { timeoutMs, signal, variables })
      : { ok: false, reason: NOT_CONFINED, output: "" };
    const { ok, reason } = run;
    const check = { command, ok, reason, output: endOf(run.output) };
    journal.add({ is: "checked", task: task.id, ...check });
    tell(`[${task.id}] ${ok ? "✓" : "✗"} ${command}${ok ? "" : `: ${reason}`}`);
    if (!ok) return check;
  }
  return undefined;
}
