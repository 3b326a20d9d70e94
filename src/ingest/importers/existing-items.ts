import { invalidInput } from "../../shared/errors.ts";

export interface KnownEpisode {
  /** Id in the database, or `$name` of an op that is not applied yet. */
  readonly ref: string;
  readonly factRef: string | undefined;
  /** Hash of the imported text; undefined if unknown. */
  readonly hash: string | undefined;
  readonly deleted: boolean;
  readonly superseded: boolean;
  readonly supersededBy?: string;
}

/** A conflict that this import opened. */
export interface KnownConflict {
  readonly ref: string;
  readonly facts: readonly [string, string];
}

export interface MadeItem {
  readonly id: string;
  readonly factId: string | undefined;
}

export class KnownItems {
  readonly #episodes = new Map<string, KnownEpisode>();
  readonly #concepts = new Map<string, string>();
  readonly #titles = new Map<string, string>();
  readonly #topics = new Map<string, string>();
  readonly #topicNames = new Map<string, string>();
  readonly #conflicts = new Set<string>();
  readonly #opened = new Map<string, KnownConflict>();
  /** Episodes in the database with their own plan, links or priority. */
  readonly #tasks = new Set<string>();
  readonly #edges = new Set<string>();
  readonly #storedConcepts = new Set<string>();
  #steps: { readonly id: string; readonly back: () => unknown }[] = [];

  episode(id: string): KnownEpisode | undefined {
    return this.#episodes.get(id);
  }

  addEpisode(id: string, { ref, hash, isFact }: { ref: string; hash: string; isFact: boolean }) {
    const factRef = isFact ? ref : undefined;
    this.#set(this.#episodes, id, { ref, factRef, hash, deleted: false, superseded: false });
  }

  addStoredEpisode(id: string, episode: KnownEpisode): void {
    this.#episodes.set(id, episode);
  }

  changeText(id: string, hash: string): void {
    this.#change(id, { hash });
  }

  supersede(id: string, by: string): void {
    this.#change(id, { superseded: true, supersededBy: by });
  }

  addStoredTask(ref: string): void {
    this.#tasks.add(ref);
  }

  isTask(ref: string): boolean {
    return this.#tasks.has(ref);
  }

  addConcept(id: string, ref: string): void {
    this.#set(this.#concepts, id, ref);
  }

  addStoredConcept(title: string, ref: string): void {
    this.#titles.set(title, ref);
    this.#storedConcepts.add(ref);
  }

  conceptTitled(title: string): string | undefined {
    return this.#titles.get(title);
  }

  topic(id: string): string | undefined {
    return this.#topics.get(id);
  }

  topicNamed(name: string): string | undefined {
    return this.#topicNames.get(name.toLowerCase());
  }

  addStoredTopic(name: string, id: string): void {
    this.#topicNames.set(name.toLowerCase(), id);
  }

  addTopic(id: string, ref: string): void {
    this.#set(this.#topics, id, ref);
  }

  addEdge(from: string, type: string, to: string): void {
    this.#edges.add(edgeKey(from, type, to));
  }

  hasEdge(from: string, type: string, to: string): boolean {
    return this.#edges.has(edgeKey(from, type, to));
  }

  /** True if an earlier import linked the episode as evidence. */
  hasEvidence(concept: string, episode: string): boolean {
    return this.#storedConcepts.has(concept) && !episode.startsWith("$");
  }

  addConflict(factA: string, factB: string): void {
    this.#conflicts.add(pairKey(factA, factB));
  }

  hasConflict(factA: string, factB: string): boolean {
    return this.#conflicts.has(pairKey(factA, factB));
  }

  addOpened(id: string, conflict: KnownConflict): void {
    this.#set(this.#opened, id, conflict);
  }

  opened(id: string): KnownConflict | undefined {
    return this.#opened.get(id);
  }

  requireEpisode(id: string): KnownEpisode {
    return requireItem(this.#episodes.get(id), "an episode", id);
  }

  requireConcept(id: string): string {
    return requireItem(this.#concepts.get(id), "a concept", id);
  }

  requireFact(id: string): KnownEpisode & { readonly factRef: string } {
    const episode = this.requireEpisode(id);
    return { ...episode, factRef: requireItem(episode.factRef, "a fact", id) };
  }

  settle(ids: ReadonlyMap<string, MadeItem>): void {
    const steps = this.#steps;
    this.#steps = [];
    for (const id of new Set(steps.flatMap((step) => step.id))) {
      const episode = this.#episodes.get(id);
      const episodeId = episode && ids.get(episode.ref);
      if (episode && episodeId) {
        this.#episodes.set(id, { ...episode, ref: episodeId.id, factRef: episodeId.factId });
      }
      const conflict = this.#opened.get(id);
      const conflictId = conflict && ids.get(conflict.ref);
      if (conflict && conflictId) this.#opened.set(id, { ...conflict, ref: conflictId.id });
      for (const refs of [this.#concepts, this.#topics]) {
        const item = ids.get(refs.get(id) ?? "");
        if (item !== undefined) refs.set(id, item.id);
      }
    }
  }

  /** Discards everything recorded since the last commit, after ops failed to apply. */
  rollBack(): void {
    for (const { back } of this.#steps.reverse()) back();
    this.#steps = [];
  }

  #set<T>(items: Map<string, T>, id: string, item: T): void {
    const before = items.get(id);
    items.set(id, item);
    this.#steps.push({
      id,
      back: () => (before === undefined ? items.delete(id) : items.set(id, before)),
    });
  }

  #change(id: string, change: Partial<KnownEpisode>): void {
    const episode = this.#episodes.get(id);
    if (episode !== undefined) this.#set(this.#episodes, id, { ...episode, ...change });
  }
}

function pairKey(factA: string, factB: string): string {
  return [factA, factB].sort().join(" ");
}

function edgeKey(from: string, type: string, to: string): string {
  return JSON.stringify([from.toLowerCase(), type, to.toLowerCase()]);
}

function requireItem<T>(found: T | undefined, noun: string, id: string): T {
  if (found !== undefined) return found;
  throw invalidInput(`refers to ${noun} "${id}" that is not in the source or was skipped`);
}
