export {
  type FieldKind,
  fieldDefault,
  fieldKind,
  isRequired,
} from "../shared/fields.ts";
export { CONTEXT_ITEM_ID, formatItemLine, type RecallReason } from "./briefing/block.ts";
export { HIDDEN_LABEL } from "./briefing/hidden-items.ts";
export { formatMomentContext, loadMomentReminders, showAtUse } from "./briefing/moment-context.ts";
export type { MomentOfUse, MomentRequest } from "./briefing/moment-of-use.ts";
export { createPromptContext, type Reminder, selectReminders } from "./briefing/prompt-context.ts";
export {
  findRejectedWord,
  listComparableWords,
  listDistinctiveWords,
  loadRules,
  MAX_RULES,
  REQUIREMENT_PATTERN,
  toComparable,
} from "./briefing/rejected-words.ts";
export {
  createBriefing,
  createSessionContext,
  type SessionContext,
  type SessionMemories,
} from "./briefing/session-context.ts";
export type { ChangesetIssue } from "./changeset/parsed-op.ts";
export { findIssues } from "./changeset/parsed-op.ts";
export { type ChangesetPart, splitChangeset } from "./changeset/split-changeset.ts";
export type { ConceptRecord } from "./concepts/concept.schema.ts";
export type { ConflictRecord } from "./conflicts/conflict.schema.ts";
export type { ExecuteOptions, Once, Progress } from "./context/execute-options.ts";
export { DEFAULT_SHOWN, SlicedList } from "./context/sliced-list.ts";
export type { EpisodeRecord } from "./episodes/episode.schema.ts";
export { BUILT_IN_EPISODE_TYPES } from "./episodes/episode-types.ts";
export { ChangeFeed, type FeedSource, type FollowOptions } from "./events/event.queries.ts";
export type { EventRecord } from "./events/event.schema.ts";
export { EVENT_KINDS, type EventKind } from "./events/event.table.ts";
export type { FactRecord } from "./facts/fact.schema.ts";
export { DATABASE_NAME, isDatabaseName } from "./input/database-name.ts";
export { DEFAULT_LIMITS, type MemoryLimits } from "./input/limits.ts";
export { ENTITY_TYPES, parseEntity } from "./input/parse-entity.ts";
export { type Label, parseRestLabel } from "./input/parse-labels.ts";
export { validateInput } from "./input/validate-input.ts";
export {
  hasReservation,
  type LanguagePart,
  matchesPart,
  matchGroups,
} from "./language/index.ts";
export { WORTH_REMEMBERING } from "./learned/worth-remembering.ts";
export {
  copyMemory,
  type Diagnosis,
  type DoctorWork,
  diagnose,
  exportDatabase,
  type Finding,
  importDatabase,
  type Reindexed,
  reindex,
  repair,
} from "./maintenance/index.ts";
export type { CallOptions, Memory } from "./memory.ts";
export type { MemoryOptions } from "./memory-options.ts";
export type {
  BackendState,
  DatabaseInfo,
  DatabaseStatus,
  MigratedDatabase,
} from "./memory-store.ts";
export { MemoryStore, type MemoryStoreOptions } from "./memory-store.ts";
export {
  AVOIDED_LABEL,
  MISTAKE_LABEL,
  type MistakePair,
  type MistakeRecord,
  mistakePair,
  REPEATED_LABEL,
} from "./mistakes/mistake.schema.ts";
export { countDatabase, type DatabaseCounts, MemoryEngine, openMemory } from "./open-memory.ts";
export { contextOperations } from "./operations/context-operations.ts";
export type {
  CliExposure,
  McpExposure,
  McpResource,
  Operation,
  Presentation,
  ResourceLink,
  RestExposure,
} from "./operations/define-operation.ts";
export { defineOperation, scopeOfOperation } from "./operations/define-operation.ts";
export { getSnapshot } from "./operations/read/snapshot.ts";
export { readScope } from "./operations/read-scope.ts";
export {
  createOperations,
  type InputOf,
  type OperationName,
  type OutputOf,
} from "./operations/registry.ts";
export {
  quoteForModel,
  quoteJsonForModel,
  quoteLinesForModel,
  quoteNameForModel,
} from "./presentation/quote-for-model.ts";
export type { ContributionKind } from "./recall/recall.schema.ts";
export { parseQueryWords } from "./search/query-words.ts";
export { isStandingInstruction } from "./search/standing-instructions.ts";
export { findSecrets, isMasked, maskSecrets } from "./secrets/find-secrets.ts";
export { findStoredSecrets, type StoredSecret } from "./secrets/find-stored-secrets.ts";
export type { FoundSecret } from "./secrets/judge-value.ts";
export { defineScope, type Scope } from "./snapshot/define-scope.ts";
export { type ScopeName, type SectionOf, SNAPSHOT_SCOPES } from "./snapshot/registry.ts";
export type { PassageRecord, SourceRecord } from "./sources/source.schema.ts";
export { storedPassages, storedSources } from "./sources/stored-sources.ts";
