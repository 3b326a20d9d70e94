import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { randomIds } from "../../shared/ids.ts";
import { processIdentity } from "../../shared/process-lock.ts";
import { isMissing } from "./find-guarded.ts";
import type { GuardedProject } from "./sandbox-messages.ts";

const look = z.object({
  root: z.string(),
  pid: z.number(),
  identity: z.string(),
  accepted: z.array(z.string()),
});
const move = z.object({ root: z.string(), from: z.string(), to: z.string() });
const reportRecord = z.object({ told: z.string() });

export type Move = z.infer<typeof move>;

/** A killed process left commands whose changes were not checked. */
export interface PendingCheck {
  readonly accepted: readonly string[];
  /** Last time that they were seen running; milliseconds since 1970. */
  readonly seenAt: number;
  done(): Promise<void>;
}

export class GuardNotes {
  readonly #root: string;
  readonly #folder: string;
  readonly #beginning: string;
  readonly #ownFile: string;
  readonly #moves: string;

  constructor({ root, asideFolder }: GuardedProject) {
    this.#root = root;
    this.#folder = `${asideFolder}-notes`;
    this.#beginning = createHash("sha256").update(root).digest("hex").slice(0, 16);
    this.#ownFile = join(
      this.#folder,
      `${this.#beginning}.${process.pid}.${randomIds.next("")}.json`,
    );
    this.#moves = join(this.#folder, "moved.jsonl");
  }

  async begin(accepted: readonly string[]): Promise<void> {
    const { pid } = process;
    const identity = processIdentity(pid) ?? "";
    await this.#makeFolder();
    const note: z.infer<typeof look> = { root: this.#root, pid, identity, accepted: [...accepted] };
    const draft = `${this.#ownFile}.draft`;
    await writeFile(draft, JSON.stringify(note), { mode: 0o600 });
    await rename(draft, this.#ownFile);
  }

  async goOn(): Promise<void> {
    const now = new Date();
    await utimes(this.#ownFile, now, now);
  }

  async end(): Promise<void> {
    await rm(this.#ownFile, { force: true });
  }

  async loadPendingChecks(): Promise<readonly PendingCheck[]> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const found = await Promise.all(
      names
        .filter((name) => name.startsWith(`${this.#beginning}.`) && name.endsWith(".json"))
        .map((name) => this.#readLook(join(this.#folder, name))),
    );
    return found.filter((one) => one !== undefined);
  }

  async #readLook(file: string): Promise<PendingCheck | undefined> {
    const text = await readOptionalText(file);
    if (text === undefined) return undefined;
    const done = () => rm(file, { force: true });
    const { data } = look.safeParse(parsed(text));
    if (data === undefined) throw new Error(`${file} cannot be read: remove it`);
    if (data.root !== this.#root || processIdentity(data.pid) === data.identity) return undefined;
    const { mtimeMs } = await stat(file);
    return { accepted: data.accepted, seenAt: mtimeMs, done };
  }

  async moving(from: string, to: string): Promise<void> {
    await this.#makeFolder();
    await this.#add({ root: this.#root, from, to } satisfies Move);
  }

  async recordReported(to: string): Promise<void> {
    await this.#add({ told: to } satisfies z.infer<typeof reportRecord>);
  }

  async unreported(): Promise<readonly Move[]> {
    const text = (await readOptionalText(this.#moves)) ?? "";
    const lines = text.split("\n").map(parsed);
    const known = new Set(lines.map((line) => reportRecord.safeParse(line).data?.told));
    return lines.flatMap((line) => {
      const { data } = move.safeParse(line);
      if (data === undefined || data.root !== this.#root || known.has(data.to)) return [];
      return existsSync(data.to) ? [data] : [];
    });
  }

  #makeFolder(): Promise<unknown> {
    return mkdir(this.#folder, { recursive: true, mode: 0o700 });
  }

  #add(line: Move | z.infer<typeof reportRecord>): Promise<void> {
    return appendFile(this.#moves, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }
}

async function readOptionalText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Ignores a line that a killed process left incomplete. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
