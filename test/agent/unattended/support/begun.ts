import type { NightFact, NightOptions } from "../../../../src/agent/unattended/night-entry.ts";

export const options: NightOptions = {
  project: "/project",
  inPlace: false,
  land: "copy",
  atOnce: 1,
  questions: "wait",
  checks: [],
  checkTimeoutMs: 20_000,
  trustedChecks: "all",
  limits: { hours: 10, turns: 50, outageHours: 6, idleTurns: 20, equalFailures: 3 },
};

/** A run of tasks with these ids. */
export function begun(...ids: readonly string[]): NightFact {
  const tasks = ids.map((id) => ({ id, name: `Task ${id}`, details: "", checks: [], after: [] }));
  return { is: "begun", night: "20260101-000000", tasks, options, memorySeq: null };
}
