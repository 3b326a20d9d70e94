import type { ManagedProcess } from "../processes/managed-process.ts";

/** `exit code 1 after 2.1 s`, `running for 12.0 s`. */
export function describeState(process: ManagedProcess, now = Date.now()): string {
  const { state, startedAt } = process;
  if (state.phase === "running") return `running for ${seconds(now - startedAt)}`;
  const how = describeEnd(process);
  return state.problem === undefined ? `${how} after ${seconds(state.endedAt - startedAt)}` : how;
}

/** `exit code 1`, without the duration; empty while it runs. */
export function describeEnd({ state }: ManagedProcess): string {
  if (state.phase === "running") return "";
  if (state.problem !== undefined) return `could not be started: ${state.problem}`;
  return state.exitCode === null ? `ended by ${state.signal}` : `exit code ${state.exitCode}`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
