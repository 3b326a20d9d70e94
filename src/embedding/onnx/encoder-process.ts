import { AskedProcess } from "../../shared/asked-process.ts";
import { ProcessEnded } from "../../shared/own-process.ts";
import type { SignedReading, TextInContext } from "../embedder.ts";
import type { ModelFolder } from "./model-folder.ts";

/** The process itself failed, not one of its requests. */
export class EncoderEnded extends Error {}

export class EncoderProcess {
  readonly #process: AskedProcess<readonly TextInContext[], readonly SignedReading[]>;

  constructor(folder: ModelFolder) {
    const source = new URL("./encoder.child.ts", import.meta.url);
    this.#process = new AskedProcess(source, { args: [JSON.stringify(folder)] });
  }

  /** The number of requests without an answer yet. */
  get load(): number {
    return this.#process.load;
  }

  async read(texts: readonly TextInContext[]): Promise<SignedReading[]> {
    try {
      const readings = await this.#process.ask(texts);
      return readings.map(({ vector, signs }) => ({ vector, signs: asBuffer(signs) }));
    } catch (error) {
      if (!(error instanceof ProcessEnded)) throw error;
      throw new EncoderEnded(`the process of the model failed: ${error.message}`);
    }
  }

  /** Rejects all requests without an answer. */
  end(): Promise<void> {
    return this.#process.end();
  }
}

/** Some versions of Node.js deliver a Buffer as a plain Uint8Array. */
function asBuffer(bytes: Uint8Array | undefined): Buffer | undefined {
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
