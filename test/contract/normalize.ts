const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const CONCEPT_ID = /\bc[0-9a-hjkmnp-tv-z]{16}\b/g;

/** Makes the outputs of two runs comparable by replacing times and random ids. */
export class Normalizer {
  readonly #conceptIds = new Map<string, string>();

  normalize<T>(value: T): T {
    return JSON.parse(JSON.stringify(value), (key, inner: unknown) => {
      if (typeof inner !== "string") return inner;
      // Cursors contain a time and a number, but are opaque to callers.
      return key === "next_cursor" ? "<cursor>" : this.#plain(inner);
    });
  }

  #plain(text: string): string {
    return text.replaceAll(TIME, "<time>").replaceAll(CONCEPT_ID, (id) => this.#nameOf(id));
  }

  #nameOf(id: string): string {
    const name = this.#conceptIds.get(id) ?? `<concept ${this.#conceptIds.size + 1}>`;
    this.#conceptIds.set(id, name);
    return name;
  }
}
