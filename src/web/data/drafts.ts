import { type Signal, signal } from "@preact/signals";
import { KeptTexts } from "./kept-texts.ts";

export type Texts = Readonly<Record<string, string>>;

/** What somebody was writing about an item, and the version of the item that they saw. */
export interface Draft {
  readonly version: number;
  readonly initial: Texts;
  readonly texts: Texts;
}

export interface DraftPlace {
  readonly db: string;
  readonly id: string;
}

/** Texts that were not saved yet. They are kept until they are saved or thrown away. */
export class Drafts {
  /** Places that have one, so that lists can mark them. */
  readonly places: Signal<ReadonlySet<string>>;
  readonly #kept = new KeptTexts("cairn-draft");

  constructor() {
    this.places = signal(this.#kept.places());
    // Another tab wrote one, or saved it.
    window.addEventListener("storage", () => this.#renew());
  }

  has(place: DraftPlace): boolean {
    return this.places.value.has(keyOf(place));
  }

  find(place: DraftPlace): Draft | undefined {
    const text = this.#kept.find(keyOf(place));
    return text === undefined ? undefined : parseDraft(text);
  }

  keep(place: DraftPlace, draft: Draft): void {
    this.#kept.keep(keyOf(place), JSON.stringify(draft));
    this.#renew();
  }

  drop(place: DraftPlace): void {
    this.#kept.drop(keyOf(place));
    this.#renew();
  }

  #renew(): void {
    const places = this.#kept.places();
    if ([...places].join("\n") !== [...this.places.peek()].join("\n")) this.places.value = places;
  }
}

function keyOf({ db, id }: DraftPlace): string {
  return `${db} ${id}`;
}

function parseDraft(text: string): Draft | undefined {
  try {
    const { version, initial, texts } = JSON.parse(text) as Partial<Draft>;
    if (version === undefined || initial === undefined || texts === undefined) return undefined;
    return { version, initial, texts };
  } catch {
    // Not what this page wrote: there is no draft.
    return undefined;
  }
}
