import type { z } from "zod";
import type { Operation } from "./define-operation.ts";
import { changes } from "./read/changes.ts";
import { getConcept, listConcepts, listDeletedConcepts } from "./read/concepts.ts";
import { episodeTypes, getEpisode, listDeletedEpisodes, listEpisodes } from "./read/episodes.ts";
import { events } from "./read/events.ts";
import { clusterTimeline, entityFacts, getFact } from "./read/facts.ts";
import { filePassages } from "./read/file-passages.ts";
import { entityGraph, graph, graphNeighbourhood } from "./read/graph.ts";
import { history } from "./read/history.ts";
import { inspect, listDeleted } from "./read/inspect.ts";
import { entityConcepts, entityEpisodes, getEntity, inspectEntity } from "./read/inspect-entity.ts";
import { items, timeline } from "./read/items.ts";
import { listLabels, listTopics, topicOverview } from "./read/labels-and-topics.ts";
import { listConflicts } from "./read/list-conflicts.ts";
import { entities, listEntities } from "./read/list-entities.ts";
import { listImported } from "./read/list-imported.ts";
import { listProposals } from "./read/list-proposals.ts";
import { getPassage, getSource, listSources } from "./read/list-sources.ts";
import { mistakes } from "./read/mistakes.ts";
import { pendingBatchesOperation } from "./read/pending-batches.ts";
import { recallOperation } from "./read/recall.ts";
import { recallsOperation } from "./read/recalls.ts";
import { snapshot } from "./read/snapshot.ts";
import { stats } from "./read/stats.ts";
import { suggestOperation } from "./read/suggest.ts";
import { whyNotOperation } from "./read/why-not.ts";
import { apply } from "./write/apply.ts";
import { changeMatching } from "./write/change-matching.ts";
import { evidence, link, unlink } from "./write/concept-links.ts";
import { createConcept, reshape } from "./write/create-concept.ts";
import { acceptProposal, rejectProposal } from "./write/decide-proposal.ts";
import { deleteConcept, deleteEpisode, deleteItem, deleteTopic } from "./write/delete.ts";
import { entityRelation } from "./write/entity-relation.ts";
import { label, unlabel } from "./write/label.ts";
import { markProcessed } from "./write/mark-processed.ts";
import { merge } from "./write/merge.ts";
import { promote } from "./write/promote.ts";
import { propose } from "./write/propose.ts";
import { purge } from "./write/purge.ts";
import { readSource } from "./write/read-source.ts";
import { remember } from "./write/remember.ts";
import { restoreConcept, restoreEpisode, restoreItem } from "./write/restore.ts";
import { dismissConflict, openConflict, resolveConflict } from "./write/settle-conflict.ts";
import { split } from "./write/split.ts";
import { keepLearned } from "./write/store-learned.ts";
import { supersede } from "./write/supersede.ts";
import { createTopic, setTopic, updateTopic } from "./write/topics.ts";
import { redo, undo } from "./write/undo.ts";
import { update } from "./write/update.ts";
import { updateConcept } from "./write/update-concept.ts";
import { updateEpisode } from "./write/update-episode.ts";

export function createOperations(
  additional: readonly Operation[] = [],
): ReadonlyMap<string, Operation> {
  const all = new Map<string, Operation>(
    [...BUILT_IN, ...additional].map((operation) => [operation.name, operation]),
  );
  const list = [...all.values()];
  return new Map(list.map((operation) => [operation.name, describeOperation(operation, list)]));
}

function describeOperation(operation: Operation, all: readonly Operation[]): Operation {
  if (operation.describe === undefined) return operation;
  const parts = [operation.description, operation.describe(all)];
  return { ...operation, description: parts.filter((part) => part !== undefined).join(" ") };
}

const BUILT_IN = [
  remember,
  recallOperation,
  whyNotOperation,
  recallsOperation,
  apply,
  snapshot,
  items,
  timeline,
  mistakes,
  suggestOperation,
  pendingBatchesOperation,
  events,
  history,
  changes,
  undo,
  redo,
  purge,
  listConflicts,
  openConflict,
  resolveConflict,
  dismissConflict,
  keepLearned,
  listProposals,
  propose,
  acceptProposal,
  rejectProposal,
  promote,
  supersede,
  inspect,
  stats,
  episodeTypes,
  entities,
  inspectEntity,
  listEpisodes,
  getEpisode,
  updateEpisode,
  deleteEpisode,
  restoreEpisode,
  markProcessed,
  listConcepts,
  getConcept,
  createConcept,
  updateConcept,
  deleteConcept,
  restoreConcept,
  link,
  evidence,
  unlink,
  reshape,
  merge,
  split,
  update,
  deleteItem,
  restoreItem,
  changeMatching,
  listDeleted,
  listDeletedEpisodes,
  listDeletedConcepts,
  listImported,
  label,
  unlabel,
  listLabels,
  entityRelation,
  listEntities,
  getEntity,
  entityEpisodes,
  entityConcepts,
  entityFacts,
  getFact,
  clusterTimeline,
  graph,
  graphNeighbourhood,
  entityGraph,
  createTopic,
  updateTopic,
  deleteTopic,
  setTopic,
  listTopics,
  topicOverview,
  readSource,
  listSources,
  getSource,
  getPassage,
  filePassages,
] as const;

type BuiltIn = { [Definition in (typeof BUILT_IN)[number] as Definition["name"]]: Definition };

export type OperationName = keyof BuiltIn;

export type InputOf<Name extends OperationName> = z.input<BuiltIn[Name]["input"]>;

export type OutputOf<Name extends OperationName> = z.output<BuiltIn[Name]["output"]>;
