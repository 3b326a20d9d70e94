import { readFileSync } from "node:fs";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { makeFolder } from "../../../shared/files.ts";
import { isPlainObject, parseJson } from "../../../shared/json.ts";

/** Average characters of a token; fewer in scripts without spaces between words. */
const CHARACTERS_A_TOKEN = 3;

/** Limits the tokens that learning may spend on a model in a day, over all runs on this machine. */
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

  /** True if so much is left. If so, it counts as spent from now on. */
  readonly maySpend = (characters: number): boolean => {
    const spent = this.#spent() + Math.ceil(characters / CHARACTERS_A_TOKEN);
    if (spent > this.#tokens) return false;
    writeFileAtomic.sync(this.#file, JSON.stringify({ day: this.#day, tokens: spent }), {
      mode: 0o600,
    });
    return true;
  };

  /** An unreadable file counts as from another day, so that nothing is spent yet. */
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
