import { join } from "node:path";
import type { ModelClient } from "../../llm/index.ts";
import { describeFailure } from "../../llm/index.ts";
import { sleep } from "../../shared/async.ts";
import { type Clock, toTimestamp } from "../../shared/clock.ts";
import { CairnError, messageOf, stateConflict } from "../../shared/errors.ts";
import { takeProcessLock } from "../../shared/process-lock.ts";
import { disableFilters } from "../../shared/safe-git.ts";
import { Spending, SpendingLimitReached } from "../loop/spending.ts";
import type { AttemptResult, TaskToImplement } from "../ports/project-tasks.ts";
import type { ParallelThreadOptions, ThreadHost } from "../ports/thread-host.ts";
import type { Worktree } from "../ports/worktree.ts";
import { countLines } from "../worktrees/changes.ts";
import { git, tryGit } from "../worktrees/git.ts";
import {
  branchName,
  commitTree,
  createWorktree,
  findWorktree,
  listWorktrees,
  snapshot,
} from "../worktrees/worktree.ts";
import {
  createRunId,
  type RunEntry,
  type RunLimits,
  RunLog,
  type RunPaths,
  type RunState,
  runPaths,
} from "./run-log.ts";
import type { ListedTask } from "./task-file.ts";

const MAX_OUTAGE_MS = 6 * 3_600_000;
const OUTAGE_RETRY_DELAYS_MS = [15_000, 60_000, 300_000];
const CHECK_ATTEMPTS = 4;

export interface RunRequest {
  readonly project: string;
  readonly file: string;
  readonly tasks: readonly ListedTask[];
  readonly checks: readonly string[];
  readonly limits: RunLimits;
}

