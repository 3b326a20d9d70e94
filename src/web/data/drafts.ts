import { type Signal, signal } from "@preact/signals";

export type Texts = Readonly<Record<string, string>>;

/** Unsaved edits of an item, with the version of the item that they are based on. */
export interface Draft {
  readonly version: number;
  readonly initial: Texts;
  readonly texts: Texts;
}

export interface DraftLocation {
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

  has(location: DraftLocation): boolean {
    return this.#drafts.value.has(getKey(location));
  }

  find(location: DraftLocation): Draft | undefined {
    return this.#drafts.peek().get(getKey(location));
  }

  keep(location: DraftLocation, draft: Draft): void {
    this.#drafts.value = new Map(this.#drafts.peek()).set(getKey(location), draft);
  }

  drop(location: DraftLocation): void {
    const drafts = new Map(this.#drafts.peek());
    if (drafts.delete(getKey(location))) this.#drafts.value = drafts;
  }
}

function getKey({ db, id }: DraftLocation): string {
  return `${db} ${id}`;
}
