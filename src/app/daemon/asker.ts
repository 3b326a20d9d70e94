import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { BEAT_MS, type ClientMessage, type DaemonMessage, type DaemonRequest } from "./protocol.ts";
import { writeLine } from "./read-lines.ts";

/** A client that does not take its answer is cut off; milliseconds. */
const TAKE_WITHIN_MS = 30_000;

/** The process that asks, as the daemon sees it. */
export class Asker {
  readonly request: DaemonRequest;
  /** Aborts when the asking process is gone or no longer waits. */
  readonly signal: AbortSignal;
  readonly received: Promise<boolean>;
  readonly #socket: Socket;
  readonly #gone = new AbortController();
  #beat: NodeJS.Timeout | undefined;
  #gotStdin: ((bytes: Buffer) => void) | undefined;
  #gotReceipt: (wasReceived: boolean) => void = () => undefined;

  constructor(socket: Socket, request: DaemonRequest) {
    this.#socket = socket;
    this.request = request;
    this.signal = this.#gone.signal;
    this.received = new Promise((resolve) => {
      this.#gotReceipt = resolve;
    });
    socket.once("close", () => {
      clearInterval(this.#beat);
      this.#gotReceipt(false);
      this.#gone.abort(new Error("nobody waits for the answer any longer"));
    });
  }

  beginToBeat(): void {
    const say = () => this.#send({ kind: "taken" });
    say();
    this.#beat = setInterval(say, BEAT_MS);
  }

  /** The asking process's standard input, which is requested when first read. */
  get stdin(): Readable & { readonly isTTY?: boolean } {
    const stream = new Readable({
      read: () => {
        if (this.#gotStdin !== undefined) return;
        this.#gotStdin = (bytes) => {
          if (bytes.length > 0) stream.push(bytes);
          stream.push(null);
        };
        this.#send({ kind: "stdin" });
      },
    });
    this.signal.addEventListener("abort", () => stream.destroy(), { once: true });
    return Object.assign(stream, { isTTY: this.request.stdin.isTTY === true });
  }

  take(message: unknown): void {
    const told = message as ClientMessage;
    if (told.kind === "stdin") this.#gotStdin?.(Buffer.from(told.bytes, "base64"));
    if (told.kind === "received") this.#gotReceipt(true);
  }

  finish(message: DaemonMessage): void {
    clearInterval(this.#beat);
    this.#send(message);
    this.#socket.setTimeout(TAKE_WITHIN_MS, () => this.#socket.destroy());
    if (message.kind !== "answered") this.#socket.end();
  }

  #send(message: DaemonMessage): void {
    writeLine(this.#socket, message);
  }
}
