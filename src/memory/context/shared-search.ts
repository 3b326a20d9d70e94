import type { MemoryKind } from "./indexed-kind.ts";

/** Items of a kind whose tokens are compared, in all layers together: about as many as one memory compares. */
const MOST_COMPARED = 300;
/** How long a layer waits for the others; milliseconds. */
const PATIENCE_MS = 250;

interface Meeting {
  readonly strengths: Map<string, readonly number[]>;
  /** The least strength that is among the best of all; undefined until it is known. */
  least: number | undefined;
  readonly waiting: Set<() => void>;
}

/**
 * What the layers of one recall agree upon: each of them has candidates, and the tokens of the best of all are
 * compared, wherever they stand. Nothing of the items is told but how well they match.
 */
export class SharedSearch {
  readonly #layers: readonly string[];
  readonly #left = new Set<string>();
  readonly #meetings: Record<MemoryKind, Meeting> = {
    episode: newMeeting(),
    concept: newMeeting(),
  };

  /** Names of the layers, each of which leaves in the end. */
  constructor(layers: readonly string[]) {
    this.#layers = layers;
  }

  /** How many layers are asked. */
  get count(): number {
    return this.#layers.length;
  }

  /** A layer that has answered, or gives no answer, is not waited for. */
  leave(layer: string): void {
    this.#left.add(layer);
    for (const meeting of Object.values(this.#meetings)) this.#settle(meeting);
  }

  /**
   * The least strength that an item of this layer needs for its tokens to be compared, once all layers have
   * said how strong theirs are; after a moment, those that have.
   */
  async leastOf(kind: MemoryKind, layer: string, strengths: readonly number[]): Promise<number> {
    const meeting = this.#meetings[kind];
    meeting.strengths.set(layer, strengths);
    this.#settle(meeting);
    if (meeting.least === undefined) await isOver(meeting);
    // Whoever comes late finds what the others agreed upon.
    meeting.least ??= leastOfBest(meeting);
    return meeting.least;
  }

  #settle(meeting: Meeting): void {
    const isWaitedFor = (layer: string) => !meeting.strengths.has(layer) && !this.#left.has(layer);
    if (meeting.least !== undefined || this.#layers.some(isWaitedFor)) return;
    meeting.least = leastOfBest(meeting);
    for (const go of meeting.waiting) go();
  }
}

function newMeeting(): Meeting {
  return { strengths: new Map(), least: undefined, waiting: new Set() };
}

function isOver({ waiting }: Meeting): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE_MS);
    waiting.add(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function leastOfBest({ strengths }: Meeting): number {
  const all = [...strengths.values()].flat().sort((a, b) => b - a);
  return all[MOST_COMPARED - 1] ?? 0;
}
