import { randomUUID } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SlicedList } from "../../memory/index.ts";
import { yieldToEventLoop } from "../../shared/async.ts";
import { isPlainObject } from "../../shared/json.ts";

/** Bytes; larger responses are spooled to a file. */
const MAX_MEMORY_BYTES = 1024 * 1024;
const READ_CHUNK_BYTES = 256 * 1024;
/** Responses may be private: the file is readable only by the owner and unlinked once open. */
const OWNER_ONLY_MODE = 0o600;

export class JsonSpool {
  #chunks: Buffer[] = [];
  #stored = 0;
  #length = 0;
  #file: FileHandle | undefined;
  #isClosed = false;

  /** Serializes a response in slices, yielding to the event loop in between. */
  static async of(output: unknown): Promise<JsonSpool> {
    const spool = new JsonSpool();
    try {
      await spool.#writeValue(output);
      if (spool.#file !== undefined) await spool.#flush();
      return spool;
    } catch (error) {
      await spool.close();
      throw error;
    }
  }

  get length(): number {
    return this.#length;
  }

  body(): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
    const file = this.#file;
    if (file === undefined) return new Uint8Array(Buffer.concat(this.#chunks));
    let position = 0;
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const buffer = new Uint8Array(READ_CHUNK_BYTES);
        const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
        position += bytesRead;
        if (bytesRead > 0) {
          controller.enqueue(buffer.subarray(0, bytesRead));
          return;
        }
        controller.close();
        await this.close();
      },
      cancel: () => this.close(),
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#file?.close();
  }

  async #writeValue(value: unknown): Promise<void> {
    if (value instanceof SlicedList) return this.#writeList(value);
    if (!isPlainObject(value) || !containsLists(value)) return this.#write(JSON.stringify(value));
    let before = "{";
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      await this.#write(`${before}${JSON.stringify(name)}:`);
      await this.#writeValue(field);
      before = ",";
    }
    await this.#write("}");
  }

  async #writeList(list: SlicedList): Promise<void> {
    let before = "[";
    for await (const slice of list.slices()) {
      for (const item of slice) {
        await this.#write(before + JSON.stringify(item));
        before = ",";
      }
      await yieldToEventLoop();
    }
    await this.#write(before === "[" ? "[]" : "]");
  }

  async #write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    this.#chunks.push(bytes);
    this.#stored += bytes.length;
    this.#length += bytes.length;
    if (this.#stored > MAX_MEMORY_BYTES) await this.#flush();
  }

  async #flush(): Promise<void> {
    this.#file ??= await openUnlinked();
    await this.#file.appendFile(Buffer.concat(this.#chunks));
    this.#chunks = [];
    this.#stored = 0;
  }
}

function containsLists(value: Record<string, unknown>): boolean {
  return Object.values(value).some(
    (field) => field instanceof SlicedList || (isPlainObject(field) && containsLists(field)),
  );
}

async function openUnlinked(): Promise<FileHandle> {
  const path = join(tmpdir(), `cairn-answer-${randomUUID()}`);
  const file = await open(path, "wx+", OWNER_ONLY_MODE);
  await unlink(path);
  return file;
}
