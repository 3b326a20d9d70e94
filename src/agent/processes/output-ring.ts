/** Bytes kept of the beginning and of the end of a process's output. */
const HEAD_BYTES = 16 * 1024;
const TAIL_BYTES = 48 * 1024;

/** The first and the last part of an output of any length, in bounded memory. */
export class OutputRing {
  #head = Buffer.alloc(0);
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #dropped = 0;

  add(chunk: Buffer): void {
    const room = HEAD_BYTES - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    const rest = chunk.subarray(Math.max(0, room));
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    // Joined only when twice the size, so that many small chunks do not copy the whole each time.
    if (this.#tailBytes > 2 * TAIL_BYTES) this.#trim();
  }

  get totalBytes(): number {
    return this.#head.length + this.#tailBytes + this.#dropped;
  }

  text(): string {
    this.#trim();
    const head = this.#head.toString("utf8");
    const tail = Buffer.concat(this.#tail).toString("utf8");
    return this.#dropped === 0
      ? head + tail
      : `${head}\n[… ${this.#dropped} bytes left out …]\n${tail}`;
  }

  #trim(): void {
    const surplus = this.#tailBytes - TAIL_BYTES;
    if (surplus <= 0) return;
    const kept = Buffer.concat(this.#tail).subarray(surplus);
    // A copy: a view would keep the whole larger buffer alive.
    this.#tail = [Buffer.from(kept)];
    this.#tailBytes = kept.length;
    this.#dropped += surplus;
  }
}
