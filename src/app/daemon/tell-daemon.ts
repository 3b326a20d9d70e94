import { randomUUID } from "node:crypto";
import { connectToDaemon } from "./connect.ts";
import { makeProof } from "./proof.ts";
import type { DaemonMessage, DaemonRequest, DaemonStatus } from "./protocol.ts";
import { readLines, writeLine } from "./read-lines.ts";

const MOST = 1024 * 1024;

/** Asks the daemon of this folder for its status; with `stop` it then ends. Undefined if there is none. */
export async function tellDaemon(
  folder: string,
  ask: "status" | "stop",
): Promise<DaemonStatus | undefined> {
  const socket = await connectToDaemon(folder);
  if (socket === undefined) return undefined;
  const id = randomUUID();
  let status: DaemonStatus | undefined;
  readLines(socket, {
    most: MOST,
    onLine: (message) => {
      const told = message as DaemonMessage;
      if (told.kind === "status") status = told.status;
    },
  });
  socket.on("error", () => undefined);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  writeLine(socket, { ask, id, proof: makeProof(folder, id) } satisfies Partial<DaemonRequest>);
  await closed;
  return status;
}
