import { isAbsolute, relative, resolve } from "node:path";
import {
  type ExecuteOptions,
  type Memory,
  MISTAKE_LABEL,
  type MistakePair,
  type OutputOf,
} from "../../memory/index.ts";
import { isPlainObject } from "../../shared/json.ts";

export const CANDIDATE_KINDS = [
  "preference",
  "decision",
  "fact",
  "mistake",
  "cure",
  "files",
] as const;
export const CANDIDATE_TYPES = [
  "preference",
  "decision",
  "fact",
  "outcome",
  "observation",
] as const;

export interface Candidate {
  readonly kind: (typeof CANDIDATE_KINDS)[number];
  readonly episodeType: (typeof CANDIDATE_TYPES)[number];
  readonly content: string;
  readonly entities: readonly string[];
  readonly assertedBy: "user" | "assistant";
  /** A mistake and its correction, in searchable form. */
  readonly mistake?: MistakePair | undefined;
  readonly quotation?: string | undefined;
  /** True if it corrects an earlier statement or known item. */
  readonly corrects?: boolean | undefined;
  readonly rejects?: readonly string[] | undefined;
  /** Dropped if no earlier statement is found that it replaces. */
  readonly onlyReplaces?: boolean | undefined;
  readonly doubt?: string | undefined;
  /** ISO time at which it was stated or happened. */
  readonly at?: string | undefined;
}

export type TranscriptEntry = {
  /** ISO time of the record. */ readonly at?: string | undefined;
} & (
  | { readonly kind: "said"; readonly by: "user" | "assistant"; readonly text: string }
  | {
      readonly kind: "call";
      readonly id: string | undefined;
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: "result";
      readonly id: string | undefined;
      readonly text: string;
      /** Undefined if the client does not report it. */
      readonly failed: boolean | undefined;
    }
);

type Call = Extract<TranscriptEntry, { kind: "call" }>;
type Result = Extract<TranscriptEntry, { kind: "result" }>;

export interface ToolUse {
  readonly call: Call;
  readonly result: Result | undefined;
}

/** Returns calls in order with their results, matched by id or, without ids, by order. */
export function pairToolCalls(entries: readonly TranscriptEntry[]): ToolUse[] {
  const results = new Map<string, Result>();
  for (const entry of entries) {
    if (entry.kind === "result" && entry.id !== undefined) results.set(entry.id, entry);
  }
  return entries.flatMap((entry, index) => {
    if (entry.kind !== "call") return [];
    const next = entries[index + 1];
    const following = next?.kind === "result" ? next : undefined;
    return [{ call: entry, result: entry.id === undefined ? following : results.get(entry.id) }];
  });
}

const SHELL_TOOLS =
  /^(?:bash|shell|powershell|exec_command|run_shell_command|local_shell|execute_command|run_commands?|run_terminal_cmd|run_terminal_command|run_in_terminal)$/i;

export function findCommand({ tool, input }: Call): string | undefined {
  if (!SHELL_TOOLS.test(tool)) return undefined;
  const command = input.command ?? input.cmd ?? input.script;
  if (typeof command === "string") return command.trim();
  if (!Array.isArray(command)) return undefined;
  const words = command.filter((word) => typeof word === "string");
  const isWrapped = words.length === 3 && /^-l?c$/.test(words[1] ?? "");
  return (isWrapped ? (words[2] ?? "") : words.join(" ")).trim();
}

const EDIT_TOOLS =
  /^(?:edit|multi_?edit|write|notebook_?edit|edit_file|write_file|write_to_file|replace|replace_in_file|str_replace(?:_editor|_based_edit_tool)?|create|create_file|insert|apply_patch|editor|text_editor|search_replace)$/i;
const PATH_FIELDS = [
  "file_path",
  "path",
  "filePath",
  "absolute_path",
  "notebook_path",
  "filename",
  "target_file",
  "targetFile",
  "relativeWorkspacePath",
];

/** Returns the files that a call writes; paths inside the project are relative. */
export function listEditedFiles({ tool, input }: Call, cwd: string): string[] {
  if (!EDIT_TOOLS.test(tool) || input.command === "view") return [];
  const named = findPath(input);
  const found = named === undefined ? parsePatchedFiles(input) : [named];
  return found.map((path) => shownPath(path, cwd)).filter((path) => path !== "");
}

const READ_TOOLS =
  /^(?:read|view|open|cat|skim|read_?file|read_many_files|open_file|notebook_?read|str_replace(?:_editor|_based_edit_tool)?|editor|text_editor)$/i;

/**
 * Returns the files that a call reads but does not write; paths inside the project are relative.
 */
export function listReadFiles({ tool, input }: Call, cwd: string): string[] {
  if (!READ_TOOLS.test(tool)) return [];
  const several = Array.isArray(input.paths) ? input.paths : [findPath(input)];
  return several
    .filter((path) => typeof path === "string" && path !== "")
    .map((path) => shownPath(path, cwd));
}

function findPath(input: Call["input"]): string | undefined {
  const named = PATH_FIELDS.map((key) => input[key]).find((path) => typeof path === "string");
  return typeof named === "string" ? named : undefined;
}

