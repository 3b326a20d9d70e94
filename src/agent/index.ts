export {
  EFFORTS,
  forgetKey,
  hasKey,
  type LlmSettings,
  listModels,
  llmSettings,
  logInByBrowser,
  outgoingFetch,
  SERVICES,
  type Service,
  STORED_KEYS_FILE,
  StoredKeys,
  storeKey,
} from "../llm/index.ts";
export { askModel } from "./ask-model.ts";
export { type AuditEntry, auditFile, readAudit } from "./audit/audit-log.ts";
export { findLineAuthors } from "./checkpoints/line-authors.ts";
export { withAllowedTools } from "./permission/allowed-tools.ts";
export type { UndoableTurn, UndoRequest } from "./ports/checkpoint.ts";
export type {
  Choice,
  CommandHelp,
  Dialogue,
  MessageOutput,
  ProgressItem,
  View,
} from "./ports/dialogue.ts";
export type { AgentEvent, AgentEventBody, StatusPhase, TokenUsage } from "./ports/events.ts";
export { PERMISSION_MODES, type PermissionMode } from "./ports/permission-mode.ts";
export type {
  PermissionAnswer,
  PermissionDecision,
  PermissionNotice,
  PermissionQuestion,
} from "./ports/permission-question.ts";
export type {
  ImmediateContext,
  SlashArgument,
  SlashCommand,
  SlashCommandContext,
} from "./ports/slash-command.ts";
export type {
  ChosenModel,
  CreateThreadOptions,
  HistoryEntry,
  HostInfo,
  ImmediateCaller,
  ThreadHost,
  ThreadInfo,
} from "./ports/thread-host.ts";
export { waitForTurn, waitUntilSettled } from "./ports/thread-host.ts";
export type { Worktree } from "./ports/worktree.ts";
export { secretNames, startedByAgent } from "./processes/child-environment.ts";
export { createReport, formatReport, type RunReport } from "./run/report.ts";
export {
  findRun,
  listRuns,
  type RunLimits,
  type RunPaths,
  type RunState,
  readRun,
  runningProcess,
} from "./run/run-log.ts";
export { type RunPorts, resumeRun, startRun } from "./run/run-tasks.ts";
export { parseTaskFile } from "./run/task-file.ts";
export { findConfinement } from "./sandbox/find-confinement.ts";
export { type AgentSettings, agentSettings } from "./settings.ts";
export { offeredCommands } from "./slash-commands/find-slash-command.ts";
export { createThreadHost } from "./threads/create-thread-host.ts";
export type { ThreadHostOptions } from "./threads/host-services.ts";
export { listSessions, type SessionSummary } from "./threads/list-sessions.ts";
export { isAutoRun } from "./tools/auto-run-files.ts";
export { explainLine, formatExplanation, type Why } from "./why/why-line.ts";
export { createDiff, loadChanges } from "./worktrees/changes.ts";
export { mergeWorktree, planMerge } from "./worktrees/merge.ts";
export { finishMerge } from "./worktrees/replace-files.ts";
export {
  createWorktree,
  findWorktree,
  listWorktrees,
  removeWorktree,
} from "./worktrees/worktree.ts";
