import { randomBytes } from "node:crypto";
import { CairnError } from "../shared/errors.ts";

const LINK_TTL_MS = 10 * 60_000;
/** Maximum pending links; the oldest is dropped. */
const MAX_LINKS = 20;

export interface LinkMessages {
  readonly refusal: string;
  readonly warning: string;
}

/** Single-use, short-lived secrets with a payload. */
export class OneTimeLinks<For> {
  readonly #waiting = new Map<string, { readonly until: number; readonly for: For }>();
  readonly #used = new Set<string>();
  readonly #words: LinkMessages;
  readonly #warn: (message: string) => void;
  readonly #now: () => number;

  constructor(words: LinkMessages, warn: (message: string) => void, now: () => number = Date.now) {
    this.#words = words;
    this.#warn = warn;
    this.#now = now;
  }

  make(payload: For): { readonly link: string; readonly until: Date } {
    const link = randomBytes(24).toString("base64url");
    const until = this.#now() + LINK_TTL_MS;
    this.#waiting.set(link, { until, for: payload });
    for (const oldest of this.#waiting.keys()) {
      if (this.#waiting.size <= MAX_LINKS) break;
      this.#waiting.delete(oldest);
    }
    return { link, until: new Date(until) };
  }

  /** Throws unauthorized if the link is used, expired or unknown. */
  use(link: string): For {
    const waiting = this.#waiting.get(link);
    this.#waiting.delete(link);
    if (waiting !== undefined && waiting.until >= this.#now()) {
      this.#used.add(link);
      return waiting.for;
    }
    if (this.#used.has(link)) this.#warn(this.#words.warning);
    throw new CairnError("unauthorized", this.#words.refusal);
  }
}
