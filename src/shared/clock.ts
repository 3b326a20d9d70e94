export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** ISO 8601, UTC, milliseconds, `Z`: the only form in which times are stored and shown. */
export function toTimestamp(date: Date): string {
  return date.toISOString();
}
