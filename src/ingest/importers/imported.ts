import type { EpisodeRecord } from "../../memory/index.ts";
import type { JsonObject } from "../../shared/json.ts";
import type { ImportInput } from "./import-input.ts";

export interface ImportedEpisode {
  readonly kind: "episode";
  /** The record's id in the source; a record is imported only once. */
  readonly id: string;
  readonly content: string;
  readonly type?: string;
  readonly entities?: readonly string[];
  readonly labels?: readonly ImportedLabel[];
  readonly metadata?: JsonObject;
  readonly assertedBy?: string;
  /** Link to the original or its path; default: the id. */
  readonly sourceRef?: string;
  readonly session?: string;
  readonly occurredAt?: string;
  readonly topic?: string;
  readonly processed?: boolean;
  readonly deleted?: boolean;
}

export interface ImportedLabel {
  readonly key: string;
  readonly value: string;
}

/**
 * Generalized knowledge. Its sources and the targets of its relations come earlier in the source.
 */
export interface ImportedConcept {
  readonly kind: "concept";
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly type?: string;
  readonly confidence?: number;
  readonly tags?: readonly string[];
  readonly labels?: readonly ImportedLabel[];
  readonly from: readonly string[];
  readonly topic?: string;
  readonly deleted?: boolean;
}

/** The plan, specs and dependencies of a task; those episodes came earlier. */
export interface ImportedTask {
  readonly kind: "task";
  /** Ids of episodes in the source, here and below. */
  readonly episode: string;
  readonly plan?: string;
  readonly specs: readonly string[];
  readonly dependsOn: readonly string[];
  readonly priority?: NonNullable<EpisodeRecord["priority"]>;
}

export interface ImportedLink {
  readonly kind: "link";
  readonly from: string;
  readonly to: string;
  readonly type: string;
  readonly strength?: number;
}

export interface ImportedEntityRelation {
  readonly kind: "entity_relation";
  readonly source: string;
  readonly target: string;
  readonly relation: string;
  readonly strength?: number;
  readonly context?: string;
}

export interface ImportedEvidence {
  readonly kind: "evidence";
  readonly concept: string;
  readonly episode: string;
  readonly type: string;
  readonly strength?: number;
  readonly note?: string;
}

/** One fact superseded another; both came earlier, as episodes of type `fact`. */
export interface ImportedSupersession {
  readonly kind: "supersession";
  readonly old: string;
  readonly new: string;
  readonly until?: string;
}

/** Two facts contradict each other; both came earlier, as episodes of type `fact`. */
export interface ImportedConflict {
  readonly kind: "conflict";
  readonly id: string;
  readonly factA: string;
  readonly factB: string;
  readonly severity?: "low" | "medium" | "high";
  readonly description: string;
}

/** Somebody has decided a conflict that came before: one fact won, or there was none. */
export interface ImportedSettlement {
  readonly kind: "settlement";
  readonly conflict: string;
  /** The fact that won; left out: it was no conflict, and both facts stay. */
  readonly winner?: string;
  readonly note?: string;
  readonly by?: string;
  readonly until?: string;
}

export interface ImportedTopic {
  readonly kind: "topic";
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

export interface SkippedRecord {
  readonly kind: "skipped";
  /** Its position: `line 12`, `memories[3]`, a path. */
  readonly where: string;
  readonly reason: string;
}

export type ImportedRecord =
  | ImportedTopic
  | ImportedEpisode
  | ImportedTask
  | ImportedConcept
  | ImportedLink
  | ImportedEntityRelation
  | ImportedEvidence
  | ImportedSupersession
  | ImportedConflict
  | ImportedSettlement
  | SkippedRecord;

export interface ImportOptions {
  /** Turns statements about entities into facts, which are checked for contradictions. */
  readonly asFacts?: boolean;
  /** Imports whole conversations as well, one episode each. */
  readonly conversations?: boolean;
  /** For sources without a fixed schema: maps fields of an episode to names in the source. */
  readonly map?: Readonly<Record<string, string>>;
}

/**
 * Reads the memories of another tool. An importer invents nothing: what it cannot map goes into the
 * metadata, and what it cannot read becomes a skipped record. It does not touch the database.
 * Records refer only to earlier records.
 */
export interface Importer {
  readonly name: string;
  readonly summary: string;
  /** True if the input clearly is such a source, judged by file names and first bytes only. */
  recognizes(input: ImportInput): Promise<boolean>;
  /** Throws invalid_input if the source as a whole cannot be read. */
  read(input: ImportInput, options: ImportOptions): AsyncIterable<ImportedRecord>;
}
