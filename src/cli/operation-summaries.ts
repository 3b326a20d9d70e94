// Made by `npm run docs` from the operations; a test compares the two.
import type { CommandSummary } from "./cli-command.ts";

/** Commands that are made from operations: what the help says of them, without loading them. */
export const OPERATION_SUMMARIES: readonly CommandSummary[] = [
  {
    name: "remember",
    summary: "Store an episode: something experienced, decided, asked or known",
    group: "Memory",
  },
  {
    name: "recall",
    summary: "Find what memory holds about a question, ranked by activation",
    group: "Memory",
  },
  {
    name: "snapshot",
    summary: "Read several parts of memory at one moment",
    group: "Memory",
  },
  {
    name: "history",
    summary: "What happened to one item, newest first, with what each step changed",
    group: "Inspection",
  },
  {
    name: "changes",
    summary: "List the changes, newest first: who wrote what, when, and what was undone",
    group: "Inspection",
  },
  {
    name: "undo",
    summary: "Take back a change, a range of changes, or the last one of yours",
    group: "Corrections",
  },
  {
    name: "redo",
    summary: "Take back an undo: the last one of yours, or the one named",
    group: "Corrections",
  },
  {
    name: "conflicts",
    summary: "List conflicts with both facts, newest first",
    group: "Inspection",
  },
  {
    name: "conflict",
    summary: "Say that two active facts contradict each other",
    group: "Corrections",
  },
  {
    name: "resolve",
    summary: "Settle a conflict: one fact wins, the other becomes history",
    group: "Corrections",
  },
  {
    name: "dismiss",
    summary: "Close a conflict that is none: both facts stay active",
    group: "Corrections",
  },
  {
    name: "supersede",
    summary: "Replace an old fact by a new one; the old one becomes history",
    group: "Corrections",
  },
  {
    name: "inspect",
    summary: "List concepts, show one, or list episodes of a date range",
    group: "Inspection",
  },
  {
    name: "stats",
    summary: "Counts of episodes, concepts, facts and conflicts, and how far consolidation is",
    group: "Inspection",
  },
  {
    name: "episode-types",
    summary: "List the built-in and the custom episode types",
    group: "Inspection",
  },
  {
    name: "entities",
    summary: "List entities with their mentions, most mentioned first",
    group: "Inspection",
  },
  {
    name: "entity",
    summary: "Show an entity with its newest episodes, fact clusters and relations",
    group: "Inspection",
  },
  {
    name: "episodes",
    summary: "List episodes, newest first",
    group: "Inspection",
  },
  {
    name: "episode",
    summary: "Show an episode",
    group: "Inspection",
  },
  {
    name: "update-episode",
    summary: "Change fields of an episode; only those given",
    group: "Corrections",
  },
  {
    name: "processed",
    summary: "Mark episodes as reviewed",
    group: "Corrections",
  },
  {
    name: "concepts",
    summary: "List concepts, newest first",
    group: "Inspection",
  },
  {
    name: "concept-show",
    summary: "Show a concept with its episodes, evidence, lineage and facts",
    group: "Inspection",
  },
  {
    name: "concept",
    summary: "Generalize episodes into a concept",
    group: "Corrections",
  },
  {
    name: "update-concept",
    summary: "Change fields of a concept; only those given",
    group: "Corrections",
  },
  {
    name: "link",
    summary: "Relate one concept to another",
    group: "Corrections",
  },
  {
    name: "evidence",
    summary: "Say how an episode bears on a concept; the same pair again replaces it",
    group: "Corrections",
  },
  {
    name: "unlink",
    summary: "Remove the evidence link between a concept and an episode",
    group: "Corrections",
  },
  {
    name: "reshape",
    summary: "Change the type of a concept",
    group: "Corrections",
  },
  {
    name: "merge",
    summary: "Merge overlapping concepts into one; the sources are soft-deleted with their lineage",
    group: "Corrections",
  },
  {
    name: "split",
    summary:
      "Split a concept into several new ones; the source stays and names them in its lineage",
    group: "Corrections",
  },
  {
    name: "delete",
    summary: "Soft-delete an episode or a concept; `restore` brings it back",
    group: "Corrections",
  },
  {
    name: "restore",
    summary: "Bring back a soft-deleted episode or concept",
    group: "Corrections",
  },
  {
    name: "deleted",
    summary: "List soft-deleted episodes and concepts, last deleted first",
    group: "Inspection",
  },
  {
    name: "imported",
    summary: "List what an import has brought in, by the ids that it had in its source",
    group: "Inspection",
  },
  {
    name: "label",
    summary: "Add a key=value label to an episode or a concept",
    group: "Corrections",
  },
  {
    name: "unlabel",
    summary: "Remove a label, or without a value every label of the key",
    group: "Corrections",
  },
  {
    name: "labels",
    summary: "List the labels in use with counts, most used first",
    group: "Inspection",
  },
  {
    name: "entity-relation",
    summary: "Relate one entity to another; entities not yet known are made",
    group: "Corrections",
  },
  {
    name: "entity-episodes",
    summary: "List the episodes that mention an entity, newest first",
    group: "Inspection",
  },
  {
    name: "entity-concepts",
    summary: "List the concepts derived from an entity's episodes, newest first",
    group: "Inspection",
  },
  {
    name: "graph",
    summary: "The whole concept graph: nodes and typed edges",
    group: "Inspection",
  },
  {
    name: "entity-graph",
    summary: "The graph of entities and their typed relations",
    group: "Inspection",
  },
  {
    name: "topic-create",
    summary: "Create a topic for episodes and concepts",
    group: "Corrections",
  },
  {
    name: "topic-update",
    summary: "Change the description of a topic",
    group: "Corrections",
  },
  {
    name: "topic-delete",
    summary: "Delete a topic that no episode or concept uses",
    group: "Corrections",
  },
  {
    name: "set-topic",
    summary: "Give an episode or a concept a topic; empty text takes it away",
    group: "Corrections",
  },
  {
    name: "topics",
    summary: "List topics by name",
    group: "Inspection",
  },
  {
    name: "topic",
    summary: "Show a topic with its strongest concepts and newest episodes",
    group: "Inspection",
  },
];
