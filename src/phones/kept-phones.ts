import { timingSafeEqual } from "node:crypto";
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { newTokenText, tokenEnd, tokenHash } from "../access/index.ts";
import type { Caller } from "../shared/caller.ts";
import { type Clock, systemClock, toTimestamp } from "../shared/clock.ts";
import { invalidInput, isMissingFile, notFound, stateConflict } from "../shared/errors.ts";
import { listFolder, makeFolder } from "../shared/files.ts";

/** How long a phone is let in unless somebody says otherwise. */
const DEFAULT_EXPIRES = "30d";
const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;
/** A use is noted once in so long; milliseconds. */
const NOTED_MS = 60_000;

/** Strict: what a later version adds may be a limit, so a file that has more lets nobody in. */
const kept = z.strictObject({
  name: z.string().regex(NAME),
  scope: z.literal("answer"),
  /** The folder of the project whose agent it answers. */
  project: z.string(),
  hash: z.hash("sha256"),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});

/** A phone as it is shown in lists. */
export type PhoneRecord = Omit<z.output<typeof kept>, "hash"> & {
  /** When it was last let in, to a minute. */
  readonly used_at: string;
};

/** The only time that its token is seen. */
export type NewPhone = PhoneRecord & { readonly token: string };

/**
 * The phones that were paired, a file each, so that taking one back and noting that another was used never
 * meet: whoever removes the file has revoked it. When it was last used is the time of the file.
 */
export class KeptPhones {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #noted = new Map<string, number>();

  constructor(dataDir: string, clock: Clock = systemClock) {
    this.#folder = join(dataDir, "tokens", "phones");
    this.#clock = clock;
  }

  /** Throws invalid_input for a bad name or time, conflict for a name that is taken. */
  add(name: string, project: string, expires: string = DEFAULT_EXPIRES): NewPhone {
    requirePhoneName(name);
    const now = this.#clock.now();
    const token = newTokenText();
    const record = {
      name,
      scope: "answer" as const,
      project,
      created_at: toTimestamp(now),
      expires_at: tokenEnd(expires, now),
    };
    makeFolder(this.#folder);
    this.#removeIfOver(name);
    const text = JSON.stringify({ ...record, hash: tokenHash(token).toString("hex") });
    try {
      writeFileSync(this.#file(name), `${text}\n`, { mode: 0o600, flag: "wx" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      throw stateConflict(`name: there is a phone "${name}" already. Take another name.`);
    }
    return { ...record, used_at: record.created_at, token };
  }

  /** Those that are let in now, the youngest first; one whose time is over is forgotten. */
  list(): readonly PhoneRecord[] {
    return this.#all()
      .map(({ hash: _hash, ...record }) => record)
      .sort((a, b) => b.created_at.localeCompare(a.created_at));
  }

  /** Servers refuse it within a second. Throws invalid_input and not_found. */
  revoke(name: string): void {
    requirePhoneName(name);
    if (!this.list().some((phone) => phone.name === name)) {
      throw notFound(
        `There is no phone "${name}". \`cairn pair list\` names those that are paired.`,
      );
    }
    rmSync(this.#file(name), { force: true });
  }

  /** Whose token it is, of those that may answer the agent of this project. */
  holderOf(token: string, project: string): Caller | undefined {
    const hash = tokenHash(token);
    let found: string | undefined;
    // All are compared, so that the time tells nothing of any.
    for (const phone of this.#all()) {
      const isIt = timingSafeEqual(Buffer.from(phone.hash, "hex"), hash);
      if (isIt && phone.project === project) found = phone.name;
    }
    if (found === undefined) return undefined;
    this.#noteUse(found);
    // The least that there is: of the memory it opens nothing.
    return { name: found, scope: "metrics" };
  }

  #all() {
    return listFolder(this.#folder).flatMap((file) => {
      const name = /^(.+)\.json$/.exec(file)?.[1];
      if (name === undefined || this.#removeIfOver(name)) return [];
      const record = this.#read(name);
      return record === undefined ? [] : [record];
    });
  }

  #read(name: string) {
    try {
      const { data } = kept.safeParse(JSON.parse(readFileSync(this.#file(name), "utf8")));
      if (data?.name !== name) return undefined;
      return { ...data, used_at: toTimestamp(statSync(this.#file(name)).mtime) };
    } catch {
      // Being written just now, revoked just now, or not a file of cairn's: nobody is let in by it.
      return undefined;
    }
  }

  #removeIfOver(name: string): boolean {
    const record = this.#read(name);
    if (record === undefined || Date.parse(record.expires_at) > this.#clock.now().getTime()) {
      return false;
    }
    rmSync(this.#file(name), { force: true });
    return true;
  }

  #noteUse(name: string): void {
    const now = this.#clock.now();
    const before = this.#noted.get(name);
    if (before !== undefined && now.getTime() - before < NOTED_MS) return;
    this.#noted.set(name, now.getTime());
    try {
      utimesSync(this.#file(name), now, now);
    } catch (error) {
      // Revoked this moment.
      if (!isMissingFile(error)) throw error;
    }
  }

  #file(name: string): string {
    return join(this.#folder, `${name}.json`);
  }
}

export function requirePhoneName(name: string): void {
  if (NAME.test(name)) return;
  throw invalidInput(
    "name: must be 1 to 40 small letters, digits and hyphens, and begin with a letter or digit",
  );
}