export interface RunPorts {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly openHost: (options: ParallelThreadOptions) => Promise<ThreadHost>;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

interface Run extends RunPorts {
  readonly log: RunLog;
  readonly paths: RunPaths;
  readonly start: Extract<RunEntry, { type: "started" }>;
}

export async function startRun(requested: RunRequest, ports: RunPorts): Promise<RunState> {
  const id = createRunId(ports.clock.now());
  const { tasks, checks, ...rest } = requested;
  return withLog(runPaths(ports.dataDir, requested.project, id), ports, (log) => {
    log.add({ type: "started", run: id, ...rest, tasks: [...tasks], checks: [...checks] });
  });
}

export async function resumeRun(
  location: RunPaths,
  limits: RunLimits | undefined,
  ports: RunPorts,
) {
  return withLog(location, ports, (log) => {
    log.add({ type: "resumed", limits: limits ?? log.state.limits });
  });
}

async function withLog(
  paths: RunPaths,
  ports: RunPorts,
  begin: (log: RunLog) => void,
): Promise<RunState> {
  const log = new RunLog(paths, ports.clock);
  const lock = takeProcessLock(paths.lock);
  if ("holderPid" in lock) {
    log.close();
    throw stateConflict(`The run ${paths.id} is running in process ${lock.holderPid}.`);
  }
  try {
    begin(log);
    const { start } = log.state;
    if (start === undefined)
      throw stateConflict(`The run ${paths.id} never started. Start it again.`);
    await runRemainingTasks({ ...ports, log, paths: paths, start });
    return log.state;
  } finally {
    lock.release();
    log.close();
  }
}

/** Runs tasks in order until all have ended, a limit is reached or the signal aborts. */
async function runRemainingTasks(run: Run): Promise<void> {
  const { log, start, clock, signal } = run;
  const { state } = log;
  const msLeft = Date.parse(start.at) + state.limits.hours * 3_600_000 - clock.now().getTime();
  const timeUp = new AbortController();
  const timer = setTimeout(() => timeUp.abort(), Math.min(Math.max(0, msLeft), 2 ** 31 - 1));
  const ended = AbortSignal.any([signal, timeUp.signal]);
  const spending = new Spending(state.limits, {
    before: state.spent,
    log: {
      reserved: (request, spent) => log.add({ type: "reserved", task: current, request, spent }),
      used: (request, spent, certain) => log.add({ type: "used", request, spent, certain }),
    },
  });
  let current = "";
  let reason = "";
  try {
    const worktree = await openRunWorktree(run);
    for (const task of start.tasks) {
      const status = state.tasks.get(task.id)?.status;
      if (status !== "pending" && status !== "running") continue;
      const blocker = task.after.find((id) => state.tasks.get(id)?.status !== "done");
      if (blocker !== undefined) {
        endTask(run, task, { status: "skipped", reason: `Task ${blocker} is not done.` });
        continue;
      }
      current = task.id;
      await runTask(run, task, { worktree, spending, ended, wasRunning: status === "running" });
    }
  } catch (error) {
    if (timeUp.signal.aborted) reason = `The time limit of ${state.limits.hours} h is reached.`;
    else if (signal.aborted) return run.report("stopped; `cairn run --resume` continues");
    else if (error instanceof RunFinished) reason = error.message;
    else throw error;
  } finally {
    clearTimeout(timer);
  }
  if (reason !== "") run.report(reason);
  log.add({ type: "ended", reason });
}

/** Ends the whole run; its task continues when the run is resumed. */
class RunFinished extends Error {}

interface TaskRun {
  readonly worktree: Worktree;
  readonly spending: Spending;
  readonly ended: AbortSignal;
  readonly wasRunning: boolean;
}

async function runTask(run: Run, task: ListedTask, around: TaskRun): Promise<void> {
  const { log, start, report } = run;
  const { worktree, ended, wasRunning } = around;
  if (!wasRunning) log.add({ type: "task", task: task.id, status: "running" });
  report(`[${task.id}] starts: ${task.name}`);
  const over: { by?: Error } = {};
  const host = await run.openHost({
    worktree,
    aroundModel: (client) =>
      createRetryingClient(run, client, { ...around, onOver: (error) => (over.by ??= error) }),
    settings: { maxCost: undefined, hooks: selectHooks([...start.checks, ...task.checks]) },
    isUnattended: true,
  });
  let result: AttemptResult;
  try {
    // Edits in the worktree need no consent: they reach the project only through a review.
    if ((await host.permission.settled) === "ask") host.permission.setMode("edits");
    const threadId = `run-${start.run}-${task.id}`;
    await host.create({ threadId });
    const onAbort = () => void host.cancel(threadId, { queued: "drop" }).catch(() => undefined);
    ended.addEventListener("abort", onAbort, { once: true });
    let problem: string | undefined;
    host.subscribe((event) => {
      if (event.threadId === threadId && event.type === "error") problem = event.message;
    });
    try {
      const earlier = wasRunning ? "cairn ended during the task." : undefined;
      result = await host.implementTask(threadId, toTask(task), earlier);
      if (result.kind === "stopped" && problem !== undefined)
        result = { kind: "failed", reason: problem };
    } finally {
      ended.removeEventListener("abort", onAbort);
    }
  } finally {
    await host.close();
  }
  ended.throwIfAborted();
  if (over.by !== undefined) throw over.by;
  await mergeTask(run, task, worktree, result);
}

async function mergeTask(
  run: Run,
  task: ListedTask,
  { root, folder, name }: Worktree,
  result: AttemptResult,
) {
  const head = (await git(root, ["rev-parse", "HEAD"])).trim();
  const tree = await snapshot(root, join(folder, "task-index"));
  const before = (await git(root, ["rev-parse", `${await taskBase(run, root)}^{tree}`])).trim();
  const isChanged = tree !== (await git(root, ["rev-parse", "HEAD^{tree}"])).trim();
  const commit = isChanged ? await commitTree(root, tree, [head], formatTaskMessage(task)) : head;
  const stat = await countLines(root, before, tree);
  if (result.kind === "passed") {
    await git(root, ["update-ref", `refs/heads/${branchName(name)}`, commit]);
    await git(root, ["read-tree", commit]);
    endTask(run, task, {
      status: "done",
      ...stat,
      ...(stat.files > 0 && { commit, branch: branchName(name) }),
    });
    return;
  }
  const reason = "reason" in result ? result.reason : "The model run ended early.";
  const branch = `${branchName(name)}-${task.id}`;
  if (stat.files > 0) await git(root, ["branch", "-f", branch, commit]);
  const base = await taskBase(run, root);
  const config = await disableFilters(root);
  await git(root, ["reset", "--hard", "-q", base], { config });
  await git(root, ["clean", "-fdq"], { config });
  endTask(run, task, {
    status: "failed",
    reason,
    ...stat,
    ...(stat.files > 0 && { commit, branch }),
  });
}

function endTask(
  { log, report }: Run,
  task: ListedTask,
  end: Pick<
    Extract<RunEntry, { type: "task" }>,
    "status" | "reason" | "files" | "commit" | "branch"
  >,
): void {
  log.add({ type: "task", task: task.id, ...end });
  report(`[${task.id}] ${end.status}: ${end.status === "done" ? task.name : (end.reason ?? "")}`);
}

/** The commit after the last completed task, or with the uncommitted files of the start. */
async function taskBase({ log, start }: Run, root: string): Promise<string> {
  const done = start.tasks.flatMap(({ id }) => {
    const { status, entry } = log.state.tasks.get(id) ?? {};
    return status === "done" && entry?.commit !== undefined ? [entry.commit] : [];
  });
  return done.at(-1) ?? (await git(root, ["rev-parse", startRef(start.run)])).trim();
}

function startRef(run: string): string {
  return `refs/cairn/runs/${run}`;
}

/** Uncommitted files of the project become the first commit of its branch. */
async function openRunWorktree({ start, dataDir, clock }: Run): Promise<Worktree> {
  const { project } = start;
  const name = `run-${start.run}`;
  const known = listWorktrees(dataDir, project).some((one) => one.name === name);
  const worktree = known
    ? findWorktree(dataDir, project, name)
    : await createWorktree({ project, dataDir, name, clock });
  const { root, base } = worktree;
  if ((await tryGit(root, ["rev-parse", "-q", "--verify", startRef(start.run)])) !== undefined)
    return worktree;
  const head = (await git(root, ["rev-parse", "HEAD"])).trim();
  const tree = (await git(root, ["rev-parse", `${base}^{tree}`])).trim();
  const isClean = tree === (await git(root, ["rev-parse", "HEAD^{tree}"])).trim();
  const commit = isClean
    ? head
    : await commitTree(root, tree, [head], "Uncommitted changes at the start of the run");
  await git(root, ["update-ref", `refs/heads/${branchName(name)}`, commit]);
  await git(root, ["read-tree", commit]);
  await git(root, ["update-ref", startRef(start.run), commit]);
  return worktree;
}

/** Counts requests against the run's limits and waits while the service is unavailable. */
function createRetryingClient(
  run: Run,
  client: ModelClient,
  around: TaskRun & { readonly onOver: (error: Error) => void },
): ModelClient {
  const { spending, ended, onOver } = around;
  return {
    ...client,
    withModel: (model) => createRetryingClient(run, client.withModel(model), around),
    withEffort: (effort) => createRetryingClient(run, client.withEffort(effort), around),
    async answer(request) {
      let awaySince: number | undefined;
      for (let tries = 0; ; tries += 1) {
        let hasShown = false;
        try {
          return await spending.answer(client, {
            ...request,
            onText: (text) => {
              hasShown = true;
              request.onText?.(text);
            },
          });
        } catch (error) {
          request.signal.throwIfAborted();
          if (error instanceof SpendingLimitReached) {
            const limit = new RunFinished(error.message);
            onOver(limit);
            throw error;
          }
          const failure = describeFailure(
            error instanceof CairnError ? (error.cause ?? error) : error,
          );
          if (failure.status === 401 || failure.status === 403) {
            onOver(new RunFinished(`The model service rejects the key: ${messageOf(error)}`));
            throw error;
          }
          const canRepeat = !hasShown || request.onRestart !== undefined;
          if (!failure.transient || !canRepeat) throw error;
          const now = run.clock.now().getTime();
          awaySince ??= now;
          if (now - awaySince > MAX_OUTAGE_MS) {
            onOver(
              new RunFinished(
                `The model has not answered for ${MAX_OUTAGE_MS / 3_600_000} hours: ${messageOf(error)}`,
              ),
            );
            throw error;
          }
          const wait =
            failure.retryAfterMs ??
            OUTAGE_RETRY_DELAYS_MS[Math.min(tries, OUTAGE_RETRY_DELAYS_MS.length - 1)] ??
            0;
          const until = toTimestamp(new Date(now + wait));
          run.log.add({ type: "waited", until, reason: failure.message });
          run.report(`waits for the model until ${until}: ${failure.message}`);
          await sleep(wait, AbortSignal.any([request.signal, ended]));
          if (hasShown) request.onRestart?.();
        }
      }
    },
  };
}

function selectHooks(checks: readonly string[]) {
  const taskDone =
    checks.length === 0
      ? []
      : [{ maxAttempts: CHECK_ATTEMPTS, steps: checks.map((shell) => ({ shell })) }];
  return { stop: [], taskDone, planDone: [] };
}

function toTask({ id, name, details, checks }: ListedTask): TaskToImplement {
  return {
    ...{ id, name, description: details },
    acceptanceCriteria: checks.map((check) => `\`${check}\` succeeds`),
  };
}

function formatTaskMessage({ name, details }: ListedTask): string {
  const subject = name.length <= 72 ? name : `${name.slice(0, 71)}…`;
  const body = name.length <= 72 ? details : `${name}\n\n${details}`;
  return body.trim() === "" ? subject : `${subject}\n\n${body.trim()}`;
}
