import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import { sleep } from "../../shared/async.ts";
import { invalidInput } from "../../shared/errors.ts";
import { makeFolder } from "../../shared/files.ts";
import type { PermissionAnswer } from "../ports/permission-question.ts";

const answer = z.strictObject({
  decision: z.enum(["once", "session", "always", "no"]),
  message: z.string().optional(),
});

/** Answers that a person gives from elsewhere, kept until the run takes them. */
export class AnswerFiles {
  readonly #folder: string;
  readonly #lookMs: number;

  constructor(folder: string, lookMs = 500) {
    this.#folder = folder;
    this.#lookMs = lookMs;
  }

  put(question: string, given: PermissionAnswer): void {
    makeFolder(this.#folder);
    writeFileAtomic.sync(this.#fileOf(question), JSON.stringify(given), { mode: 0o600 });
  }

  /** Resolves once there is one, which is taken away; rejects with the signal's reason. */
  async take(question: string, signal: AbortSignal): Promise<PermissionAnswer> {
    const file = this.#fileOf(question);
    while (!existsSync(file)) await sleep(this.#lookMs, signal);
    const { decision, message } = answer.parse(JSON.parse(readFileSync(file, "utf8")));
    rmSync(file, { force: true });
    return { decision, ...(message !== undefined && { message }) };
  }

  #fileOf(question: string): string {
    if (!/^[\w-]{1,40}$/.test(question)) throw invalidInput(`"${question}" is no question.`);
    return join(this.#folder, `${question}.json`);
  }
}
