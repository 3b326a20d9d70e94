// Part of the client: nothing but parts of Node.js is imported here.
import type { Socket } from "node:net";

export interface LineReader {
  readonly onLine: (value: unknown) => void;
  /** Of a line, bytes; whoever sends more is cut off. */
  readonly most: number;
}

/** Reads JSON, one value a line. What is none ends the connection. */
export function readLines(socket: Socket, { onLine, most }: LineReader): void {
  let held: Buffer[] = [];
  let length = 0;
  socket.on("data", (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...held, chunk.subarray(from, end)]);
      held = [];
      length = 0;
      from = end + 1;
      try {
        onLine(JSON.parse(line.toString("utf8")));
      } catch (error) {
        socket.destroy(error instanceof Error ? error : undefined);
        return;
      }
    }
    held.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > most) socket.destroy();
  });
}

export function writeLine(socket: Socket, value: unknown): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(value)}\n`);
}
