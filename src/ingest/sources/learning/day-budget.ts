import { readFileSync } from "node:fs";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { makeFolder } from "../../../shared/files.ts";
import { isPlainObject, parseJson } from "../../../shared/json.ts";

/** Average characters per token; lower in scripts without spaces. */
const CHARACTERS_PER_TOKEN = 3;

/** Limits the model tokens that learning uses per day, across all runs on this machine. */
export class DayBudget {
  readonly #file: string;
  readonly #tokens: number;
  readonly #day: string;

  constructor(dataDir: string, { tokens, now }: { readonly tokens: number; readonly now: Date }) {
    makeFolder(dataDir);
    this.#file = join(dataDir, "learning-spent.json");
    this.#tokens = tokens;
    this.#day = now.toISOString().slice(0, 10);
  }

  /** Spends the amount if the budget allows it, and returns whether it did. */
  readonly maySpend = (characters: number): boolean => {
    const spent = this.#spent() + Math.ceil(characters / CHARACTERS_PER_TOKEN);
    if (spent > this.#tokens) return false;
    writeFileAtomic.sync(this.#file, JSON.stringify({ day: this.#day, tokens: spent }), {
      mode: 0o600,
    });
    return true;
  };

  /** An unreadable file counts as nothing spent today. */
  #spent(): number {
    try {
      const value = parseJson(readFileSync(this.#file, "utf8"));
      const isToday = isPlainObject(value) && value.day === this.#day;
      return isToday && typeof value.tokens === "number" ? value.tokens : 0;
    } catch {
      return 0;
    }
  }
}
