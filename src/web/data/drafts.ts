import { type Signal, signal } from "@preact/signals";

export type Texts = Readonly<Record<string, string>>;

/** Unsaved edits of an item, with the version of the item that they are based on. */
export interface Draft {
  readonly version: number;
  readonly initial: Texts;
  readonly texts: Texts;
}

export interface DraftPlace {
  readonly db: string;
  readonly id: string;
}

/** Unsaved edits of this tab. The browser asks before the tab is closed with any of them. */
export class Drafts {
  readonly #drafts: Signal<ReadonlyMap<string, Draft>> = signal(new Map());

  constructor() {
    window.addEventListener("beforeunload", (event) => {
      if (this.#drafts.peek().size > 0) event.preventDefault();
    });
  }

  has(place: DraftPlace): boolean {
    return this.#drafts.value.has(keyOf(place));
  }

  find(place: DraftPlace): Draft | undefined {
    return this.#drafts.peek().get(keyOf(place));
  }

  keep(place: DraftPlace, draft: Draft): void {
    this.#drafts.value = new Map(this.#drafts.peek()).set(keyOf(place), draft);
  }

  drop(place: DraftPlace): void {
    const drafts = new Map(this.#drafts.peek());
    if (drafts.delete(keyOf(place))) this.#drafts.value = drafts;
  }
}

function keyOf({ db, id }: DraftPlace): string {
  return `${db} ${id}`;
}
