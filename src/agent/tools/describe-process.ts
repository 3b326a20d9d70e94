import type { ManagedProcess } from "../processes/managed-process.ts";

/** `exit code 1 after 2.1 s`, `running for 12.0 s`. */
export function describeState(process: ManagedProcess, now = Date.now()): string {
  const { state, startedAt } = process;
  if (state.phase === "running") return `running for ${seconds(now - startedAt)}`;
  if (state.problem !== undefined) return `could not be started: ${state.problem}`;
  const how = state.exitCode === null ? `ended by ${state.signal}` : `exit code ${state.exitCode}`;
  return `${how} after ${seconds(state.endedAt - startedAt)}`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
