const TAB_KEY = "cairn-tab";
/** What nobody came back to for so long is forgotten; milliseconds. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

interface Kept {
  readonly at: number;
  readonly text: string;
}

/**
 * Texts that somebody is writing, kept in the browser until they are done: past a reload, a tab that was
 * closed, a browser that crashed. Each tab writes under a key of its own, so that two which write about the
 * same never overwrite each other; a tab that has none of its own goes on with the youngest of the others.
 */
export class KeptTexts {
  readonly #prefix: string;
  readonly #tab = tabId();
  /** Of which tab's text this one goes on, by place. */
  readonly #adopted = new Map<string, { readonly key: string; readonly stored: string }>();

  constructor(prefix: string) {
    this.#prefix = `${prefix} `;
    const now = Date.now();
    for (const { key, kept } of this.#all()) {
      if (kept === undefined || now - kept.at > KEPT_MS) localStorage.removeItem(key);
    }
  }

  find(place: string): string | undefined {
    const own = read(this.#keyOf(place));
    if (own !== undefined) return own.text;
    const others = this.#all().filter((one) => one.place === place && one.kept !== undefined);
    const [youngest] = others.sort((a, b) => (b.kept?.at ?? 0) - (a.kept?.at ?? 0));
    if (youngest?.kept === undefined) return undefined;
    const stored = localStorage.getItem(youngest.key) ?? "";
    this.#adopted.set(place, { key: youngest.key, stored });
    return youngest.kept.text;
  }

  keep(place: string, text: string): void {
    localStorage.setItem(
      this.#keyOf(place),
      JSON.stringify({ at: Date.now(), text } satisfies Kept),
    );
  }

  /** What another tab has written on since this one took it over stays that tab's. */
  drop(place: string): void {
    localStorage.removeItem(this.#keyOf(place));
    const from = this.#adopted.get(place);
    this.#adopted.delete(place);
    if (from !== undefined && localStorage.getItem(from.key) === from.stored) {
      localStorage.removeItem(from.key);
    }
  }

  /** Places of which some tab has one. */
  places(): ReadonlySet<string> {
    return new Set(this.#all().map(({ place }) => place));
  }

  #keyOf(place: string): string {
    return `${this.#prefix}${this.#tab} ${place}`;
  }

  #all() {
    return Object.keys(localStorage).flatMap((key) => {
      if (!key.startsWith(this.#prefix)) return [];
      const place = key.slice(this.#prefix.length).replace(/^\S+ /, "");
      return [{ key, place, kept: read(key) }];
    });
  }
}

function read(key: string): Kept | undefined {
  try {
    const { at, text } = JSON.parse(localStorage.getItem(key) ?? "null") as Kept;
    return typeof at === "number" && typeof text === "string" ? { at, text } : undefined;
  } catch {
    // Nothing, or not what this page wrote.
    return undefined;
  }
}

/** The same past a reload of the tab. */
function tabId(): string {
  const known = sessionStorage.getItem(TAB_KEY);
  if (known !== null) return known;
  const made = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  sessionStorage.setItem(TAB_KEY, made);
  return made;
}
