/** How long a layer waits for the others; milliseconds. */
const PATIENCE_MS = 250;

/** What one search asks of those that answer the same question in other layers. */
export interface Together {
  /** Name of the layer that this search is of; "" where it is no part of another. */
  readonly layer: string;
  /**
   * What all layers tell of something, this one's included, once those that are waited for have told. A search
   * asks for everything by name and in every case, also where it has nothing to tell.
   */
  gather<Told>(what: string, told: Told): Promise<readonly Told[]>;
}

/** A search that is no part of another. */
export const ALONE: Together = {
  layer: "",
  gather: async (_what, told) => [told],
};

interface Meeting {
  readonly told: Map<string, unknown>;
  isOver: boolean;
  readonly waiting: Set<() => void>;
}

/**
 * What the layers of one recall tell each other, so that all of them measure by one scale: how good the best match of
 * all is, and which items are strongest. It is told in the process that asks all of them, and to nobody else.
 */
export class SharedSearch {
  readonly #layers: readonly string[];
  /** Those that are not waited for any more. */
  readonly #left = new Set<string>();
  readonly #meetings = new Map<string, Meeting>();

  /** Names of the layers, each of which leaves in the end. */
  constructor(layers: readonly string[]) {
    this.#layers = layers;
  }

  /** The search as one of the layers does its part. */
  of(layer: string): Together {
    return { layer, gather: (what, told) => this.#gather(layer, what, told) };
  }

  /** A layer that has answered, or gives no answer, is not waited for. */
  leave(layer: string): void {
    this.#left.add(layer);
    for (const meeting of this.#meetings.values()) this.#settle(meeting);
  }

  async #gather<Told>(layer: string, what: string, told: Told): Promise<readonly Told[]> {
    const meeting: Meeting = this.#meetings.get(what) ?? {
      told: new Map(),
      isOver: false,
      waiting: new Set(),
    };
    this.#meetings.set(what, meeting);
    const isOver = meeting.isOver;
    if (!isOver) meeting.told.set(layer, told);
    this.#settle(meeting);
    if (!meeting.isOver) await this.#end(meeting);
    // Every one of them told the same kind of thing.
    const all = [...meeting.told.values()] as Told[];
    // Whoever comes late finds what the others told each other.
    return isOver && !meeting.told.has(layer) ? [...all, told] : all;
  }

  #settle(meeting: Meeting): void {
    const isWaitedFor = (layer: string) => !meeting.told.has(layer) && !this.#left.has(layer);
    if (meeting.isOver || this.#layers.some(isWaitedFor)) return;
    meeting.isOver = true;
    for (const go of meeting.waiting) go();
  }

  /** Ends when all have told, or after a while; who has told nothing by then is not waited for again. */
  #end(meeting: Meeting): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        for (const layer of this.#layers) if (!meeting.told.has(layer)) this.leave(layer);
      }, PATIENCE_MS);
      meeting.waiting.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
