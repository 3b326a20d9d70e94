import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type CairnError, notFound, stateConflict } from "../../shared/errors.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { holderOfLock } from "../../shared/process-lock.ts";
import { readJournal } from "./journal.ts";
import { type NightState, stateOf } from "./night-state.ts";

export interface NightPlace {
  readonly id: string;
  readonly folder: string;
  readonly journal: string;
  readonly lock: string;
  readonly report: string;
  /** Answers that somebody gave from elsewhere. */
  readonly answers: string;
}

/** Of one project, in the data folder: hidden from what an agent runs. */
export function folderOfNights(dataDir: string, project: string): string {
  const sign = createHash("sha256").update(resolve(project)).digest("hex").slice(0, 16);
  return join(resolve(dataDir), "unattended", sign);
}

export function placeOfNight(dataDir: string, project: string, id: string): NightPlace {
  const folder = join(folderOfNights(dataDir, project), id);
  return {
    id,
    folder,
    journal: join(folder, "journal.jsonl"),
    lock: join(folder, "lock"),
    report: join(folder, "report.md"),
    answers: join(folder, "answers"),
  };
}

/** `20261125-221305`: in the order of time, and part of the names of its copies. */
export function nightIdAt(now: Date): string {
  return now.toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
}

/** Runs of the project, the oldest first. */
export function listNights(dataDir: string, project: string): readonly NightPlace[] {
  const folder = folderOfNights(dataDir, project);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((id) => /^\d{8}-\d{6}$/.test(id))
    .sort()
    .map((id) => placeOfNight(dataDir, project, id))
    .filter(({ journal }) => existsSync(journal));
}

/** The one that is named, or the last. Throws not_found. */
export function findNight(dataDir: string, project: string, id?: string): NightPlace {
  const nights = listNights(dataDir, project);
  const found = id === undefined ? nights.at(-1) : nights.find((night) => night.id === id);
  if (found !== undefined) return found;
  if (id === undefined) {
    throw notFound("There was no unattended run of this project. `cairn run tasks.md` begins one.");
  }
  const names = nights.map((night) => night.id);
  throw notFound(`There is no run "${id}" of this project.${didYouMean(id, names)}`);
}

/** Undefined where it was cut off before it began. */
export function readBegunNight({ journal }: NightPlace): NightState | undefined {
  return stateOf(readJournal(journal).entries);
}

/** Throws conflict where it was cut off before it began. */
export function readNight(place: NightPlace): NightState {
  const state = readBegunNight(place);
  if (state === undefined) throw neverBegan(place);
  return state;
}

export function neverBegan({ id }: NightPlace): CairnError {
  return stateConflict(
    `The run ${id} was cut off before it began: begin it anew with \`cairn run\`.`,
  );
}

/** Process id of who works on it. */
export function workerOf({ lock }: NightPlace): number | undefined {
  return holderOfLock(lock);
}

/** The last one that was begun and has no end. */
export function unfinishedNight(dataDir: string, project: string): NightPlace | undefined {
  return listNights(dataDir, project)
    .filter((place) => {
      const state = readBegunNight(place);
      return state !== undefined && state.ended === undefined;
    })
    .at(-1);
}
