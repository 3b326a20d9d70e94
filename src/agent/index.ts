export {
  EFFORTS,
  forgetKey,
  hasKey,
  KEPT_KEYS_FILE,
  KeptKeys,
  keepKey,
  type LlmSettings,
  listModels,
  llmSettings,
  logInByBrowser,
  outgoingFetch,
  SERVICES,
  type Service,
} from "../llm/index.ts";
export { askModel } from "./ask-model.ts";
export type { AuditEntry } from "./audit/audit-entry.ts";
export { auditPlace } from "./audit/audit-files.ts";
export { type ReadAudit, readAudit } from "./audit/read-audit.ts";
export { writersOfLines } from "./checkpoints/writers-of-lines.ts";
export { changesOfCopy, countPieces, diffOfChange } from "./copies/copy-changes.ts";
export { findCopy, listCopies } from "./copies/copy-place.ts";
export { discardCopy } from "./copies/discard-copy.ts";
export { makeCopy } from "./copies/make-copy.ts";
export { mergeAsCommit } from "./copies/merge-as-commit.ts";
export { mergeCopy } from "./copies/merge-copy.ts";
export { planMerge } from "./copies/plan-merge.ts";
export { withAllowedTools } from "./permission/allowed-tools.ts";
export type { UndoableTurn, UndoWish } from "./ports/checkpoint.ts";
export type {
  Choice,
  CommandHelp,
  Dialogue,
  ProgressItem,
  Teller,
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
export type { ProjectCopy } from "./ports/project-copy.ts";
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
  ImmediateAsker,
  ThreadHost,
  ThreadInfo,
} from "./ports/thread-host.ts";
export { untilSettled, untilTurn } from "./ports/until-settled.ts";
export { secretNames } from "./processes/child-environment.ts";
export { startedByAgent } from "./processes/started-by-agent.ts";
export { whatConfines } from "./sandbox/what-confines.ts";
export { type AgentSettings, agentSettings } from "./settings.ts";
export { offeredCommands } from "./slash-commands/offered-commands.ts";
export { createThreadHost } from "./threads/create-thread-host.ts";
export { listSessions, type SessionSummary } from "./threads/list-sessions.ts";
export type { ThreadHostOptions } from "./threads/thread-host-options.ts";
export { isActedUpon } from "./tools/acted-upon.ts";
export { AnswerFiles } from "./unattended/answer-files.ts";
export { findChecks } from "./unattended/find-checks.ts";
export { lastChange, learnedSince } from "./unattended/learned-since.ts";
export { limitsOfSettings } from "./unattended/limits-of-settings.ts";
export type { NightOptions } from "./unattended/night-entry.ts";
export type { NightLimits } from "./unattended/night-limits.ts";
export {
  findNight,
  listNights,
  type NightPlace,
  readBegunNight,
  readNight,
  unfinishedNight,
  workerOf,
} from "./unattended/night-place.ts";
export { type NightReport, reportOf } from "./unattended/night-report.ts";
export type { NightState } from "./unattended/night-state.ts";
export { notifyBy } from "./unattended/notify.ts";
export { beginNight, type NightPorts, resumeNight } from "./unattended/open-night.ts";
export { parseTaskFile, type TaskFile } from "./unattended/parse-task-file.ts";
export type { Asker, OpenQuestion } from "./unattended/questions.ts";
export { reportAsMarkdown } from "./unattended/report-as-markdown.ts";
export { type Why, whyLine } from "./why/why-line.ts";
export { whyText } from "./why/why-text.ts";
