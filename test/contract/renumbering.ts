import type { Input } from "./surface.ts";

/** Number of ids of each kind, and of events, that were assigned before. */
export type Given = Readonly<Record<string, number>>;

const ID = /\b([a-z]+):([1-9]\d*)\b/g;
/** Event positions, which are plain numbers. */
const POSITIONS: ReadonlySet<string> = new Set([
  "seq",
  "first_seq",
  "last_seq",
  "since_seq",
  "next_since_seq",
  "next_before_seq",
  "version",
]);

/** Maps the ids of a memory with removed records to those of a new memory, and back. */
export class Renumbering {
  readonly #given: Given;

  constructor(input: Given) {
    this.#given = input;
  }

  asNew<T>(value: T): T {
    return this.#moved(value, -1);
  }

  asHere(input: Input): Input {
    return this.#moved(input, 1);
  }

  #moved<T>(value: T, by: 1 | -1): T {
    return JSON.parse(JSON.stringify(value), (key, inner: unknown) => {
      // 0 means the start of the feed.
      if (typeof inner === "number" && inner > 0 && POSITIONS.has(key)) {
        return inner + by * (this.#given.event ?? 0);
      }
      return typeof inner === "string" ? this.#textMoved(inner, by) : inner;
    });
  }

  #textMoved(text: string, by: 1 | -1): string {
    return text.replaceAll(ID, (whole, kind: string, number: string) => {
      const given = this.#given[kind];
      return given === undefined ? whole : `${kind}:${Number(number) + by * given}`;
    });
  }
}
