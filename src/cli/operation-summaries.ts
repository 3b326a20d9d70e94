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
    name: "list recalls",
    summary:
      "List what sessions were given when they recalled: question, items, and what had no room",
    group: "Inspection",
  },
  {
    name: "snapshot",
    summary: "Read several parts of memory at one moment",
    group: "Memory",
    shelf: "everyday",
  },
  {
    name: "list items",
    summary: "List what is stored: episodes, facts, concepts and entities, filtered and counted",
    group: "Inspection",
  },
  {
    name: "list mistakes",
    summary:
      "List what was done wrong, what was wanted instead, and how often it was avoided since",
    group: "Inspection",
  },
  {
    name: "list pending",
    summary: "Pending episodes in batches that belong together, the oldest first",
    group: "Inspection",
  },
  {
    name: "undo",
    summary: "Undo a change, a range of changes, or your last change",
    group: "Corrections",
    shelf: "everyday",
  },
  {
    name: "redo",
    summary: "Redo an undone change: the named one, or your last undo",
    group: "Corrections",
  },
  {
    name: "list conflicts",
    summary: "List conflicts with both facts, newest first",
    group: "Inspection",
  },
  {
    name: "conflict",
    summary: "Mark two active facts, decisions or preferences as conflicting",
    group: "Corrections",
  },
  {
    name: "resolve",
    summary: "Resolve a conflict: one fact wins, the other becomes history",
    group: "Corrections",
    shelf: "everyday",
  },
  {
    name: "dismiss",
    summary: "Dismiss a conflict: both facts stay active",
    group: "Corrections",
  },
  {
    name: "list proposals",
    summary: "List what may be worth keeping and waits for a person, said last first",
    group: "Inspection",
  },
  {
    name: "propose",
    summary: "Propose a memory for review; it is stored once accepted",
    group: "Corrections",
  },
  {
    name: "accept",
    summary: "Accept a proposal: store it as memory",
    group: "Corrections",
  },
  {
    name: "reject",
    summary: "Reject a proposal; it is not proposed again",
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
    name: "stats",
    summary: "Counts of episodes, concepts, facts and conflicts, and how far consolidation is",
    group: "Inspection",
    shelf: "everyday",
  },
  {
    name: "list types",
    summary: "List the built-in and the custom episode types",
    group: "Inspection",
  },
  {
    name: "list entities",
    summary: "List entities with their mentions, most mentioned first",
    group: "Inspection",
  },
  {
    name: "list episodes",
    summary: "List episodes, newest first",
    group: "Inspection",
  },
  {
    name: "episode update",
    summary: "Change fields of an episode; only those given",
    group: "Corrections",
  },
  {
    name: "processed",
    summary: "Mark episodes as reviewed",
    group: "Corrections",
  },
  {
    name: "list concepts",
    summary: "List concepts, newest first",
    group: "Inspection",
  },
  {
    name: "concept create",
    summary: "Generalize episodes into a concept",
    group: "Corrections",
  },
  {
    name: "concept update",
    summary: "Change fields of a concept; only those given",
    group: "Corrections",
  },
  {
    name: "concept link",
    summary: "Relate one concept to another",
    group: "Corrections",
  },
  {
    name: "concept evidence",
    summary: "Link an episode to a concept as evidence; replaces an earlier link",
    group: "Corrections",
  },
  {
    name: "concept unlink",
    summary: "Remove the evidence link between a concept and an episode",
    group: "Corrections",
  },
  {
    name: "concept reshape",
    summary: "Change the type of a concept",
    group: "Corrections",
  },
  {
    name: "concept merge",
    summary: "Merge overlapping concepts into one; the sources are soft-deleted with their lineage",
    group: "Corrections",
  },
  {
    name: "concept split",
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
    name: "list deleted",
    summary: "List soft-deleted episodes and concepts, last deleted first",
    group: "Inspection",
  },
  {
    name: "list imported",
    summary: "List what an import has brought in, by the ids that it had in its source",
    group: "Inspection",
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
    name: "list labels",
    summary: "List the labels in use with counts, most used first",
    group: "Inspection",
  },
  {
    name: "entity relate",
    summary: "Relate two entities; creates those that do not exist",
    group: "Corrections",
  },
  {
    name: "topic create",
    summary: "Create a topic for episodes and concepts",
    group: "Corrections",
  },
  {
    name: "topic update",
    summary: "Change the description of a topic",
    group: "Corrections",
  },
  {
    name: "topic delete",
    summary: "Delete a topic that no episode or concept uses",
    group: "Corrections",
  },
  {
    name: "topic set",
    summary: "Set the topic of an episode or a concept; empty removes it",
    group: "Corrections",
  },
  {
    name: "list topics",
    summary: "List topics by name",
    group: "Inspection",
  },
  {
    name: "list sources",
    summary: "List what is kept of sessions, histories and files, the one read last first",
    group: "Inspection",
  },
];
