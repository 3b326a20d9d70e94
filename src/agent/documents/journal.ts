import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";
import type { z } from "zod";
import { takeProcessLock } from "../../shared/process-lock.ts";

/**
 * Records the steps of a change of several files, so that the next start can finish it after a
 * crash. A lock names the process and its start time: the journal of a live process is left alone.
 */
export class Journal<Content> {
  readonly #path: string;
  readonly #form: z.ZodType<Content>;

  constructor(path: string, form: z.ZodType<Content>) {
    this.#path = path;
    this.#form = form;
  }

  /** Runs `work` exclusively; undefined if another live process owns the journal. */
  async runExclusively<Result>(
    work: () => Promise<Result>,
  ): Promise<{ readonly result: Result } | undefined> {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const lock = takeProcessLock(`${this.#path}.lock`);
    if ("holderPid" in lock) return undefined;
    try {
      return { result: await work() };
    } finally {
      lock.release();
    }
  }

  /** Finishes the change of a dead process, if any, and removes the journal. */
  async finish(complete: (content: Content) => Promise<void> | void): Promise<void> {
    if (!existsSync(this.#path)) return;
    await this.runExclusively(async () => {
      if (!existsSync(this.#path)) return;
      await complete(this.#form.parse(JSON.parse(readFileSync(this.#path, "utf8"))));
      this.remove();
    });
  }

  write(content: Content): void {
    writeFileAtomic.sync(this.#path, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}
