// biome-ignore-all format: written by a program, one form a line
// Made by `npm run docs` from the operations; a test compares the two.
import type { OperationForm } from "../workbench/operation-form.ts";

export const FORM_NAMES: readonly OperationForm[] = [
  {"name":"remember","summary":"Store an episode: something experienced, decided, asked or known","fields":[{"name":"topic","kind":"text","names":"topic"}]},
  {"name":"purge","summary":"Remove the text of items for good; this cannot be undone","erases":true,"fields":[{"name":"ids","kind":"textList","names":"item"}]},
  {"name":"open_conflict","summary":"Mark two active facts, decisions or preferences as conflicting","fields":[{"name":"fact_a","kind":"text","names":"claim"},{"name":"fact_b","kind":"text","names":"claim"}]},
  {"name":"resolve_conflict","summary":"Resolve a conflict: one fact wins, the other becomes history","fields":[{"name":"conflict_id","kind":"text","names":"conflict"},{"name":"winning_fact_id","kind":"text","names":"fact"}]},
  {"name":"dismiss_conflict","summary":"Dismiss a conflict: both facts stay active","fields":[{"name":"conflict_id","kind":"text","names":"conflict"}]},
  {"name":"propose","summary":"Propose a memory for review; it is stored once accepted","fields":[{"name":"topic","kind":"text","names":"topic"}]},
  {"name":"promote","summary":"Copy an episode or a fact to an outer layer, such as the team's","fields":[{"name":"id","kind":"text","names":"claim"}]},
  {"name":"supersede","summary":"Replace an old fact, decision or preference by a new one; the old one becomes history","fields":[{"name":"old","kind":"text","names":"claim"},{"name":"new","kind":"text","names":"claim"}]},
  {"name":"update_episode","summary":"Change fields of an episode; only those given","fields":[{"name":"episode_id","kind":"text","names":"episode"},{"name":"plan_id","kind":"text","names":"episode"},{"name":"spec_ids","kind":"textList","names":"episode"},{"name":"depends_on","kind":"textList","names":"episode"}]},
  {"name":"create_concept","summary":"Generalize episodes into a concept","fields":[{"name":"from","kind":"textList","names":"episode"},{"name":"topic","kind":"text","names":"topic"}]},
  {"name":"update_concept","summary":"Change fields of a concept; only those given","fields":[{"name":"concept_id","kind":"text","names":"concept"}]},
  {"name":"link","summary":"Relate one concept to another","fields":[{"name":"from","kind":"text","names":"concept"},{"name":"to","kind":"text","names":"concept"}]},
  {"name":"evidence","summary":"Link an episode to a concept as evidence; replaces an earlier link","fields":[{"name":"concept","kind":"text","names":"concept"},{"name":"episode","kind":"text","names":"episode"}]},
  {"name":"unlink","summary":"Remove the evidence link between a concept and an episode","fields":[{"name":"concept","kind":"text","names":"concept"},{"name":"episode","kind":"text","names":"episode"}]},
  {"name":"reshape","summary":"Change the type of a concept","fields":[{"name":"id","kind":"text","names":"concept"}]},
  {"name":"merge","summary":"Merge overlapping concepts into one; the sources are soft-deleted with their lineage","fields":[{"name":"from","kind":"textList","names":"concept"},{"name":"into","kind":"text","names":"concept"}]},
  {"name":"split","summary":"Split a concept into several new ones; the source stays and names them in its lineage","fields":[{"name":"id","kind":"text","names":"concept"}]},
  {"name":"unlabel","summary":"Remove a label, or without a value every label of the key","fields":[{"name":"id","kind":"text","names":"item"}]},
  {"name":"entity_relation","summary":"Relate two entities; creates those that do not exist","fields":[{"name":"source","kind":"text","names":"entity"},{"name":"target","kind":"text","names":"entity"}]},
];
