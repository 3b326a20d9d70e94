import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import { type PublishedModels, publishedModels } from "./published-models.ts";

/** Days after which a rejected field is retried. */
const REFUSED_DAYS = 30;
const DAY_MS = 86_400_000;

const note = z.strictObject({
  refused: z.record(z.string(), z.iso.datetime()).default({}),
  models: publishedModels.default({}),
  askedAt: z.iso.datetime().optional(),
  modelsAt: z.iso.datetime().optional(),
});

type Note = z.output<typeof note>;

const NO_NOTES: Note = { refused: {}, models: {} };

export class ServiceNotes {
  readonly #path: string | undefined;
  readonly #key: string;
  readonly #now: () => number;
  #stored: Note;

  constructor(path: string | undefined, key: string, now: () => number = Date.now) {
    this.#path = path;
    this.#key = key;
    this.#now = now;
    this.#stored = this.#all()[key] ?? NO_NOTES;
  }

  get isStored(): boolean {
    return this.#path !== undefined;
  }

  get models(): PublishedModels {
    return this.#stored.models;
  }

  get modelsAt(): string | undefined {
    return this.#stored.modelsAt;
  }

  get isOld(): boolean {
    const { askedAt } = this.#stored;
    return askedAt === undefined || this.#now() - Date.parse(askedAt) >= DAY_MS;
  }

  get refused(): readonly string[] {
    const since = this.#now() - REFUSED_DAYS * DAY_MS;
    return Object.entries(this.#stored.refused).flatMap(([field, at]) =>
      Date.parse(at) >= since ? [field] : [],
    );
  }

  noteRefused(fields: readonly string[]): void {
    const at = new Date(this.#now()).toISOString();
    const rejected = Object.fromEntries(fields.map((field) => [field, at]));
    this.#change((note) => ({ ...note, refused: { ...note.refused, ...rejected } }));
  }

  noteModels(models: PublishedModels | undefined): void {
    const at = new Date(this.#now()).toISOString();
    this.#change((note) => ({
      ...note,
      askedAt: at,
      ...(models !== undefined && { models, modelsAt: at }),
    }));
  }

  #change(change: (note: Note) => Note): void {
    const all = this.#all();
    this.#stored = change(all[this.#key] ?? this.#stored);
    if (this.#path === undefined) return;
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const text = `${JSON.stringify({ ...all, [this.#key]: this.#stored })}\n`;
    writeFileAtomic.sync(this.#path, text, { mode: 0o600 });
  }

  #all(): Readonly<Record<string, Note>> {
    if (this.#path === undefined) return {};
    try {
      const read = z
        .record(z.string(), note)
        .safeParse(JSON.parse(readFileSync(this.#path, "utf8")));
      return read.success ? read.data : {};
    } catch {
      return {};
    }
  }
}
