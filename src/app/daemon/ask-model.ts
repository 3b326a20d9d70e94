import { randomUUID } from "node:crypto";
import { connectToDaemon } from "./connect.ts";
import { programStamp } from "./daemon-place.ts";
import { makeProof } from "./proof.ts";
import type { DaemonMessage, DaemonRequest, ModelRequest, SentReading } from "./protocol.ts";
import { readLines, writeLine } from "./read-lines.ts";

/** The daemon reports every second that it is working; silence longer than this means that it is stuck. */
const SILENT_MS = 5_000;
const MAX_ITEMS = 64 * 1024 * 1024;

export interface ModelAsked extends ModelRequest {
  /** The file of the daemon's program: only a daemon of the same version has the same model. */
  readonly program: string;
  readonly signal: AbortSignal | undefined;
}

export async function askModel(
  folder: string,
  { program, texts, role, signal }: ModelAsked,
): Promise<readonly SentReading[] | undefined> {
  const socket = await connectToDaemon(folder);
  signal?.throwIfAborted();
  if (socket === undefined) return undefined;
  const giveUp = () => socket.destroy();
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    const closed = new Promise((resolve) => socket.once("close", resolve));
    let found: readonly SentReading[] | undefined;
    socket.setTimeout(SILENT_MS, giveUp);
    readLines(socket, {
      most: MAX_ITEMS,
      onLine: (message) => {
        const told = message as DaemonMessage;
        if (told.kind === "read") found = told.readings;
        if (told.kind !== "taken") socket.end();
      },
    });
    const id = randomUUID();
    writeLine(socket, {
      ...{ ask: "read", id, proof: makeProof(folder, id), program: programStamp(program) },
      read: { texts, role },
    } satisfies Partial<DaemonRequest>);
    await closed;
    signal?.throwIfAborted();
    return found?.length === texts.length ? found : undefined;
  } finally {
    signal?.removeEventListener("abort", giveUp);
    socket.destroy();
  }
}
