import { dayNumber, type Period, startOfDay } from "../../../../src/memory/recall/dates/period.ts";

/** `2023-07-07`, or `2023-07-01..2023-07-31`. */
export function formatPeriod({ from, to }: Period): string {
  return from === to ? dateOf(from) : `${dateOf(from)}..${dateOf(to)}`;
}

export function day(date: string): number {
  return dayNumber(`${date}T12:00:00Z`);
}

function dateOf(number: number): string {
  return startOfDay(number).slice(0, 10);
}