function parsePatchedFiles(input: Readonly<Record<string, unknown>>): string[] {
  const texts = Object.values(input).flatMap((value) => (typeof value === "string" ? [value] : []));
  const changes = isPlainObject(input.changes) ? Object.keys(input.changes) : [];
  const marks = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm;
  return [
    ...changes,
    ...texts.flatMap((text) => [...text.matchAll(marks)].map(([, path]) => path ?? "")),
  ];
}

function shownPath(path: string, cwd: string): string {
  const inside = relative(cwd, resolve(cwd, path));
  return inside.startsWith("..") || isAbsolute(inside) ? path : inside.replaceAll("\\", "/");
}

const FAILURE_PATTERN =
  /\b(?:exit(?:ed with)? (?:code|status):?|process exited with code|returned exit code) *\(?(?:[1-9]\d*)\b/i;

export function hasFailed(result: Result): boolean | undefined {
  const text = removeMemoryBlocks(result.text);
  const { failed } = result;
  if (failed === true || FAILURE_PATTERN.test(text)) return true;
  return failed ?? (/\bexit(?:ed with)? (?:code|status):? *0\b/i.test(text) ? false : undefined);
}

function removeMemoryBlocks(text: string): string {
  return text.replaceAll(/<(cairn-memory|memory note=)[\s\S]*?<\/(?:cairn-)?memory>/g, "");
}

const ERROR_LINE =
  /\b(?:error|failed|failure|exception|cannot|can't|not found|denied|undefined|unexpected|no such)\b/i;

export function findErrorLine(text: string): string {
  const lines = removeMemoryBlocks(text)
    .split("\n")
    .map((line) => line.replaceAll(/\s+/g, " ").trim())
    .filter((line) => line !== "" && !/^<\/?[a-z_]+>$|^(?:error: )?exit code:? \d+$/i.test(line));
  return (lines.find((line) => ERROR_LINE.test(line)) ?? lines[0] ?? "").slice(0, 200);
}

interface KeepingOptions extends CapturedBy {
  readonly candidates: readonly Candidate[];
  /** The client's session name, used as the source name. */
  readonly source: string | undefined;
  readonly shown: readonly string[];
  readonly idempotencyKey?: string;
  readonly call?: Pick<ExecuteOptions, "session" | "surface" | "signal">;
}

type StoredResult = OutputOf<"keep_learned">["kept"][number];

export interface StoredCandidates {
  readonly stored: readonly StoredResult[];
  readonly change: string | undefined;
}

export async function storeCandidates(
  memory: Memory,
  { candidates, client, session, source, shown, idempotencyKey, call }: KeepingOptions,
): Promise<StoredCandidates> {
  if (candidates.length === 0) return { stored: [], change: undefined };
  let change: string | undefined;
  const { kept: stored } = await memory.execute(
    "keep_learned",
    {
      claims: toClaims(candidates, { client, session }),
      shown: [...shown],
      ...(source !== undefined && { source: { kind: client, key: source } }),
      ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
    },
    {
      ...call,
      onChange: (created) => {
        change = created;
      },
    },
  );
  return { stored, change };
}

type Effects = Pick<StoredResult, "content" | "replaced" | "disputed" | "replaced_by">;

/** Lists stored items and what they replace: `pnpm, not npm (replaces ep:2)`. */
export function storedText(stored: readonly Effects[]): string {
  const lines = stored.map((one) => {
    const effects = describeEffects(one);
    return effects.length === 0 ? one.content : `${one.content} (${effects.join("; ")})`;
  });
  return lines.join("; ");
}

export function learnedLine(text: string, change: string): string {
  return `◆ learned: ${text.replace(/[.\s]+$/, "")}. \`cairn undo ${change}\` reverts it.`;
}

/** True if storing it superseded an item or opened a conflict. */
export const hasEffect = (stored: readonly StoredResult[]) =>
  stored.some((one) => describeEffects(one).length > 0);

function describeEffects({ replaced, disputed, replaced_by: later }: Effects): string[] {
  return [
    ...(replaced.length > 0 ? [`replaces ${replaced.map(({ id }) => id).join(", ")}`] : []),
    ...disputed.map((one) => `disputes ${one.id} in ${one.conflict_id}`),
    ...(later === undefined ? [] : [`replaced since by ${later.id}`]),
  ];
}

interface CapturedBy {
  readonly client: string;
  readonly session: string;
}

export function toClaims(candidates: readonly Candidate[], { client, session }: CapturedBy) {
  return candidates.map(({ mistake, doubt, at, ...candidate }) => ({
    content: candidate.content,
    episode_type: candidate.episodeType,
    ...(candidate.entities.length > 0 && { entities: [...candidate.entities] }),
    labels: [
      `captured=${client}`,
      ...(mistake === undefined ? [] : [`${MISTAKE_LABEL}=${mistake.how}`]),
    ],
    ...(mistake !== undefined && { metadata: { mistake } }),
    source_type: "capture",
    asserted_by: candidate.assertedBy === "user" ? "user" : client,
    session,
    ...(at !== undefined && { occurred_at: at }),
    ...(candidate.quotation !== undefined && { quotation: candidate.quotation }),
    ...(candidate.corrects !== undefined && { corrects: candidate.corrects }),
    ...(candidate.rejects !== undefined && { rejects: [...candidate.rejects] }),
    ...(candidate.onlyReplaces === true && { only_if_replaces: true }),
    ...(doubt === undefined ? {} : { verdict: "propose" as const, reason: doubt }),
  }));
}
