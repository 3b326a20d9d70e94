import type { Browser, Page } from "playwright-core";

/** CPU milliseconds of the page's main thread between two frames. */
export interface FrameCost {
  /** Handlers, timers, microtasks and garbage collection. */
  readonly script: number;
  /** Script, style, layout and painting. */
  readonly all: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Wall-clock microseconds. */
  readonly ts: number;
  readonly dur?: number;
  /** CPU microseconds of the thread. */
  readonly tdur?: number;
}

const FRAME = "FireAnimationFrame";
const TASK = "RunTask";
const SCRIPT: ReadonlySet<string> = new Set([
  FRAME,
  "EvaluateScript",
  "EventDispatch",
  "FunctionCall",
  "MajorGC",
  "MinorGC",
  "RunMicrotasks",
  "TimerFire",
]);

/**
 * Measures each frame while `act` runs on a page that requests every animation frame. CPU time is
 * little affected by other load on the machine.
 */
export async function measureCpuPerFrame(
  browser: Browser,
  page: Page,
  act: () => Promise<void>,
): Promise<readonly FrameCost[]> {
  await browser.startTracing(page, {
    categories: ["-*", "devtools.timeline", "disabled-by-default-devtools.timeline", "v8"],
  });
  await act();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as {
    traceEvents: TraceEvent[];
  };
  const frame = traceEvents.find(({ name }) => name === FRAME);
  if (frame === undefined) throw new Error("The trace contains no frame.");
  const own = traceEvents
    .filter(({ pid, tid, ph }) => ph === "X" && pid === frame.pid && tid === frame.tid)
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const begins = own.filter(({ name }) => name === FRAME).map(({ ts }) => ts);
  const scripts = sumPerFrame(
    selectOutermost(own, (name) => SCRIPT.has(name)),
    begins,
  );
  const tasks = sumPerFrame(
    selectOutermost(own, (name) => name === TASK),
    begins,
  );
  return begins.map((_ts, at) => ({ script: scripts[at] ?? 0, all: tasks[at] ?? 0 }));
}

/** Returns the counted events that are not nested in another counted one, by start time. */
function selectOutermost(
  events: readonly TraceEvent[],
  counts: (name: string) => boolean,
): readonly TraceEvent[] {
  let end = 0;
  return events.filter(({ name, ts, dur = 0 }) => {
    if (!counts(name) || ts < end) return false;
    end = ts + dur;
    return true;
  });
}

/**
 * CPU milliseconds between each frame and the one before; work after the last frame is not
 * counted.
 */
function sumPerFrame(events: readonly TraceEvent[], begins: readonly number[]): readonly number[] {
  const found = begins.map(() => 0);
  let at = 0;
  for (const { ts, tdur = 0 } of events) {
    while (at < begins.length && ts > (begins[at] ?? 0)) at += 1;
    if (at < found.length) found[at] = (found[at] ?? 0) + tdur / 1_000;
  }
  return found;
}
