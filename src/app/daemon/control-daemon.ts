import { randomUUID } from "node:crypto";
import { CairnError } from "../../shared/errors.ts";
import type { DaemonMessage, DaemonRequest, DaemonStatus } from "./daemon-client.ts";
import { createProof, readLines, writeLine } from "./daemon-client.ts";
import { connectToDaemon, removeSocket } from "./daemon-folder.ts";

const MAX_ITEMS = 1024 * 1024;

const RESPONSE_MS = 2_000;

/**
 * Requests the daemon's status; with `stop`, ends it. Returns undefined if none runs. Throws
 * unavailable if it is suspended, and removes its socket so that commands do not wait for it.
 */
export async function controlDaemon(
  folder: string,
  command: "status" | "stop",
): Promise<DaemonStatus | undefined> {
  const socket = await connectToDaemon(folder);
  if (socket === undefined) return undefined;
  const id = randomUUID();
  let status: DaemonStatus | undefined;
  readLines(socket, {
    maxCharacters: MAX_ITEMS,
    onLine: (message) => {
      const reply = message as DaemonMessage;
      if (reply.kind === "status") status = reply.status;
    },
  });
  socket.on("error", () => undefined);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  writeLine(socket, {
    ask: command,
    id,
    proof: createProof(folder, id),
  } satisfies Partial<DaemonRequest>);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve("late"), RESPONSE_MS);
  });
  const hasEnded = await Promise.race([closed, late]);
  clearTimeout(timer);
  if (hasEnded !== "late" || status !== undefined) return status;
  socket.destroy();
  removeSocket(folder);
  throw new CairnError(
    "unavailable",
    "The daemon did not respond. It receives no further commands and exits; the next command starts another.",
  );
}
