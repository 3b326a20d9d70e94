import type { EventRecord, FactRecord, OutputOf } from "../../memory/index.ts";

type KeyOf<Union> = Union extends unknown ? keyof Union : never;
type ValueOf<Union, Key> = Union extends unknown
  ? Key extends keyof Union
    ? Union[Key]
    : never
  : never;

/**
 * Common type of a record across operations: lists have fewer fields, searches more. All return the
 * `Certain` fields.
 */
type Shown<Union, Certain extends KeyOf<Union>> = {
  readonly [Key in KeyOf<Union>]?: ValueOf<Union, Key> | undefined;
} & { readonly [Key in Certain]: ValueOf<Union, Key> };

type Recall = OutputOf<"recall">;
type Inspected = OutputOf<"inspect">;
type Remembered = OutputOf<"remember">;

export type ShownRecall = Recall;
/** The command adds an episode timeline. */
export type ShownStats = OutputOf<"stats"> & { readonly timeline?: OutputOf<"timeline"> };
export type ShownApplied = OutputOf<"apply">;
export type ShownRemembered = Remembered;
/** Facts that may contradict a new one; `apply` returns them per op. */
export type ShownCollisions = Pick<Remembered, "fact_id" | "collisions" | "collisions_total">;
export type ShownEvent = EventRecord;
export type ShownProposal = OutputOf<"list_proposals">["proposals"][number];
export type ShownConflict = OutputOf<"list_conflicts">["conflicts"][number];

export type ShownEpisode = Shown<
  OutputOf<"get_episode"> | Recall["episodes"][number],
  "id" | "content" | "episode_type"
>;

export type ShownConcept = Shown<
  OutputOf<"get_concept"> | Recall["concepts"][number] | Inspected,
  "id" | "title" | "confidence"
>;

/** Collisions are facts with fewer fields. */
export type ShownFact = Shown<
  FactRecord | OutputOf<"get_fact"> | NonNullable<Remembered["collisions"]>[number],
  "id" | "statement" | "valid_from"
>;

export type ShownItem = OutputOf<"items">["items"][number];
export type ShownEntity = OutputOf<"list_entities">["entities"][number];
export type ShownTopic = OutputOf<"list_topics">["topics"][number];
export type ShownLabelCount = OutputOf<"list_labels">["labels"][number];
export type ShownEdge = Shown<
  OutputOf<"graph">["edges"][number] | OutputOf<"entity_graph">["edges"][number],
  "source" | "target" | "strength"
>;
