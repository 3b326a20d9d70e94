import { messageOf } from "../../shared/errors.ts";
import { doTask } from "./do-task.ts";
import type { Night } from "./night.ts";
import { LimitReached } from "./night-limits.ts";
import type { NightState } from "./night-state.ts";
import { deadlineOf } from "./request-guard.ts";

export interface RunOptions {
  /** Ends the work; what is left is gone on with another time. */
  readonly signal: AbortSignal;
  /** Tells which tasks wait for a person, and wakes whoever starts others. */
  readonly waiting: WaitingTasks;
  /** Between two looks at the clock; milliseconds. */
  readonly lookMs?: number;
}

/** Tasks that wait for a person: they take nobody's place. */
export class WaitingTasks {
  readonly #tasks = new Set<string>();
  #wake: () => void = () => undefined;

  set(task: string, isWaiting: boolean): void {
    if (isWaiting) this.#tasks.add(task);
    else this.#tasks.delete(task);
    this.#wake();
  }

  has(task: string): boolean {
    return this.#tasks.has(task);
  }

  /** Resolves at the next change. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/**
 * Does the tasks that are left, each after those that it builds upon, until all have ended, a limit of
 * the whole run is reached, or the signal aborts. What was done before is not done again.
 */
export async function runNight(night: Night, options: RunOptions): Promise<NightState> {
  const { state, journal, clock } = night;
  const { signal, waiting, lookMs = 5_000 } = options;
  const stop = new AbortController();
  const ended = AbortSignal.any([signal, stop.signal]);
  const running = new Map<string, Promise<void>>();
  let limit: LimitReached | undefined;
  const reach = (error: LimitReached) => {
    limit ??= error;
    stop.abort(error);
  };
  const timer = setInterval(() => {
    if (clock.now().getTime() < deadlineOf(state)) return;
    reach(new LimitReached("hours", `The time is up: ${state.options.limits.hours} h.`));
  }, lookMs);
  try {
    for (;;) {
      if (!ended.aborted) {
        giveUpWhatCannotBegin(night);
        for (const id of readyTasks(state, running, waiting)) {
          const work = doTask(night, id, ended)
            .catch((error: unknown) => failed(night, id, error, { ended, reach }))
            .finally(() => running.delete(id));
          running.set(id, work);
        }
      }
      if (running.size === 0) break;
      await Promise.race([...running.values(), waiting.changed()]);
    }
  } finally {
    clearInterval(timer);
  }
  if (limit !== undefined) journal.add({ is: "ended", reason: limit.message });
  else if (signal.aborted) journal.add({ is: "paused", reason: "It was stopped." });
  else journal.add({ is: "ended", reason: "" });
  return state;
}

/** Everything but a limit, a stop and what the run cannot live without is the task's own failure. */
function failed(
  { journal, state, tell }: Night,
  id: string,
  error: unknown,
  { ended, reach }: { readonly ended: AbortSignal; readonly reach: (limit: LimitReached) => void },
): void {
  if (error instanceof LimitReached) {
    tell(error.message);
    reach(error);
    return;
  }
  if (ended.aborted) return;
  const reason = messageOf(error);
  if (state.tasks.get(id)?.status === "done") throw error;
  journal.add({ is: "finished", task: id, outcome: "failed", reason });
  tell(`[${id}] not done: ${reason}`);
}

/** In the order of the file, as many as may be at work at once. */
function readyTasks(
  state: NightState,
  running: ReadonlyMap<string, unknown>,
  waiting: WaitingTasks,
): readonly string[] {
  const { atOnce, inPlace } = state.options;
  const isDone = (id: string) => state.tasks.get(id)?.status === "done";
  // In one tree a task that waits has half of its work in the files.
  const busy = [...running.keys()].filter((id) => inPlace || !waiting.has(id)).length;
  const places = (inPlace ? 1 : atOnce) - busy;
  return [...state.tasks.values()]
    .filter(({ status }) => status === "waiting" || status === "running")
    .filter(({ task }) => !running.has(task.id) && task.after.every(isDone))
    .slice(0, Math.max(0, places))
    .map(({ task }) => task.id);
}

function giveUpWhatCannotBegin({ state, journal, tell }: Night): void {
  for (let before = -1, found = 0; before !== found; ) {
    before = found;
    for (const { task, status } of state.tasks.values()) {
      const missing = task.after.find((id) => state.tasks.get(id)?.status === "failed");
      if (status !== "waiting" || missing === undefined) continue;
      const reason = `It comes after "${missing}", which is not done.`;
      journal.add({ is: "finished", task: task.id, outcome: "failed", reason });
      tell(`[${task.id}] not done: ${reason}`);
      found += 1;
    }
  }
}
