import { type ChildProcess, spawn } from "node:child_process";
import { ownProgram } from "../../kernel/own-program.ts";
import type { SignedReading, TextInContext } from "../embedder.ts";
import type { EncoderAnswer, EncoderRequest } from "./encoder-messages.ts";
import type { ModelFolder } from "./model-folder.ts";

interface Waiting {
  readonly resolve: (readings: SignedReading[]) => void;
  readonly reject: (error: Error) => void;
}

const CLOSE_MS = 2_000;

/** The process itself failed, not one of its requests. */
export class EncoderEnded extends Error {}

/** A process with a model of its own that reads texts. It ends with this process. */
export class EncoderProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(folder: ModelFolder) {
    const { file, argv } = ownProgram(new URL("./encoder.child.ts", import.meta.url));
    const child = spawn(process.execPath, [file, ...argv, JSON.stringify(folder)], {
      // Sends vectors without converting them.
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    // The process must not keep a finished program alive.
    child.unref();
    child.channel?.unref();
    child.on("message", (message) => this.#take(message as EncoderAnswer));
    child.once("error", (error) => this.#failAll(error.message));
    child.once("exit", (code, signal) => this.#failAll(`it ended with ${signal ?? code}`));
    this.#child = child;
  }

  /** The number of requests without an answer yet. */
  get load(): number {
    return this.#waiting.size;
  }

  /** Rejects with EncoderEnded, or with an Error that says why the model cannot read a text. */
  read(texts: readonly TextInContext[]): Promise<SignedReading[]> {
    return new Promise((resolve, reject) => {
      this.#last += 1;
      const request: EncoderRequest = { id: this.#last, texts };
      this.#waiting.set(request.id, { resolve, reject });
      if (!this.#child.connected) {
        this.#failAll("it is gone");
        return;
      }
      // While an answer is pending, the channel keeps the program alive.
      this.#child.channel?.ref();
      this.#child.send(request, (error) => {
        if (error !== null) this.#failAll(error.message);
      });
    });
  }

  /** Rejects all requests without an answer. */
  async end(): Promise<void> {
    const child = this.#child;
    this.#failAll("it was closed");
    if (child.connected) child.disconnect();
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    child.ref();
    const timer = setTimeout(() => child.kill("SIGKILL"), CLOSE_MS);
    await new Promise((resolve) => child.once("exit", resolve));
    clearTimeout(timer);
  }

  #take({ id, readings, error }: EncoderAnswer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#child.channel?.unref();
    if (readings === undefined) waiting?.reject(new Error(error));
    else
      waiting?.resolve(readings.map(({ vector, signs }) => ({ vector, signs: asBuffer(signs) })));
  }

  #failAll(reason: string): void {
    const error = new EncoderEnded(`the process of the model failed: ${reason}`);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#child.channel?.unref();
  }
}

/** Some versions of Node.js deliver a Buffer as a plain Uint8Array. */
function asBuffer(bytes: Uint8Array | undefined): Buffer | undefined {
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
