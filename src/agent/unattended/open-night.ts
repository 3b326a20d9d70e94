import type { Clock } from "../../shared/clock.ts";
import { stateConflict } from "../../shared/errors.ts";
import { makeFolder } from "../../shared/files.ts";
import { takeProcessLock } from "../../shared/process-lock.ts";
import type { ThreadHost } from "../ports/thread-host.ts";
import { AnswerFiles } from "./answer-files.ts";
import { type Disk, systemDisk } from "./disk.ts";
import { Journal } from "./journal.ts";
import type { Night, Workplace } from "./night.ts";
import type { NightClock } from "./night-clock.ts";
import { systemNightClock } from "./night-clock.ts";
import type { NightOptions } from "./night-entry.ts";
import type { NightLimits } from "./night-limits.ts";
import { listNights, type NightPlace, neverBegan, nightIdAt, placeOfNight } from "./night-place.ts";
import { type NightState, withEntry } from "./night-state.ts";
import type { NightTask } from "./night-task.ts";
import type { Notify } from "./notify.ts";
import { type Asker, Questions } from "./questions.ts";
import { runNight, WaitingTasks } from "./run-night.ts";

/** Around an unattended run: what tests hold, and where a person is reached. */
export interface NightPorts {
  readonly openHost: (workplace: Workplace) => Promise<ThreadHost>;
  readonly notify: Notify;
  readonly tell: (line: string) => void;
  /** Undefined: answers come by `cairn run answer` alone. */
  readonly asker?: Asker | undefined;
  readonly clock?: NightClock;
  readonly disk?: Disk;
  /** Between two looks at the clock and at answers; milliseconds. */
  readonly lookMs?: number;
  readonly signal: AbortSignal;
}

export interface NewNight {
  readonly dataDir: string;
  readonly options: NightOptions;
  readonly tasks: readonly NightTask[];
  readonly memorySeq: number | null;
}

/** Begins an unattended run and works on it to its end. */
export async function beginNight(wish: NewNight, ports: NightPorts): Promise<NightState> {
  const { dataDir, options, tasks, memorySeq } = wish;
  const clock = ports.clock ?? systemNightClock;
  const place = freePlace(dataDir, options.project, clock);
  return withNight({ dataDir, place }, ports, ({ journal }) => {
    const night = place.id;
    journal.add({ is: "begun", night, tasks: [...tasks], options, memorySeq });
  });
}

/** Goes on with one that was stopped, cut off or ended by a limit. */
export async function resumeNight(
  { dataDir, place, limits }: { dataDir: string; place: NightPlace; limits: NightLimits },
  ports: NightPorts,
): Promise<NightState> {
  return withNight({ dataDir, place }, ports, ({ journal, hasBegun }) => {
    if (!hasBegun) throw neverBegan(place);
    journal.add({ is: "resumed", limits });
    ports.tell(`Goes on with the run ${place.id}.`);
  });
}

/** One process at a time works on a run; all that it holds is given back at the end. */
async function withNight(
  { dataDir, place }: { readonly dataDir: string; readonly place: NightPlace },
  ports: NightPorts,
  begin: (night: { readonly journal: Journal; readonly hasBegun: boolean }) => void,
): Promise<NightState> {
  makeFolder(place.folder);
  const lock = takeProcessLock(place.lock);
  if (!("release" in lock)) {
    throw stateConflict(`The run ${place.id} is at work already, in process ${lock.heldBy}.`);
  }
  const { openHost, notify, tell, asker, signal, lookMs } = ports;
  const { clock = systemNightClock, disk = systemDisk } = ports;
  const folded: { state?: NightState } = {};
  const waiting = new WaitingTasks();
  try {
    const journal = new Journal(place.journal, clock, (entry) => {
      folded.state = withEntry(folded.state, entry);
    });
    try {
      begin({ journal, hasBegun: folded.state !== undefined });
      const { state } = folded;
      if (state === undefined) throw neverBegan(place);
      const questions = new Questions({
        ...{ state, journal, notify, tell, asker },
        files: new AnswerFiles(place.answers, lookMs),
        onWaiting: (task, isWaiting) => waiting.set(task, isWaiting),
      });
      const night: Night = {
        ...{ place, dataDir, state, journal, clock, disk, openHost, notify, tell },
        questions: state.options.questions === "wait" ? questions : undefined,
      };
      return await runNight(night, { signal, waiting, ...(lookMs !== undefined && { lookMs }) });
    } finally {
      journal.close();
    }
  } finally {
    lock.release();
  }
}

/** Two that are begun in the same second get names of their own. */
function freePlace(dataDir: string, project: string, clock: Clock): NightPlace {
  const taken = new Set(listNights(dataDir, project).map(({ id }) => id));
  for (let now = clock.now().getTime(); ; now += 1_000) {
    const id = nightIdAt(new Date(now));
    if (!taken.has(id)) return placeOfNight(dataDir, project, id);
  }
}
