export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** ISO 8601 in UTC with milliseconds and `Z`, the only format for stored and displayed times. */
export function toTimestamp(date: Date): string {
  return date.toISOString();
}
