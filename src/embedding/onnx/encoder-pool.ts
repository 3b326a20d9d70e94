import { ProcessEnded } from "../../shared/own-process.ts";
import { ProgramProcess } from "../../shared/program-process.ts";
import type { SignedReading, TextInContext } from "../embedder.ts";
import type { ModelFolder } from "./model-folder.ts";

/** The process failed, not a single request. */
export class EncoderEnded extends Error {}

class EncoderProcess {
  readonly #process: ProgramProcess<readonly TextInContext[], readonly SignedReading[]>;

  constructor(folder: ModelFolder) {
    const source = new URL("./encoder.child.ts", import.meta.url);
    this.#process = new ProgramProcess(source, { args: [JSON.stringify(folder)] });
  }

  get load(): number {
    return this.#process.load;
  }

  async read(texts: readonly TextInContext[]): Promise<SignedReading[]> {
    try {
      const readings = await this.#process.ask(texts);
      return readings.map(({ vector, signBits }) => ({ vector, signBits: asBuffer(signBits) }));
    } catch (error) {
      if (!(error instanceof ProcessEnded)) throw error;
      throw new EncoderEnded(`the model process failed: ${error.message}`);
    }
  }

  end(): Promise<void> {
    return this.#process.end();
  }
}

/** Some versions of Node.js deliver a Buffer as a plain Uint8Array. */
function asBuffer(bytes: Uint8Array | undefined): Buffer | undefined {
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export interface EncoderPoolOptions {
  /** Maximum number of processes; 0 disables the pool. */
  readonly size: number;
  folder(): ModelFolder;
}

const MIN_TEXTS_FOR_PROCESS = 32;
/** Queued portions per process, so that it never idles. */
const MAX_QUEUED_PORTIONS = 2;
/** Characters per portion: one long text or a dozen short ones. */
const PORTION_CHARACTERS = 1_000;
const IDLE_MS = 10_000;

interface Portion {
  readonly texts: readonly TextInContext[];
  readonly resolve: (readings: SignedReading[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Processes that read many texts with one model. They start on demand and end when idle. Threads
 * are unsuitable: the native module keeps shared state and corrupts the heap when a thread ends.
 */
export class EncoderPool {
  readonly #options: EncoderPoolOptions;
  #processes: EncoderProcess[] = [];
  #queue: Portion[] = [];
  #isBroken = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: EncoderPoolOptions) {
    this.#options = options;
  }

  /** Returns true if the pool is faster for this many texts than this process. */
  takes(texts: number): boolean {
    if (this.#isBroken || this.#options.size === 0) return false;
    return this.#processes.length > 0 ? texts > 1 : texts >= MIN_TEXTS_FOR_PROCESS;
  }

  /**
   * Returns results in text order. Rejects with the signal's reason, with an Error that explains
   * why the model cannot read a text, or with EncoderEnded, after which the pool is disabled until
   * closed.
   */
  async read(
    texts: readonly TextInContext[],
    signal: AbortSignal | undefined,
  ): Promise<SignedReading[]> {
    clearTimeout(this.#idle);
    this.#start();
    const mine = new Set<Portion>();
    const parts = splitIntoPortions(texts).map(
      (portion) =>
        new Promise<SignedReading[]>((resolve, reject) => {
          mine.add({ texts: portion, resolve, reject });
        }),
    );
    this.#queue.push(...mine);
    const onAbort = () => {
      this.#queue = this.#queue.filter((portion) => !mine.has(portion));
      for (const { reject } of mine) reject(signal?.reason);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      this.#hand();
      return (await Promise.all(parts)).flat();
    } finally {
      this.#queue = this.#queue.filter((portion) => !mine.has(portion));
      signal?.removeEventListener("abort", onAbort);
    }
  }

  async close(): Promise<void> {
    this.#isBroken = false;
    await this.#end();
  }

  #start(): void {
    while (this.#processes.length < this.#options.size) {
      this.#processes.push(new EncoderProcess(this.#options.folder()));
    }
  }

  #hand(): void {
    while (this.#queue.length > 0) {
      const [free] = this.#processes.toSorted((a, b) => a.load - b.load);
      if (free === undefined || free.load >= MAX_QUEUED_PORTIONS) return;
      const portion = this.#queue.shift();
      if (portion !== undefined) void this.#give(free, portion);
    }
  }

  async #give(process: EncoderProcess, portion: Portion): Promise<void> {
    try {
      portion.resolve(await process.read(portion.texts));
    } catch (error) {
      portion.reject(error);
      if (error instanceof EncoderEnded) await this.#fail(error);
    }
    this.#hand();
    this.#restLater();
  }

  async #fail(error: EncoderEnded): Promise<void> {
    this.#isBroken = true;
    for (const { reject } of this.#queue.splice(0)) reject(error);
    await this.#end();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    await Promise.all(this.#processes.splice(0).map((process) => process.end()));
  }

  #restLater(): void {
    clearTimeout(this.#idle);
    if (
      this.#processes.length === 0 ||
      this.#queue.length > 0 ||
      this.#processes.some(({ load }) => load > 0)
    )
      return;
    this.#idle = setTimeout(() => void this.#end(), IDLE_MS);
    this.#idle.unref();
  }
}

function splitIntoPortions(texts: readonly TextInContext[]): TextInContext[][] {
  const portions: TextInContext[][] = [];
  let length = PORTION_CHARACTERS;
  for (const text of texts) {
    if (length >= PORTION_CHARACTERS) {
      portions.push([]);
      length = 0;
    }
    portions.at(-1)?.push(text);
    length += text.text.length + text.before.length;
  }
  return portions;
}
