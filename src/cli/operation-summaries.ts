// Made by `npm run docs` from the operations; a test compares the two.
import type { CommandSummary } from "./cli-command.ts";

/** Commands that are made from operations: what the help says of them, without loading them. */
export const OPERATION_SUMMARIES: readonly CommandSummary[] = [
  {
    name: "remember",
    summary: "Store an episode: something experienced, decided, asked or known",
    group: "Memory",
    aliases: ["add"],
    shelf: "start",
  },
  {
    name: "recall",
    summary: "Find what memory holds about a question, ranked by activation",
    group: "Memory",
    aliases: ["search"],
    shelf: "start",
  },
  {
    name: "why-not",
    summary: "Why recall does or does not return an item: words, similarity, rank, what is needed",
    group: "Inspection",
  },
  {
    name: "recalls",
    summary:
      "List what sessions were given when they recalled: question, items, and what had no room",
    group: "Inspection",
    noun: "recalls",
  },
  {
    name: "recall-use",
    summary:
      "Say in how many answers items were, which are never found, always cut off, or contradicted",
    group: "Inspection",
  },
  {
    name: "snapshot",
    summary: "Read several parts of memory at one moment",
    group: "Memory",
  },
  {
    name: "items",
    summary: "List what is stored: episodes, facts, concepts and entities, filtered and counted",
    group: "Inspection",
  },
  {
    name: "timeline",
    summary: "How many items happened in each day, week, month or year, by type or author",
    group: "Inspection",
  },
  {
    name: "mistakes",
    summary:
      "List what was done wrong, what was wanted instead, and how often it was avoided since",
    group: "Inspection",
    noun: "mistakes",
  },
  {
    name: "suggest",
    summary: "Known values that begin with a prefix: ids, entities, labels, topics, authors",
    group: "Inspection",
  },
  {
    name: "pending-batches",
    summary: "Pending episodes in batches that belong together, the oldest first",
    group: "Inspection",
  },
  {
    name: "history",
    summary: "What happened to one item, newest first, with what each step changed",
    group: "Inspection",
    hidden: true,
  },
  {
    name: "changes",
    summary: "List the changes, newest first: who wrote what, when, and what was undone",
    group: "Inspection",
    hidden: true,
    noun: "changes",
  },
  {
    name: "recap",
    summary: "Say what was learned, changed, contradicted and forgotten in a time, by author",
    group: "Inspection",
  },
  {
    name: "undo",
    summary: "Take back a change, a range of changes, or the last one of yours",
    group: "Corrections",
    shelf: "everyday",
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
    shelf: "everyday",
    noun: "conflicts",
  },
  {
    name: "conflict",
    summary: "Say that two facts, decisions or preferences that hold contradict each other",
    group: "Corrections",
  },
  {
    name: "resolve",
    summary: "Settle a conflict: one fact wins, the other becomes history",
    group: "Corrections",
    shelf: "everyday",
  },
  {
    name: "dismiss",
    summary: "Close a conflict that is none: both facts stay active",
    group: "Corrections",
  },
  {
    name: "close-replaced",
    summary: "Let facts that an older version replaced end when their successors began",
    group: "Corrections",
  },
  {
    name: "proposals",
    summary: "List what may be worth keeping and waits for a person, said last first",
    group: "Inspection",
    aliases: ["inbox"],
    shelf: "everyday",
    noun: "proposals",
  },
  {
    name: "propose",
    summary: "Put something to a person that may be worth keeping; it is not memory until accepted",
    group: "Corrections",
  },
  {
    name: "accept",
    summary: "Keep what was proposed",
    group: "Corrections",
  },
  {
    name: "reject",
    summary: "Do not keep what was proposed, and do not ask again",
    group: "Corrections",
  },
  {
    name: "promote",
    summary: "Copy an episode or a fact to an outer layer, such as the team's",
    group: "Corrections",
  },
  {
    name: "supersede",
    summary:
      "Replace an old fact, decision or preference by a new one; the old one becomes history",
    group: "Corrections",
  },
  {
    name: "tidy",
    summary:
      "Merge what says the same, gather what was decided about one thing, name what may be the same",
    group: "Corrections",
  },
  {
    name: "inspect",
    summary: "List concepts, show one, or list episodes of a date range",
    group: "Inspection",
    hidden: true,
  },
  {
    name: "stats",
    summary: "Counts of episodes, concepts, facts and conflicts, and how far consolidation is",
    group: "Inspection",
    shelf: "everyday",
  },
  {
    name: "episode-types",
    summary: "List the built-in and the custom episode types",
    group: "Inspection",
    hidden: true,
    noun: "types",
  },
  {
    name: "entities",
    summary: "List entities with their mentions, most mentioned first",
    group: "Inspection",
    hidden: true,
    noun: "entities",
  },
  {
    name: "entity",
    summary: "Show an entity with its newest episodes, fact clusters and relations",
    group: "Inspection",
    hidden: true,
  },
  {
    name: "episodes",
    summary: "List episodes, newest first",
    group: "Inspection",
    hidden: true,
    noun: "episodes",
  },
  {
    name: "episode",
    summary: "Show an episode",
    group: "Inspection",
    hidden: true,
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
    hidden: true,
    noun: "concepts",
  },
  {
    name: "concept-show",
    summary: "Show a concept with its episodes, evidence, lineage and facts",
    group: "Inspection",
    hidden: true,
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
    summary:
      "Soft-delete an episode, a concept, or a source with its passages; `restore` brings it back",
    group: "Corrections",
    aliases: ["rm"],
    shelf: "everyday",
  },
  {
    name: "restore",
    summary: "Bring back a soft-deleted episode, concept or source",
    group: "Corrections",
  },
  {
    name: "change-matching",
    summary:
      "Review, delete, label or file all episodes and concepts that pass filters, in one change",
    group: "Corrections",
    hidden: true,
  },
  {
    name: "deleted",
    summary: "List soft-deleted episodes and concepts, last deleted first",
    group: "Inspection",
    hidden: true,
    noun: "deleted",
  },
  {
    name: "imported",
    summary: "List what an import has brought in, by the ids that it had in its source",
    group: "Inspection",
    hidden: true,
    noun: "imported",
  },
  {
    name: "label",
    summary: "Add a key=value label to an episode or a concept",
    group: "Corrections",
    shelf: "everyday",
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
    hidden: true,
    noun: "labels",
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
    hidden: true,
  },
  {
    name: "entity-concepts",
    summary: "List the concepts derived from an entity's episodes, newest first",
    group: "Inspection",
    hidden: true,
  },
  {
    name: "entity-facts",
    summary: "List the facts about an entity in the order in which they held",
    group: "Inspection",
  },
  {
    name: "fact",
    summary: "Show a fact with the others of its cluster, in the order in which they held",
    group: "Inspection",
  },
  {
    name: "cluster-timeline",
    summary: "Show what a fact cluster held over time, with its conflicts",
    group: "Inspection",
  },
  {
    name: "concept-graph",
    summary: "The whole concept graph: nodes and typed edges",
    group: "Inspection",
    hidden: true,
  },
  {
    name: "graph-neighbourhood",
    summary: "The concepts, episodes and entities around one of them, with the edges between them",
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
    hidden: true,
    noun: "topics",
  },
  {
    name: "topic",
    summary: "Show a topic with its strongest concepts and newest episodes",
    group: "Inspection",
    hidden: true,
  },
  {
    name: "sources",
    summary: "List what is kept of sessions, histories and files, the one read last first",
    group: "Inspection",
    noun: "sources",
  },
  {
    name: "source",
    summary: "Show a source with its passages in the order in which they were said",
    group: "Inspection",
    hidden: true,
  },
  {
    name: "passage",
    summary: "Show a passage: a turn, a commit or a section of a source",
    group: "Inspection",
    hidden: true,
  },
  {
    name: "file-passages",
    summary: "Show how sessions and histories settled what is about a file",
    group: "Inspection",
  },
];
