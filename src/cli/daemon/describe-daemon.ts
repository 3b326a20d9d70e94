import type { DaemonStatus } from "../../app/daemon/index.ts";

const BYTES_PER_MEBIBYTE = 1024 * 1024;

export function describeDaemon(
  status: DaemonStatus | undefined,
  command: "status" | "stop",
): string {
  if (status === undefined)
    return "The daemon is not running. The next command starts it, unless `daemon` is `off` or the environment is short-lived (CI, container, temporary folder).";
  const { pid, version, started_at: since, answered, declined, under_way: inProgress } = status;
  if (command === "stop")
    return `Process ${pid} stops${inProgress > 0 ? " after the current requests" : ""}.`;
  return [
    `Process ${pid}, version ${version}, running since ${since}.`,
    `${answered} requests handled, ${declined} declined, ${inProgress} running; ${Math.round(status.memory / BYTES_PER_MEBIBYTE)} MiB of memory.`,
    `It listens in ${status.folder}.`,
  ].join("\n");
}
