import type { OutputOf } from "../../../memory/index.ts";
import { shorten } from "../../../shared/text.ts";

export type StoryFact = OutputOf<"entity_facts">["facts"][number];

export interface Lane {
  readonly key: string;
  readonly title: string;
  /** Facts, oldest first. */
  readonly facts: readonly StoryFact[];
}

const MAX_CHARACTERS = 48;

export function getLanes(facts: readonly StoryFact[]): Lane[] {
  const clusters = new Map<string, StoryFact[]>();
  for (const fact of facts) {
    const known = clusters.get(fact.cluster_id);
    if (known === undefined) clusters.set(fact.cluster_id, [fact]);
    else known.push(fact);
  }
  return Array.from(clusters, ([key, messages]) => {
    const sorted = [...messages].sort((a, b) => a.valid_from.localeCompare(b.valid_from));
    return { key, title: getTitle(sorted.map(({ statement }) => statement)), facts: sorted };
  }).sort((a, b) => (a.facts[0]?.valid_from ?? "").localeCompare(b.facts[0]?.valid_from ?? ""));
}

function getTitle(statements: readonly string[]): string {
  const [first = "", ...others] = statements;
  const words = first.split(/\s+/);
  const same = words.findIndex((word, index) =>
    others.some((other) => other.split(/\s+/)[index] !== word),
  );
  const begin = words.slice(0, same <= 0 ? words.length : same).join(" ");
  return shorten(begin, MAX_CHARACTERS);
}

/** Displayed time range. */
export interface Axis {
  readonly begin: number;
  readonly end: number;
}

/** Returns an axis from the earliest time to `end`; later times are not shown. */
export function getAxis(times: readonly number[], end: number): Axis {
  return { begin: Math.min(...times.filter((time) => time <= end), end - 1), end };
}

/** Position of a time on the axis as a CSS percentage, for example `41.5%`. */
export function getShare({ begin, end }: Axis, time: number): string {
  return `${Math.round((1000 * (Math.min(time, end) - begin)) / (end - begin)) / 10}%`;
}

export interface Tick {
  readonly time: number;
  readonly title: string;
}

const DAY_MS = 86_400_000;
const MAX_TICKS = 6;

/** Returns readable ticks: the starts of days, months or years in the range. */
export function getTicks(begin: number, end: number): Tick[] {
  const days = (end - begin) / DAY_MS;
  const months = days <= MAX_TICKS ? 0 : days / 30;
  const step = Math.max(1, Math.ceil((months === 0 ? days : months) / MAX_TICKS));
  const ticks: Tick[] = [];
  const at = new Date(begin);
  at.setUTCHours(0, 0, 0, 0);
  if (months > 0) at.setUTCDate(1);
  while (ticks.length <= MAX_TICKS * 2) {
    if (months > 0) at.setUTCMonth(at.getUTCMonth() + step);
    else at.setUTCDate(at.getUTCDate() + step);
    // A label there would run past the end.
    if (at.getTime() > end - (end - begin) / 6) break;
    ticks.push({ time: at.getTime(), title: at.toISOString().slice(0, months > 0 ? 7 : 10) });
  }
  return ticks;
}
