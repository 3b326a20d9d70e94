import type { Clock } from "../shared/clock.ts";

/** A clock that only moves when advanced; starts at the beginning of 2026. */
export class TestClock implements Clock {
  #now = Date.parse("2026-01-01T00:00:00.000Z");

  now(): Date {
    return new Date(this.#now);
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  get timestamp(): string {
    return this.now().toISOString();
  }
}
