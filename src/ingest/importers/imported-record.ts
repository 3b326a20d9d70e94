import type { EpisodeRecord } from "../../memory/index.ts";
import type { JsonObject } from "../../shared/json.ts";
import type { ImportInput } from "./import-input.ts";

export interface ImportedEpisode {
  readonly kind: "episode";
  /** Id in the source; each record is imported once. */
  readonly id: string;
  readonly content: string;
  readonly type?: string;
  readonly entities?: readonly string[];
  readonly labels?: readonly ImportedLabel[];
  readonly metadata?: JsonObject;
  readonly assertedBy?: string;
  /** Link or path of the original; defaults to the id. */
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

/** Requires its sources and relation targets to precede it. */
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

/** A task's plan, specs and dependencies; their episodes precede it. */
export interface ImportedTask {
  readonly kind: "task";
  /** Episode id in the source, as in all fields below. */
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

/** A fact superseded another; both precede it as episodes of type `fact`. */
export interface ImportedSupersession {
  readonly kind: "supersession";
  readonly old: string;
  readonly new: string;
  readonly until?: string;
}

/** Two contradicting facts; both precede it as episodes of type `fact`. */
export interface ImportedConflict {
  readonly kind: "conflict";
  readonly id: string;
  readonly factA: string;
  readonly factB: string;
  readonly severity?: "low" | "medium" | "high";
  readonly description: string;
}

/** Resolution of an earlier conflict. */
export interface ImportedSettlement {
  readonly kind: "settlement";
  readonly conflict: string;
  /** Winning fact; if omitted, the conflict was dismissed and both facts stay active. */
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
  /** Position in the source: `line 12`, `memories[3]`, a path. */
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
  /** Imports statements about entities as facts, which are checked for contradictions. */
  readonly asFacts?: boolean;
  /** Also imports whole conversations, one episode each. */
  readonly conversations?: boolean;
  /** For sources without a fixed schema: maps episode fields to source fields. */
  readonly map?: Readonly<Record<string, string>>;
}

/**
 * Reads another tool's memories without accessing the database. Unmapped data goes into metadata;
 * unreadable data becomes a skipped record. Records refer only to earlier records.
 */
export interface Importer {
  readonly name: string;
  readonly summary: string;
  /** Detects the format from file names and leading bytes only. */
  recognizes(input: ImportInput): Promise<boolean>;
  /** Throws `invalid_input` if the source cannot be read at all. */
  read(input: ImportInput, options: ImportOptions): AsyncIterable<ImportedRecord>;
}
